extension RuleKind {
  /// The address is one (see `EmailAddress`); the password holds no control character (RFC 8265, section 4.2).
  public static let syntax = RuleKind(
    "syntax", at: [.email, .password], shape: .flag, isImplied: true,
    meaning: "The address is one; a password holds no control character.", strictness: .none, classes: .address,
    texts: [
      RuleText(
        .email, "Enter a valid email address", "Escribe un correo electrónico válido",
        "Geben Sie eine gültige E-Mail-Adresse ein", "أدخل بريدًا إلكترونيًا صالحًا",
        sentence: .init(
          "Enter a valid email address.", "Escribe un correo electrónico válido.",
          "Geben Sie eine gültige E-Mail-Adresse ein.", "أدخل بريدًا إلكترونيًا صالحًا.")),
      RuleText(
        .password, "No control characters", "Sin caracteres de control", "Keine Steuerzeichen", "من دون محارف تحكّم",
        sentence: .init(
          "Password must not contain control characters.", "La contraseña no debe contener caracteres de control.",
          "Das Passwort darf keine Steuerzeichen enthalten.", "يجب ألا تحتوي كلمة المرور على محارف تحكّم.")),
    ],
    judge: RuleKind.judgedBeforeRules)
}

extension RuleClasses {
  /// Addresses and what is none; passwords with a control character and without.
  fileprivate static let address = RuleClasses { rule, context in
    if rule.target == .password {
      return [
        Witness(.password(context.password), "a password without controls"),
        Witness(context.with(context.password.text + "\u{7}", at: .password), "a password with a control character"),
      ]
    }
    return [
      Witness(.email(context.text(of: .email)), "an address"),
      Witness(.email(context.address.local), "text without an @"),
      Witness(.email("\(context.address.local)@\(context.address.domain)."), "an address with a malformed domain"),
    ]
  } classify: { _, value, context in
    if let password = context.seenPassword(value) { return TypedText.hasControl(password.text) ? "controls" : "none" }
    guard case .email(let text) = value, !text.isEmpty else { return nil }
    return context.address(text) == nil ? "no address" : "an address"
  }
}
