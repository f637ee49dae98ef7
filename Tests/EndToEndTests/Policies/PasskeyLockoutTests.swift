import Foundation
import GatehouseAdminWire
import GatehouseIdentity
import GatehouseOutbound
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Changes with which a passkey proves no more")
struct PasskeyLockoutTests {
  private static let section = "passkeys: {use: [sign_in]}"
  private static let moved = "passkeys: {use: [sign_in], rp_id: messai.example}"
  private static let kept =
    "passkeys: {use: [sign_in], rp_id: messai.example, rp_id_from: {id: auth.messai.example, until: 2099-01-01}}"

  /// A person with a passkey beside a password.
  private func enrolled(_ body: (PasskeyScene) async throws -> Void) async throws {
    try await PasskeyScene.run("{use: [sign_in]}", mfa: nil) { keys in
      _ = try await keys.enrol()
      try await body(keys)
    }
  }

  /// A person whose only way in is a passkey: the policy has no passwords any more.
  private func alone(_ body: (PasskeyScene, String) async throws -> Void) async throws {
    try await enrolled { keys in
      let closed = try await live(keys).replacing("  password: {use: sign_in}\n", with: "")
      let outcome = try await apply(closed, keys)
      try #require(outcome == .applied(revision: 2))
      try await keys.scene.apps.reload()
      try await body(keys, closed)
    }
  }

  private func live(_ keys: PasskeyScene) async throws -> String {
    let services = keys.scene.apps.server.services
    let tenant = try await Tenants.find("messai", services)
    let newest = try await services.store.open(tenant.id).newestRevision()
    return try #require(newest).text
  }

  private func apply(_ text: String, _ keys: PasskeyScene, lockout: Bool = false) async throws -> Policies.Outcome {
    try await keys.scene.apps.server.apply(text, to: "messai", allowsWeaker: true, allowsLockout: lockout)
  }

  private func impact(_ text: String, _ keys: PasskeyScene, limit: Int? = nil) async throws -> ImpactPasskeys? {
    var input = PolicyImpactOperation.Input(tenant: "messai", text: text, limit: limit)
    var answer = try await PolicyImpact.run(input, keys.scene.apps.asOperator)
    while let next = answer.nextCursor {
      input.cursor = next
      answer = try await PolicyImpact.run(input, keys.scene.apps.asOperator)
    }
    return answer.passkeys
  }

  @Test("a person with a passkey is not shut out where passwords end, and one without is")
  func passwordsEnd() async throws {
    try await PasskeyScene.run("{use: [sign_in]}", mfa: nil) { keys in
      let closed = try await live(keys).replacing("  password: {use: sign_in}\n", with: "")
      let error = await #expect(throws: OperatorError.self) { try await apply(closed, keys) }
      #expect(error?.description.contains("1 without another way to sign in") == true, "\(error?.description ?? "")")
      _ = try await keys.enrol()
      let outcome = try await apply(closed, keys)
      #expect(outcome == .applied(revision: 2))
    }
  }

