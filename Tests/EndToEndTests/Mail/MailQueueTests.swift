import Foundation
import GatehouseAdminWire
import GatehouseIdentity
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Mails that wait, as operators see them")
struct MailQueueTests {
  private static let busy = "451 4.3.0 <willie@ksu.edu> try later"

  private func waiting(_ tenant: String, _ apps: ThreeApps) async throws -> [WaitingMail] {
    try await ListWaitingMails.run(.init(tenant: tenant), apps.asOperator).items
  }

  /// A sign-up to each of two apps, whose mails were tried so often that they wait for minutes.
  private func postponed(_ apps: ThreeApps) async throws {
    try await #require(apps.sink).answer(.rcpt, with: Self.busy, times: 8)
    #expect(try await apps.signUp(.ride).status == 201)
    #expect(try await apps.signUp(.messai).status == 201)
    for seconds in [5, 15, 60, 0] {
      try await apps.server.deliverMail()
      apps.server.clock.advance(seconds: Double(seconds))
    }
  }

  @Test("the list has tries and the reason of each mail of the tenant, and no address")
  func list() async throws {
    try await ThreeApps.runWithMail { apps in
      try await postponed(apps)
      let mail = try #require(try await waiting("dd-ride", apps).first)
      #expect(mail.kind == "verify_email" && mail.attempts == 4)
      #expect(mail.lastError?.contains("451") == true && mail.lastError?.contains("@") == false)
      #expect(try await waiting("dd-ride", apps).count == 1)
    }
  }

  @Test("a retry makes the mails of the tenant due at once, and no other's")
  func retry() async throws {
    try await ThreeApps.runWithMail { apps in
      let sink = try #require(apps.sink)
      try await postponed(apps)
      try await apps.server.deliverMail()
      #expect(try await sink.waiting == 0)
      #expect(try await RetryWaitingMails.run(.init(tenant: "dd-ride"), apps.asOperator).mails == 1)
      try await apps.server.deliverMail()
      #expect(try await sink.waiting >= 1)
      #expect(try await waiting("dd-ride", apps).isEmpty)
    }
  }

  @Test("a mail that is dropped is not sent; those of another tenant and another kind stay")
  func drop() async throws {
    try await ThreeApps.runWithMail { apps in
      let sink = try #require(apps.sink)
      try await postponed(apps)
      let other = try #require(try await waiting("messai", apps).first)
      #expect(try await DropWaitingMails.run(.init(tenant: "dd-ride", kind: "new_device"), apps.asOperator).mails == 0)
      #expect(try await DropWaitingMails.run(.init(tenant: "dd-ride", ids: [other.id]), apps.asOperator).mails == 0)
      #expect(try await DropWaitingMails.run(.init(tenant: "dd-ride"), apps.asOperator).mails == 1)
      #expect(try await waiting("dd-ride", apps).isEmpty)
      #expect(try await waiting("messai", apps).map(\.id) == [other.id])
      apps.server.clock.advance(seconds: 3600)
      try await apps.server.deliverMail()
      #expect(try await sink.waiting == 1)
    }
  }

  @Test("what is no id of a mail, and no kind, is refused")
  func refused() async throws {
    try await ThreeApps.runWithMail { apps in
      await #expect(throws: Refusal.self) {
        try await DropWaitingMails.run(.init(tenant: "dd-ride", ids: ["x"]), apps.asOperator)
      }
      await #expect(throws: Refusal.self) {
        try await RetryWaitingMails.run(.init(tenant: "dd-ride", kind: "nothing"), apps.asOperator)
      }
    }
  }
}
