/// The words of the frame and of all forms, in one language.
struct FrameWords: Sendable {
  let language: PageLanguage
  /// Before the title of a page that tells of a trouble.
  let troubleMark: String
  /// Before the address of mail for people who need help.
  let help: String
  let forms: FormWords
  /// The names of the terms of service and of the privacy policy.
  let terms, privacy: String

  /// Links to both, where they have addresses. They open beside the page, so that a form keeps what was typed.
  func papers(_ termsAddress: String?, _ privacyAddress: String?) -> [HTML] {
    [(termsAddress, terms), (privacyAddress, privacy)].compactMap { address, name in
      address.map { "<a href=\"\($0)\" target=\"_blank\" rel=\"noopener\">\(name)</a>" }
    }
  }

  static let english = FrameWords(
    language: .english, troubleMark: "Error", help: "Need help?", forms: .english, terms: "Terms of service",
    privacy: "Privacy policy")
  static let spanish = FrameWords(
    language: .spanish, troubleMark: "Error", help: "¿Necesitas ayuda?", forms: .spanish,
    terms: "Condiciones del servicio", privacy: "Política de privacidad")
}

/// The words that all forms share.
struct FormWords: Sendable {
  /// Above the list of what is wrong in a form.
  let problem: String
  let email, password, newPassword, again, passwordNeeds, differ: String
  /// In place of several broken rules that the list marks.
  let weak: String
  /// The switch beside a password's fields, off and on.
  let show, hide: String
  /// The state of a line of the password's checklist, for screen readers.
  let met, unmet: String
  /// How strong a new password is, from weak to strong.
  let strengths: [String]
  /// Between the form and other ways in.
  let or: String
  let proceed: String
  let back: @Sendable (_ app: String) -> String
  let capsLock: String
  /// In place of sending a form without a network, and the button that sends it.
  let offline, retry: String
  /// Before rules that bind from a day on.
  let from: @Sendable (_ day: String) -> String

  static let english = FormWords(
    problem: "There is a problem", email: "Email", password: "Password", newPassword: "Password",
    again: "Repeat the password", passwordNeeds: "Your password needs:",
    differ: "The two passwords are different.",
    weak: "This password does not meet every rule.", show: "Show password", hide: "Hide password",
    met: "met", unmet: "not yet",
    strengths: ["Strength: weak", "Strength: fair", "Strength: good", "Strength: strong"], or: "or",
    proceed: "Continue", back: { "Back to \($0)" }, capsLock: "Caps Lock is on.",
    offline: "You are offline. What you typed is still here.", retry: "Try again", from: { "From \($0), also:" })

  static let spanish = FormWords(
    problem: "Hay un problema", email: "Correo electrónico", password: "Contraseña", newPassword: "Contraseña",
    again: "Repite la contraseña", passwordNeeds: "Tu contraseña necesita:",
    differ: "Las dos contraseñas son distintas.",
    weak: "Esta contraseña no cumple todas las reglas.", show: "Mostrar la contraseña",
    hide: "Ocultar la contraseña", met: "cumplido", unmet: "todavía no",
    strengths: ["Seguridad: débil", "Seguridad: aceptable", "Seguridad: buena", "Seguridad: alta"], or: "o",
    proceed: "Continuar", back: { "Volver a \($0)" }, capsLock: "Las mayúsculas están activadas.",
    offline: "No tienes conexión. Lo que has escrito sigue aquí.", retry: "Reintentar",
    from: { "Desde el \($0), también:" })
}
