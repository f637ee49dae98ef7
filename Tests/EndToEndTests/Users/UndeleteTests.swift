import Foundation
import GatehouseAdminWire
import GatehouseIdentity
import GatehousePolicy
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Deletions that can be undone")
struct UndeleteTests {
  private static let day: TimeInterval = 86_400

  /// The three apps, with a fortnight in which a deletion can be undone.
  private func run(_ body: (ThreeApps) async throws -> Void) async throws {
    try await ThreeApps.run(policy: { $1 + "\naccounts: {undo_deletion: 14d}\n" }, body)
  }

  private func delete(_ app: App, _ local: String = "pat", now: Bool? = nil, on apps: ThreeApps) async throws {
    _ = try await DeleteUser.run(.init(tenant: app.rawValue, user: app.email(local), now: now), apps.asOperator)
  }

  @discardableResult
  private func undelete(_ app: App, _ user: String, _ apps: ThreeApps) async throws -> UserRecord {
    try await UndeleteUser.run(.init(tenant: app.rawValue, user: user), apps.asOperator)
  }

  private func deleted(_ app: App, _ apps: ThreeApps) async throws -> [DeletedUserSummary] {
    try await ListDeletedUsers.run(.init(tenant: app.rawValue), apps.asOperator).items
  }

  private func failure(_ body: () async throws -> Void) async throws -> OperatorError? {
    do {
      try await body()
      return nil
    } catch let error as OperatorError { return error }
  }

  /// Rows that are kept of deleted users, also those whose time is over.
  private func kept(_ apps: ThreeApps) async throws -> Int? {
    let all = try await apps.server.storage.connect(user: Embedded.superuser)
    let count = try await all.read(nil, "SELECT count(*) FROM gatehouse.deleted_account").single()?[0] as Int?
    await all.stop()
    return count
  }

  private func events(_ event: AuditEvent, _ app: App, _ apps: ThreeApps) async throws -> Int {
    try await SearchAudit.run(.init(tenant: app.rawValue, event: event.rawValue), apps.asOperator).items.count
  }

  @Test("a deleted user is back with the same id, profile and password, and the sessions of before stay over")
  func back() async throws {
    try await run { apps in
      let up = try await apps.signUp(.ride).json
      try await Operator.verify(.ride, "pat", apps)
      let before = try await ShowUser.run(.init(tenant: "dd-ride", user: App.ride.email()), apps.asOperator)
      #expect(try await apps.ride.post("/v1/password-reset", #"{"email":"pat@ksu.edu"}"#).status == 202)
      try await delete(.ride, on: apps)
      let gone = try await apps.signIn(.ride)
      let unknown = try await apps.signIn(.ride, "unknown")
      #expect(gone.status == 401 && gone.code == unknown.code && gone.json["detail"] == unknown.json["detail"])
      #expect(try await apps.me(.ride, up.accessToken).status == 401)
      #expect(try await apps.refresh(.ride, up.refreshToken).status == 401)
      let listed = try await deleted(.ride, apps)
      #expect(listed.map(\.email) == ["pat@ksu.edu"] && listed.map(\.id) == [before.id])
      #expect(listed.first.map { $0.eraseAt.seconds - $0.deletedAt.seconds } == Int64(14 * 86_400))

      let back = try await undelete(.ride, "PAT@ksu.edu", apps)
      #expect(back.id == before.id && back.profile == before.profile && back.emailVerified)
      #expect(back.createdAt == before.createdAt)
      #expect(try await apps.me(.ride, up.accessToken).status == 401)
      #expect(try await apps.refresh(.ride, up.refreshToken).status == 401)
      let sessions = try await ListUserSessions.run(.init(tenant: "dd-ride", user: back.id), apps.asOperator)
      #expect(sessions.items.isEmpty)
      let all = try await apps.server.storage.connect(user: Embedded.superuser)
      let codes = try await all.read(nil, "SELECT count(*) FROM gatehouse.one_time_code").single()?[0] as Int?
      await all.stop()
      #expect(codes == 0)
      #expect(try await apps.signIn(.ride).status == 200)
      #expect(try await deleted(.ride, apps).isEmpty)
      #expect(try await events(.userRestored, .ride, apps) == 1)
      #expect(try await failure { try await undelete(.ride, back.id, apps) }?.kind == .notFound)
    }
  }

