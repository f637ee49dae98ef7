extension Policy {
  /// The request that a step of `next` makes of a person: `Please connect your Spotify account` for `link:spotify`. Nil
  /// for a word that is no step.
  public func request(for step: String) -> Texts? {
    if let spoken = NextSteps.spoken[step] { return spoken.texts }
    if step.hasPrefix("link:") {
      let name = Label.provider(String(step.dropFirst(5)))
      return Spoken(
        "Please connect your \(name) account", "Conecta tu cuenta de \(name)", "Verbinden Sie Ihr Konto bei \(name)",
        "اربط حسابك في \(name.isolated)"
      ).texts
    }
    guard step.hasPrefix("profile:") else { return nil }
    let name = String(step.dropFirst(8))
    let label = profile.field(name)?.readable ?? Label.field(name)
    return Spoken(
      "Please complete your profile", "Completa tu perfil", "Vervollständigen Sie Ihr Profil", "أكمل ملفك الشخصي"
    ).texts { language, request in
      "\(request): \(language.embedded(label.text(in: [language.rawValue]) ?? name))"
    }
  }
}

enum NextSteps {
  /// The steps that name nothing else.
  static let spoken: [String: Spoken] = [
    "verify_email": Spoken(
      "Please verify your email address", "Verifica tu correo electrónico", "Bestätigen Sie Ihre E-Mail-Adresse",
      "أكّد بريدك الإلكتروني"),
    "verify_phone": Spoken(
      "Please verify your phone number", "Verifica tu número de teléfono", "Bestätigen Sie Ihre Telefonnummer",
      "أكّد رقم هاتفك"),
    "enroll_mfa": Spoken(
      "Please set up two-factor authentication", "Configura la verificación en dos pasos",
      "Richten Sie die Zwei-Faktor-Anmeldung ein", "فعّل التحقق بخطوتين"),
    "verify_mfa": Spoken(
      "Please confirm your sign-in with your second factor", "Confirma tu inicio de sesión con el segundo paso",
      "Bestätigen Sie Ihre Anmeldung mit dem zweiten Faktor", "أكّد تسجيل دخولك بالخطوة الثانية"),
    "change_password": Spoken(
      "Please choose a new password", "Elige una contraseña nueva", "Wählen Sie ein neues Passwort",
      "اختر كلمة مرور جديدة"),
    "change_email": Spoken(
      "Please change your email address", "Cambia tu correo electrónico", "Ändern Sie Ihre E-Mail-Adresse",
      "غيّر بريدك الإلكتروني"),
  ]
}
