import Foundation
import GatehouseAdminWire
import GatehouseAssembly
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Fields of many users that an operator orders to be set")
struct OrderedFieldTests {
  private static let policy = Clinic.policy(
    "tag: {type: string, unique: true}, role: {type: enum, values: [nurse, lead, admin], write: admin}")

  private func order(_ clinic: Clinic, _ matching: String, _ fields: String...) async throws -> String {
    clinic.server.clock.advance(seconds: 1)
    let answer = try await ChangeUsers.run(
      .init(tenant: "clinic", change: .set, matching: matching, fields: fields, background: true),
      clinic.server.asOperator)
    return try #require(answer.backfill)
  }

  private func undo(_ clinic: Clinic, _ id: String) async throws -> BackfillRecord {
    try await UndoBackfill.run(.init(tenant: "clinic", backfill: id), clinic.server.asOperator)
  }

  @Test("are set by the job, each user judged as by one command, and put back but for what was changed since")
  func whole() async throws {
    try await Clinic.run(Self.policy) { clinic in
      for number in 0..<120 { try await clinic.create("u\(number)", ["role": "nurse", "tag": .string("t\(number)")]) }
      try await clinic.create("al", ["role": "lead"])
      let id = try await order(clinic, "role=nurse", "role=lead", "tag=")
      #expect(try await clinic.profile("u1") == ["role": "nurse", "tag": "t1"])
      let first = try await clinic.backfill()
      #expect(first.id == id && first.state == "setting" && first.fields == ["role", "tag"])
      #expect(first.renamedFrom == nil && first.moved == 0)
      // Made since: left alone.
      try await clinic.create("late", ["role": "nurse"])
      #expect(try await clinic.server.round(of: .moveValues))
      #expect(try await clinic.backfill().moved == 100)
      try await clinic.move()
      let done = try await clinic.backfill()
      #expect(done.state == "set" && done.moved == 120 && done.refused == 0)
      #expect(try await clinic.profile("u1") == ["role": "lead"])
      #expect(try await clinic.profile("late") == ["role": "nurse"])
      try await clinic.set("u2", "role=admin")
      try await clinic.set("u3", "tag=mine")
      // Another's by now.
      try await clinic.set("al", "tag=t4")
      #expect(try await undo(clinic, id).state == "undoing")
      try await clinic.move()
      let undone = try await clinic.backfill()
      #expect(undone.state == "undone" && undone.moved == 119 && undone.skipped == 1)
      #expect(try await clinic.profile("u1") == ["role": "nurse", "tag": "t1"])
      #expect(try await clinic.profile("u2") == ["role": "admin", "tag": "t2"])
      #expect(try await clinic.profile("u3") == ["role": "nurse", "tag": "mine"])
      #expect(try await clinic.profile("u4") == ["role": "lead"])
      #expect(try await clinic.profile("al") == ["role": "lead", "tag": "t4"])
      await #expect(throws: OperatorError.self) { try await undo(clinic, id) }
    }
  }

  @Test("are not put back where the user sets them at that moment")
  func atThisMoment() async throws {
    try await Clinic.run(Self.policy) { clinic in
      try await clinic.create("al", ["role": "nurse"])
      let id = try await order(clinic, "role=nurse", "role=lead")
      try await clinic.move()
      _ = try await undo(clinic, id)
      let work = try #require(try await clinic.store.backfills().first)
      let replaced = try #require(try await clinic.store.replaced(by: work, limit: 1).first)
      #expect(replaced.stored == ["role": "nurse"] && replaced.given == ["role": "lead"])
      // As the job does it, with what it read before the user's change.
      let other = ReplacedValues(user: replaced.user, stored: replaced.stored, given: ["role": "admin"])
      await #expect(throws: StoreError.self) {
        try await clinic.store.commit([.backfill(.settle(work, other, isPutBack: true))], as: .job)
      }
      try await clinic.store.commit([.backfill(.settle(work, replaced, isPutBack: true))], as: .job)
    }
  }

  @Test("that the policy refuses stay, and an order is refused as the command is")
  func refused() async throws {
    try await Clinic.run(Self.policy) { clinic in
      for name in ["al", "bo"] { try await clinic.create(name, ["role": "nurse"]) }
      _ = try await order(clinic, "role=nurse", "tag=same")
      try await clinic.move()
      let done = try await clinic.backfill()
      #expect(done.state == "set" && done.moved == 1 && done.refused == 1)
      await #expect(throws: Refusal.self) { try await order(clinic, "role=nurse") }
      await #expect(throws: Refusal.self) {
        try await ChangeUsers.run(
          .init(tenant: "clinic", change: .disable, matching: "role=nurse", background: true),
          clinic.server.asOperator)
      }
    }
  }

  @Test("can be put back while their revision is live; a newer one keeps what was set")
  func revision() async throws {
    try await Clinic.run(Self.policy) { clinic in
      try await clinic.create("al", ["role": "nurse"])
      let id = try await order(clinic, "role=nurse", "role=lead")
      try await clinic.move()
      try await clinic.apply(Self.policy.replacing("lead, admin", with: "lead, admin, pilot"))
      await #expect(throws: OperatorError.self) { try await undo(clinic, id) }
      try await clinic.move()
      #expect(try await clinic.profile("al") == ["role": "lead"])
      #expect(try await clinic.backfill().state == "ended")
      let user = try #require(
        try await clinic.store.users(UserFilter(emailContains: "al@"), after: nil, through: nil, limit: 1).first)
      #expect(try await clinic.store.users(keeping: "role", among: [user.id]).isEmpty)
      await #expect(throws: OperatorError.self) { try await undo(clinic, "nothing") }
    }
  }

  @Test("are not put back once a server of an older version, which knows of no orders, applied a revision")
  func olderServer() async throws {
    try await Clinic.run(Self.policy) { clinic in
      try await clinic.create("al", ["role": "nurse"])
      let id = try await order(clinic, "role=nurse", "role=lead")
      try await clinic.move()
      try await clinic.server.storage.runAsSuperuser(
        script: """
          INSERT INTO gatehouse.policy_revision (tenant_id, number, text, digest, author, reason, created_at, language)
          SELECT tenant_id, number + 1, text || '# later', sha256(convert_to(text || '# later', 'UTF8')), author, reason,
            created_at, language
          FROM gatehouse.policy_revision WHERE tenant_id = '\(clinic.tenant.uuid)' ORDER BY number DESC LIMIT 1
          """)
      try await clinic.apps.reload()
      await #expect(throws: OperatorError.self) { try await undo(clinic, id) }
      #expect(try await clinic.profile("al") == ["role": "lead"])
    }
  }
}
