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
  /// `doubt`: what the field only warns of.
  case good(String, region: String?, doubt: Flaw? = nil)
  case bad(Flaw? = nil)
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
      return .some(.string(Text.nfc(trim ? TypedText.trimmed(text) : text)))
    case (.enum, .string(let text)), (.url, .string(let text)), (.date, .string(let text)),
      (.phone, .string(let text)):
      let trimmed = trim || type == .phone ? TypedText.trimmed(text) : text
      return trimmed.isEmpty ? .none : .some(.string(trimmed))
    default: return .wrongType
    }
  }

  /// The fault of a value of free text; nil where it has none.
  func flaw(of typed: FieldValue) -> Flaw? {
    type == .string ? typed.string.flatMap { Flaw.of($0, multiline: multiline) } : nil
  }

  /// Whether text has the form the field's type asks for, and the form it is stored in.
  func formatted(_ text: String, using source: any FactSource) -> FormattedText {
    switch type {
    case .string, .integer, .boolean, .enum: return .notNeeded
    case .url: return URLText.isURL(text) ? .good(text, region: nil) : .bad()
    case .date: return Day(text).map { .good($0.description, region: nil) } ?? .bad()
    case .phone: return phone(text, using: source)
    }
  }

  private func phone(_ text: String, using source: any FactSource) -> FormattedText {
    let region = region ?? "US"
    if decidesPhone {
      if let number = PhoneText.unitedStates(text) { return .good(number, region: "US") }
      return .bad(PhoneText.hasExtension(text) ? .phoneExtension : nil)
    }
    guard let fact = source.phone(TypedText.phone(text), region: region) else { return .unknown }
    // GUARD: phone: an extension is never dropped
    guard !fact.hasExtension else { return .bad(.phoneExtension) }
    guard let number = fact.e164, fact.isPossible else { return .bad() }
    switch phoneCheck {
    case .valid where !fact.isValid: return .bad()
    case .warn where !fact.isValid: return .good(number, region: fact.region, doubt: .unassigned)
    case .length, .valid, .warn: return .good(number, region: fact.region)
    }
  }
}
