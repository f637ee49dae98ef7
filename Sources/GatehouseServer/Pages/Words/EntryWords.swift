/// The sign-in page.
struct SignInWords: Sendable {
  let heading: @Sendable (_ app: String) -> String
  /// For people who are signed in.
  let welcome: @Sendable (_ app: String) -> String
  let button, forgot, noAccount, create: String
  let provider: @Sendable (_ name: String) -> String
  let signedIn: @Sendable (_ email: String) -> String
  let other: String
  let reauthenticate, confirm: String
  /// Before the button that mails a code.
  let codeLead: @Sendable (_ email: String) -> String
  /// The box that shortens a session, and what it does.
  let shared, sharedHint: String
  /// Beside the label of the password.
  let forgotShort: String

  static let english = SignInWords(
    heading: { "Sign in to \($0)" }, welcome: { "Continue to \($0)" }, button: "Sign in",
    forgot: "Forgot your password?", noAccount: "No account?", create: "Sign up",
    provider: { "Continue with \($0)" }, signedIn: { "You are signed in as \($0)." }, other: "Use another account",
    reauthenticate: "Confirm it is you", confirm: "Confirm",
    codeLead: { "We will email a six-digit code to \($0)." }, shared: "This is a shared computer",
    sharedHint: "You are signed out when the browser closes, and after an hour at most.",
    forgotShort: "Forgot password?")

  static let spanish = SignInWords(
    heading: { "Inicia sesión en \($0)" }, welcome: { "Continúa en \($0)" }, button: "Iniciar sesión",
    forgot: "¿Has olvidado tu contraseña?",
    noAccount: "¿No tienes cuenta?", create: "Regístrate", provider: { "Continuar con \($0)" },
    signedIn: { "Has iniciado sesión como \($0)." },
    other: "Usar otra cuenta", reauthenticate: "Confirma que eres tú", confirm: "Confirmar",
    codeLead: { "Enviaremos un código de seis cifras a \($0)." }, shared: "Es un ordenador compartido",
    sharedHint: "La sesión se cierra al cerrar el navegador y, como máximo, después de una hora.",
    forgotShort: "¿La has olvidado?")
}

/// The sign-up page.
struct SignUpWords: Sendable {
  let heading: @Sendable (_ app: String) -> String
  let button, haveAccount: String
  /// The way in for an address that has an account.
  let signIn: @Sendable (_ email: String) -> String
  /// Before links to terms and privacy policy.
  let accepts: String

  static let english = SignUpWords(
    heading: { "Create your \($0) account" }, button: "Create account", haveAccount: "Have an account?",
    signIn: { "Sign in as \($0)" }, accepts: "By creating an account you accept:")
  static let spanish = SignUpWords(
    heading: { "Crea tu cuenta de \($0)" }, button: "Crear la cuenta", haveAccount: "¿Ya tienes cuenta?",
    signIn: { "Iniciar sesión como \($0)" }, accepts: "Al crear una cuenta aceptas:")
}

/// The page that waits for a mail.
struct CheckMailWords: Sendable {
  let heading: String
  let sent: @Sendable (_ email: String, _ moment: HTML, _ time: String) -> HTML
  /// Where no page may tell whether the address has an account.
  let perhaps: @Sendable (_ email: String, _ moment: HTML, _ time: String) -> HTML
  let code, confirm, verified, again, otherAddress, signOut: String
  let wait: @Sendable (_ time: String) -> String
  /// After the sentence of the time, where no script shows the form.
  let reload: String
  /// Below the form.
  let spam: String
  /// The faults of a code.
  let wrong, expired, usedUp: String
  /// Where no code was mailed.
  let unsent: @Sendable (_ email: String) -> String
  /// A request for a mail that came too soon after another one.
  let paused: @Sendable (_ moment: String, _ time: String) -> String
  /// The link was not used so far.
  let early: @Sendable (_ email: String) -> String
  /// Of a mail with a link and no code.
  let sentLink, perhapsLink: @Sendable (_ email: String, _ moment: HTML) -> HTML

  static let english = CheckMailWords(
    heading: "Check your email",
    sent: { "We sent a six-digit code to \($0) at \($1). It works for \($2)." },
    perhaps: { "If \($0) has an account, we sent it a six-digit code at \($1). It works for \($2)." },
    code: "Six-digit code", confirm: "Confirm", verified: "I opened the link in the email", again: "Send a new code",
    otherAddress: "Use another email address", signOut: "Sign out",
    wait: { "You can ask for a new code in \($0)." }, reload: "Then load this page again.",
    spam: "No email? Look in your spam folder.",
    wrong: "That is not the code we sent. Check the newest email.", expired: "That code has expired. Send a new one.",
    usedUp: "Too many wrong tries. That code no longer works. Send a new one.",
    unsent: { "We have not sent a code to \($0) yet." },
    paused: { "An email is on its way since \($0). You can ask for another in \($1)." },
    early: { "Not verified yet. Open the email to \($0)." },
    sentLink: { "We sent a link to \($0) at \($1). Open it to go on." },
    perhapsLink: { "If \($0) has an account, we sent it a link at \($1). Open it to go on." })