  @Test(
    "an apply with which the only way in proves no more needs --allow-lockout, and is told why",
    arguments: [
      ("", "the section passkeys is gone"), (moved, "passkeys of auth.messai.example prove nothing at messai.example"),
    ])
  func guarded(candidate: String, why: String) async throws {
    try await alone { keys, text in
      let locking = text.replacing(Self.section, with: candidate)
      let error = await #expect(throws: OperatorError.self) { try await apply(locking, keys) }
      #expect(error?.kind == .notAllowed && error?.hint?.contains("--allow-lockout") == true)
      #expect(
        error?.description.contains("1 without another way in than a passkey that would prove no more: \(why)") == true,
        "\(error?.description ?? "")")
      let outcome = try await apply(locking, keys, lockout: true)
      #expect(outcome == .applied(revision: 3))
    }
  }

  @Test("the only way in of a person who was not seen for a month counts as well")
  func unseen() async throws {
    try await alone { keys, text in
      keys.scene.clock.advance(seconds: 31 * 86_400)
      let error = await #expect(throws: OperatorError.self) {
        try await apply(text.replacing(Self.section, with: Self.moved), keys)
      }
      #expect(error?.description.contains("0 of the 0 seen within 30 days") == true, "\(error?.description ?? "")")
    }
  }

  @Test("the refusal of another relying party says how its passkeys are kept, and that is applied")
  func keptParty() async throws {
    try await alone { keys, text in
      let error = await #expect(throws: OperatorError.self) {
        try await apply(text.replacing(Self.section, with: Self.moved), keys)
      }
      #expect(error?.hint?.contains("rp_id_from: {id: auth.messai.example, until: DATE}") == true)
      let outcome = try await apply(text.replacing(Self.section, with: Self.kept), keys)
      #expect(outcome == .applied(revision: 3))
    }
  }

  @Test("a person with a password as well may lose a passkey")
  func withPassword() async throws {
    try await enrolled { keys in
      let text = try await live(keys)
      let outcome = try await apply(text.replacing(Self.section, with: Self.moved), keys)
      #expect(outcome == .applied(revision: 2))
    }
  }

  @Test("what a file means for people and their passkeys is counted, also page by page")
  func counted() async throws {
    try await enrolled { keys in
      let up = try await keys.scene.apps.signUp(.messai, "quinn")
      try #require(up.status == 201, "\(up.text)")
      let text = try await live(keys)
      let upgrade = "passkeys: {use: [sign_in], upgrade: {from: 2020-01-01}}"
      for limit in [nil, 1] {
        let offered = try await impact(text.replacing(Self.section, with: upgrade), keys, limit: limit)
        #expect(offered?.having == 1 && offered?.offered == 1, "\(String(describing: offered))")
        #expect(offered?.synced == 0 && offered?.elsewhere == 0, "\(String(describing: offered))")
        let moved = try await impact(text.replacing(Self.section, with: Self.moved), keys, limit: limit)
        #expect(moved?.elsewhere == 1 && moved?.former == 0 && moved?.lost == 0, "\(String(describing: moved))")
        let kept = try await impact(text.replacing(Self.section, with: Self.kept), keys, limit: limit)
        #expect(kept?.elsewhere == 0 && kept?.former == 1 && kept?.lost == 0, "\(String(describing: kept))")
      }
    }
  }

  @Test("who would lose the only way in is counted")
  func lost() async throws {
    try await alone { keys, text in
      let moved = try await impact(text.replacing(Self.section, with: Self.moved), keys)
      let same = try await impact(text, keys)
      #expect(moved?.lost == 1 && same?.lost == 0)
    }
  }

  @Test("without passkeys in either policy nothing of them is counted")
  func silent() async throws {
    try await PasskeyScene.run(nil, mfa: nil) { keys in
      let found = try await impact(try await live(keys), keys)
      #expect(found == nil)
    }
  }

  // MARK: Hosts

  private func remove(_ host: String, _ keys: PasskeyScene, lockout: Bool? = nil) async throws -> [String] {
    let input = RemoveHostOperation.Input(tenant: "messai", host: host, allowLockout: lockout)
    return try await RemoveHost.run(input, keys.scene.apps.asOperator).items.map(\.host)
  }

  @Test("the removal of the host that passkeys are of needs --allow-lockout")
  func removed() async throws {
    try await alone { keys, _ in
      let error = await #expect(throws: OperatorError.self) { try await remove(PasskeyScene.host, keys) }
      #expect(error?.kind == .notAllowed && error?.hint?.contains("--allow-lockout") == true)
      #expect(error?.description.contains("1 without another way in than a passkey") == true)
      let rest = try await remove(PasskeyScene.host, keys, lockout: true)
      #expect(rest == [])
    }
  }

  @Test("with another host left, the refusal says how the passkeys are kept; the other one goes unasked")
  func otherHost() async throws {
    try await alone { keys, _ in
      let other = "login.messai.example"
      try await keys.scene.apps.own(other, of: "messai")
      let error = await #expect(throws: OperatorError.self) { try await remove(PasskeyScene.host, keys) }
      #expect(error?.hint?.contains("rp_id: \(other), rp_id_from: {id: \(PasskeyScene.host), until: DATE}") == true)
      let rest = try await remove(other, keys)
      #expect(rest == [PasskeyScene.host])
    }
  }

  @Test("a host that would become the first one is verified with --allow-lockout alone")
  func earlierHost() async throws {
    try await alone { keys, _ in
      let server = keys.scene.apps.server
      // Of hosts that were added at one moment the name decides.
      let earlier = "a.messai.example"
      _ = try await AddHost.run(.init(tenant: "messai", host: earlier), server.asOperator)
      try await TenantLoader(server.services).loadAll()
      func verify(lockout: Bool?) async throws -> HostState? {
        try await VerifyHost.run(
          .init(tenant: "messai", host: earlier, allowLockout: lockout), server.asOperator,
          by: OwnHostProbe(server: server), records: SystemTextRecords()
        ).items.first { $0.host == earlier }?.state.known
      }
      let error = await #expect(throws: OperatorError.self) { try await verify(lockout: nil) }
      #expect(error?.kind == .notAllowed && error?.hint?.contains("--allow-lockout") == true)
      let state = try await verify(lockout: true)
      #expect(state == .verified)
    }
  }

  @Test("where people have another way in, a host is removed unasked")
  func freeHost() async throws {
    try await enrolled { keys in
      let rest = try await remove(PasskeyScene.host, keys)
      #expect(rest == [])
    }
  }
}
