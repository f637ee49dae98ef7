import GatehousePolicy

/// The forms for a code of a second factor.
struct SecondStepWords: Sendable {
  let heading: String
  /// Above the form for a code of an authenticator app.
  let lead: @Sendable (_ app: String) -> String
  /// Above the form for a recovery code, and its field.
  let recoveryLead, recoveryCode: String
  /// The ways from one form to the other.
  let byRecoveryCode, byApp: String
  let remember: @Sendable (_ time: String) -> String
  /// A code that is wrong, and a sign-in that waited too long or met too many of them.
  let wrong, over: String
  /// A number of days as people say it.
  let days: @Sendable (_ count: Int) -> String

  static let english = SecondStepWords(
    heading: "One more step",
    lead: { "Open your authenticator app and type the six digits that it shows for \($0)." },
    recoveryLead: "Type one of the recovery codes that you kept. Each works once.", recoveryCode: "Recovery code",
    byRecoveryCode: "Use a recovery code instead", byApp: "Use the authenticator app instead",
    remember: { "Do not ask again on this device for \($0)" },
    wrong: "That code is not right. Each code works once.",
    over: "This took too long, or there were too many wrong codes. Sign in again.",
    days: { CountedWords(one: "1 day", other: "# days").text($0, in: .english) })
  static let spanish = SecondStepWords(
    heading: "Un paso más",
    lead: { "Abre tu aplicación de autenticación y escribe las seis cifras que muestra para \($0)." },
    recoveryLead: "Escribe uno de los códigos de recuperación que guardaste. Cada uno sirve una vez.",
    recoveryCode: "Código de recuperación", byRecoveryCode: "Usar un código de recuperación",
    byApp: "Usar la aplicación de autenticación",
    remember: { "No volver a preguntar en este dispositivo durante \($0)" },
    wrong: "Ese código no es correcto. Cada código sirve una vez.",
    over: "Ha pasado demasiado tiempo o hubo demasiados códigos incorrectos. Inicia sesión de nuevo.",
    days: { CountedWords(one: "1 día", other: "# días").text($0, in: .spanish) })
}

/// The page of second factors.
struct FactorWords: Sendable {
  let heading, lead, none: String
  /// A factor without a name.
  let app: String
  let since: @Sendable (_ day: String) -> String
  let name, nameHint, add: String
  /// Above the form for one more.
  let another: String
  let rename, renaming, remove: String
  let removing: @Sendable (_ name: String) -> String
  let removingOne, removingLast, cancel: String
  /// The question whether the owner has it still, with a button for each answer.
  let whetherLost, removeHeld, removeLost: String
  /// The notice for a person who signed in with a recovery code.
  let recovered: String
  /// The notice for a person who will need a second factor.
  let due: @Sendable (_ day: String) -> String
  /// The steps of adding an authenticator app, and the name of the picture.
  let scan, picture, open, key, digits: String
  /// The first code did not come in time.
  let over: String
  let codes: String
  let left: @Sendable (_ count: Int) -> String
  let makeSoon, makeCodes: String
  let keepCodes, codesLead, formerCodes, kept: String

  static let english = FactorWords(
    heading: "Two-step sign-in",
    lead: "When you sign in, we also ask for a code of an app. A stolen password is not enough then.",
    none: "You have no authenticator app yet.", app: "Authenticator app", since: { "Added on \($0)." },
    name: "Name (optional)", nameHint: "So that you know it again, like “My phone”.", add: "Add an authenticator app",
    another: "Another app", rename: "Rename", renaming: "Rename the app", remove: "Remove",
    removing: { "Remove \($0)?" }, removingOne: "Its codes stop working.",
    removingLast: "Signing in asks for no code then, and your recovery codes stop working.", cancel: "Cancel",
    whetherLost: "Do you still have it? If it is gone, our mail about this says so.",
    removeHeld: "Remove: I still have it", removeLost: "Remove: I no longer have it",
    recovered: "You signed in with a recovery code. If your phone is gone, remove it here and add another one.",
    due: { "From \($0) you need two-step sign-in. You can set it up now." },
    scan: "Scan this picture with your authenticator app.", picture: "QR code for the authenticator app",
    open: "The app is on this device", key: "Or type this key into the app:",
    digits: "Then type the six digits that the app shows.", over: "This took too long. Begin again.",
    codes: "Recovery codes",
    left: { count in
      count == 0
        ? "You have no recovery codes left."
        : CountedWords(one: "You have 1 recovery code left.", other: "You have # recovery codes left.")
          .text(count, in: .english)
    }, makeSoon: "Make new ones now, so that you can get in without your phone.", makeCodes: "Make new recovery codes",
    keepCodes: "Keep your recovery codes",
    codesLead:
      "Each one signs you in once if you lose your phone. You see them only now: print them or write them down.",
    formerCodes: "Your former recovery codes no longer work.", kept: "I have kept them")
  static let spanish = FactorWords(
    heading: "Inicio de sesión en dos pasos",
    lead: "Al iniciar sesión pedimos además un código de una aplicación. Así, una contraseña robada no basta.",
    none: "Todavía no tienes ninguna aplicación de autenticación.", app: "Aplicación de autenticación",
    since: { "Añadida el \($0)." }, name: "Nombre (opcional)",
    nameHint: "Para que la reconozcas, por ejemplo «Mi teléfono».", add: "Añadir una aplicación de autenticación",
    another: "Otra aplicación", rename: "Cambiar el nombre", renaming: "Cambia el nombre de la aplicación",
    remove: "Quitar", removing: { "¿Quitar \($0)?" }, removingOne: "Sus códigos dejarán de servir.",
    removingLast: "Al iniciar sesión ya no se pedirá ningún código, y tus códigos de recuperación dejarán de servir.",
    cancel: "Cancelar", whetherLost: "¿Lo tienes todavía? Si lo has perdido, nuestro correo sobre esto lo dirá.",
    removeHeld: "Quitar: todavía lo tengo", removeLost: "Quitar: ya no lo tengo",
    recovered: "Has entrado con un código de recuperación. Si has perdido tu teléfono, quítalo aquí y añade otro.",
    due: { "Desde el \($0) necesitarás el inicio de sesión en dos pasos. Puedes configurarlo ahora." },
    scan: "Escanea esta imagen con tu aplicación de autenticación.",
    picture: "Código QR para la aplicación de autenticación", open: "La aplicación está en este dispositivo",
    key: "O escribe esta clave en la aplicación:", digits: "Después escribe las seis cifras que muestra la aplicación.",
    over: "Ha pasado demasiado tiempo. Empieza de nuevo.", codes: "Códigos de recuperación",
    left: { count in
      count == 0
        ? "No te queda ningún código de recuperación."
        : CountedWords(one: "Te queda 1 código de recuperación.", other: "Te quedan # códigos de recuperación.")
          .text(count, in: .spanish)
    }, makeSoon: "Crea otros ahora para poder entrar sin tu teléfono.",
    makeCodes: "Crear códigos de recuperación nuevos", keepCodes: "Guarda tus códigos de recuperación",
    codesLead:
      "Cada uno sirve para entrar una vez si pierdes tu teléfono. Solo los ves ahora: imprímelos o anótalos.",
    formerCodes: "Tus códigos de recuperación anteriores ya no sirven.", kept: "Los he guardado")
}
