/// The administrators of the tenant among its users, and their rights in the API.
public struct Admins: Sendable, Hashable {
  /// A right of an administrator over other users of the tenant.
  public enum Right: String, Sendable, Hashable, CaseIterable {
    case listUsers = "list_users"
    case updateProfile = "update_profile"
    case disable
  }

  /// One condition: the profile field holds this value.
  public struct Condition: Sendable, Hashable {
    /// Name of a field only administrators may write.
    public let field: String
    /// The value that the field must have.
    public let value: FieldValue

    /// Demands this value of this field.
    public init(field: String, value: FieldValue) {
      self.field = field
      self.value = value
    }
  }

  /// All must hold.
  public var when: [Condition]
  /// The rights of the administrators.
  public var may: [Right]
  /// Where the file says so.
  public let position: SourcePosition

  /// All conditions must hold; none means no administrator.
  public init(when: [Condition], may: [Right], position: SourcePosition = .none) {
    self.when = when
    self.may = may
    self.position = position
  }
}
