extension Policy {
  /// The request that a step of `next` makes of a person: `Please connect your Spotify account` for `link:spotify`. Nil
  /// for a word that is no step.
  public func request(for step: String) -> Texts? {
    if let texts = NextSteps.texts[step] { return texts }
    if step.hasPrefix("link:") {
      let name = Label.provider(String(step.dropFirst(5)))
      return ["en": "Please connect your \(name) account", "es": "Conecta tu cuenta de \(name)"]
    }
    guard step.hasPrefix("profile:") else { return nil }
    let name = String(step.dropFirst(8))
    let label = profile.field(name)?.readable ?? Label.field(name)
    return Texts(
      ["en": "Please complete your profile", "es": "Completa tu perfil"].reduce(into: [:]) { texts, language in
        texts[language.key] = "\(language.value): \(label.text(in: [language.key]) ?? name)"
      })
  }
}

enum NextSteps {
  /// The steps that name nothing else.
  static let texts: [String: Texts] = [
    "verify_email": ["en": "Please verify your email address", "es": "Verifica tu correo electrónico"],
    "verify_phone": ["en": "Please verify your phone number", "es": "Verifica tu número de teléfono"],
    "enroll_mfa": ["en": "Please set up two-factor authentication", "es": "Configura la verificación en dos pasos"],
    "change_password": ["en": "Please choose a new password", "es": "Elige una contraseña nueva"],
    "change_email": ["en": "Please change your email address", "es": "Cambia tu correo electrónico"],
  ]
}
