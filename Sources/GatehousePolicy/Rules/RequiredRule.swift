extension RuleKind {
  /// There is a value: not absent, not null and, for text, something that a person sees.
  public static let required = RuleKind(
    "required", at: [.email, .password, .field], fieldTypes: Set(FieldType.allCases), shape: .flag,
    meaning: "There must be a value.", strictness: .none, classes: .presence,
    texts: [
      RuleText(
        .email, "Enter your email address", "Escribe tu correo electrónico", "Geben Sie Ihre E-Mail-Adresse ein",
        "أدخل بريدك الإلكتروني",
        sentence: .init(
          "Enter your email address.", "Escribe tu correo electrónico.", "Geben Sie Ihre E-Mail-Adresse ein.",
          "أدخل بريدك الإلكتروني.")),
      RuleText(
        .password, "Enter a password", "Escribe una contraseña", "Geben Sie ein Passwort ein", "أدخل كلمة مرور",
        sentence: .init(
          "Enter a password.", "Escribe una contraseña.", "Geben Sie ein Passwort ein.", "أدخل كلمة مرور.")),
      RuleText(
        .field, "This field is required", "Este campo es obligatorio", "Dieses Feld ist erforderlich",
        "هذا الحقل مطلوب",
        sentence: .init(
          "{field} is required.", "El campo «{field}» es obligatorio.", "Das Feld „{field}“ ist erforderlich.",
          "الحقل «{field}» مطلوب.")),
    ],
    judge: RuleKind.judgedBeforeRules)
}

extension Rule {
  /// Whether it demands a value.
  package var isRequired: Bool { kind == .required }
}

extension RuleClasses {
  /// No value in each form that it has, and a value.
  fileprivate static let presence = RuleClasses { rule, context in
    switch rule.target {
    case .email:
      return [Witness(.email(""), "no address"), Witness(.email(context.text(of: .email)), "an address")]
    case .password:
      return [
        Witness(.password(PasswordWitness("")), "no password"), Witness(.password(context.password), "a password"),
      ]
    case .field:
      return [
        Witness(.field(.null), "no value"), Witness(.field(""), "empty text"),
        Witness(.field(context.value), "a value"),
      ]
    }
  } classify: { _, value, context in
    switch value {
    case .email(let text): return text.isEmpty ? "none" : "some"
    case .password(let password): return password.text.isEmpty ? "none" : "some"
    case .field(let given):
      guard let field = context.field else { return nil }
      return switch field.typed(given) {
      case .none: "none"
      case .some(let value): value.isAbsent ? "empty" : "some"
      case .wrongType: nil
      }
    case .writer, .taken, .key: return nil
    }
  }
}
