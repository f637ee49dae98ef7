import GatehouseAdminWire
import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("The mail about a deleted account")
struct DeletionMailTests {
  private let email = App.ride.email()

  /// Signs up and proves the address; the access token.
  private func verified(_ apps: ThreeApps) async throws -> String {
    let up = try await apps.signUp(.ride).json
    try await Operator.verify(.ride, "pat", apps)
    return up.accessToken
  }

  private func delete(_ token: String, _ apps: ThreeApps, language: String = "en") async throws {
    let gone = try await apps.ride.send(
      "DELETE", "/v1/me", #"{"password":"\#(App.password)"}"#, token: token, headers: ["Accept-Language": language])
    #expect(gone.status == 204, "\(gone.text)")
  }

  private func rows(_ apps: ThreeApps, where condition: SQL) async throws -> Int {
    let all = try await apps.server.storage.connect(user: Embedded.superuser)
    let found = try await all.read(
      nil,
      """
      SELECT count(*) FROM gatehouse.outbox WHERE kind = 'account_deleted' AND account_id IS NULL AND \(condition)
      """)
    await all.stop()
    return try found[0][0]
  }

  @Test(
    "the owner of a proven address is told in their language, and the row names no account",
    arguments: [("en", "account was deleted"), ("es", "se ha eliminado")])
  func byOwner(language: String, words: String) async throws {
    try await ThreeApps.run { apps in
      let token = try await verified(apps)
      try await delete(token, apps, language: language)
      #expect(try await rows(apps, where: "delivered_at IS NULL") == 1)
      let mail = try #require(try await apps.server.latestMail(to: email))
      #expect(mail.subject.contains(words) && mail.text.contains(email), "\(mail.subject)")
      #expect(try await rows(apps, where: "sealed_order IS NULL AND delivered_at IS NOT NULL") == 1)
    }
  }

  @Test("a deletion by an operator is told, an erasure is not", arguments: [(true, 1), (false, 0)])
  func byOperator(isDeletion: Bool, mails: Int) async throws {
    try await ThreeApps.run { apps in
      _ = try await verified(apps)
      let before = try await apps.server.mailCount(to: email)
      if isDeletion {
        _ = try await DeleteUser.run(.init(tenant: "dd-ride", user: email), apps.asOperator)
      } else {
        _ = try await EraseUser.run(.init(tenant: "dd-ride", user: email), apps.asOperator)
      }
      #expect(try await apps.server.mailCount(to: email) == before + mails)
    }
  }

  @Test("an address that was not proven gets none")
  func unproven() async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.signUp(.ride).json
      let before = try await apps.server.mailCount(to: email)
      try await delete(up.accessToken, apps)
      #expect(try await apps.server.mailCount(to: email) == before)
    }
  }

  @Test("a deletion that is refused is not told")
  func refused() async throws {
    try await ThreeApps.run { apps in
      let token = try await verified(apps)
      let before = try await apps.server.mailCount(to: email)
      let wrong = try await apps.ride.send("DELETE", "/v1/me", #"{"password":"wrong"}"#, token: token)
      #expect(wrong.status == 401, "\(wrong.text)")
      #expect(try await apps.server.mailCount(to: email) == before)
    }
  }
}
