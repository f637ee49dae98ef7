/// The type of the values of a profile field.
public enum FieldType: String, Sendable, Hashable, CaseIterable, Codable {
  case string, integer, boolean
  /// One of the field's `values`.
  case `enum`
  /// An absolute http or https URL with a host.
  case url
  /// A day, `YYYY-MM-DD`.
  case date
  /// A telephone number, stored in E.164.
  case phone
}

/// One field of the profile: its type, who may write and see it, and its rules.
public struct Field: Sendable, Hashable {
  /// The writers of a field.
  public enum Write: String, Sendable, Hashable, CaseIterable {
    case user
    /// Once: at sign-up, or later while nothing is stored.
    case userAtSignUp = "user_at_sign_up"
    case admin
  }

  /// The readers of a field.
  public enum Visibility: String, Sendable, Hashable, CaseIterable {
    /// The person and administrators.
    case `self`
    /// Every signed-in user of the tenant.
    case users
    case admin
  }

  /// The comparison of values for uniqueness.
  public enum Unique: String, Sendable, Hashable, CaseIterable {
    case exact = "true"
    case ignoreCase = "ignore_case"
  }

  /// The check of a telephone number.
  public enum PhoneCheck: String, Sendable, Hashable, CaseIterable {
    /// The right number of digits. For region US pure Swift, so the client decides it too.
    case length
    /// A number that is assigned, by the library's metadata and the operator's supplement.
    case valid
    /// As `length`; one that is not assigned is taken with a warning.
    case warn
  }

  /// The tenant's own name for it, as in JSON.
  public let name: String
  /// The type of its values.
  public let type: FieldType
  /// Where the file says so.
  public let position: SourcePosition
  /// The name for readers, by language; nil: made of the field's name.
  public var label: Texts?
  /// Values for readers, by value and language, where the policy names them.
  public var valueLabels: [String: Texts] = [:]
  /// Stored when none is given at a door that creates the account.
  public var defaultValue: FieldValue?
  /// Invisible characters are cut off both ends before anything is judged.
  public var trim: Bool
  /// Text of it may have several lines.
  public var multiline: Bool
  /// The sign-up page shows it although it is not required.
  public var atSignUp: Bool
  /// The writers of the field.
  public var write: Write
  /// The readers of the field.
  public var visibleTo: Visibility
  /// Goes into the access token.
  public var claim: Bool
  /// Uniqueness within the tenant, enforced by the store on `Policy.uniqueKey`; its rule id is `F.unique`.
  public var unique: Unique?
  /// The name that the field had: stored values of that name are its values.
  public var renamedFrom: String?
  /// Phone: ISO 3166 region national numbers are read in, as `US`.
  public var region: String?
  /// Phone: how closely the number is looked at.
  public var phoneCheck: PhoneCheck
  /// The default of the section's rules: the effect of a tightened rule on stored people.
  public var existing: Existing
  /// The constraints in file order: `required`, `min_length`, `values`, … Type, format and write are implied.
  public var rules: [Rule]

  /// `F.type`. Four rules every field has by being declared.
  public let typeRule: Rule
  /// `F.format`; stands for types url, date and phone.
  public let formatRule: Rule
  /// `F.write`
  public let writeRule: Rule
  /// `F.unique`; stands where `unique` is set.
  public let uniqueRule: Rule
  /// RFC 6901, `/profile/name`.
  public let pointer: String

  /// `message` and `sentence` are the texts of the implied rules; the reader gives each rule of `rules` its own.
  /// `doors` likewise are the doors of the implied rules type and format; `write` binds everywhere.
  public init(
    name: String, type: FieldType, rules: [Rule] = [], defaultValue: FieldValue? = nil, trim: Bool = false,
    multiline: Bool = false,
    write: Write = .user, visibleTo: Visibility = .`self`, claim: Bool = false, unique: Unique? = nil,
    region: String? = nil, phoneCheck: PhoneCheck = .valid, existing: Existing = .atNextChange, label: Texts? = nil,
    atSignUp: Bool = false, message: Texts? = nil, sentence: Texts? = nil, doors: DoorSet? = nil,
    position: SourcePosition = .none
  ) {
    func implied(_ kind: RuleKind, _ parameter: Parameter = .flag(true), doors: DoorSet? = doors) -> Rule {
      Rule(
        id: name + "." + kind.name, kind: kind, target: .field, parameter: parameter, doors: doors, message: message,
        sentence: sentence, position: position)
    }
    self.name = name
    self.type = type
    self.rules = rules
    self.defaultValue = defaultValue
    self.trim = trim
    self.multiline = multiline
    self.write = write
    self.visibleTo = visibleTo
    self.claim = claim
    self.unique = unique
    self.region = region
    self.phoneCheck = phoneCheck
    self.existing = existing
    self.label = label
    self.atSignUp = atSignUp
    self.position = position
    typeRule = implied(.type, .text(type.rawValue))
    formatRule = implied(.format, .text(type.rawValue))
    writeRule = implied(.write, .text(write.rawValue), doors: nil)
    uniqueRule = implied(.unique, .text((unique ?? .exact).rawValue))
    pointer = Pointer.profile(name)
  }

  /// Whether there is a rule `required`, at any stage.
  public var isRequired: Bool { rules.contains(where: \.isRequired) }

  /// Whether a form of a sign-up asks for it: users may set it, and a rule at that door requires it or the policy
  /// says `at_sign_up`. A requirement that only warns counts, one that is off does not.
  public var isAskedAtSignUp: Bool {
    write != .admin && (atSignUp || rules.contains { $0.isRequiredAtSignUp })
  }

  /// Whether values that differ in marks alone are the same: the field has `charset: letters`, at any stage.
  var ignoresMarks: Bool {
    rules.contains { rule in
      if case .characters(let set) = rule.parameter { set.isLetters } else { false }
    }
  }
}

extension Rule {
  fileprivate var isRequiredAtSignUp: Bool {
    isRequired && enforcement.mode != .off && doors.contains(.signUp)
  }
}

extension Field {
  /// Whether a profile beside the other members of a user's record could be taken for one of them by this name, in any
  /// spelling: `id`, `userId`, `CREATED_AT`.
  public static func isReserved(_ name: String) -> Bool { reserved.contains(spelled(name)) }

  private static func spelled(_ name: String) -> String { name.lowercased().filter { $0 != "_" } }

  /// The members of users' records, and the names that tokens and programs have for whose they are.
  private static let reserved = Set(
    [
      "id", "sub", "uid", "user", "user_id", "account", "account_id", "session", "session_id", "tenant", "tenant_id",
      "email", "email_verified", "phone_verified", "password", "profile", "presence", "online", "last_seen",
      "last_sign_in", "links", "disabled", "access", "aal", "created_at", "updated_at",
    ].map(spelled))
}
