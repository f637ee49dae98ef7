extension RuleKind {
  /// The text is a URL, day or telephone number, as the field's type says.
  public static let format = RuleKind(
    "format", at: [.field], fieldTypes: [.url, .date, .phone], shape: .flag, parameterName: "type", isImplied: true,
    meaning: "The text has the form of the field's type.", strictness: .none, classes: .forms,
    texts: [
      RuleText(
        .field, of: "phone.US", "Enter a 10-digit US phone number", "Escribe un teléfono de EE. UU. de 10 dígitos",
        "Geben Sie eine zehnstellige US-Telefonnummer ein", "أدخل رقم هاتف أمريكيًا من 10 أرقام",
        sentence: .init(
          "{field} must be a 10-digit US number.", "El campo «{field}» debe ser un teléfono de EE. UU. de 10 dígitos.",
          "Das Feld „{field}“ muss eine zehnstellige US-Nummer enthalten.",
          "يجب أن يكون «{field}» رقمًا أمريكيًا من 10 أرقام.")),
      RuleText(
        .field, of: "phone", "Enter a valid phone number", "Escribe un número de teléfono válido",
        "Geben Sie eine gültige Telefonnummer ein", "أدخل رقم هاتف صالحًا",
        sentence: .init(
          "{field} is not valid.", "El campo «{field}» no es un teléfono válido.",
          "Das Feld „{field}“ enthält keine gültige Telefonnummer.", "«{field}» ليس رقم هاتف صالحًا.")),
      RuleText(
        .field, of: "url", "Enter a web address", "Escribe una dirección web", "Geben Sie eine Webadresse ein",
        "أدخل عنوان موقع ويب",
        sentence: .init(
          "{field} must be a web address.", "El campo «{field}» debe ser una dirección web.",
          "Das Feld „{field}“ muss eine Webadresse enthalten.", "يجب أن يكون «{field}» عنوان موقع ويب.")),
      RuleText(
        .field, of: "date", "Enter a date as YYYY-MM-DD", "Escribe una fecha como AAAA-MM-DD",
        "Geben Sie ein Datum in der Form JJJJ-MM-TT ein", "أدخل تاريخًا بالصيغة \u{2066}YYYY-MM-DD\u{2069}",
        sentence: .init(
          "{field} must be a date as YYYY-MM-DD.", "El campo «{field}» debe ser una fecha como AAAA-MM-DD.",
          "Das Feld „{field}“ muss ein Datum in der Form JJJJ-MM-TT enthalten.",
          "يجب أن يكون «{field}» تاريخًا بالصيغة \u{2066}YYYY-MM-DD\u{2069}.")),
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
