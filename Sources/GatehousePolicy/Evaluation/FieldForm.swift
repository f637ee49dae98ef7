/// A given value read as a field's type.
enum TypedValue {
  case wrongType
  /// There is none: null, or empty text where the type has no empty value.
  case none
  case some(FieldValue)
}

/// Text read as a URL, day or telephone number.
enum FormattedText {
  /// The type is no such thing.
  case notNeeded
  case good(String, region: String?)
  case bad
  /// A library would know.
  case unknown
}

extension Evaluation {
  /// The value trimmed, in NFC where it is free text, of the right type or not.
  func value(of field: Field, _ given: FieldValue) -> TypedValue {
    switch (field.type, given) {
    case (_, .null): return .none
    case (.integer, .integer), (.boolean, .boolean): return .some(given)
    case (.string, .string(let text)):
      return .some(.string(Text.nfc(field.trim ? Text.trimmed(text) : text)))
    case (.enum, .string(let text)), (.url, .string(let text)), (.date, .string(let text)),
      (.phone, .string(let text)):
      let trimmed = field.trim || field.type == .phone ? Text.trimmed(text) : text
      return trimmed.isEmpty ? .none : .some(.string(trimmed))
    default: return .wrongType
    }
  }

  /// Whether text has the form the field's type asks for, and the form it is stored in.
  func format(of field: Field, _ text: String) -> FormattedText {
    switch field.type {
    case .string, .integer, .boolean, .enum: return .notNeeded
    case .url: return URLText.isURL(text) ? .good(text, region: nil) : .bad
    case .date: return Day(text).map { .good($0.description, region: nil) } ?? .bad
    case .phone: return phone(of: field, text)
    }
  }

  private func phone(of field: Field, _ text: String) -> FormattedText {
    let region = field.region ?? "US"
    if region == "US", field.phoneCheck == .length {
      return PhoneText.unitedStates(text).map { .good($0, region: "US") } ?? .bad
    }
    guard let fact = source.phone(text, region: region) else { return .unknown }
    guard let number = fact.e164, field.phoneCheck == .valid ? fact.isValid : fact.isPossible else { return .bad }
    return .good(number, region: fact.region)
  }
}
