/// The form of a word beside a number, as CLDR names it.
package enum Plural: String, Sendable, CaseIterable {
  case zero, one, two, few, many, other
}

extension Language {
  /// The form beside a whole number (CLDR, cardinal rules).
  package func plural(of count: Int) -> Plural {
    switch self {
    case .english, .spanish, .german: return count == 1 ? .one : .other
    case .arabic:
      switch count {
      case 0: return .zero
      case 1: return .one
      case 2: return .two
      default: break
      }
      switch count.magnitude % 100 {
      case 3...10: return .few
      case 11...99: return .many
      default: return .other
      }
    }
  }
}

/// Words with a number: `#` stands for it, in digits. A form that is left out is said as `other`.
package struct CountedWords: Sendable {
  private let zero, one, two, few, many: String?
  private let other: String

  package init(
    zero: String? = nil, one: String? = nil, two: String? = nil, few: String? = nil, many: String? = nil, other: String
  ) {
    (self.zero, self.one, self.two, self.few, self.many, self.other) = (zero, one, two, few, many, other)
  }

  /// The words for a number.
  package func text(_ count: Int, in language: Language) -> String {
    let form: String? =
      switch language.plural(of: count) {
      case .zero: zero
      case .one: one
      case .two: two
      case .few: few
      case .many: many
      case .other: nil
      }
    return (form ?? other).replacing("#", with: String(count))
  }
}
