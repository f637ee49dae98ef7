import Foundation
import GatehousePolicy
import GatehouseWire

/// Everything that a fake server knows. All of it changes by synchronous functions, under the server's lock.
struct FakeWorld: Sendable {
  var settings = FakeServerSettings()
  var rules = FakePolicy.standard
  /// The moment of the request that is served.
  var now = Date(timeIntervalSince1970: 0)
  var accounts: [String: FakeUser] = [:]
  var sessions: [String: FakeSession] = [:]
  var accessTokens: [String: FakeAccessToken] = [:]
  var refreshTokens: [String: FakeRefreshToken] = [:]
  var codes: [FakeCode] = []
  var mails: [FakeMail] = []
  var flows: [String: FakeFlow] = [:]
  var attest = FakeAttest()
  var factors = FakeFactors()
  /// Codes of the hosted pages that no app redeemed yet.
  var authorizationCodes: [String: AuthorizationCode] = [:]
  /// Answers to keyed requests, by path and key.
  var kept: [String: (body: Data, answer: FakeReply)] = [:]
  /// When the server is done with requests under keys, by path and key.
  var busy: [String: Date] = [:]
  /// The course of the request that is served now, where it is not the usual one.
  var work: FakeWork?
  var weather: [(path: String?, weather: FakeWeather)] = []
  var climate: FakeWeather?
  var requests: [FakeRequest] = []
  private var last = 0

  /// A number that was not there before.
  mutating func number() -> Int {
    last += 1
    return last
  }

  /// An id in the form of the server's.
  mutating func id() -> String {
    let digits = String(number())
    return "01970000-0000-7000-8000-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
  }

  /// A secret that no other one equals.
  mutating func secret(_ prefix: String) -> String { "\(prefix)_\(number())_\(UUID().uuidString)" }

  func account(email: String) -> FakeUser? { accounts.values.first { $0.email == address(email) } }

  /// An address as it was typed, in the form that accounts have.
  func address(_ typed: String?) -> String {
    policy.normalisedEmail(typed ?? "", using: FakeFacts()) ?? TypedText.trimmed(typed ?? "").lowercased()
  }
}

/// The course of a request whose answer does not come.
enum FakeWork: Sendable {
  /// The server is done after that time.
  case lasting(Duration)
  /// The server is killed before it did anything.
  case killed

  /// Seconds after which a server lets go of a request that another one claimed.
  static let lease = 15.0
}

struct FakeUser: Sendable {
  var id: String
  var email: String?
  /// Nil for an account that signs in by a provider alone.
  var password: String?
  /// Those before it, the newest first.
  var formerPasswords: [String] = []
  var passwordChangedAt: Date?
  /// A sign-in found a password that the policy takes no more.
  var mustChangePassword = false
  /// The door that the account was made at.
  var enteredBy = Door.signUp
  var isVerified = false
  var isDisabled = false { didSet { if isDisabled { raiseEpoch() } } }
  var apps: [FakeApp] = []
  var passkeys: [FakeStoredPasskey] = []
  var recoveryCodes: [String] = []
  /// The first session under a demand for a second factor; nil: none so far, or none binds.
  var mfaAskedAt: Date?
  /// Another number after each change of what opens the account.
  var epoch = 0
  var profile: GatehouseWire.Profile = [:]
  var isOnline = true
  var lastSeen: Date
  var links: [GatehouseWire.Link] = []
  var createdAt: Date
  /// It does not go back with the clock.
  var updatedAt: Date { didSet { updatedAt = max(updatedAt, oldValue) } }
  /// Missing steps besides those of the policy.
  var further: [String] = []
  /// Its subject at each provider that it signs in by.
  var subjects: [String: String] = [:]

  /// Sets a password that the policy took.
  mutating func setPassword(_ new: String, at now: Date) {
    formerPasswords = ([password].compactMap(\.self) + formerPasswords)
    (password, passwordChangedAt, mustChangePassword, updatedAt) = (new, now, false, now)
    raiseEpoch()
  }
}

/// The subject of a door that demands a fresh proof.
enum FakeDemand {
  case account
  /// Second factors and recovery codes. A recovery code opens these doors.
  case factors
}

struct FakeSession: Sendable {
  var id: String
  var account: String
  var device: String?
  var createdAt: Date
  var lastSeen: Date
  var expiresAt: Date
  /// When the person last proved who they are; nil where only a provider said so, which may have let the browser pass.
  var provenAt: Date?
  /// When a second factor last joined the proofs; nil before one did.
  var secondAt: Date?
  /// The factors that did.
  var provedBy: Set<String> = []
  /// The level of its proofs.
  var level = AssuranceLevel.aal1
  var isEnded = false
  var pushToken: String?
}

struct FakeAccessToken: Sendable {
  var session: String
  var expiresAt: Date
}

struct FakeRefreshToken: Sendable {
  var session: String
  var expiresAt: Date
  var spentAt: Date?
  var successor: String?
  /// The key of the request that spent it.
  var key: String?
}

struct FakeCode: Sendable {
  enum Purpose: Sendable {
    case verify(account: String)
    case signUp(id: String, account: FakeUser)
    case reset(id: String, account: String)
    case change(account: String, session: String)
    case proof(session: String)
  }

  var purpose: Purpose
  var email: String
  var text: String
  var expiresAt: Date
  var sentAt: Date
  var isUsed = false
  var failures = 0
}

struct FakeFlow: Sendable {
  var provider: String
  var account: String
  var redirect: String?
  var expiresAt: Date
}

/// A mail that a `FakeServer` sent.
public struct FakeMail: Sendable, Hashable {
  /// Why it was sent.
  public enum Kind: String, Sendable, Hashable {
    /// It confirms the address of an account, or completes a sign-up.
    case verification
    /// It tells the owner of an address that a sign-up with it was tried.
    case signUpTried
    /// It lets a new password be set.
    case passwordReset
    /// It confirms the new address of an account.
    case emailChange
    /// It proves again who a signed-in person is.
    case reauthentication
  }

  /// The address.
  public var to: String
  /// Why it was sent.
  public var kind: Kind
  /// Six digits, where it has some.
  public var code: String?

  /// A mail.
  public init(to: String, kind: Kind, code: String? = nil) {
    self.to = to
    self.kind = kind
    self.code = code
  }
}

/// A request that a `FakeServer` got. It holds the names of what was sent, and no value.
public struct FakeRequest: Sendable, Hashable {
  /// Method and path below the tenant: `POST /v1/token`.
  public var route: String
  /// The field `Idempotency-Key`.
  public var key: String?
  /// The names of the content's members.
  public var members: Set<String>
  /// The answer's status.
  public var status: Int
}
