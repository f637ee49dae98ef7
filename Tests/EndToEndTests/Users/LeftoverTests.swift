import Foundation
import GatehouseAdminWire
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Values of fields that the policy no longer has")
struct LeftoverTests {
  private static func policy(_ fields: String) -> String {
    """
    schema: gatehouse/policy.v1
    tenant: clinic
    app: {name: Clinic, locales: [en]}
    identifiers: {sign_in_with: [email], email: {normalize: lowercase}}
    password: {max_length: 128, rules: [{id: min8, min_length: 8}]}
    profile: {unknown_fields: reject, fields: {\(fields)}}
    providers: {password: {use: sign_in}}

    """
  }

  private static let role = "role: {type: enum, values: [nurse, admin], write: admin}"
  private static let before = policy("ward: {type: string, unique: true}, \(role)")
  private static let after = policy("unit: {type: string}, \(role)")

  /// A server with the tenant, whose policy has the field `ward`.
  private func run(_ body: (TestServer) async throws -> Void) async throws {
    try await ThreeApps.run { apps in
      try await apps.server.makeTenant("clinic", Self.before)
      try await body(apps.server)
    }
  }

  private func apply(_ text: String, _ server: TestServer) async throws {
    _ = try await server.apply(text, to: "clinic", allowsWeaker: true)
  }

  private func set(_ email: String, _ fields: String..., on server: TestServer) async throws -> UserRecord {
    try await SetUser.run(.init(tenant: "clinic", user: email, fields: fields), server.asOperator)
  }

  @Test("such a value is marked, is cleared and never set, and leaves the other fields and its unique key alone")
  func cleared() async throws {
    try await run { server in
      try await Operator.create("al@example.com", ["ward": "north", "role": "nurse"], in: "clinic", server)
      let whole = try await ShowUser.run(.init(tenant: "clinic", user: "al@example.com"), server.asOperator)
      #expect(whole.leftovers == nil)
      try await apply(Self.after, server)
      let shown = try await ShowUser.run(.init(tenant: "clinic", user: "al@example.com"), server.asOperator)
      #expect(shown.leftovers == ["ward"] && shown.profile["ward"] == "north")
      await #expect(throws: Refusal.self) { try await set("al@example.com", "ward=south", on: server) }
      await #expect(throws: Refusal.self) { try await set("al@example.com", "wart=", on: server) }
      // What is refused clears nothing either.
      await #expect(throws: Refusal.self) { try await set("al@example.com", "ward=", "role=pilot", on: server) }
      let cleared = try await set("al@example.com", "ward=", "unit=7", on: server)
      #expect(cleared.leftovers == nil && cleared.profile == ["unit": "7", "role": "nurse"])
      let tenant = try await Tenants.find("clinic", server.services)
      let rows = try await server.services.store.open(tenant.id).audit(AuditQuery(event: "user_updated"), limit: 10)
      #expect(rows.contains { $0.details["fields"] == "ward" && $0.user?.text == cleared.id })
      // The field comes back, and its value is free.
      try await apply(Self.before, server)
      try await Operator.create("bo@example.com", ["ward": "north"], in: "clinic", server)
    }
  }

  @Test("a purge counts, removes the values of all users in batches, and never those of a field that is live")
  func purge() async throws {
    try await run { server in
      let tenant = try await Tenants.find("clinic", server.services)
      let store = server.services.store.open(tenant.id)
      let count = 205
      for number in 0..<count {
        let user = StoredUser(
          id: UserID(server.services.clock.makeID()), email: "user\(number)@example.com",
          profile: number == 7 ? ["role": "admin"] : ["ward": .string("w\(number)"), "role": "nurse"],
          createdAt: server.services.clock.now, updatedAt: server.services.clock.now, enteredBy: .adminCreate)
        try await store.commit([.user(.insert(user, unique: []))], as: .operator)
      }
      func purge(_ dryRun: Bool) async throws -> PurgePolicyFieldOperation.Output {
        let input = PurgePolicyFieldOperation.Input(tenant: "clinic", field: "ward", dryRun: dryRun)
        return try await PurgePolicyField.run(input, server.asOperator)
      }
      await #expect(throws: OperatorError.self) { try await purge(false) }
      try await apply(Self.after, server)
      let counted = try await purge(true)
      #expect(counted == .init(seen: count, found: count - 1))
      #expect(try await purge(false) == counted)
      #expect(try await purge(false) == .init(seen: count, found: 0))
      let users = try await store.users(after: nil, newest: 1000)
      #expect(users.count == count && users.allSatisfy { Set($0.profile.keys) == ["role"] })
      let rows = try await store.audit(AuditQuery(event: "user_updated"), limit: 1000)
      #expect(rows.count == count - 1)
    }
  }

