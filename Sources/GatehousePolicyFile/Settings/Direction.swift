import GatehousePolicy

/// Which of two values of a key is the stricter one. A key of a policy has no default for it, so that none is added
/// without judged changes. Values are compared in their canonical form.
package enum Direction: Sendable, Equatable {
  /// Of two numbers or durations, the larger.
  case moreIsStricter
  /// Of two numbers or durations, the smaller.
  case lessIsStricter
  /// Of two lists, the one with fewer members: each member admits something.
  case fewerIsStricter
  /// The same for a list that admits something else where it is empty.
  case fewerUnlessEmpty
  /// The same for a list that admits all where it is empty.
  case fewerUnlessAll
  /// Of two lists, the one with more members: each member demands something.
  case moreMembersIsStricter
  /// Of two words, the one that stands later. A change into `unsureInto` is incomparable.
  case words([String], unsureInto: String? = nil)
  /// Of two limits, the one of fewer times in a longer span. Without one the server has its own.
  case limit
  /// A map that admits something until its day `until`, or nothing. Of two that differ in the day alone, the one that
  /// ends earlier.
  case earlierUntil
  /// Lists of the same members are the same; others are incomparable.
  case members
  /// It admits and refuses no request.
  case looks
  /// No value is known to be stricter than another.
  case unsure
  /// `Policy.decide` reads it with other keys, and a comparison of its own judges all of them together.
  case decided(by: Comparison)
  /// A map: each of its keys has a direction.
  case keys
  /// It changes no meaning: a key of tests, of another file than a policy, or one that has a single value.
  case nothing

  /// A part that is compared as a whole.
  package enum Comparison: Sendable, Equatable {
    /// A rule, with its stage, doors and effect on stored people: `RuleDiff`.
    case rule
    /// The fields that there are: `FieldDiff`.
    case fields
    /// The providers that there are.
    case providers
    /// The requirements of full access.
    case requirements
    /// The demands for second factors.
    case demands
    /// Exceptions, by address and rule.
    case exceptions
  }

  /// Words of an enumeration, the strictest last.
  static func order<Word: RawRepresentable>(_ words: [Word], unsureInto: Word? = nil) -> Direction
  where Word.RawValue == String {
    .words(words.map(\.rawValue), unsureInto: unsureInto?.rawValue)
  }

  /// A switch that is stricter when it is on.
  static let onIsStricter = words(["false", "true"])
  /// A switch that is stricter when it is off.
  static let offIsStricter = words(["true", "false"])

  /// The relation of a new value to an old one. Values of another kind than the direction is about are incomparable.
  func relation(_ old: JSONText?, _ new: JSONText?) -> Relation {
    if old == new { return .neutral }
    switch self {
    case .moreIsStricter: return numbers(old, new, Relation.moreIsStricter)
    case .lessIsStricter: return numbers(old, new, Relation.lessIsStricter)
    case .fewerIsStricter: return lists(old, new, Relation.fewerIsStricter)
    case .fewerUnlessEmpty:
      return lists(old, new) { $0.isEmpty || $1.isEmpty ? .incomparable : Relation.fewerIsStricter($0, $1) }
    case .fewerUnlessAll:
      return lists(old, new) { $0.isEmpty ? .stricter : $1.isEmpty ? .weaker : Relation.fewerIsStricter($0, $1) }
    case .moreMembersIsStricter: return lists(old, new) { Relation.fewerIsStricter($1, $0) }
    case .words(let words, let unsure):
      let after = word(new)
      return after == unsure ? .incomparable : Relation.laterIsStricter(words, word(old), after)
    case .limit: return limits(old, new)
    case .earlierUntil: return untils(old, new)
    case .members:
      return lists(old, new) { Relation.fewerIsStricter($0, $1) == .neutral ? .neutral : .incomparable }
    case .looks: return .neutral
    case .unsure, .decided, .keys, .nothing: return .incomparable
    }
  }

  private func numbers(_ old: JSONText?, _ new: JSONText?, _ relation: (Int64, Int64) -> Relation) -> Relation {
    guard case .integer(let before) = old, case .integer(let after) = new else { return .incomparable }
    return relation(before, after)
  }

  private func lists(_ old: JSONText?, _ new: JSONText?, _ relation: ([String], [String]) -> Relation) -> Relation {
    guard let before = old?.strings, let after = new?.strings else { return .incomparable }
    return relation(before, after)
  }

  /// No value is the word `false`.
  private func word(_ value: JSONText?) -> String {
    switch value {
    case .string(let word): word
    case .boolean(let flag): "\(flag)"
    default: "false"
    }
  }

  private func untils(_ old: JSONText?, _ new: JSONText?) -> Relation {
    if old ?? .null == .null { return .weaker }
    if new ?? .null == .null { return .stricter }
    guard case .object(let before) = old, case .object(let after) = new,
      JSONText.object(before.filter { $0.0 != "until" }) == .object(after.filter { $0.0 != "until" }),
      let ended = Self.until(before), let ends = Self.until(after)
    else { return .incomparable }
    return .lessIsStricter(ended.startSeconds, ends.startSeconds)
  }

  private static func until(_ members: [(String, JSONText)]) -> Day? {
    guard case .string(let text)? = members.first(where: { $0.0 == "until" })?.1 else { return nil }
    return Day(text)
  }

  private func limits(_ old: JSONText?, _ new: JSONText?) -> Relation {
    guard case .string(let before) = old, case .string(let after) = new, let old = Limit(before),
      let new = Limit(after)
    else { return .incomparable }
    return Relation.lessIsStricter(old.count, new.count).and(.moreIsStricter(old.window, new.window))
  }
}

extension JSONText {
  /// The members of a list of texts.
  var strings: [String]? {
    guard case .array(let members) = self else { return nil }
    return members.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }
}
