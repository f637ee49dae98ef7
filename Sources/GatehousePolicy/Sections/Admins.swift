/// Which users of the tenant administer it, and what they may do through the API.
public struct Admins: Sendable, Hashable {
  public enum Right: String, Sendable, Hashable, CaseIterable {
    case listUsers = "list_users"
    case updateProfile = "update_profile"
    case disable
  }

  /// One condition: the profile field holds this value.
  public struct Condition: Sendable, Hashable {
    public let field: String
    public let value: FieldValue

    public init(field: String, value: FieldValue) {
      self.field = field
      self.value = value
    }
  }

  /// All must hold.
  public var when: [Condition]
  public var may: [Right]
  public let location: Location

  public init(when: [Condition], may: [Right], location: Location = .none) {
    self.when = when
    self.may = may
    self.location = location
  }
}
