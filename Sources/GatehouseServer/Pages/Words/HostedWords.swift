import GatehousePolicy
import GatehouseWire

/// The texts of the hosted pages in one language: one struct for each page, so that a text that is missing does not
/// compile.
struct HostedWords: Sendable {
  let frame: FrameWords
  let errors: ErrorWords
  let signIn: SignInWords
  let signUp: SignUpWords
  let checkMail: CheckMailWords
  let reset: ResetWords
  let complete: CompleteWords
  let connect: ConnectWords
  let endings: EndingWords
  let account: AccountWords
  let profile: ProfileWords
  let password: PasswordWords
  let email: EmailWords
  let devices: DevicesWords
  let connections: ConnectionsWords
  let delete: DeleteWords
  let export: ExportWords
  let links: LinkWords
  let landings: LandingWords
  let moments: MomentWords
  let advice: AdviceWords
  let secondStep: SecondStepWords
  let factors: FactorWords
  let passkeys: PasskeyWords
  let notices: [Flow.Notice: String]
  /// A number of seconds as people say it.
  let duration: @Sendable (Int) -> String

  /// The tag of the language of these words, for the `lang` attribute.
  var language: String { frame.language.tag }
  var forms: FormWords { frame.forms }

  func notice(_ notice: Flow.Notice) -> String? { notices[notice] }

  /// The words for a language tag.
  static func of(_ language: String) -> HostedWords {
    of(Language(bestOf: [language]))
  }

  /// The words of a language, which are made once they are asked for.
  static func of(_ language: Language) -> HostedWords {
    switch language {
    case .english: .english
    case .spanish: .spanish
    case .german: .german
    case .arabic: .arabic
    }
  }

  /// Seconds up to 90, minutes up to 90, else hours, of which none is less than it is.
  static func duration(
    _ language: Language, second: CountedWords, minute: CountedWords, hour: CountedWords
  ) -> @Sendable (Int) -> String {
    { seconds in
      switch max(1, seconds) {
      case let short where short <= 90: second.text(short, in: language)
      case let long where long <= 5400: minute.text((long + 59) / 60, in: language)
      case let long: hour.text((long + 3599) / 3600, in: language)
      }
    }
  }

  static let english = HostedWords(
    frame: .english, errors: .english, signIn: .english, signUp: .english, checkMail: .english,
    reset: .english, complete: .english, connect: .english, endings: .english, account: .english, profile: .english,
    password: .english, email: .english, devices: .english, connections: .english, delete: .english, export: .english,
    links: .english, landings: .english, moments: .english, advice: .english, secondStep: .english, factors: .english,
    passkeys: .english,
    notices: [
      .sessionExpired: "You were signed out. Sign in again.", .emailVerified: "Your email is verified.",
      .passwordSaved: "Your new password is saved. Sign in with it.", .saved: "Saved.",
      .signedOutDevice: "That device is signed out.", .mailSent: "New code sent.",
      .passwordChanged: "Your new password is saved. All other devices are signed out.",
      .emailChanged: "Your email is changed.", .signedOutOthers: "All other devices are signed out.",
      .disconnected: "The account is disconnected.", .factorAdded: "Your authenticator app is added.",
      .factorRemoved: "The authenticator app is removed.",
      .passkeyAdded: "Your passkey is added.", .passkeyRemoved: "The passkey is removed.",
    ],
    duration: duration(
      .english, second: CountedWords(one: "1 second", other: "# seconds"),
      minute: CountedWords(one: "1 minute", other: "# minutes"),
      hour: CountedWords(one: "1 hour", other: "# hours")))

  static let spanish = HostedWords(
    frame: .spanish, errors: .spanish, signIn: .spanish, signUp: .spanish, checkMail: .spanish,
    reset: .spanish, complete: .spanish, connect: .spanish, endings: .spanish, account: .spanish, profile: .spanish,
    password: .spanish, email: .spanish, devices: .spanish, connections: .spanish, delete: .spanish, export: .spanish,
    links: .spanish, landings: .spanish, moments: .spanish, advice: .spanish, secondStep: .spanish, factors: .spanish,
    passkeys: .spanish,
    notices: [
      .sessionExpired: "Se ha cerrado tu sesión. Inicia sesión de nuevo.", .emailVerified: "Tu correo está verificado.",
      .passwordSaved: "Tu contraseña nueva está guardada. Inicia sesión con ella.", .saved: "Guardado.",
      .signedOutDevice: "Se ha cerrado la sesión en ese dispositivo.",
      .mailSent: "Código nuevo enviado.",
      .passwordChanged: "Tu contraseña nueva está guardada. Se ha cerrado la sesión en los demás dispositivos.",
      .emailChanged: "Tu correo ha cambiado.",
      .signedOutOthers: "Se ha cerrado la sesión en los demás dispositivos.",
      .disconnected: "La cuenta está desconectada.", .factorAdded: "Tu aplicación de autenticación está añadida.",
      .factorRemoved: "La aplicación de autenticación se ha quitado.",
      .passkeyAdded: "Tu llave de acceso está añadida.", .passkeyRemoved: "La llave de acceso se ha quitado.",
    ],
    duration: duration(
      .spanish, second: CountedWords(one: "1 segundo", other: "# segundos"),
      minute: CountedWords(one: "1 minuto", other: "# minutos"),
      hour: CountedWords(one: "1 hora", other: "# horas")))
}

