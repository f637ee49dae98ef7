/// The profile: its fields in file order, and what happens to fields it does not name.
public struct ProfilePolicy: Sendable, Hashable {
  public enum UnknownFields: String, Sendable, Hashable, CaseIterable {
    /// `F.unknown`.
    case reject
    /// Dropped without a word.
    case ignore
  }

  public var unknownFields: UnknownFields
  public var fields: [Field]
  public let location: Location

  public init(unknownFields: UnknownFields = .reject, fields: [Field] = [], location: Location = .none) {
    self.unknownFields = unknownFields
    self.fields = fields
    self.location = location
  }

  public func field(_ name: String) -> Field? { fields.first { $0.name == name } }
}