  @Test("an address that a new account has is a refusal that loses nothing, and so is a unique value")
  func taken() async throws {
    try await run { apps in
      #expect(try await apps.signUp(.vibes).status == 201)
      try await delete(.vibes, on: apps)
      // The address and the name are free: to sign up again is as for any address.
      #expect(try await apps.signUp(.vibes, password: App.otherPassword).status == 201)
      let address = try await failure { try await undelete(.vibes, App.vibes.email(), apps) }
      #expect(address?.kind == .exists && address?.description.contains("another account has the address") == true)
      #expect(try await deleted(.vibes, apps).count == 1)
      _ = try await DeleteUser.run(
        .init(tenant: "vibes", user: App.vibes.email(), now: true), apps.asOperator)
      let other = #"{"email":"kay@example.com","password":"\#(App.password)","profile":{"username":"PAT"}}"#
      #expect(try await apps.vibes.post("/v1/sign-up", other).status == 201)
      let value = try await failure { try await undelete(.vibes, App.vibes.email(), apps) }
      #expect(value?.kind == .exists && value?.description.contains("the value of username") == true)
      #expect(try await apps.signIn(.vibes).status == 401)
      try await delete(.vibes, "kay", now: true, on: apps)
      try await undelete(.vibes, App.vibes.email(), apps)
      #expect(try await apps.signIn(.vibes).status == 200)
    }
  }

  @Test("two deleted users of one address are told apart by id")
  func twice() async throws {
    try await run { apps in
      for _ in 0..<2 {
        #expect(try await apps.signUp(.messai).status == 201)
        try await delete(.messai, on: apps)
      }
      let both = try await deleted(.messai, apps)
      #expect(both.count == 2)
      let first = try #require(both.last?.id)
      let refusal = try await failure { try await undelete(.messai, App.messai.email(), apps) }
      #expect(refusal?.kind == .refused && refusal?.description.contains(first) == true)
      #expect(try await undelete(.messai, first, apps).id == first)
      #expect(try await deleted(.messai, apps).map(\.id) == both.map(\.id).filter { $0 != first })
    }
  }

  @Test("when the time is over a deleted user cannot come back, and a job erases the rows")
  func over() async throws {
    try await run { apps in
      #expect(try await apps.signUp(.messai).status == 201)
      try await delete(.messai, on: apps)
      let job = EraseDeleted(apps.server.services)
      apps.server.clock.advance(seconds: 14 * Self.day - 1)
      #expect(try await job.runOnce() == false)
      #expect(try await deleted(.messai, apps).count == 1)
      apps.server.clock.advance(seconds: 1)
      #expect(try await deleted(.messai, apps).isEmpty)
      #expect(try await failure { try await undelete(.messai, App.messai.email(), apps) }?.kind == .notFound)
      #expect(try await kept(apps) == 1)
      #expect(try await job.runOnce() == false)
      #expect(try await kept(apps) == 0)
      #expect(try await events(.userErased, .messai, apps) == 1)
    }
  }

  @Test("a policy that shortens the time holds for users who are deleted already, and one that lengthens it does not")
  func shortened() async throws {
    try await run { apps in
      #expect(try await apps.signUp(.messai).status == 201)
      try await delete(.messai, on: apps)
      func keep(_ time: String) async throws {
        _ = try await apps.server.apply(
          try TestLists.policy("messai") + "\naccounts: {undo_deletion: \(time)}\n", to: "messai")
        try await apps.reload()
      }
      let end = try #require(try await deleted(.messai, apps).first?.eraseAt)
      try await keep("30d")
      #expect(try await deleted(.messai, apps).map(\.eraseAt) == [end])
      try await keep("1h")
      #expect(try await deleted(.messai, apps).map(\.eraseAt.seconds) == [end.seconds - 14 * 86_400 + 3600])
      apps.server.clock.advance(seconds: 3600)
      #expect(try await failure { try await undelete(.messai, App.messai.email(), apps) }?.kind == .notFound)
      #expect(try await EraseDeleted(apps.server.services).runOnce() == false)
      #expect(try await kept(apps) == 0)
    }
  }