  static let spanish = CheckMailWords(
    heading: "Revisa tu correo",
    sent: { "Hemos enviado un código de seis cifras a \($0) a las \($1). Sirve durante \($2)." },
    perhaps: {
      "Si \($0) tiene una cuenta, le hemos enviado un código de seis cifras a las \($1). Sirve durante \($2)."
    }, code: "Código de seis cifras", confirm: "Confirmar", verified: "He abierto el enlace del correo",
    again: "Enviar otro código", otherAddress: "Usar otro correo", signOut: "Cerrar sesión",
    wait: { "Podrás pedir otro código dentro de \($0)." },
    reload: "Después, vuelve a cargar esta página.", spam: "¿No llega? Mira en la carpeta de spam.",
    wrong: "Ese no es el código que enviamos. Mira el correo más reciente.",
    expired: "Ese código ha caducado. Pide otro.",
    usedUp: "Demasiados intentos fallidos. Ese código ya no sirve. Pide otro.",
    unsent: { "Todavía no hemos enviado ningún código a \($0)." },
    paused: { "Hay un correo en camino desde las \($0). Podrás pedir otro dentro de \($1)." },
    early: { "Aún sin verificar. Abre el correo enviado a \($0)." },
    sentLink: { "Hemos enviado un enlace a \($0) a las \($1). Ábrelo para seguir." },
    perhapsLink: { "Si \($0) tiene una cuenta, le hemos enviado un enlace a las \($1). Ábrelo para seguir." })
}

/// The pages of a forgotten password.
struct ResetWords: Sendable {
  let forgot, send, lead: String
  let heading, save: String
  /// The page of the code.
  let codeHeading, proceed: String

  static let english = ResetWords(
    forgot: "Forgot your password?", send: "Send the code",
    lead: "We will email you a code. Use it to choose a new password.", heading: "Choose a new password",
    save: "Save the new password", codeHeading: "Enter the code", proceed: "Continue")
  static let spanish = ResetWords(
    forgot: "¿Has olvidado tu contraseña?", send: "Enviar el código",
    lead: "Te enviaremos por correo un código para elegir una contraseña nueva.", heading: "Elige una contraseña nueva",
    save: "Guardar la contraseña nueva", codeHeading: "Escribe el código", proceed: "Continuar")
}

/// The page that asks for what a sign-up left open.
struct CompleteWords: Sendable {
  let heading: String
  let username: String
  let lead: @Sendable (_ app: String) -> String
  let button: String
  /// The sentence about fields that only an administrator can fill in.
  let waits: @Sendable (_ fields: String) -> String

  static let english = CompleteWords(
    heading: "One more thing", username: "Choose a username", lead: { "\($0) needs this before you can go on." },
    button: "Continue",
    waits: { "An administrator has to fill in: \($0). Please come back later." })
  static let spanish = CompleteWords(
    heading: "Una cosa más", username: "Elige un nombre de usuario",
    lead: { "\($0) lo necesita para que puedas seguir." }, button: "Continuar",
    waits: { "Un administrador tiene que completar: \($0). Vuelve más tarde." })
}

/// The page that connects an account at another service.
struct ConnectWords: Sendable {
  let heading: @Sendable (_ provider: String) -> String
  let lead: @Sendable (_ app: String) -> String
  let optional: @Sendable (_ app: String) -> String
  let button: @Sendable (_ provider: String) -> String
  let later: String
  let unavailable: String
  /// Above the list of what is asked for, with what each is in words.
  let allow: String
  let scopes: [String: String]
  /// Above what has no words.
  let technical: @Sendable (_ count: Int) -> String

  static let english = ConnectWords(
    heading: { "Connect your \($0) account" },
    lead: { "\($0) needs this connection before you can go on." },
    optional: { "\($0) can use this account, but does not require it." }, button: { "Connect \($0)" },
    later: "Not now",
    unavailable: "You cannot connect this in a browser. Open the app and connect it there.",
    allow: "You will be asked to allow:", scopes: ScopeWords.english,
    technical: { $0 == 1 ? "1 permission without a description" : "\($0) permissions without a description" })
  static let spanish = ConnectWords(
    heading: { "Conecta tu cuenta de \($0)" },
    lead: { "\($0) necesita esta conexión para que puedas seguir." },
    optional: { "\($0) puede usar esta cuenta, pero no la exige." },
    button: { "Conectar \($0)" }, later: "Ahora no",
    unavailable: "No puedes conectar esto en un navegador. Abre la aplicación y conéctalo allí.",
    allow: "Se te pedirá que permitas:", scopes: ScopeWords.spanish,
    technical: { $0 == 1 ? "1 permiso sin descripción" : "\($0) permisos sin descripción" })
}

/// The pages at the end of a way.
struct EndingWords: Sendable {
  let signedIn: String
  let signedInText: @Sendable (_ app: String) -> String
  let open: @Sendable (_ app: String) -> String
  let signOutQuestion: @Sendable (_ app: String) -> String
  let signOut, stay: String
  let signedOut, signedOutText, signInAgain: String

  static let english = EndingWords(
    signedIn: "You are signed in", signedInText: { "Go back to \($0) now." }, open: { "Open \($0)" },
    signOutQuestion: { "Sign out of \($0)?" }, signOut: "Sign out", stay: "Stay signed in",
    signedOut: "You are signed out", signedOutText: "You can close this page.", signInAgain: "Sign in again")
  static let spanish = EndingWords(
    signedIn: "Has iniciado sesión", signedInText: { "Vuelve ahora a \($0)." }, open: { "Abrir \($0)" },
    signOutQuestion: { "¿Cerrar la sesión de \($0)?" }, signOut: "Cerrar sesión", stay: "Mantener la sesión",
    signedOut: "Has cerrado la sesión", signedOutText: "Puedes cerrar esta página.",
    signInAgain: "Iniciar sesión de nuevo")
}
