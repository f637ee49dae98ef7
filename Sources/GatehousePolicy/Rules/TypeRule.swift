extension RuleKind {
  /// The value is of the field's type. Reached first.
  public static let type = RuleKind(
    "type", at: [.field], fieldTypes: Set(FieldType.allCases), shape: .flag, parameterName: "type", isImplied: true,
    meaning: "The value is of the field's type.", strictness: .none, classes: .forms,
    texts: [
      RuleText(
        .field, of: "string", "This value has the wrong type", "Este valor no es del tipo correcto",
        "Dieser Wert hat den falschen Typ", "نوع هذه القيمة غير صحيح",
        sentence: .init(
          "{field} must be text.", "El campo «{field}» debe ser un texto.",
          "Das Feld „{field}“ muss einen Text enthalten.", "يجب أن يكون «{field}» نصًا.")),
      RuleText(
        .field, of: "enum", "This value has the wrong type", "Este valor no es del tipo correcto",
        "Dieser Wert hat den falschen Typ", "نوع هذه القيمة غير صحيح",
        sentence: .init(
          "{field} must be text.", "El campo «{field}» debe ser un texto.",
          "Das Feld „{field}“ muss einen Text enthalten.", "يجب أن يكون «{field}» نصًا.")),
      RuleText(
        .field, of: "integer", "This value has the wrong type", "Este valor no es del tipo correcto",
        "Dieser Wert hat den falschen Typ", "نوع هذه القيمة غير صحيح",
        sentence: .init(
          "{field} must be a whole number.", "El campo «{field}» debe ser un número entero.",
          "Das Feld „{field}“ muss eine ganze Zahl enthalten.", "يجب أن يكون «{field}» عددًا صحيحًا.")),
      RuleText(
        .field, of: "boolean", "This value has the wrong type", "Este valor no es del tipo correcto",
        "Dieser Wert hat den falschen Typ", "نوع هذه القيمة غير صحيح",
        sentence: .init(
          "{field} must be true or false.", "El campo «{field}» debe ser verdadero o falso.",
          "Das Feld „{field}“ muss wahr oder falsch sein.", "يجب أن يكون «{field}» صحيحًا أو خاطئًا.")),
      RuleText(
        .field, of: "url", "This value has the wrong type", "Este valor no es del tipo correcto",
        "Dieser Wert hat den falschen Typ", "نوع هذه القيمة غير صحيح",
        sentence: .init(
          "{field} must be a web address.", "El campo «{field}» debe ser una dirección web.",
          "Das Feld „{field}“ muss eine Webadresse enthalten.", "يجب أن يكون «{field}» عنوان موقع ويب.")),
      RuleText(
        .field, of: "date", "This value has the wrong type", "Este valor no es del tipo correcto",
        "Dieser Wert hat den falschen Typ", "نوع هذه القيمة غير صحيح",
        sentence: .init(
          "{field} must be a date.", "El campo «{field}» debe ser una fecha.",
          "Das Feld „{field}“ muss ein Datum enthalten.", "يجب أن يكون «{field}» تاريخًا.")),
      RuleText(
        .field, of: "phone", "This value has the wrong type", "Este valor no es del tipo correcto",
        "Dieser Wert hat den falschen Typ", "نوع هذه القيمة غير صحيح",
        sentence: .init(
          "{field} must be a phone number.", "El campo «{field}» debe ser un teléfono.",
          "Das Feld „{field}“ muss eine Telefonnummer enthalten.", "يجب أن يكون «{field}» رقم هاتف.")),
    ],
    judge: RuleKind.judgedBeforeRules)
}

extension RuleClasses {
  /// A value of each form that JSON has, and texts with each flaw.
  fileprivate static let forms = RuleClasses { _, context in
    let forms: [(FieldValue, String)] = [
      (context.value, "a value of the type"), (.null, "null"), ("text", "text"), (7, "a number"), (true, "true"),
      (.unsupported("array"), "a list"),
    ]
    let flaws = [
      "two\nlines", "a tab\tin it", "turned \u{202E}round", "a bell\u{7}",
      "e" + String(repeating: "\u{301}", count: Flaw.mostMarks + 1),
    ].map { Witness(.field(.string("x" + $0 + "x")), "a text with a flaw") }
    return forms.map { Witness(.field($0), $1) } + (context.field?.type == .string ? flaws : [])
  } classify: { _, value, context in
    guard case .field(let given) = value, let field = context.field else { return nil }
    return switch field.typed(given) {
    case .wrongType: "another type"
    case .none: "no value"
    case .some(let typed): field.flaw(of: typed)?.rawValue ?? "of the type"
    }
  }
}
