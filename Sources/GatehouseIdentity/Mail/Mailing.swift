// Mails as rows: each is sealed and written with its cause, in the same commit; a job sends it afterwards.

import Foundation
import GatehousePolicy
import GatehousePrimitives

enum Mailing {
  /// A mail about something that happened, without a code.
  static func notice(
    _ kind: MailKind, to account: Account, _ call: Call, _ services: Services
  ) throws -> [Change] {
    try notice(kind, toAddress: account.email, about: account.id, call, services)
  }

  /// The same to an address that need not be the account's any more.
  static func notice(
    _ kind: MailKind, toAddress address: String, about account: AccountID, _ call: Call, _ services: Services
  ) throws -> [Change] {
    var order = order(kind, to: address, call)
    order.when = "\(Moment.text(call.now)) UTC"
    return [try enqueue(order, about: account, expires: call.now.addingTimeInterval(86_400), call, services)]
  }

  /// The notice of what became of a link to a provider.
  static func link(_ kind: MailKind, at provider: String, to account: Account, _ call: Call, _ services: Services)
    throws -> [Change]
  {
    var order = order(kind, to: account.email, call)
    order.provider = ProviderDescription.title(provider)
    order.when = "\(Moment.text(call.now)) UTC"
    return [
      try enqueue(order, about: account.id, expires: call.now.addingTimeInterval(86_400), call, services)
    ]
  }

  /// The notice of a sign-in on a device that is new and not the one that the account was made on, where the policy wants it (NIST SP 800-63B-4
  /// section 4.6, OWASP ASVS 6.3.7).
  static func newDevice(_ device: PresentedDevice, to account: Account, _ call: Call, _ services: Services) throws
    -> [Change]
  {
    guard device.isSurprising, call.policy.sessions.newDeviceNotice else { return [] }
    var order = order(.newDevice, to: account.email, call)
    order.device = device.device.name
    order.place = call.place(services)
    order.when = "\(Moment.text(call.now)) UTC"
    return [
      .reserve(Limiting.newDeviceNotice(to: account.email, call)),
      try enqueue(order, about: account.id, expires: call.now.addingTimeInterval(86_400), call, services),
    ]
  }

  /// A mail with a fresh code and link for a purpose, the code's row, and the reservations that keep it within the
  /// policy's cooldown and caps.
  static func code(_ request: CodeRequest, _ call: Call, _ services: Services) throws -> [Change] {
    let minted = services.codes.mint(call.tenant.id, request.purpose, to: request.destination)
    let rules = call.policy.verification.email
    let wantsLink = rules.method != .code || request.linkOnly
    let wantsDigits = rules.method != .link && !request.linkOnly
    let id = request.id ?? services.clock.makeID()
    let code = OneTimeCode(
      id: id, purpose: request.purpose, account: request.account, session: request.session,
      destination: request.destination, tokenHash: wantsLink ? minted.tokenHash : nil,
      codeMAC: wantsDigits ? minted.codeMAC : nil,
      tokenExpiresAt: call.now.addingTimeInterval(TimeInterval(request.linkTTL)),
      codeExpiresAt: call.now.addingTimeInterval(TimeInterval(rules.codeTTL)),
      sealedPayload: try request.payload.map { try call.tenant.vault.seal($0, for: .codePayload(id)) },
      createdAt: call.now)
    let reservations = request.isLimited ? Limiting.mail(request.purpose, to: request.destination, call) : []
    var order = order(request.mail, to: request.destination, call)
    if wantsLink {
      let path = "\(call.tenant.issuer)/ui/\(request.purpose.page)?token="
      order.link = minted.token.expose { path + $0 }
      order.linkMinutes = Int(request.linkTTL / 60)
    }
    if wantsDigits {
      order.code = minted.digits.expose { $0 }
      order.codeMinutes = Int(rules.codeTTL / 60)
    }
    order.newEmail = request.newEmail
    let expiry = wantsLink ? code.tokenExpiresAt : code.codeExpiresAt
    return [
      .reserve(reservations), .insertCode(code),
      try enqueue(order, about: request.account, expires: expiry, call, services),
    ]
  }

  /// What `code` would write for an address that nobody is to be mailed at: the same reservations and rows, the code one
  /// that nothing redeems and the mail one whose time has passed. Whoever measures, or counts, learns nothing.
  static func decoy(_ request: CodeRequest, _ call: Call, _ services: Services) throws -> [Change] {
    var changes = try code(request, call, services)
    guard case .insertCode(var code) = changes[1], case .enqueue(var mail) = changes[2] else { return changes }
    code.account = nil
    // Of an address that is nobody's, only a hash is kept.
    code.destination = call.hashed(request.destination)
    (code.tokenExpiresAt, code.codeExpiresAt) = (call.now, call.now)
    mail.expiresAt = call.now
    (changes[1], changes[2]) = (.insertCode(code), .enqueue(mail))
    return changes
  }

  /// The rows of `decoy`, with this mail in the place of the one that is never sent.
  static func decoy(_ request: CodeRequest, mailing notice: [Change], _ call: Call, _ services: Services) throws
    -> [Change]
  {
    Array(try decoy(request, call, services).dropLast()) + notice
  }

  /// The verification mail of an account.
  /// - Parameter isAskedByAnyone: whether its asker showed nothing but the address.
  static func verification(
    of account: Account, isAskedByAnyone: Bool = false, _ call: Call, _ services: Services
  ) throws -> [Change] {
    try code(
      CodeRequest(
        .verifyEmail, .verifyEmail, to: account.email, account: account.id,
        linkTTL: call.policy.verification.email.linkTTL), call, services)
      + [
        isAskedByAnyone
          ? call.bounded(.verificationSent, services, account: account.id)
          : .audit(call.entry(.verificationSent, services, account: account.id))
      ]
  }

  private static func order(_ kind: MailKind, to address: String, _ call: Call) -> MailOrder {
    MailOrder(kind: kind, to: address, language: call.language, brand: MailBrand(call.policy))
  }

  static func enqueue(
    _ order: MailOrder, about account: AccountID?, expires: Date, _ call: Call, _ services: Services
  ) throws -> Change {
    let id = services.clock.makeID()
    let sealed = try call.tenant.vault.seal(try JSONEncoding.encode(order), for: .outbox(id))
    return .enqueue(
      OutgoingMail(
        id: id, kind: order.kind, account: account, sealedOrder: sealed, createdAt: call.now, expiresAt: expires))
  }
}

/// What a code is wanted for.
struct CodeRequest {
  var purpose: CodePurpose
  var mail: MailKind
  var destination: String
  var account: AccountID?
  /// Seconds that the link lives.
  var linkTTL: Int64
  var payload: [UInt8]?
  /// The code's own id, where its requester is told it.
  var id: UUID?
  /// The session that asks, where confirming takes it.
  var session: SessionID?
  var newEmail: String?
  /// Only a link, whatever the policy's method: for mails whose answer is a page.
  var linkOnly = false
  /// Whether the cooldown and the caps apply. Operators are not bound by them.
  var isLimited = true

  init(
    _ purpose: CodePurpose, _ mail: MailKind, to destination: String, account: AccountID?, linkTTL: Int64
  ) {
    self.purpose = purpose
    self.mail = mail
    self.destination = destination
    self.account = account
    self.linkTTL = linkTTL
  }
}

extension CodePurpose {
  /// The page its link opens.
  package var page: String {
    switch self {
    case .verifyEmail, .completeSignUp: "verify-email"
    case .resetPassword: "reset-password"
    case .changeEmail: "confirm-email"
    case .undoEmailChange: "undo-email"
    }
  }
}
