/// The directory by which users of the tenant find each other. A policy without it lets no user look others up.
public struct DirectoryPolicy: Sendable, Hashable {
  /// A key by which another user is looked up.
  public enum FindBy: String, Sendable, Hashable, CaseIterable {
    /// A whole address, which its owner has proven.
    case email
    /// A whole value of the field `username`, compared as `unique:` compares it.
    case username
    /// The beginning of a field of `prefixOf`, without case and marks.
    case prefix
  }

  /// The keys by which users may look others up; at least one.
  public var findBy: [FindBy]
  /// The fields whose beginning `prefix` is compared with; empty without it.
  public var prefixOf: [String]
  /// The limit on look-ups by one account, whether or not they find a user.
  public var limit: Limit
  /// Where the file says so.
  public let position: SourcePosition

  /// The defaults are those of a section that is silent.
  public init(
    findBy: [FindBy], prefixOf: [String] = [], limit: Limit = DirectoryPolicy.silentLimit,
    position: SourcePosition = .none
  ) {
    self.findBy = findBy
    self.prefixOf = prefixOf
    self.limit = limit
    self.position = position
  }

  /// The limit where the section names none: 30/1m.
  public static let silentLimit = Limit(30, per: 60)

  /// The field that `username` looks at.
  public static let username = "username"

  /// Lookups a second that a limit may allow on average: a person who types a name makes no more, and a program that
  /// reads out who is there does.
  public static let mostPerSecond: Int64 = 2

  /// Whether a limit stays within `mostPerSecond`.
  public static func allows(_ limit: Limit) -> Bool { limit.count <= mostPerSecond * limit.window }

  /// Code points of a prefix.
  public static let prefixLengths = 2...64

  /// Users in one answer, at the most.
  public static let page = 20
}

extension Policy {
  /// The key of the account with this username, as the store keeps it; nil where no account can have it.
  public func usernameKey(_ text: String) -> String? {
    guard let field = profile.field(DirectoryPolicy.username) else { return nil }
    return uniqueKey(for: field.name, value: .string(text))
  }

  /// The beginning of a name, without what shows nothing before it; nil where it is too short or too long to look for.
  public static func namePrefix(_ text: String) -> String? {
    let prefix = Text.nfc(String(Substring(text.unicodeScalars.drop { $0.isInvisible })))
    return DirectoryPolicy.prefixLengths.contains(Text.length(prefix)) ? prefix : nil
  }
}

extension Field {
  /// Whether others may look for its values: text that they see.
  public var isSearchable: Bool { type == .string && visibleTo == .users }
}
