import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives

/// One way through the pages, from where it began to where it ends. It lies sealed in a cookie of the browser, so that
/// opening a page writes nothing.
struct Flow: Codable, Sendable, Equatable {
  /// Where the way ends.
  enum Return: Equatable {
    /// A page of the account.
    case account(String)
    /// An app, with a code.
    case target(Target)
  }

  /// An app that began at the sign-in page.
  struct Target: Codable, Sendable, Equatable {
    /// One of the policy's addresses.
    var address: String
    var state: String
    /// The app's code challenge, S256 (RFC 7636).
    var challenge: String

    /// Whether only an app can open it. Any app may claim a scheme, so that its user says yes before a code goes there.
    var isScheme: Bool { !address.hasPrefix("https://") && !address.hasPrefix("http://") }
  }

  /// A short name, in addresses and forms: each tab has its own flow.
  var id: String
  /// What the proofs of its forms are made of.
  var secret: String
  /// When a page of it was last shown, in seconds.
  var seenAt: Int64
  var target: Target?
  /// The page of the account where it ends, where no app began it.
  var page: String?
  /// The language that the person chose.
  var language: String?
  /// The address that a mail went to, or that an app suggests.
  var email: String?
  /// The address to which the account is to move, once its code is typed.
  var newEmail: String?
  /// The sign-up that waits for a mailed code, where the tenant hides accounts.
  var signUp: UUID?
  /// Whether a mail was asked for to choose a new password.
  var isReset: Bool?
  /// Whether an app asked for a fresh sign-in.
  var promptsAgain: Bool?
  /// What the next page tells first.
  var notice: Notice?
  /// What went wrong elsewhere, told first by the next page.
  var trouble: String?
  /// When another mail may be asked for, in seconds.
  var resendAt: Int64?

  /// A sentence for the next page.
  enum Notice: String, Codable {
    case sessionExpired, emailVerified, passwordSaved, saved, signedOutDevice, mailSent
    case passwordChanged, emailChanged, signedOutOthers, disconnected, accountDeleted
  }

  /// Seconds for which a form can be sent after its page was shown.
  static let seconds: Int64 = 900

  init(at now: Date) {
    id = Base64URL.encode(SecureRandom.bytes(6))
    secret = Base64URL.encode(SecureRandom.bytes(16))
    seenAt = now.wholeSeconds
  }

  /// A page that was asked for comes before the app: it is forgotten when it is reached.
  var ending: Return { page.map { .account($0) } ?? target.map { .target($0) } ?? .account(PagePath.account) }

  /// The proof that a form was made for the browser that holds the flow.
  var proof: String { Base64URL.encode(SHA256.digest("form " + secret)) }

  func isFresh(at now: Date) -> Bool { now.wholeSeconds - seenAt < Flow.seconds }
}
