import Foundation
import GatehouseAssembly
import GatehousePolicy
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseIdentity

/// A second channel, with words of its own: all that a new medium needs.
private struct TextChannel: Channel {
  struct Text: Sendable {
    let id: UUID
    let to: Contact
    let words: String
  }

  struct NoWords: Error {}

  let id = ChannelID.sms
  let destination = "gateway.example:443"
  let sent = LockBox<[Text]>([])
  var outcome = DeliveryOutcome.delivered(detail: "queued")

  func dispatch(_ message: Dispatch) async throws -> DeliveryOutcome {
    guard let code = message.order.code else { throw NoWords() }
    let words = "\(code) is your \(message.order.brand.appName) code"
    sent.withLock { $0.append(Text(id: message.id, to: message.order.to, words: words)) }
    return outcome
  }
}

@Suite("A channel beside mail")
struct ChannelTests {
  private static let number = Contact.phone("+17855550123")

  /// Commits a code to the number of an account, and answers the account's session.
  private static func send(_ apps: ThreeApps, only: CodeRequest.Carrier = .digits) async throws -> (SessionID, UserID) {
    let services = apps.server.services
    let up = try await apps.signUp(.messai).json
    let claims = try Token.claims(of: up.accessToken)
    let session = try #require(claims["sid"]?.string.flatMap(SessionID.init(text:)))
    let user = try #require(UserID(text: up.userID))
    let call = try await apps.operatorCall(.messai)
    var request = CodeRequest(.reauthenticate, .reauthenticate, to: number, user: user, linkTTL: 600)
    request.session = session
    request.only = only
    try await services.store.open(call.tenant.id).commit(
      Messaging.code(request, call, services).changes, as: .operator)
    return (session, user)
  }

  private static func count(_ condition: SQL, _ apps: ThreeApps) async throws -> Int {
    let all = try await apps.server.storage.connect(user: Embedded.superuser)
    let row = try await all.read(nil, "SELECT count(*) FROM gatehouse.outbox WHERE \(condition)").single()
    await all.stop()
    return try #require(row)[0]
  }

  @Test("a code goes to a number by the job that sends mails, and its digits are those of the number alone")
  func code() async throws {
    let channel = TextChannel()
    try await ThreeApps.run(channels: [channel]) { apps in
      let services = apps.server.services
      let (session, user) = try await Self.send(apps)
      try await apps.server.deliverMail()
      let texts = channel.sent.withLock { $0 }
      #expect(texts.map(\.to) == [Self.number])
      let words = try #require(texts.first?.words)
      #expect(words.hasSuffix(" is your messAI code"))
      let digits = try #require(NumericCode(typed: String(words.prefix(6))))
      // The mail of the sign-up went by mail.
      #expect(try await apps.server.mailCount(to: App.messai.email()) == 1)
      let call = try await apps.operatorCall(.messai)
      let store = services.store.open(call.tenant.id)
      let holder = CodeHolder.session(session, of: user)
      let found = try await store.tryCodes(.reauthenticate, at: Self.number, decoy: "-", of: holder)
      #expect(found.map(\.destination) == [Self.number])
      #expect(found.contains { services.codes.matches(digits, $0, call.tenant.id) })
      let asMail = try await store.tryCodes(.reauthenticate, at: .email(Self.number.value), decoy: "-", of: holder)
      #expect(asMail == [])
      #expect(try await apps.server.round(of: .deliverMail) == false)
    }
  }

  @Test("a message waits while no server has its channel, and mails go out meanwhile")
  func missing() async throws {
    try await ThreeApps.run { apps in
      _ = try await Self.send(apps)
      #expect(try await apps.server.mailCount(to: App.messai.email()) == 1)
      let waiting = try await Self.count("channel = 'sms' AND attempts = 0", apps)
      #expect(waiting == 1)
    }
  }

  @Test("a message that its channel has no words for is kept for later")
  func withoutWords() async throws {
    let channel = TextChannel()
    try await ThreeApps.run(channels: [channel]) { apps in
      _ = try await Self.send(apps, only: .link)
      try await apps.server.deliverMail()
      #expect(channel.sent.withLock(\.count) == 0)
      let kept = try await Self.count(
        "channel = 'sms' AND given_up_at IS NULL AND last_error LIKE 'not rendered%'", apps)
      #expect(kept == 1)
    }
  }

  @Test("T145 what a gateway says of a number that it refuses is kept without the number")
  func refused() async throws {
    let channel = TextChannel(outcome: .permanentFailure(reason: "21211 +17855550123 is no number"))
    try await ThreeApps.run(channels: [channel]) { apps in
      _ = try await Self.send(apps)
      try await apps.server.deliverMail()
      let refused = try await Self.count("last_error = '21211 … is no number'", apps)
      #expect(refused == 1)
    }
  }
}
