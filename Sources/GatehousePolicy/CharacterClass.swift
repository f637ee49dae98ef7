/// The classes `require:` asks for. On ASCII they are what users expect and what Apple's password rules call `upper`,
/// `lower`, `digit` and `special`; beyond ASCII the Unicode general category decides.
enum CharacterClass: String, CaseIterable {
  /// Lu, Lt.
  case uppercase
  /// Ll.
  case lowercase
  /// Nd.
  case digit
  /// Punctuation (P*), symbols (S*) and spaces (Zs).
  case special

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    if value < 0x80 {
      switch self {
      case .uppercase: return (0x41...0x5A).contains(value)
      case .lowercase: return (0x61...0x7A).contains(value)
      case .digit: return (0x30...0x39).contains(value)
      case .special:
        return (0x20...0x7E).contains(value) && !(0x30...0x39).contains(value) && !(0x41...0x5A).contains(value)
          && !(0x61...0x7A).contains(value)
      }
    }
    switch (self, scalar.properties.generalCategory) {
    case (.uppercase, .uppercaseLetter), (.uppercase, .titlecaseLetter), (.lowercase, .lowercaseLetter),
      (.digit, .decimalNumber):
      return true
    case (.special, let category):
      switch category {
      case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
        .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol,
        .spaceSeparator:
        return true
      default: return false
      }
    default: return false
    }
  }

  func occurs(in text: String) -> Bool { text.unicodeScalars.contains(where: contains) }
}