/// The words for errors of any page.
struct ErrorWords: Sendable {
  /// The page was open for longer than its form can be sent.
  let old: @Sendable (_ hasPassword: Bool) -> String
  /// The app that began has given up by now.
  let over: @Sendable (_ app: String) -> String
  let cookies: String
  /// Of a signed-in person.
  let password: String
  let wait: @Sendable (_ duration: String) -> String
  let pages: @Sendable (ErrorCode, _ reference: String) -> (title: String, text: String?)
  /// The form was made before the browser got another session, or lost its cookies.
  let renewed: String
  /// Of wrong passwords, and the way out of the wait.
  let waitOrReset: @Sendable (_ duration: String) -> String
  let reset: String
  /// A text that is no address.
  let noAddress: String
  /// The database is away; and the same where the outcome of the form is unknown.
  let away, unknown: String
  /// Above a form that is sent again by itself, and its button.
  let resend, resendButton: String
  /// The title where the app is off.
  let unavailable: @Sendable (_ app: String) -> String

  func page(_ code: ErrorCode, reference: String) -> (title: String, text: String?) { pages(code, reference) }

  static let english = ErrorWords(
    old: { "This form has expired. \($0 ? "Type your password and send it again" : "Please send it again")." },
    over: { "This took too long. To sign in to \($0), begin again in the app." },
    cookies: "Your browser blocks cookies. Allow them for this site, then try again.",
    password: "This password is not right.",
    wait: { "Too many attempts. Try again in \($0)." },
    pages: { code, reference in
      switch code {
      case .notFound, .methodNotAllowed: ("There is no such page", "Check the address, or go back to the app.")
      case .rateLimited, .tooManyAttempts, .cooldown: ("Too many requests", "Wait a little, then try again.")
      case .tenantNotFound: ("There is no such app here", "Check the address.")
      case .tenantDisabled: ("This app is not available right now", "Please come back later.")
      case .headerFieldsTooLarge:
        ("Load this page again", "Your browser sent more cookies than this site takes. Ours are removed now.")
      case .mfaRequired:
        ("A second step is needed", "This page cannot ask for the second step of this account. Sign in in the app.")
      case .attestRequired: ("Please use the app", "This works only in the app, not in a browser.")
      case .forbidden, .unsupportedMediaType:
        ("This form could not be sent", "It was opened in another browser or on another site. Open the page again.")
      case .malformedRequest:
        (
          "This link does not work",
          "The address of this page is incomplete or wrong. Go back to the app and start again."
        )
      default:
        ("Something went wrong on our side", "Try again in a moment. Reference: \(reference)")
      }
    },
    renewed: "Something changed in this browser since you opened this page. Check it and send it again.",
    waitOrReset: { "Too many attempts. Wait \($0) or reset your password." }, reset: "Reset your password",
    noAddress: "Enter a valid email address.",
    away: "Something went wrong on our side. Your entries are still here. Send them again in a moment.",
    unknown: "The answer got lost on our side, and this may have worked. Your entries are still here. Send them again.",
    resend: "Please send this again", resendButton: "Send again",
    unavailable: { "\($0) is not available right now" })

  static let spanish = ErrorWords(
    old: {
      "Este formulario ha caducado. \($0 ? "Escribe tu contraseña y envíalo otra vez" : "Envíalo otra vez")."
    },
    over: { "Ha pasado demasiado tiempo. Para entrar en \($0), vuelve a empezar en la aplicación." },
    cookies: "Tu navegador bloquea las cookies. Permítelas en este sitio e inténtalo de nuevo.",
    password: "Esta contraseña no es correcta.",
    wait: { "Demasiados intentos. Inténtalo de nuevo dentro de \($0)." },
    pages: { code, reference in
      switch code {
      case .notFound, .methodNotAllowed: ("Esta página no existe", "Comprueba la dirección o vuelve a la aplicación.")
      case .rateLimited, .tooManyAttempts, .cooldown:
        ("Demasiados intentos", "Espera un poco e inténtalo de nuevo.")
      case .tenantNotFound:
        ("Esa aplicación no existe aquí", "Comprueba la dirección.")
      case .tenantDisabled: ("Esta aplicación no está disponible ahora", "Vuelve más tarde.")
      case .headerFieldsTooLarge:
        ("Carga esta página de nuevo", "Tu navegador envió demasiadas cookies. Hemos eliminado las nuestras.")
      case .mfaRequired:
        (
          "Hace falta un segundo paso",
          "Esta página no puede pedir el segundo paso de esta cuenta. Inicia sesión en la aplicación."
        )
      case .attestRequired: ("Usa la aplicación", "Esto solo funciona en la aplicación, no en un navegador.")
      case .forbidden, .unsupportedMediaType:
        (
          "No se pudo enviar el formulario",
          "Se abrió en otro navegador o en otro sitio web. Abre la página de nuevo."
        )
      case .malformedRequest:
        (
          "Este enlace no funciona",
          "La dirección de esta página está incompleta o es incorrecta. Vuelve a la aplicación y empieza de nuevo."
        )
      default:
        (
          "Algo ha fallado por nuestra parte", "Inténtalo de nuevo en un momento. Referencia: \(reference)"
        )
      }
    },
    renewed: "Algo cambió en este navegador desde que abriste esta página. Revísala y envíala de nuevo.",
    waitOrReset: { "Demasiados intentos. Espera \($0) o restablece tu contraseña." },
    reset: "Restablecer tu contraseña", noAddress: "Escribe un correo electrónico válido.",
    away: "Ha habido un problema de nuestra parte. Lo que escribiste sigue aquí. Envíalo de nuevo en un momento.",
    unknown: "La respuesta se perdió de nuestra parte y puede que haya funcionado. Lo que escribiste sigue aquí. "
      + "Envíalo de nuevo.", resend: "Envíalo de nuevo, por favor", resendButton: "Enviar de nuevo",
    unavailable: { "\($0) no está disponible ahora" })
}
