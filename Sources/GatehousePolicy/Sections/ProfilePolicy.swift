/// The profile: its fields in file order, and what happens to fields it does not name.
public struct ProfilePolicy: Sendable, Hashable {
  /// The treatment of fields that the policy does not name.
  public enum UnknownFields: String, Sendable, Hashable, CaseIterable {
    /// `F.unknown`.
    case reject
    /// Dropped without a word.
    case ignore
  }

  /// The treatment of fields that the policy does not name.
  public var unknownFields: UnknownFields
  /// In file order, names unique.
  public var fields: [Field]
  /// Where the file says so.
  public let position: SourcePosition

  /// Field names must be unique.
  public init(unknownFields: UnknownFields = .reject, fields: [Field] = [], position: SourcePosition = .none) {
    self.unknownFields = unknownFields
    self.fields = fields
    self.position = position
  }

  /// The field of this name.
  public func field(_ name: String) -> Field? { fields.first { $0.name == name } }
}
