/// A named entry through which a value can come in, or a person can. Features ask the policy at a door;
/// no feature reads a rule by itself, and no rule hangs on a URL.
public enum Door: String, Sendable, Hashable, CaseIterable, Codable {
  case signUp = "sign_up"
  case signIn = "sign_in"
  case setPassword = "set_password"
  /// Both halves of a reset: the request (an address) and the new password.
  case resetPassword = "reset_password"
  case changeEmail = "change_email"
  case updateProfile = "update_profile"
  case federatedSignUp = "federated_sign_up"
  case link
  case adminCreate = "admin_create"
  case adminUpdate = "admin_update"
  case invite
  case `import`

  var bit: UInt16 {
    switch self {
    case .signUp: 1 << 0
    case .signIn: 1 << 1
    case .setPassword: 1 << 2
    case .resetPassword: 1 << 3
    case .changeEmail: 1 << 4
    case .updateProfile: 1 << 5
    case .federatedSignUp: 1 << 6
    case .link: 1 << 7
    case .adminCreate: 1 << 8
    case .adminUpdate: 1 << 9
    case .invite: 1 << 10
    case .import: 1 << 11
    }
  }
}

/// A set of doors.
public struct DoorSet: OptionSet, Sendable, Hashable {
  /// One bit a door; never stored.
  public let rawValue: UInt16

  /// From the bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The set of these doors.
  public init(_ doors: some Sequence<Door>) { rawValue = doors.reduce(0) { $0 | $1.bit } }

  /// Whether the door is in the set.
  public func contains(_ door: Door) -> Bool { rawValue & door.bit != 0 }

  /// In the order of `Door.allCases`.
  public var doors: [Door] { Door.allCases.filter(contains) }

  /// Where operators bring values in, and no client of an app does.
  static let operators = DoorSet([.adminCreate, .adminUpdate, .import])
  /// Where an address can enter. `sign_in` is reached only through `existing:`.
  public static let email = DoorSet([
    .signUp, .changeEmail, .federatedSignUp, .link, .adminCreate, .invite, .import, .resetPassword,
  ])
  /// Where a password can enter, and `sign_in`, where it is only measured (`warn`, `existing:`).
  public static let password = DoorSet([.signUp, .setPassword, .resetPassword, .adminCreate, .signIn])
  /// Where a profile value can enter.
  public static let profile = DoorSet([
    .signUp, .updateProfile, .federatedSignUp, .adminCreate, .adminUpdate, .invite, .import,
  ])
}
