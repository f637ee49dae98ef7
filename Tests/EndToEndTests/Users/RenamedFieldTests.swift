import Foundation
import GatehouseAdminWire
import GatehouseAssembly
import GatehouseIdentity
import GatehousePolicy
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Values of fields that a policy renames")
struct RenamedFieldTests {
  private static let role = "role: {type: enum, values: [nurse, admin], write: admin}"
  private static let ward = "type: string, unique: true, claim: true, required: true"
  private static let before = Clinic.policy("ward: {\(ward)}, \(role)")
  private static let after = Clinic.policy("unit: {\(ward), max_length: 8, renamed_from: ward}, \(role)")

  /// The new name alone.
  private static let plain = after.replacing(", renamed_from: ward", with: "")
    .replacing("required: true", with: "required: false")

  @Test("are read under the new name from the first moment on: by the account, in claims, by rules and by filters")
  func noGap() async throws {
    try await Clinic.run(Self.before) { clinic in
      #expect(try await clinic.signUp("al", "ward", "north").status == 201)
      try await clinic.apply(Self.after)
      let read = try #require(try await clinic.store.backfills().first)
      for isMoved in [false, true] {
        if isMoved { try await clinic.move() }
        let visit = try await clinic.store.visits(of: read, limit: 1).first
        #expect(visit?.isFilled == isMoved)
        let session = try await clinic.signIn("al")
        #expect(session["access"]?.string == "full")
        let token = try #require(session["access_token"]?.string)
        #expect(try Token.claims(of: token)["unit"]?.string == "north")
        let me = try await clinic.client.get("/v1/me", token: token).json["user"]
        #expect(me?["profile"]?["unit"]?.string == "north" && me?["profile"]?["ward"] == nil)
        let listed = try await ListUsers.run(
          .init(tenant: "clinic", matching: "unit=north", fields: "unit"), clinic.server.asOperator)
        #expect(listed.items.map(\.profile) == [["unit": "north"]])
        // Unique as before, under either name.
        #expect(try await clinic.signUp("bo", "unit", "north").rules == ["unit.unique"])
      }
      #expect(try await clinic.profile("al") == ["unit": "north"])
    }
  }

  @Test("move in stretches; a value of the account's own stays, and one that the field refuses stays behind")
  func moves() async throws {
    try await Clinic.run(Self.before) { clinic in
      for number in 0..<450 {
        clinic.server.clock.advance(seconds: 1)
        let user = StoredUser(
          id: UserID(clinic.server.services.clock.makeID()), email: "user\(number)@example.com",
          profile: ["ward": .string("w\(number)")], createdAt: clinic.server.services.clock.now,
          updatedAt: clinic.server.services.clock.now, enteredBy: .adminCreate)
        try await clinic.store.commit(
          [.user(.insert(user, unique: [UniqueValue(field: "ward", key: "w\(number)")]))], as: .operator)
      }
      try await clinic.create("long", ["ward": "far too long"])
      try await clinic.apply(Self.after)
      try await clinic.set("user7", "unit=own")
      clinic.server.clock.advance(seconds: 16)
      #expect(try await clinic.server.round(of: .moveValues))
      let half = try await clinic.backfill()
      #expect(half.state == "moving" && half.moved == 199 && half.endedAt == nil)
      #expect(try await clinic.events(.valuesMoved) == 0)
      try await clinic.move()
      let done = try await clinic.backfill()
      #expect(done.state == "moved" && done.moved == 449 && done.refused == 1 && done.skipped == 0)
      #expect(done.endedAt != nil && done.revision == 2 && done.author == "test")
      #expect(try await clinic.events(.valuesMoved) == 1)
      #expect(try await clinic.profile("user7") == ["unit": "own"])
      #expect(try await clinic.profile("user8") == ["unit": "w8"])
      #expect(try await clinic.profile("long") == ["ward": "far too long"])
      // The unique keys went along, and those of what was replaced are free.
      #expect(try await clinic.signUp("bo", "unit", "w8").rules == ["unit.unique"])
      #expect(try await clinic.signUp("bo", "unit", "w7").status == 201)
      // A field that takes more takes what it had refused.
      try await clinic.apply(Self.after.replacing("max_length: 8", with: "max_length: 80"))
      try await clinic.move()
      #expect(try await clinic.profile("long") == ["unit": "far too long"])
    }
  }

