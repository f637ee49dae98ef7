import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives

/// One way through the pages, from where it began to where it ends. It is sealed in the pages' own links and forms, so
/// that opening a page writes nothing, each tab has its own, and no link makes a cookie grow.
struct Flow: Codable, Sendable, Equatable {
  /// Where the way ends.
  enum Return: Equatable {
    /// A page of the account.
    case account(String)
    /// An app, with a code.
    case target(Target)
  }

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
  /// The account that is to move.
  var mover: UUID?
  /// The sign-up that waits for a mailed code, where the tenant hides accounts.
  var signUp: UUID?
  /// The request for a mail to choose a new password: its code is taken with this id.
  var reset: UUID?
  /// The digits of that mail, once they were found right.
  var code: String?
  /// When the mail was asked for that the flow waits for, in seconds: the one to `newEmail`, of `signUp` or of `reset`.
  /// A page tells of it by the flow alone, which knows nothing of an account.
  var mailedAt: Int64?
  /// Wrong digits of that mail.
  var tries: Int?
  /// Whether an app asked for a fresh sign-in.
  var promptsAgain: Bool?
  /// The sign-in that waits for a second proof.
  var challenge: Challenge?
  /// Whether a recovery code is typed in the place of a code of an authenticator app.
  var byRecoveryCode: Bool?
  /// The authenticator app that waits for its first code.
  var enrolment: Enrolment?
  /// The change that is asked for to one of the second factors of the account.
  var factor: FactorChoice?
  /// The passkey that the sign-in may be followed by.
  var passkeyOffer: PasskeyOffer?
  /// Why the person looks at the second factors on the way.
  var factorsFirst: FactorsFirst?
  /// Whether the next page tells the person's passkey manager what the account has now.
  var signals: Bool?
  /// The notice at the top of the next page.
  var notice: Notice?
  /// The error of another step, at the top of the next page.
  var trouble: String?
  /// The token of a mailed link, on the link's page.
  var token: String?
  /// When the password that the person signed in with has to become a better one.
  var advice: PasswordAdvice?
  /// The state of a mailed link that needs no button any more.
  var link: Link?

  /// The form that was sent without a session, to be filled in again after the sign-in.
  var draft: Draft?
  /// Whether the computer is shared: the session ends with the browser, and soon.
  var isShared: Bool?

  /// A form as it was sent to a page, without its secrets.
  struct Draft: Codable, Equatable {
    let page: String
    let values: [String: String]
  }

  /// A mailed link that was used, or is none.
  enum Link: String, Codable {
    case isDone = "1"
    /// A sign-up became an account.
    case madeAccount = "account"
    case isBroken = "broken"
  }

  /// A sentence for the next page.
  enum Notice: String, Codable {
    case sessionExpired, emailVerified, passwordSaved, saved, signedOutDevice, mailSent
    case passwordChanged, emailChanged, signedOutOthers, disconnected, accountDeleted, factorAdded, factorRemoved
    case passkeyAdded, passkeyRemoved
  }

  /// Seconds for which a form can be sent after its page was shown.
  static let seconds: Int64 = 900
  /// Seconds after which the way does not go on: an app has long given up on it.
  static let life: Int64 = 86_400
  /// Bytes of an address of mail that are kept.
  static let longestEmail = 254
  /// Bytes of `trouble`.
  static let longestTrouble = 400

  init(at now: Date) { seenAt = now.wholeSeconds }

  /// A page that was asked for comes before the app: it is forgotten when it is reached.
  var ending: Return { page.map { .account($0) } ?? target.map { .target($0) } ?? .account(PagePath.account) }

  func isFresh(at now: Date) -> Bool { now.wholeSeconds - seenAt < Flow.seconds }
  func isOver(at now: Date) -> Bool { now.wholeSeconds - seenAt >= Flow.life }

  /// An address as a flow keeps it: nil for what is none, so that no text that was typed makes a page's address longer
  /// than an address of mail is.
  static func kept(email: String) -> String? {
    let isPlain = email.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F && $0 != "\"" && $0 != "\\" }
    return (1...longestEmail).contains(email.utf8.count) && isPlain ? email : nil
  }

  /// A sentence as a flow keeps it: its beginning, where it is long.
  static func kept(trouble: String) -> String {
    var text = trouble
    while text.utf8.count > longestTrouble { text.removeLast() }
    return text
  }
}

/// How a flow is written in a page.
extension Flow {
  /// The greatest size of the text, with any link. Two of them have to fit in one head: the address asked for, and that
  /// of the page from which it was asked.
  static let largest = 4_000

  /// The flow as it is sealed: its target with a digest in the place of its address.
  var carried: Flow {
    var flow = self
    flow.target = target?.carried
    return flow
  }

  /// The flow as it was before it was sealed. An address that the client has no more is not found, and gets no code.
  func found(in tenant: TenantSnapshot) -> Flow {
    var flow = self
    flow.target = target?.found(in: tenant)
    return flow
  }
}

/// Flows, sealed for the browser that holds the key.
extension FlowKey {
  private static func context(_ digest: [UInt8]) -> Vault.SealingContext {
    // GUARD: flow: of this browser
    return .pageFlow(key: digest)
  }

  /// A flow as text for the links and forms of a page. A draft goes along where there is room for it.
  func seal(_ flow: Flow, _ call: Call) throws -> String {
    let text = try sealed(flow, call)
    // GUARD: flow: a draft makes no address too long
    guard text.utf8.count > Flow.largest, flow.draft != nil else { return text }
    var flow = flow
    flow.draft = nil
    return try sealed(flow, call)
  }

  private func sealed(_ flow: Flow, _ call: Call) throws -> String {
    Base64URL.encode(try call.tenant.vault.seal(try JSONEncoding.encode(flow.carried), for: Self.context(digest)))
  }

  /// The flow of a text. Nil for what was not sealed for this browser at this tenant.
  func open(_ text: String, _ call: Call) -> Flow? { Self.open(text, sealedFor: digest, call) }

  /// The flow of a form that was made under another key, which the form names. No other text opens it, and no link
  /// does.
  static func open(_ text: String, marked mark: String, _ call: Call) -> Flow? {
    Base64URL.decode(mark).flatMap { open(text, sealedFor: $0, call) }
  }

  private static func open(_ text: String, sealedFor digest: [UInt8], _ call: Call) -> Flow? {
    guard text.utf8.count <= Flow.largest, let sealed = Base64URL.decode(text) else { return nil }
    let flow = try? call.tenant.vault.open(sealed, for: context(digest)).expose {
      try StrictDecoder.decode(Flow.self, from: $0)
    }
    return flow?.found(in: call.tenant)
  }
}
