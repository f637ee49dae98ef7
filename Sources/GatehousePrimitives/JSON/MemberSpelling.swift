/// How JSON spells the members that types declare. The keys of dictionaries are names already and stay as they are.
package struct MemberSpelling: Sendable {
  /// As they are declared.
  package static let declared = MemberSpelling(nil)

  private let spell: (@Sendable (String) -> String)?

  /// By a rule, which is asked for each member.
  package init(_ spell: (@Sendable (String) -> String)?) { self.spell = spell }

  /// The name in JSON of a key of this type.
  func name<Key: CodingKey>(_ key: Key) -> String {
    guard let spell, ObjectIdentifier(Key.self) != ValueEncoder.dictionaryKey else { return key.stringValue }
    return spell(key.stringValue)
  }
}