  @Test("all who have a value are changed, each judged by the policy; a second run finds none of them")
  func all() async throws {
    try await run { server in
      for name in ["al", "bo", "cy"] {
        try await Operator.create(
          "\(name)@example.com", ["ward": .string(name), "role": "nurse"], in: "clinic", server)
      }
      try await Operator.create("di@example.com", ["role": "admin"], in: "clinic", server)
      try await apply(Self.after.replacing("[nurse,", with: "[ward_nurse,"), server)
      func change(_ matching: String, _ fields: String..., dryRun: Bool = false) async throws
        -> ChangeUsersOperation.Output
      {
        try await ChangeUsers.run(
          .init(tenant: "clinic", change: .set, matching: matching, fields: fields, dryRun: dryRun), server.asOperator)
      }
      func roles() async throws -> [FieldValue?] {
        let users = try await ListUsers.run(.init(tenant: "clinic", fields: "role"), server.asOperator)
        return users.items.map { $0.profile?["role"] }
      }
      #expect(try await change("role=nurse", "role=ward_nurse", dryRun: true).found == 3)
      #expect(try await roles() == ["admin", "nurse", "nurse", "nurse"])
      let refused = try await change("role=nurse", "role=pilot")
      #expect(refused.found == 3 && refused.refused == 3 && refused.changed == 0)
      #expect(refused.samples.first == "cy@example.com: role.values")
      let done = try await change("role=nurse", "role=ward_nurse")
      #expect(done.found == 3 && done.changed == 3 && done.refused == 0)
      #expect(try await roles() == ["admin", "ward_nurse", "ward_nurse", "ward_nurse"])
      #expect(try await change("role=nurse", "role=ward_nurse").found == 0)
      let listed = try await ListUsers.run(.init(tenant: "clinic", matching: "role=admin"), server.asOperator)
      #expect(listed.items.map(\.email) == ["di@example.com"])
      // A value of a field that is gone is found too, and moves to the new one.
      #expect(try await change("ward=al", "unit=al", "ward=").changed == 1)
      let moved = try await ShowUser.run(.init(tenant: "clinic", user: "al@example.com"), server.asOperator)
      #expect(moved.profile == ["role": "ward_nurse", "unit": "al"] && moved.leftovers == nil)
      await #expect(throws: Refusal.self) { try await change("role", "role=admin") }
      await #expect(throws: Refusal.self) { try await change("role=admin", "role") }
    }
  }

  @Test("the impact of a policy counts the values of fields that it does not have")
  func impact() async throws {
    try await run { server in
      try await Operator.create("al@example.com", ["ward": "north", "role": "nurse"], in: "clinic", server)
      try await Operator.create("bo@example.com", ["role": "nurse"], in: "clinic", server)
      let same = try await PolicyImpact.run(.init(tenant: "clinic", text: Self.before), server.asOperator)
      #expect(same.leftovers == nil)
      var input = PolicyImpactOperation.Input(tenant: "clinic", text: Self.after, limit: 1)
      var answer = try await PolicyImpact.run(input, server.asOperator)
      while let next = answer.nextCursor {
        input.cursor = next
        answer = try await PolicyImpact.run(input, server.asOperator)
      }
      #expect(answer.people == 2 && answer.leftovers == [ImpactLeftover(field: "ward", people: 1)])
    }
  }

  @Test("a list shows the fields that are asked for, those of an older policy included")
  func list() async throws {
    try await run { server in
      try await Operator.create("al@example.com", ["ward": "north", "role": "nurse"], in: "clinic", server)
      try await apply(Self.after, server)
      let plain = try await ListUsers.run(.init(tenant: "clinic"), server.asOperator)
      #expect(plain.items.map(\.profile) == [nil])
      let some = try await ListUsers.run(.init(tenant: "clinic", fields: "ward,unit"), server.asOperator)
      #expect(some.items.map(\.profile) == [["ward": "north"]])
    }
  }
}