  @Test("a user's own deletion, a deletion with --now and an erasure keep nothing")
  func atOnce() async throws {
    try await run { apps in
      let up = try await apps.signUp(.messai).json
      #expect(try await apps.messai.send("DELETE", "/v1/me", "{}", token: up.accessToken).status == 204)
      #expect(try await apps.signUp(.messai, "kay").status == 201)
      try await delete(.messai, "kay", now: true, on: apps)
      #expect(try await kept(apps) == 0)
      // Both the account and the one that was deleted before it go.
      for _ in 0..<2 {
        #expect(try await apps.signUp(.messai, "zoe").status == 201)
        if try await deleted(.messai, apps).isEmpty { try await delete(.messai, "zoe", on: apps) }
      }
      var erasure = EraseUserOperation.Input(tenant: "messai", user: App.messai.email("zoe"), dryRun: true)
      #expect(try await EraseUser.run(erasure, apps.asOperator).deleted == 1)
      #expect(try await kept(apps) == 1)
      erasure.dryRun = nil
      let done = try await EraseUser.run(erasure, apps.asOperator)
      #expect(done.deleted == 1 && done.sessions == 1 && done.email == App.messai.email("zoe"))
      #expect(try await kept(apps) == 0)
      #expect(try await apps.signIn(.messai, "zoe").status == 401)
      // One who is only deleted is erased too.
      #expect(try await apps.signUp(.messai, "lee").status == 201)
      try await delete(.messai, "lee", on: apps)
      let lee = try await EraseUser.run(
        .init(tenant: "messai", user: App.messai.email("lee")), apps.asOperator)
      #expect(lee.deleted == 1 && lee.email == App.messai.email("lee"))
      #expect(try await kept(apps) == 0)
    }
  }

  @Test("the users of a wrong filter are brought back by the time of their deletion, batch by batch")
  func many() async throws {
    try await run { apps in
      for name in ["ann", "bob", "kay", "zoe"] { #expect(try await apps.signUp(.messai, name).status == 201) }
      try await delete(.messai, "zoe", on: apps)
      apps.server.clock.advance(seconds: 3600)
      let since = Timestamp(apps.server.clock.now)
      let changed = try await ChangeUsers.run(
        .init(tenant: "messai", change: .delete, unverified: true), apps.asOperator)
      #expect(changed.changed == 3)
      #expect(try await apps.signUp(.messai, "bob", password: App.otherPassword).status == 201)
      var input = UndeleteUsersOperation.Input(tenant: "messai", since: since, dryRun: true)
      let count = try await UndeleteUsers.run(input, apps.asOperator)
      #expect(count.found == 3 && count.changed == 0)
      (input.dryRun, input.limit) = (nil, 1)
      var sum = UndeleteUsersOperation.Output()
      repeat {
        let part = try await UndeleteUsers.run(input, apps.asOperator)
        #expect(part.found <= 1)
        sum.changed += part.changed
        sum.refused += part.refused
        sum.samples += part.samples
        input.cursor = part.nextCursor
      } while input.cursor != nil
      #expect(sum.changed == 2 && sum.refused == 1)
      #expect(sum.samples == ["bob@example.com: another account has the address"])
      for name in ["ann", "kay"] { #expect(try await apps.signIn(.messai, name).status == 200) }
      #expect(try await deleted(.messai, apps).compactMap(\.email) == ["zoe@example.com", "bob@example.com"])
    }
  }

  @Test("all deleted users at once are not brought back")
  func everyone() async throws {
    try await run { apps in
      await #expect(throws: Refusal.self) { try await UndeleteUsers.run(.init(tenant: "messai"), apps.asOperator) }
    }
  }

  @Test("a receiver is told of the deletion at once, and of the return or the end")
  func told() async throws {
    try await run { apps in
      let all = try await apps.server.storage.connect(user: Embedded.superuser)
      _ = try await all.write(
        nil,
        [
          """
          INSERT INTO gatehouse.webhook_endpoint (tenant_id, id, url, events, fields, sealed_secret, created_at)
          SELECT id, gen_random_uuid(), 'https://localhost/', ARRAY['user.deleted', 'user.restored', 'user.erased'], '{}',
            '', now() FROM gatehouse.tenant WHERE name = 'messai'
          """
        ])
      func told() async throws -> [String] {
        try await all.read(nil, "SELECT event FROM gatehouse.webhook_delivery ORDER BY id").map { try $0[0] }
      }
      #expect(try await apps.signUp(.messai).status == 201)
      try await delete(.messai, on: apps)
      #expect(try await told() == ["user.deleted"])
      try await undelete(.messai, App.messai.email(), apps)
      try await delete(.messai, on: apps)
      apps.server.clock.advance(seconds: 14 * Self.day)
      _ = try await EraseDeleted(apps.server.services).runOnce()
      #expect(try await told() == ["user.deleted", "user.restored", "user.deleted", "user.erased"])
      await all.stop()
    }
  }
}
