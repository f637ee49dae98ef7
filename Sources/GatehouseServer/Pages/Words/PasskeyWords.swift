/// The forms for passkeys, and the passkeys among the second factors.
struct PasskeyWords: Sendable {
  /// The buttons of the sign-in page, and of a page that asks who is there.
  let signIn, use: String
  /// The button for passkeys of a domain where the tenant was before.
  let former: @Sendable (_ domain: String) -> String
  /// The button of the sign-up page.
  let signUp: String
  /// Before codes that stand in for it.
  let orCode: String
  /// In place of the button where a browser has no use for passkeys, and nothing else would do.
  let without: String
  /// The sentences that the script says.
  let cancelled, known, failed: String
  /// An answer that came too late.
  let over: String
  /// The page of factors where passkeys are the only kind, and where they are one of two.
  let heading, lead, leadOfBoth, none, noneOfBoth: String
  /// A passkey without a name.
  let passkey: String
  /// The hint of its name, its button, and the heading above the form for one more.
  let nameHint, add, another: String
  /// In the list: copies of it are on other devices, or are not.
  let synced, single: String
  let renaming, removingOne, removingLast: String
  /// The offer after a sign-in, and the page while the browser makes one without a question.
  let offer, offerLead, moment, momentLead: String

  static let english = PasskeyWords(
    signIn: "Sign in with a passkey", use: "Use a passkey", former: { "Use a passkey from \($0)" },
    signUp: "Create your account with a passkey", orCode: "or with a code",
    without: "Only a passkey will do here, and this browser can use none. Try another browser or another device.",
    cancelled: "The passkey was not used. You can try again.",
    known: "This device already has a passkey for your account.", failed: "The passkey did not work. Try again.",
    over: "This took too long. Try again.", heading: "Passkeys",
    lead: "A passkey signs you in with your finger, your face or a PIN. A false page cannot steal it.",
    leadOfBoth: "A passkey or a code of an app keeps your account safe: a stolen password is not enough then.",
    none: "You have no passkey yet.", noneOfBoth: "You have no passkey and no authenticator app yet.",
    passkey: "Passkey",
    nameHint: "So that you know it again, like “My laptop”.", add: "Add a passkey", another: "Another passkey",
    synced: "Synced between devices.", single: "On one device only.", renaming: "Rename the passkey",
    removingOne: "It stops working here. Remove it on your device as well.",
    removingLast: "Signing in asks for no second step then, and your recovery codes stop working.",
    offer: "Sign in faster next time",
    offerLead: "With a passkey your finger, your face or a PIN is enough. A false page cannot steal it.",
    moment: "One moment", momentLead: "Your browser is making your next sign-in faster.")
  static let spanish = PasskeyWords(
    signIn: "Iniciar sesión con una llave de acceso", use: "Usar una llave de acceso",
    former: { "Usar una llave de acceso de \($0)" }, signUp: "Crear tu cuenta con una llave de acceso",
    orCode: "o con un código",
    without: "Aquí solo sirve una llave de acceso y este navegador no puede usar ninguna. Prueba con otro navegador o "
      + "con otro dispositivo.", cancelled: "No se ha usado la llave de acceso. Puedes intentarlo de nuevo.",
    known: "Este dispositivo ya tiene una llave de acceso para tu cuenta.",
    failed: "La llave de acceso no ha funcionado. Inténtalo de nuevo.",
    over: "Ha pasado demasiado tiempo. Inténtalo de nuevo.", heading: "Llaves de acceso",
    lead: "Con una llave de acceso entras con tu huella, tu cara o un PIN. Una página falsa no puede robarla.",
    leadOfBoth: "Una llave de acceso o un código de una aplicación protege tu cuenta: una contraseña robada no basta.",
    none: "Todavía no tienes ninguna llave de acceso.",
    noneOfBoth: "Todavía no tienes ninguna llave de acceso ni ninguna aplicación de autenticación.",
    passkey: "Llave de acceso",
    nameHint: "Para que la reconozcas, por ejemplo «Mi portátil».", add: "Añadir una llave de acceso",
    another: "Otra llave de acceso", synced: "Sincronizada entre dispositivos.",
    single: "Solo en un dispositivo.",
    renaming: "Cambia el nombre de la llave de acceso",
    removingOne: "Dejará de servir aquí. Quítala también de tu dispositivo.",
    removingLast: "Al iniciar sesión ya no se pedirá un segundo paso, y tus códigos de recuperación dejarán de servir.",
    offer: "Entra más rápido la próxima vez",
    offerLead: "Con una llave de acceso basta tu huella, tu cara o un PIN. Una página falsa no puede robarla.",
    moment: "Un momento", momentLead: "Tu navegador está preparando un inicio de sesión más rápido.")
}
