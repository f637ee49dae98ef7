extension RuleKind {
  /// The text is a URL, day or telephone number, as the field's type says.
  public static let format = RuleKind(
    "format", at: [.field], fieldTypes: [.url, .date, .phone], shape: .flag, parameterName: "type", isImplied: true,
    meaning: "The text has the form of the field's type.", strictness: .none, classes: .forms,
    texts: [
      RuleText(
        .field, of: "phone.US", "Enter a 10-digit US phone number", "Escribe un teléfono de EE. UU. de 10 dígitos",
        sentence: .init(
          "{field} must be a 10-digit US number.", "El campo «{field}» debe ser un teléfono de EE. UU. de 10 dígitos.")),
      RuleText(
        .field, of: "phone", "Enter a valid phone number", "Escribe un número de teléfono válido",
        sentence: .init("{field} is not valid.", "El campo «{field}» no es un teléfono válido.")),
      RuleText(
        .field, of: "url", "Enter a web address", "Escribe una dirección web",
        sentence: .init("{field} must be a web address.", "El campo «{field}» debe ser una dirección web.")),
      RuleText(
        .field, of: "date", "Enter a date as YYYY-MM-DD", "Escribe una fecha como AAAA-MM-DD",
        sentence: .init(
          "{field} must be a date as YYYY-MM-DD.", "El campo «{field}» debe ser una fecha como AAAA-MM-DD.")),
    ],
    judge: RuleKind.judgedBeforeRules)
}

extension Rule {
  /// Whether it is about the form of a text.
  var isOfForm: Bool { kind == .format }
}

extension RuleClasses {
  fileprivate static let forms = RuleClasses { _, context in
    [Witness(.field(context.value), "a value of the form"), Witness(.field("no such thing"), "a text of another form")]
  } classify: { _, value, context in
    guard case .field(let given) = value, let field = context.field, case .some(.string(let text)) = field.typed(given)
    else { return nil }
    return switch field.formatted(text, using: context.source) {
    case .good: "of the form"
    case .bad: "of another form"
    case .unknown, .notNeeded: nil
    }
  }
}