  @Test("wait until every server has the revision, and move once though two servers are at it")
  func twoServers() async throws {
    try await Clinic.run(Self.before) { clinic in
      try await clinic.create("al", ["ward": "north"])
      try await clinic.apply(Self.after)
      while try await clinic.server.round(of: .moveValues) {}
      #expect(try await clinic.backfill().state == "moving")
      #expect(try await clinic.kept() == 0)
      clinic.server.clock.advance(seconds: 16)
      let read = try #require(try await clinic.store.backfills().first)
      let visit = try #require(try await clinic.store.visits(of: read, limit: 10).first)
      #expect(visit.value == "north" && !visit.isFilled)
      var stretch = BackfillStretch(read, through: visit.user, isLast: false)
      stretch.moves = [
        .init(user: visit.user, stored: "north", given: "north", unique: UniqueValue(field: "unit", key: "north"))
      ]
      try await clinic.store.commit([.backfill(.stretch(stretch))], as: .job)
      // The other server has read the same.
      await #expect(throws: StoreError.self) {
        try await clinic.store.commit([.backfill(.stretch(stretch))], as: .job)
      }
      try await clinic.move()
      let done = try await clinic.backfill()
      #expect(done.state == "moved" && done.moved == 1)
      #expect(try await clinic.profile("al") == ["unit": "north"])
      #expect(try await clinic.kept() == 1)
    }
  }

  @Test("wait for a server that has read the revision")
  func heard() async throws {
    try await Clinic.run(Self.before) { clinic in
      try await clinic.create("al", ["ward": "north"])
      try await clinic.apply(Self.plain)
      var profile = ProfilePolicy(fields: [Field(name: "unit", type: .string)])
      profile.fields[0].renamedFrom = "ward"
      try await clinic.store.commit(
        [.backfill(.follow(revision: 9, author: "x", ProfileNames(profile)))], as: .operator)
      try await clinic.move()
      #expect(try await clinic.backfill().state == "moving")
      #expect(try await clinic.kept() == 0)
    }
  }

  @Test("that change while they are about to move stay as they are, and so does a value of the account's own")
  func meanwhile() async throws {
    try await Clinic.run(Self.before) { clinic in
      try await clinic.create("al", ["ward": "north"])
      let own = StoredUser(
        id: UserID(clinic.server.services.clock.makeID()), email: "bo@example.com",
        profile: ["ward": "north2", "unit": "own"], createdAt: clinic.server.services.clock.now,
        updatedAt: clinic.server.services.clock.now, enteredBy: .adminCreate)
      try await clinic.store.commit([.user(.insert(own, unique: []))], as: .operator)
      try await clinic.apply(Self.after)
      let read = try #require(try await clinic.store.backfills().first)
      let visits = try await clinic.store.visits(of: read, limit: 10)
      #expect(visits.map(\.isFilled) == [false, true])
      // A server that has not read the revision.
      try await clinic.store.commit(
        [.user(.updateProfile(visits[0].user, ["ward": "south"], unique: []))], as: .operator)
      var stretch = BackfillStretch(read, through: visits[1].user, isLast: true)
      stretch.moves = [("north", 0), ("north2", 1)].map { value, index in
        .init(
          user: visits[index].user, stored: .string(value), given: .string(value),
          unique: UniqueValue(field: "unit", key: value))
      }
      try await clinic.store.commit([.backfill(.stretch(stretch))], as: .job)
      #expect(try await clinic.profile("al") == ["ward": "south"])
      #expect(try await clinic.profile("bo") == ["ward": "north2", "unit": "own"])
      #expect(try await clinic.backfill().moved == 0)
      #expect(try await clinic.store.taken([UniqueValue(field: "unit", key: "north")], except: nil) == [])
    }
  }

  @Test("that a server of an older version changed since are not moved back")
  func changedSince() async throws {
    try await Clinic.run(Self.before) { clinic in
      try await clinic.create("al", ["ward": "north"])
      try await clinic.apply(Self.after)
      try await clinic.move()
      let all = try await clinic.server.storage.connect(user: Embedded.superuser)
      _ = try await all.write(
        nil, "UPDATE gatehouse.account SET profile = '{\"unit\": \"south\"}' WHERE profile ? 'unit'")
      try await clinic.apply(Self.before)
      #expect(try await clinic.profile("al") == ["unit": "south"])
      try await clinic.move()
      let done = try await clinic.backfill()
      #expect(done.state == "returned" && done.moved == 0 && done.skipped == 1)
      #expect(try await clinic.profile("al") == ["unit": "south"])
      #expect(try await clinic.kept() == 0)
      await all.stop()
    }
  }

  @Test("that are cleared before they moved stay cleared, also after an undo")
  func cleared() async throws {
    try await Clinic.run(Self.before.replacing("required: true", with: "required: false")) { clinic in
      for name in ["al", "bo"] { try await clinic.create(name, ["ward": .string(name)]) }
      try await clinic.apply(Self.after.replacing("required: true", with: "required: false"))
      try await clinic.set("al", "unit=")
      #expect(try await clinic.profile("al") == [:])
      // Its unique value is free.
      #expect(try await clinic.signUp("cy", "unit", "al").status == 201)
      try await clinic.move()
      try await clinic.apply(Self.before.replacing("required: true", with: "required: false"))
      try await clinic.set("bo", "ward=")
      try await clinic.move()
      #expect(try await clinic.profile("al") == [:])
      #expect(try await clinic.profile("bo") == [:])
    }
  }

  @Test("go back exactly as they were by a rollback; what was changed since, and what was refused, stays")
  func undo() async throws {
    try await Clinic.run(Self.before) { clinic in
      for name in ["al", "bo", "cy", "di"] { try await clinic.create(name, ["ward": .string(name)]) }
      try await clinic.create("ed", ["ward": "far too long"])
      try await clinic.apply(Self.after)
      try await clinic.move()
      try await clinic.set("bo", "unit=new")
      #expect(try await clinic.kept() == 3)
      try await clinic.apply(Self.before)
      // Before the values are back they are read under the former name.
      #expect(try await clinic.profile("al")["ward"] == "al")
      #expect(try await clinic.backfill().state == "returning")
      #expect(try await clinic.signUp("flo", "ward", "al").rules == ["ward.unique"])
      try await clinic.set("cy", "ward=newer")
      try await clinic.move()
      let done = try await clinic.backfill()
      #expect(done.state == "returned" && done.moved == 2 && done.skipped == 0)
      #expect(try await clinic.profile("al") == ["ward": "al"])
      #expect(try await clinic.profile("di") == ["ward": "di"])
      #expect(try await clinic.profile("bo") == ["unit": "new"])
      #expect(try await clinic.profile("cy") == ["ward": "newer"])
      #expect(try await clinic.profile("ed") == ["ward": "far too long"])
      #expect(try await clinic.kept() == 0)
      #expect(try await clinic.events(.valuesReturned) == 1)
      #expect(try await clinic.signUp("flo", "ward", "al").rules == ["ward.unique"])
      // And forward again.
      try await clinic.apply(Self.after)
      try await clinic.move()
      #expect(try await clinic.profile("al") == ["unit": "al"])
      #expect(try await clinic.profile("bo") == ["unit": "new"])
    }
  }

  @Test("turn round in the middle of a move")
  func turnedRound() async throws {
    try await Clinic.run(Self.before) { clinic in
      for name in ["al", "bo"] { try await clinic.create(name, ["ward": .string(name)]) }
      try await clinic.apply(Self.after)
      let read = try #require(try await clinic.store.backfills().first)
      let visit = try #require(try await clinic.store.visits(of: read, limit: 1).first)
      var stretch = BackfillStretch(read, through: visit.user, isLast: false)
      stretch.moves = [
        .init(user: visit.user, stored: "al", given: "al", unique: UniqueValue(field: "unit", key: "al"))
      ]
      try await clinic.store.commit([.backfill(.stretch(stretch))], as: .job)
      try await clinic.apply(Self.before)
      for _ in 0..<2 {
        #expect(try await clinic.profile("al")["ward"] == "al")
        #expect(try await clinic.profile("bo")["ward"] == "bo")
        try await clinic.move()
      }
      #expect(try await clinic.profile("al") == ["ward": "al"])
      #expect(try await clinic.profile("bo") == ["ward": "bo"])
    }
  }

  @Test("a unique value that another account has stays behind, and the others move")
  func taken() async throws {
    try await Clinic.run(Self.before.replacing("unique: true", with: "unique: false")) { clinic in
      for name in ["al", "bo", "cy"] { try await clinic.create(name, ["ward": name == "cy" ? "other" : "same"]) }
      try await clinic.apply(Self.after)
      try await clinic.move()
      let done = try await clinic.backfill()
      #expect(done.state == "moved" && done.moved == 2 && done.refused == 1)
      #expect(try await clinic.profile("al") == ["unit": "same"])
      #expect(try await clinic.profile("bo") == ["ward": "same"])
      #expect(try await clinic.profile("cy") == ["unit": "other"])
    }
  }

  @Test("what is kept for an undo is in the account's copy, and ends with a purge, with the account and after 30 days")
  func rights() async throws {
    try await Clinic.run(Self.before) { clinic in
      for name in ["al", "bo", "cy"] { try await clinic.create(name, ["ward": .string(name)]) }
      try await clinic.apply(Self.after)
      func purge(_ dryRun: Bool) async throws -> Int {
        try await PurgePolicyField.run(
          .init(tenant: "clinic", field: "ward", dryRun: dryRun), clinic.server.asOperator
        ).found
      }
      await #expect(throws: OperatorError.self) { try await purge(false) }
      try await clinic.move()
      let id = try #require(
        try await clinic.store.users(UserFilter(emailContains: "al@"), after: nil, through: nil, limit: 1).first?.id)
      let copy = try #require(try await clinic.store.everything(about: id))
      let kept = try #require(copy.lists.first { $0.name == "kept_values" })
      let values = kept.rows.map { row in row.map { "\($0.name): \($0.value)" } }
      #expect(values.count == 1 && values[0].prefix(2) == ["field: text(\"ward\")", "value: text(\"al\")"])
      _ = try await EraseUser.run(.init(tenant: "clinic", user: "al@example.com"), clinic.server.asOperator)
      #expect(try await clinic.kept() == 2)
      #expect(try await purge(true) == 2)
      #expect(try await clinic.kept() == 2)
      #expect(try await purge(false) == 2)
      #expect(try await clinic.kept() == 0)
      #expect(try await purge(true) == 0)
      #expect(try await clinic.profile("bo") == ["unit": "bo"])
    }
    try await Clinic.run(Self.before) { clinic in
      try await clinic.create("al", ["ward": "al"])
      try await clinic.apply(Self.after)
      try await clinic.move()
      #expect(try await clinic.kept() == 1)
      clinic.server.clock.advance(seconds: 30 * 86_400 + 1)
      _ = try await clinic.server.round(of: .pruneExpired)
      #expect(try await clinic.kept() == 0)
    }
  }

  @Test("what is kept ends when one of the names moves on")
  func movesOn() async throws {
    try await Clinic.run(Self.before) { clinic in
      try await clinic.create("al", ["ward": "al"])
      try await clinic.apply(Self.after)
      let further = Clinic.policy("station: {\(Self.ward), renamed_from: unit}, \(Self.role)")
      // One after another.
      await #expect(throws: OperatorError.self) { try await clinic.apply(further) }
      try await clinic.move()
      try await clinic.apply(further)
      try await clinic.move()
      #expect(try await clinic.profile("al") == ["station": "al"])
      #expect(try await clinic.kept() == 0)
      let states = try await ListBackfills.run(.init(tenant: "clinic"), clinic.server.asOperator).items.map(\.state)
      #expect(states == ["moved", "ended"])
      try await clinic.apply(Self.after.replacing("renamed_from: ward", with: "at_sign_up: true"))
      #expect(try await clinic.profile("al")["unit"] == "al")
    }
  }

  @Test("a rename of no field, or of a field of another type, is refused; the impact counts what would move")
  func judged() async throws {
    try await Clinic.run(Self.before) { clinic in
      try await clinic.create("al", ["ward": "north"])
      try await clinic.create("bo", ["ward": "far too long"])
      for text in [
        Self.after.replacing("renamed_from: ward", with: "renamed_from: warp"),
        Clinic.policy("unit: {type: integer, renamed_from: ward}, \(Self.role)"),
      ] {
        let refused = await #expect(throws: OperatorError.self) { try await clinic.apply(text) }
        #expect(refused?.description.contains("can not be renamed from") == true)
      }
      var input = PolicyImpactOperation.Input(tenant: "clinic", text: Self.after, limit: 1)
      var answer = try await PolicyImpact.run(input, clinic.server.asOperator)
      while let next = answer.nextCursor {
        input.cursor = next
        answer = try await PolicyImpact.run(input, clinic.server.asOperator)
      }
      #expect(
        answer.renames == [ImpactRename(field: "unit", renamedFrom: "ward", people: 2, filled: 0, refused: 1)])
      #expect(answer.leftovers == nil && answer.rules.first { $0.rule == "unit.required" }?.failing == 0)
    }
  }

  @Test("a field that was renamed without its former name takes its values over later")
  func later() async throws {
    try await Clinic.run(Self.before) { clinic in
      try await clinic.create("al", ["ward": "north"])
      try await clinic.apply(Self.plain)
      #expect(try await clinic.profile("al") == ["ward": "north"])
      try await clinic.apply(Self.after)
      #expect(try await clinic.profile("al")["unit"] == "north")
      try await clinic.move()
      // The line may go once it is done.
      try await clinic.apply(Self.plain)
      #expect(try await clinic.profile("al") == ["unit": "north"])
      #expect(try await clinic.backfill().state == "moved")
    }
  }
}
