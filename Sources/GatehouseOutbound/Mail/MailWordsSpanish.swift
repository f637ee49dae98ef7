import GatehouseIdentity
import GatehousePolicy

extension MailWords {
  static let spanish = MailWords(
    language: .spanish,
    greeting: "Hola{{#name}}, {{name}}{{/name}}:",
    linkHint: "Si el botón no funciona, copia este enlace en tu navegador:",
    linkExpires: "El enlace es válido durante {{link_expires}} y solo se puede usar una vez.",
    codeSubject: "{{code}} es tu código de {{app_name}}",
    codeAlone: "Tu código:",
    codeToo: "O escribe este código donde lo has pedido:",
    codeExpires: "El código es válido durante {{code_expires}} y solo se puede usar una vez.",
    codeWarning: "No lo compartas. Nadie de {{app_name}} te lo pedirá.",
    footer: [
      "{{app_name}} ha enviado este correo a {{email}}.",
      "{{#support_email}}¿Preguntas? Escribe a {{support_email}}.{{/support_email}}",
    ],
    terms: "Condiciones del servicio", privacy: "Política de privacidad",
    minute: CountedWords(one: "1 minuto", other: "# minutos"), hour: CountedWords(one: "1 hora", other: "# horas"),
    day: CountedWords(one: "1 día", other: "# días"),
    letter: { kind in
      switch kind {
      case .verifyEmail:
        MailLetter(
          subject: "Confirma tu correo electrónico para {{app_name}}", heading: "Confirma tu correo electrónico",
          lead: ["Confirma que {{email}} es tu dirección para poder usar {{app_name}}."],
          button: "Confirmar dirección",
          closing: ["Si no lo has pedido tú, ignora este correo: sin tu confirmación no pasa nada."])
      case .resetPassword:
        MailLetter(
          subject: "Restablece tu contraseña de {{app_name}}", heading: "Restablece tu contraseña",
          lead: ["Alguien, esperamos que tú, ha pedido restablecer la contraseña de tu cuenta de {{app_name}}."],
          button: "Elegir una contraseña nueva",
          closing: ["Si no lo has pedido tú, ignora este correo: tu contraseña sigue siendo la misma."])
      case .setPassword:
        MailLetter(
          subject: "Tu cuenta de {{app_name}} está lista", heading: "Elige tu contraseña",
          lead: ["Se ha creado una cuenta de {{app_name}} para ti. Elige una contraseña para empezar."],
          button: "Elegir una contraseña",
          closing: ["Si no lo esperabas, ignora este correo: sin contraseña nadie puede usar la cuenta."])
      case .changeEmailConfirm:
        MailLetter(
          subject: "Confirma tu nuevo correo electrónico para {{app_name}}", heading: "Confirma tu nueva dirección",
          lead: [
            "Has pedido usar {{#new_email}}{{new_email}}{{/new_email}}{{^new_email}}{{email}}{{/new_email}} en tu cuenta "
              + "de {{app_name}}. Confirma que es tuya."
          ],
          button: "Confirmar la nueva dirección",
          closing: ["Si no lo has pedido tú, ignora este correo: sin tu confirmación no cambia nada."])
      case .reauthenticate:
        MailLetter(
          subject: "Tu código de {{app_name}}", heading: "Confirma que eres tú",
          lead: [
            "Alguien, esperamos que tú, tiene abierta tu cuenta de {{app_name}} y quiere confirmar que eres tú."
          ],
          button: "Abrir {{app_name}}",
          closing: [
            "Si no lo has pedido tú, no des el código a nadie, cierra la sesión en todos los dispositivos desde "
              + "{{app_name}} e inicia sesión de nuevo."
          ])
      case .changeEmailNotice:
        MailLetter(
          subject: "El correo electrónico de tu cuenta de {{app_name}} va a cambiar",
          heading: "Tu dirección va a cambiar",
          lead: [
            "Alguien, esperamos que tú, ha pedido cambiar el correo electrónico de tu cuenta de {{app_name}}"
              + "{{#new_email}} a {{new_email}}{{/new_email}}.", "{{#when}}Cuándo: {{when}}{{/when}}",
            "Si has sido tú, no tienes que hacer nada.",
          ],
          button:
            "{{#link_expires}}Deshacer el cambio{{/link_expires}}{{^link_expires}}Restablecer la contraseña{{/link_expires}}",
          closing: [
            "Si no lo has pedido tú, {{#link_expires}}deshazlo con el enlace de arriba y {{/link_expires}}cambia tu contraseña cuanto antes."
          ])
      case .changeEmailUndone:
        MailLetter(
          subject: "La dirección de tu cuenta de {{app_name}} ha vuelto a ser la anterior",
          heading: "La dirección ha vuelto a ser la anterior",
          lead: [
            "Una cuenta de {{app_name}} que usaba {{email}} vuelve a usar su dirección anterior. "
              + "Desde esa dirección se deshizo el cambio y se cerraron todas las sesiones.",
            "{{#when}}Cuándo: {{when}}{{/when}}",
          ],
          button: "Abrir {{app_name}}",
          closing: [
            "Si la cuenta es tuya, inicia sesión con la dirección anterior o restablece allí su contraseña.",
            "Si no sabes nada de esto, ignora este correo.",
          ])
      case .passwordChanged:
        MailLetter(
          subject: "Tu contraseña de {{app_name}} ha cambiado", heading: "Tu contraseña ha cambiado",
          lead: [
            "La contraseña de tu cuenta de {{app_name}} ha cambiado.", "{{#when}}Cuándo: {{when}}{{/when}}",
            "{{#device}}Dispositivo: {{device}}{{/device}}", "Si has sido tú, no tienes que hacer nada.",
          ],
          button: "Restablecer la contraseña",
          closing: [
            "Si no has sido tú, restablece tu contraseña cuanto antes"
              + "{{#support_email}} y escribe a {{support_email}}{{/support_email}}."
          ])
      case .signUpAttempt:
        MailLetter(
          subject: "Ya tienes una cuenta de {{app_name}}", heading: "Ya tienes una cuenta",
          lead: [
            "Alguien, esperamos que tú, ha intentado registrarse en {{app_name}} con {{email}}. "
              + "Esta dirección ya tiene una cuenta, así que no se ha creado otra.",
            "Para entrar, usa tu contraseña o restablécela si ya no la recuerdas.",
          ],
          button: "Continuar en {{app_name}}",
          closing: ["Si no lo has pedido tú, ignora este correo: no ha cambiado nada y nadie ha entrado."])
      case .newDevice:
        MailLetter(
          subject: "Nuevo inicio de sesión en tu cuenta de {{app_name}}", heading: "Nuevo inicio de sesión",
          lead: [
            "Se ha usado tu cuenta de {{app_name}} en un dispositivo que no habíamos visto antes.",
            "{{#device}}Dispositivo: {{device}}{{/device}}", "{{#place}}Lugar: cerca de {{place}}{{/place}}",
            "{{#when}}Cuándo: {{when}}{{/when}}",
            "Si has sido tú, no tienes que hacer nada.",
          ],
          button: "Revisar tus dispositivos",
          closing: ["Si no has sido tú, cambia tu contraseña cuanto antes y cierra las sesiones que no conozcas."])
      case .providerLinked:
        MailLetter(
          subject: "{{provider}} se ha conectado a tu cuenta de {{app_name}}", heading: "{{provider}} está conectado",
          lead: [
            "Se ha conectado una cuenta de {{provider}} a tu cuenta de {{app_name}}.",
            "{{#when}}Cuándo: {{when}}{{/when}}", "Si has sido tú, no tienes que hacer nada.",
          ],
          button: "Revisar tus conexiones",
          closing: ["Si no has sido tú, desconéctala en {{app_name}} y cambia tu contraseña cuanto antes."])
      case .providerUnlinked:
        MailLetter(
          subject: "{{provider}} se ha desconectado de tu cuenta de {{app_name}}",
          heading: "{{provider}} está desconectado",
          lead: [
            "Tu cuenta de {{provider}} ya no está conectada a tu cuenta de {{app_name}}.",
            "{{#when}}Cuándo: {{when}}{{/when}}", "Si has sido tú, no tienes que hacer nada.",
          ],
          button: "Revisar tus conexiones",
          closing: ["Si no has sido tú, cambia tu contraseña cuanto antes."])
      case .providerLinkBroken:
        MailLetter(
          subject: "Vuelve a conectar {{provider}} a {{app_name}}", heading: "Vuelve a conectar {{provider}}",
          lead: [
            "{{provider}} ya no da a {{app_name}} todo el acceso que necesita para ti.",
            "{{#when}}Cuándo: {{when}}{{/when}}", "Abre {{app_name}} y vuelve a conectar {{provider}}.",
          ],
          button: "Volver a conectar",
          closing: ["Si has retirado tú el acceso, no tienes que hacer nada."])
      case .accountReclaimed:
        MailLetter(
          subject: "{{provider}} te da acceso a {{app_name}}", heading: "Sesión iniciada con {{provider}}",
          lead: [
            "Se ha iniciado sesión en tu cuenta de {{app_name}} con {{provider}}. Su dirección {{email}} no estaba "
              + "confirmada; {{provider}} la ha confirmado.",
            "La contraseña anterior ya no existe: no abre la cuenta. Los dispositivos y las conexiones de antes se han "
              + "quitado.",
            "{{#when}}Cuándo: {{when}}{{/when}}", "Si has sido tú, no tienes que hacer nada.",
          ],
          button: "Revisar tus conexiones",
          closing: [
            "Si no has sido tú, protege tu cuenta de {{provider}} cuanto antes"
              + "{{#support_email}} y escribe a {{support_email}}{{/support_email}}."
          ])
      case .accountDeleted:
        MailLetter(
          subject: "Tu cuenta de {{app_name}} se ha eliminado", heading: "Tu cuenta se ha eliminado",
          lead: [
            "La cuenta de {{app_name}} de {{email}} se ha eliminado con todo lo que contenía. No se puede recuperar.",
            "{{#when}}Cuándo: {{when}}{{/when}}", "Si has sido tú, no tienes que hacer nada.",
          ],
          button: "Abrir {{app_name}}",
          closing: [
            "Si no sabes nada de esto, cambia la contraseña de tu correo"
              + "{{#support_email}} y escribe a {{support_email}}{{/support_email}}."
          ])
      case .factorAdded:
        MailLetter(
          subject: "Se ha añadido un segundo paso a tu cuenta de {{app_name}}", heading: "Segundo paso añadido",
          lead: [
            "Se ha añadido una aplicación de autenticación o una llave de acceso a tu cuenta de {{app_name}}. A partir de "
              + "ahora se puede pedir al iniciar sesión.", "{{#when}}Cuándo: {{when}}{{/when}}",
            "Si has sido tú, no tienes que hacer nada.",
          ],
          button: "Revisar tu cuenta",
          closing: [
            "Si no has sido tú, cambia tu contraseña cuanto antes, quita el paso nuevo en {{app_name}}"
              + "{{#support_email}} y escribe a {{support_email}}{{/support_email}}."
          ])
      case .factorRemoved:
        MailLetter(
          subject: "Se ha quitado un segundo paso de tu cuenta de {{app_name}}", heading: "Segundo paso quitado",
          lead: [
            "Se ha quitado una aplicación de autenticación o una llave de acceso de tu cuenta de {{app_name}}. Ya no se "
              + "pide al iniciar sesión.", "{{#when}}Cuándo: {{when}}{{/when}}",
            "Si has sido tú, no tienes que hacer nada.",
          ],
          button: "Revisar tu cuenta",
          closing: [
            "Si no has sido tú, cambia tu contraseña cuanto antes"
              + "{{#support_email}} y escribe a {{support_email}}{{/support_email}}."
          ])
      case .factorLost:
        MailLetter(
          subject: "Se ha quitado un dispositivo perdido de tu cuenta de {{app_name}}",
          heading: "Dispositivo perdido quitado",
          lead: [
            "Se ha quitado de tu cuenta de {{app_name}} la llave de acceso o la aplicación de autenticación de un "
              + "dispositivo perdido. Ya no abre nada.", "{{#when}}Cuándo: {{when}}{{/when}}",
            "Si has sido tú, no tienes que hacer nada.",
          ],
          button: "Revisar tu cuenta",
          closing: [
            "Si no has sido tú, cambia tu contraseña cuanto antes"
              + "{{#support_email}} y escribe a {{support_email}}{{/support_email}}."
          ])
      case .passkeyUnsynced:
        MailLetter(
          subject: "Una llave de acceso de tu cuenta de {{app_name}} ya no se sincroniza",
          heading: "Llave de acceso sin sincronizar",
          lead: [
            "Una llave de acceso de tu cuenta de {{app_name}} está ahora en un solo dispositivo. Sin ese dispositivo, "
              + "se pierde.", "{{#when}}Cuándo: {{when}}{{/when}}",
            "Añade otra llave de acceso o guarda códigos de recuperación en un lugar seguro.",
          ],
          button: "Revisar tu cuenta",
          closing: [
            "Si no reconoces esta llave de acceso, quítala en {{app_name}}"
              + "{{#support_email}} y escribe a {{support_email}}{{/support_email}}."
          ])
      case .recoveryCodesMade:
        MailLetter(
          subject: "Nuevos códigos de recuperación de tu cuenta de {{app_name}}",
          heading: "Nuevos códigos de recuperación",
          lead: [
            "Se han creado códigos de recuperación para tu cuenta de {{app_name}}. Los anteriores ya no funcionan.",
            "{{#when}}Cuándo: {{when}}{{/when}}", "Si has sido tú, no tienes que hacer nada.",
          ],
          button: "Revisar tu cuenta",
          closing: [
            "Si no has sido tú, cambia tu contraseña cuanto antes, crea códigos nuevos en {{app_name}}"
              + "{{#support_email}} y escribe a {{support_email}}{{/support_email}}."
          ])
      case .recoveryCodeUsed:
        MailLetter(
          subject: "Se ha usado un código de recuperación de tu cuenta de {{app_name}}",
          heading: "Código de recuperación usado",
          lead: [
            "Se ha usado un código de recuperación como segundo paso de tu cuenta de {{app_name}}. Cada código sirve una "
              + "sola vez.", "{{#when}}Cuándo: {{when}}{{/when}}", "{{#device}}Dispositivo: {{device}}{{/device}}",
            "Si has sido tú, no tienes que hacer nada.",
          ],
          button: "Revisar tu cuenta",
          closing: [
            "Si no has sido tú, cambia tu contraseña cuanto antes, crea códigos nuevos en {{app_name}}"
              + "{{#support_email}} y escribe a {{support_email}}{{/support_email}}."
          ])
      case .mfaReset:
        MailLetter(
          subject: "Se ha restablecido el segundo paso de tu cuenta de {{app_name}}",
          heading: "Segundo paso restablecido",
          lead: [
            "Un operador de {{app_name}} ha quitado todos los segundos pasos y códigos de recuperación de tu cuenta y ha "
              + "cerrado todas sus sesiones.", "{{#when}}Cuándo: {{when}}{{/when}}",
            "Si lo has pedido tú, inicia sesión y vuelve a añadir un segundo paso.",
          ],
          button: "Iniciar sesión",
          closing: [
            "Si no lo has pedido tú, cambia tu contraseña cuanto antes"
              + "{{#support_email}} y escribe a {{support_email}}{{/support_email}}."
          ])
      case .test:
        MailLetter(
          subject: "Una prueba de {{app_name}}", heading: "El correo funciona",
          lead: ["Esto es una prueba. Si puedes leerla, {{app_name}} puede enviar correo."],
          button: "Abrir {{app_name}}", closing: ["Si no lo has pedido tú, ignora este correo."])
      }
    })
}
