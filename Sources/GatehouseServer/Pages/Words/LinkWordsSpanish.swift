import GatehousePolicy
import GatehouseWire

extension LinkWords {
  static let spanish = LinkWords(
    newPassword: "Contraseña nueva",
    chosenPassword: "La contraseña que elegiste", wrongPassword: "Esta no es la contraseña correcta.",
    missingPassword: "Escribe la contraseña.", typed: "Estos datos se escribieron al registrarse:",
    otherPassword: "¿No fuiste tú?",
    otherLead: "Puedes quedarte con la cuenta y con lo que ves arriba si eliges otra contraseña. La que se escribió al "
      + "registrarse se descarta. Si no quieres la cuenta, cierra esta página: no cambiará nada.",
    takeOver: "Usar mi propia contraseña", user: "Cuenta:",
    undoWord: UndoWord(
      word: "DESHACER", label: "Escribe DESHACER para continuar", missing: "Escribe la palabra DESHACER."),
    forms: { page, address, app in
      switch page {
      case .verifyEmail:
        LinkTexts(
          title: "Verifica tu correo", lead: "Pulsa el botón para confirmar que \(address) es tu dirección.",
          button: "Verificar mi correo", doneTitle: "Correo verificado",
          done: "Tu correo está verificado. Puedes cerrar esta página y volver a \(app).")
      case .resetPassword:
        LinkTexts(
          title: "Elige una contraseña nueva",
          lead: "Sustituye a la anterior y cierra tu sesión en todos los dispositivos.",
          button: "Guardar la contraseña", doneTitle: "Contraseña guardada",
          done: "Puedes cerrar esta página e iniciar sesión en \(app) con tu contraseña nueva.")
      case .confirmEmail:
        LinkTexts(
          title: "Confirma tu nuevo correo",
          lead: "Pulsa el botón para usar \(address) en tu cuenta de \(app) desde ahora.",
          button: "Usar este correo", doneTitle: "Correo cambiado",
          done: "Tu nuevo correo ya está en uso. Puedes cerrar esta página y volver a \(app).")
      case .undoEmail:
        LinkTexts(
          title: "Conserva tu correo anterior",
          lead: "Si no cambiaste el correo de tu cuenta de \(app), deshaz el cambio: se vuelve a usar \(address) y se "
            + "cierran todas las sesiones.",
          button: "Deshacer el cambio", doneTitle: "Cambio deshecho",
          done: "Tu correo anterior ha vuelto. Elige ahora una contraseña nueva en \(app): puede que otra persona "
            + "conozca la anterior.")
      }
    },
    withPassword: { page, address, app in
      page == .confirmEmail
        ? "Escribe la contraseña de tu cuenta de \(app) para usar \(address) desde ahora. "
          + "Si no lo pediste, cierra esta página: no cambiará nada."
        : "Escribe la contraseña de tu cuenta de \(app) para confirmar que \(address) es tu dirección. "
          + "Si no creaste una cuenta, cierra esta página: no cambiará nada."
    },
    inApp: { app in
      "Tu cuenta no tiene contraseña. Abre \(app), inicia sesión allí y confirma la dirección en la aplicación."
    },
    signUp: { address, app in
      LinkTexts(
        title: "Termina tu registro",
        lead: "Alguien pidió una cuenta de \(app) con \(address). Si fuiste tú, escribe la contraseña que elegiste.",
        button: "Verificar mi correo", doneTitle: "Correo verificado",
        done: "Tu cuenta está lista. Puedes cerrar esta página e iniciar sesión en \(app).")
    },
    firstPassword: { app in
      LinkTexts(
        title: "Elige tu contraseña", lead: "Tu cuenta de \(app) está lista. Solo le falta una contraseña.",
        button: "Guardar mi contraseña", doneTitle: "Contraseña guardada",
        done: "Puedes cerrar esta página e iniciar sesión en \(app) con tu contraseña nueva.")
    },
    refusals: { code in
      switch code {
      case .codeExpired:
        ("Este enlace ha caducado", "Los enlaces sirven por tiempo limitado. Pide uno nuevo.")
      case .codeUsed:
        (
          "Este enlace ya se usó",
          "Si fuiste tú, no falta nada: vuelve a la aplicación. Si no, pide un enlace nuevo."
        )
      case .codeInvalid:
        (
          "Este enlace no funciona",
          "Puede estar incompleto, o un correo más nuevo lo ha sustituido. Abre tu correo más reciente o pide un enlace "
            + "nuevo."
        )
      case .accountExists, .conflict:
        ("Esta dirección ya está en uso", "Otra cuenta la usa. Elige otra dirección.")
      case .rateLimited, .tooManyAttempts, .cooldown:
        ("Demasiados intentos", "Espera un poco y abre otra vez el enlace de tu correo.")
      default: (code.entry.title.es, nil)
      }
    },
    noLink: (
      "Esta página necesita un enlace",
      "Abre el enlace de tu correo o pide uno nuevo."
    ), another: "Enviar un enlace nuevo")
}
