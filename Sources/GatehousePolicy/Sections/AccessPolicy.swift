/// The requirements of full access.
public struct AccessPolicy: Sendable, Hashable {
  /// `access: {full: {requires: […]}}`, in file order.
  public var full: [Requirement]

  /// Nothing is required where the file is silent.
  public init(full: [Requirement] = []) { self.full = full }
}

/// The access of a signed-in person.
public enum Access: String, Sendable, Hashable, CaseIterable, Codable {
  case full, limited
}

/// One requirement for full access, with its own stage.
public struct Requirement: Sendable, Hashable {
  /// The kind of a requirement.
  public enum Need: Sendable, Hashable {
    case emailVerified
    case phoneVerified
    case mfa
    /// The provider is linked, with the scopes its `require_scopes` asks for.
    case linked(String)
    /// The profile field holds a value.
    case profile(String)

    /// Reads `email_verified`, `phone_verified`, `mfa`, `linked:spotify`, `profile:username`.
    public init?(_ text: String) {
      switch text {
      case "email_verified": self = .emailVerified
      case "phone_verified": self = .phoneVerified
      case "mfa": self = .mfa
      default:
        if text.hasPrefix("linked:"), text.utf8.count > 7 {
          self = .linked(String(text.dropFirst(7)))
        } else if text.hasPrefix("profile:"), text.utf8.count > 8 {
          self = .profile(String(text.dropFirst(8)))
        } else {
          return nil
        }
      }
    }

    /// The requirement as the file writes it.
    public var text: String {
      switch self {
      case .emailVerified: "email_verified"
      case .phoneVerified: "phone_verified"
      case .mfa: "mfa"
      case .linked(let provider): "linked:" + provider
      case .profile(let field): "profile:" + field
      }
    }

    /// The step that meets it: `verify_email`, `link:spotify`, `profile:username`, `enroll_mfa`.
    public var nextStep: String {
      switch self {
      case .emailVerified: "verify_email"
      case .phoneVerified: "verify_phone"
      case .mfa: "enroll_mfa"
      case .linked(let provider): "link:" + provider
      case .profile(let field): "profile:" + field
      }
    }
  }

  /// The kind of the requirement.
  public let need: Need
  /// Whether the requirement limits access, or only warns.
  public var enforcement: Enforcement
  /// Where the file says so.
  public let position: SourcePosition
  /// `access.email_verified`, `access.linked:spotify`.
  public let id: String
  /// `need.nextStep`.
  public let nextStep: String

  /// The id and the next step follow from the need.
  public init(_ need: Need, enforcement: Enforcement = .enforced, position: SourcePosition = .none) {
    self.need = need
    self.enforcement = enforcement
    self.position = position
    id = "access." + need.text
    nextStep = need.nextStep
  }
}
