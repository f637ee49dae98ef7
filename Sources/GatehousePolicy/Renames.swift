public import Foundation

/// A field that a policy gives another name.
public struct Rename: Sendable, Hashable {
  /// The name that the policy gives it.
  public let field: String
  /// The name that it had.
  public let source: String

  /// Creates a rename.
  public init(field: String, source: String) { (self.field, self.source) = (field, source) }
}

extension ProfilePolicy {
  /// The fields that say `renamed_from`, in their order.
  public var renames: [Rename] {
    fields.compactMap { field in field.renamedFrom.map { Rename(field: field.name, source: $0) } }
  }

  /// A stored profile as this policy reads it: a value under the former name of a field is the field's, where the field
  /// has none.
  public func renaming(_ profile: [String: FieldValue]) -> [String: FieldValue] {
    var read = profile
    for rename in renames where profile[rename.field] == nil {
      guard let value = profile[rename.source] else { continue }
      read[rename.field] = value
      read[rename.source] = nil
    }
    return read
  }
}

extension Policy {
  /// Renames that another policy does not have.
  public func newRenames(against other: Policy) -> [Rename] {
    let known = Set(other.profile.renames)
    return profile.renames.filter { !known.contains($0) }
  }

  /// A stored profile as this policy reads it once it follows `live`: values move to the names that this policy gives,
  /// and back from those that `live` gave, where this policy has the former name again.
  public func reading(_ stored: [String: FieldValue], after live: Policy) -> [String: FieldValue] {
    var read = profile.renaming(stored)
    for rename in live.profile.renames where profile.field(rename.source) != nil && read[rename.source] == nil {
      guard profile.field(rename.field) == nil, let value = read[rename.field] else { continue }
      read[rename.source] = value
      read[rename.field] = nil
    }
    return read
  }

  /// The fate of a value that a field takes over from its former name.
  public enum Takeover: Sendable, Equatable {
    /// It is stored so, in the form that the field gives its values.
    case taken(FieldValue)
    /// The field refuses it: the ids of the rules.
    case refused([String])
  }

  /// Judges a stored value as if an administrator gave it to the field. Rules that only warn refuse nothing, and other
  /// accounts' values are not looked at.
  public func takeover(
    of value: FieldValue, into field: Field, at instant: Date, using facts: any FactSource
  ) -> Takeover {
    let decision = decide(
      .adminUpdate, Facts(profile: [field.name: value], writer: .admin), at: instant, using: facts)
    let refusing = decision.violations.filter { $0.pointer == field.pointer }
    guard refusing.isEmpty else { return .refused(refusing.map(\.rule)) }
    return .taken(decision.normalised.profile[field.name] ?? value)
  }
}
