/// A fault of a value that a rule refuses, where the rule's own words do not say it.
package enum Flaw: String, Sendable, CaseIterable {
  /// A text of one line has line ends or tabs.
  case lines
  /// A text has controls, characters that turn its direction, or some that stand for none.
  case characters
  /// More marks stand on one letter than any script writes.
  case marks
  /// A telephone number has an extension.
  case phoneExtension = "extension"
  /// A telephone number is possible, and lies in no range that is known.
  case unassigned

  /// For traces.
  var why: String {
    switch self {
    case .lines: "more than one line"
    case .characters: "a character that is not shown"
    case .marks: "too many marks on a letter"
    case .phoneExtension: "a number with an extension"
    case .unassigned: "a number of no assigned range"
    }
  }

  /// Marks that may stand on one letter. Tibetan and Hebrew write six.
  static let mostMarks = 8

  /// The fault of a text that people could not see, or would see in another place; nil for text of any script.
  /// `multiline` allows line ends and tabs.
  package static func of(_ text: String, multiline: Bool) -> Flaw? {
    var marks = 0
    for scalar in text.unicodeScalars {
      if (0x20...0x7E).contains(scalar.value) {
        marks = 0
        continue
      }
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator:
        // U+001C to U+001F are no white space, and part no lines.
        guard scalar.properties.isWhitespace else { return .characters }
        guard multiline else { return .lines }
        marks = 0
      case .nonspacingMark, .enclosingMark:
        marks += 1
        // GUARD: text: marks on one letter
        guard marks <= mostMarks else { return .marks }
      case .format:
        // Annotations (U+FFF9 to U+FFFB) hide what they are about. Joiners stand between marks and end no run of them.
        guard !scalar.turnsText, !(0xFFF9...0xFFFB).contains(scalar.value) else { return .characters }
      default:
        guard !scalar.properties.isNoncharacterCodePoint else { return .characters }
        marks = 0
      }
    }
    return nil
  }
}

extension FieldValue {
  /// Whether a person sees no value: there is none, or a text that shows nothing.
  package var isAbsent: Bool {
    switch self {
    case .null, .unsupported: true
    case .boolean, .integer: false
    case .string(let text): !TypedText.isShown(text)
    }
  }
}

extension Flaw {
  /// The texts of the catalogue, in the place of those of the rule.
  var text: RuleText {
    switch self {
    case .lines:
      RuleText(
        .field, "Use one line", "Usa una sola línea", "Verwenden Sie nur eine Zeile", "اكتب سطرًا واحدًا",
        sentence: .init(
          "{field} must be one line.", "El campo «{field}» debe ser una sola línea.",
          "Das Feld „{field}“ darf nur eine Zeile haben.", "يجب أن يكون «{field}» سطرًا واحدًا."))
    case .characters:
      RuleText(
        .field, "Remove the invisible characters", "Quita los caracteres invisibles",
        "Entfernen Sie die unsichtbaren Zeichen", "احذف المحارف غير المرئية",
        sentence: .init(
          "{field} must not contain invisible characters.",
          "El campo «{field}» no debe contener caracteres invisibles.",
          "Das Feld „{field}“ darf keine unsichtbaren Zeichen enthalten.",
          "يجب ألا يحتوي «{field}» على محارف غير مرئية."))
    case .marks:
      RuleText(
        .field, "Use fewer accents on one letter", "Usa menos acentos en una letra",
        "Verwenden Sie weniger Akzente auf einem Buchstaben", "استخدم علامات أقل على الحرف الواحد",
        sentence: .init(
          "{field} has too many accents on one letter.",
          "El campo «{field}» tiene demasiados acentos en una letra.",
          "Das Feld „{field}“ hat zu viele Akzente auf einem Buchstaben.", "في «{field}» علامات كثيرة على حرف واحد."))
    case .phoneExtension:
      RuleText(
        .field, "Leave out the extension", "Quita la extensión", "Lassen Sie die Durchwahl weg", "احذف الرقم الداخلي",
        sentence: .init(
          "{field} must be a number without an extension.", "El campo «{field}» debe ser un número sin extensión.",
          "Das Feld „{field}“ muss eine Nummer ohne Durchwahl enthalten.",
          "يجب أن يكون «{field}» رقمًا من دون رقم داخلي."))
    case .unassigned:
      RuleText(
        .field, "Check this phone number", "Comprueba este número de teléfono", "Prüfen Sie diese Telefonnummer",
        "تحقّق من رقم الهاتف هذا",
        sentence: .init(
          "{field} may be mistyped: no such number is known.",
          "El campo «{field}» quizá tiene un error: no se conoce ese número.",
          "Das Feld „{field}“ enthält vielleicht einen Tippfehler: Diese Nummer ist nicht bekannt.",
          "ربما يوجد خطأ في «{field}»: هذا الرقم غير معروف."))
    }
  }
}
