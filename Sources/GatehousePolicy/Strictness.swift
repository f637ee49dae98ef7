/// How the parameters of a kind of rule stand to each other, and the ways to loosen one.
struct Strictness: Sendable {
  /// A looser parameter, and the change in words: `8 → 7`, `without gmail.com`.
  typealias Loosened = (parameter: Parameter, what: String)

  /// The relation of a new parameter to an old one.
  let relation: @Sendable (_ old: Parameter, _ new: Parameter) -> Relation
  /// Every smallest step that should make a test fail; empty where there is none.
  let loosened: @Sendable (Parameter) -> [Loosened]
}

extension RuleKind {
  /// The relation of a new parameter of this kind to an old one.
  package func relation(of old: Parameter, to new: Parameter) -> Relation { strictness.relation(old, new) }

  /// The parameters that are a little looser than this one, each with the change in words.
  package func loosened(_ parameter: Parameter) -> [(parameter: Parameter, what: String)] {
    strictness.loosened(parameter)
  }
}

extension Strictness {
  /// Parameters without an order: equal or incomparable.
  static let none = Strictness(relation: { .equalOrIncomparable($0, $1) }, loosened: { _ in [] })

  /// A larger number is stricter. `least` is the loosest of all.
  static func moreIsStricter(least: Int64) -> Strictness {
    numbers(Relation.moreIsStricter) { $0 > least ? $0 - 1 : nil }
  }

  /// A smaller number is stricter. Numbers in files have at most fifteen digits, so nothing overflows.
  static let lessIsStricter = numbers(Relation.lessIsStricter) { $0 < .max ? $0 + 1 : nil }

  /// A shorter span is stricter.
  static let shorterIsStricter = Strictness { old, new in
    guard case .duration(let old) = old, case .duration(let new) = new else { return .equalOrIncomparable(old, new) }
    return .lessIsStricter(old, new)
  } loosened: { parameter in
    guard case .duration(let seconds) = parameter else { return [] }
    let later = seconds + 86_400
    return [(.duration(later), "\(Seconds.text(seconds)) → \(Seconds.text(later))")]
  }

  /// Each word admits something.
  static let fewerWordsAreStricter = words(Relation.fewerIsStricter) { _ in [] }

  /// Each word refuses something.
  static let moreWordsAreStricter = words({ .fewerIsStricter($1, $0) }) { words in
    guard words.count > 1 else { return [] }
    return words.indices.map { index in
      var rest = words
      let word = rest.remove(at: index)
      return (.texts(rest), "without \(word)")
    }
  }

  private static func numbers(
    _ relation: @escaping @Sendable (Int64, Int64) -> Relation, looser: @escaping @Sendable (Int64) -> Int64?
  ) -> Strictness {
    Strictness { old, new in
      guard case .integer(let old) = old, case .integer(let new) = new else { return .equalOrIncomparable(old, new) }
      return relation(old, new)
    } loosened: { parameter in
      guard case .integer(let bound) = parameter, let other = looser(bound) else { return [] }
      return [(.integer(other), "\(bound) → \(other)")]
    }
  }

  private static func words(
    _ relation: @escaping @Sendable ([String], [String]) -> Relation,
    loosened: @escaping @Sendable ([String]) -> [Loosened]
  ) -> Strictness {
    Strictness { old, new in
      guard case .texts(let old) = old, case .texts(let new) = new else { return .equalOrIncomparable(old, new) }
      return relation(old, new)
    } loosened: { parameter in
      guard case .texts(let words) = parameter else { return [] }
      return loosened(words)
    }
  }
}
