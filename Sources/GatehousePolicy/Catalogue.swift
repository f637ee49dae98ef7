/// The texts of rules that have none of their own, in every language.
public enum Catalogue {
  /// The form of a text.
  public enum Form: Sendable, Hashable, CaseIterable {
    /// A row of a checklist, `At least 8 characters`.
    case short
    /// A sentence that stands alone, `Password must be at least 8 characters.`
    case sentence
  }

  /// The rule's own text, else the catalogue's.
  static func message(of rule: Rule, in policy: Policy, as flaw: Flaw? = nil) -> Texts {
    if let own = rule.message, !own.isEmpty { return own }
    return texts(of: rule, region: region(of: rule, in: policy), as: flaw)
  }

  /// The texts of a requirement for access.
  static func message(of need: Requirement.Need) -> Texts {
    let spoken =
      switch need {
      case .emailVerified:
        Spoken(
          "Verify your email address", "Verifica tu correo electrónico", "Bestätigen Sie Ihre E-Mail-Adresse",
          "أكّد بريدك الإلكتروني")
      case .phoneVerified:
        Spoken(
          "Verify your phone number", "Verifica tu número de teléfono", "Bestätigen Sie Ihre Telefonnummer",
          "أكّد رقم هاتفك")
      case .mfa:
        Spoken(
          "Set up two-factor authentication", "Configura la verificación en dos pasos",
          "Richten Sie die Zwei-Faktor-Anmeldung ein", "فعّل التحقق بخطوتين")
      case .linked("spotify"):
        Spoken(
          "Please connect your Spotify account", "Conecta tu cuenta de Spotify", "Verbinden Sie Ihr Spotify-Konto",
          "اربط حسابك في \u{2068}Spotify\u{2069}")
      case .linked(let name):
        Spoken(
          "Please connect your \(name) account", "Conecta tu cuenta de \(name)", "Verbinden Sie Ihr Konto bei \(name)",
          "اربط حسابك في \(name.isolated)")
      case .profile(let name):
        Spoken(
          "Please complete your profile: \(name)", "Completa tu perfil: \(name)",
          "Vervollständigen Sie Ihr Profil: \(name)", "أكمل ملفك الشخصي: \(name.isolated)")
      }
    return spoken.texts
  }

  /// The sentence that stands alone: the rule's own, else its own text, else the catalogue's.
  static func sentence(of rule: Rule, in policy: Policy, as flaw: Flaw? = nil) -> Texts {
    if let own = rule.sentence ?? rule.message, !own.isEmpty { return own }
    return texts(
      of: rule, form: .sentence, region: region(of: rule, in: policy),
      label: rule.target == .field ? policy.profile.field(fieldName(of: rule))?.readable : nil, as: flaw)
  }

  /// The catalogue's text of a rule in a form. Where there is no sentence the short form serves. `label` is the field
  /// as people read it; nil: made of its identifier. `flaw`: what is wrong with the value, where the rule does not say.
  package static func texts(
    of rule: Rule, form: Form = .short, region: String? = nil, label: Texts? = nil, as flaw: Flaw? = nil
  ) -> Texts {
    if form == .sentence {
      // A field that the policy does not know has a name of the caller's making.
      let label = rule.isOfNoField ? [:] : label ?? Label.field(fieldName(of: rule))
      if let texts = Sentences.texts(of: rule, region: region, label: label, as: flaw) { return texts }
    }
    return ((flaw?.text ?? rule.text(region: region))?.short ?? refused(at: rule.target)).filled(with: rule)
  }

  /// `phoneNumber` of `phoneNumber.format`.
  private static func fieldName(of rule: Rule) -> String {
    rule.id.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(rule.id[..<$0]) } ?? rule.id
  }

  private static func region(of rule: Rule, in policy: Policy) -> String? {
    guard rule.isOfForm else { return nil }
    // A field that the library judges takes numbers of all regions.
    return policy.profile.fields.first { $0.formatRule.id == rule.id && $0.decidesPhone }.map { _ in "US" }
  }

  /// The text of a rule at a place for which its kind has none.
  private static func refused(at target: RuleTarget) -> Spoken {
    switch target {
    case .email:
      Spoken(
        "Enter a valid email address", "Escribe un correo electrónico válido",
        "Geben Sie eine gültige E-Mail-Adresse ein", "أدخل بريدًا إلكترونيًا صالحًا")
    case .password:
      Spoken(
        "Choose another password", "Elige otra contraseña", "Wählen Sie ein anderes Passwort", "اختر كلمة مرور أخرى")
    case .field:
      Spoken(
        "This value is not accepted", "Este valor no se acepta", "Dieser Wert wird nicht akzeptiert",
        "هذه القيمة غير مقبولة")
    }
  }
}

extension Spoken {
  /// With the rule's parameter in the place of its mark, and the singular where the number is one.
  func filled(with rule: Rule) -> Texts {
    let isOne = rule.parameter.value == .integer(1)
    return texts { language, text in
      let filled = Sentences.filled(text) { _ in rule.parameter.shown(in: language) }
      return isOne ? Self.singular(filled) : filled
    }
  }

  private static func singular(_ text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      switch word {
      case "characters": "character"
      case "characters.": "character."
      case "caracteres": "carácter"
      case "caracteres.": "carácter."
      default: String(word)
      }
    }.joined(separator: " ")
  }
}
