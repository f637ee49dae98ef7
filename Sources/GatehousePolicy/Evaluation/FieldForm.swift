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

extension Field {
  /// The value trimmed, in NFC where it is free text, of the right type or not.
  func typed(_ given: FieldValue) -> TypedValue {
    switch (type, given) {
    case (_, .null): return .none
    case (.integer, .integer), (.boolean, .boolean): return .some(given)
    case (.string, .string(let text)):
      return .some(.string(Text.nfc(trim ? Text.trimmed(text) : text)))
    case (.enum, .string(let text)), (.url, .string(let text)), (.date, .string(let text)),
      (.phone, .string(let text)):
      let trimmed = trim || type == .phone ? Text.trimmed(text) : text
      return trimmed.isEmpty ? .none : .some(.string(trimmed))
    default: return .wrongType
    }
  }

  /// Whether text has the form the field's type asks for, and the form it is stored in.
  func formatted(_ text: String, using source: any FactSource) -> FormattedText {
    switch type {
    case .string, .integer, .boolean, .enum: return .notNeeded
    case .url: return URLText.isURL(text) ? .good(text, region: nil) : .bad
    case .date: return Day(text).map { .good($0.description, region: nil) } ?? .bad
    case .phone: return phone(text, using: source)
    }
  }

  private func phone(_ text: String, using source: any FactSource) -> FormattedText {
    let region = region ?? "US"
    if region == "US", phoneCheck == .length {
      return PhoneText.unitedStates(text).map { .good($0, region: "US") } ?? .bad
    }
    guard let fact = source.phone(text, region: region) else { return .unknown }
    guard let number = fact.e164, phoneCheck == .valid ? fact.isValid : fact.isPossible else { return .bad }
    return .good(number, region: fact.region)
  }
}
