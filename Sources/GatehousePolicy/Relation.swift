/// The relation of a new value to an old one. *Stricter*: the old one admitted everything that the new one admits.
package enum Relation: String, Sendable, CaseIterable, Codable {
  /// Admits exactly the same.
  case neutral
  case stricter
  case weaker
  /// Admits something new and refuses something old, or the relation can not be determined.
  case incomparable

  /// Both at once.
  package func and(_ other: Relation) -> Relation {
    if self == .neutral || self == other { return other }
    return other == .neutral ? self : .incomparable
  }

  /// Seen from the other side.
  package var reversed: Relation {
    switch self {
    case .neutral, .incomparable: self
    case .stricter: .weaker
    case .weaker: .stricter
    }
  }

  /// For bounds where more is stricter.
  package static func moreIsStricter(_ old: Int64, _ new: Int64) -> Relation {
    old == new ? .neutral : new > old ? .stricter : .weaker
  }

  /// For bounds where less is stricter.
  package static func lessIsStricter(_ old: Int64, _ new: Int64) -> Relation { moreIsStricter(new, old) }

  /// For sets where every member admits something. Compared as UTF-8 bytes.
  package static func fewerIsStricter(_ old: [String], _ new: [String]) -> Relation {
    let old = Set(old.map { Array($0.utf8) })
    let new = Set(new.map { Array($0.utf8) })
    if old == new { return .neutral }
    return new.isSubset(of: old) ? .stricter : old.isSubset(of: new) ? .weaker : .incomparable
  }

  /// For sets whose members admit something.
  package static func ofSets(newInOld: Bool, oldInNew: Bool) -> Relation {
    newInOld && oldInNew ? .neutral : newInOld ? .stricter : oldInNew ? .weaker : .incomparable
  }

  /// For words in an order from the most to the least permissive.
  package static func laterIsStricter<Word: Equatable>(_ order: [Word], _ old: Word, _ new: Word) -> Relation {
    if old == new { return .neutral }
    guard let before = order.firstIndex(of: old), let after = order.firstIndex(of: new) else { return .incomparable }
    return after > before ? .stricter : .weaker
  }

  /// The relation of values without an order: equal or incomparable.
  package static func equalOrIncomparable<Value: Equatable>(_ old: Value, _ new: Value) -> Relation {
    old == new ? .neutral : .incomparable
  }
}
