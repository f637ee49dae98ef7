import Foundation
import GatehousePolicy
import GatehousePolicyFile
import Testing

@Suite("policy doors")
struct DoorMatrixTests {
  private static let instants = [date("2026-12-01"), date("2028-01-01")]

  /// Values that each break some rules, in every combination at every door.
  private static func facts(_ policy: Policy, at door: Door) -> [Facts] {
    let emails: [String?] = [nil, "", "no address", "a@b.example", "wildcat@ksu.edu", "a%b@ksu.edu"]
    let passwords: [String?] = [
      nil, "", "short", "123456", "wildcats", "WILDCATS", "Wildcat1!", "Person-1!",
      String(repeating: "Wildcat1!", count: 15),
    ]
    var profiles: [[String: FieldValue]] = [[:], ["nickname": "x"]]
    let values: [FieldValue] = [
      "", "x", "bad value", 0, 5, true, "http://example.com/a", "admin", "owner", "7855550123",
      .string(String(repeating: "x", count: 120)),
    ]
    for value in values {
      profiles.append(Dictionary(uniqueKeysWithValues: policy.profile.fields.map { ($0.name, value) }))
    }
    var all: [Facts] = []
    for (index, profile) in profiles.enumerated() {
      for (row, email) in emails.enumerated() {
        // Passwords are judged apart from profiles: a few pairs show both.
        for password in [
          passwords[(index + row) % passwords.count], passwords[(index * 5 + row * 3) % passwords.count],
        ] {
          // What no request of the door carries is not its matter, though it would be judged.
          var facts = Facts(
            email: DoorSet.email.contains(door) ? email : nil,
            password: DoorSet.password.contains(door) ? password : nil, profile: profile)
          facts.taken = Set(policy.profile.fields.filter { $0.unique != nil }.map(\.name))
          switch door {
          case .adminCreate, .adminUpdate, .invite: facts.writer = .admin
          case .import: facts.writer = .system
          default: facts.writer = .user
          }
          if ![.signUp, .federatedSignUp, .adminCreate, .invite, .import].contains(door) {
            var user = StoredFacts(email: "person@ksu.edu")
            user.profile = ["username": "nova", "displayName": "Al", "name": "W"]
            facts.stored = user
          }
          if door == .federatedSignUp || door == .link {
            facts.email = nil
            facts.provider = ProviderFacts(name: "google", email: email, emailVerified: true, scopes: [])
            facts.password = nil
          }
          all.append(facts)
        }
      }
    }
    return all
  }

  /// Brute force against the evaluator: a rule refuses at a door exactly where the matrix says that it enforces.
  @Test("the matrix says what the evaluator does", arguments: PoliciesTests.paths)
  func proven(path: String) throws {
    let policy = try read(String(decoding: try Repository.bytes(path), as: UTF8.self)).policy
    let matrix = DoorMatrix(policy)
    for door in Door.allCases where door != .signIn {
      var refused: Set<String> = []
      for instant in Self.instants {
        for facts in Self.facts(policy, at: door) {
          let decision = policy.decide(door, facts, at: instant, using: SmallLists())
          refused.formUnion(decision.violations.map { $0.rule == "nickname.unknown" ? "*.unknown" : $0.rule })
        }
      }
      var said: Set<String> = []
      var asked: Set<String> = []
      for row in matrix.rows {
        switch row[door] {
        case .enforces, .warnsUntil: said.insert(row.rule)
        // Empty text is refused; a value that is not there at all is asked for later.
        case .asks: asked.insert(row.rule)
        case .closed, .unguarded, .off, .warns: continue
        }
      }
      // Doors of providers that this policy does not have are closed, whatever would come in by them.
      guard matrix.rows.contains(where: { $0[door] != .closed }) else { continue }
      // Bounds that no value of the corpus can break alone.
      let implied: Set<String> = ["email.max_length"]
      #expect(refused.subtracting(said).subtracting(asked) == [], "\(door) refuses more than the matrix says")
      #expect(said.subtracting(refused).subtracting(implied) == [], "\(door) refuses less than the matrix says")
    }
  }

  @Test("stages, doors and existing people show in the cells")
  func cells() throws {
    let policy = try read(
      """
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password:
        existing: require_at_sign_in
        rules:
          - {id: min8, min_length: 8}
          - {id: digit, require: digit, doors: [sign_up]}
          - {id: upper, require: uppercase, enforce: warn, enforce_from: 2027-03-01}
          - {id: lower, require: lowercase, enforce: off}
          - {id: own, not_containing: [email], enforce: warn, existing: at_next_change}
      """
    ).policy
    let rows = DoorMatrix(policy).rows
    func cell(_ rule: String, _ door: Door) -> DoorMatrix.Cell? { rows.first { $0.rule == rule }?[door] }
    #expect(cell("password.min8", .signUp) == .enforces && cell("password.min8", .signIn) == .asks)
    #expect(cell("password.digit", .signUp) == .enforces && cell("password.digit", .setPassword) == .unguarded)
    let day = try #require(Day("2027-03-01"))
    #expect(cell("password.upper", .resetPassword) == .warnsUntil(day))
    #expect(cell("password.lower", .signUp) == .off && cell("password.lower", .signIn) == .closed)
    #expect(cell("password.own", .signIn) == .warns)
    #expect(cell("password.min8", .changeEmail) == .closed)
    #expect(cell("email.syntax", .link) == .closed && cell("email.syntax", .import) == .enforces)
  }

  @Test("every row of the drawn matrix has its letters below the names of the doors")
  func drawn() throws {
    let policy = try read(String(decoding: try Repository.bytes("policies/vibes.yaml"), as: UTF8.self)).policy
    let matrix = DoorMatrix(policy)
    let lines = matrix.text("vibes.yaml").split(separator: "\n", omittingEmptySubsequences: true).map(Array.init)
    #expect(lines.count == Door.allCases.count + matrix.rows.count + (matrix.directory == nil ? 0 : 1))
    for (index, door) in Door.allCases.enumerated() {
      let column = try #require(String(lines[index]).range(of: door.rawValue)).lowerBound
      let offset = String(lines[index]).distance(from: String(lines[index]).startIndex, to: column)
      for (line, row) in zip(lines.dropFirst(Door.allCases.count), matrix.rows) {
        #expect((offset < line.count ? line[offset] : " ") == row[door].letter, "\(row.rule) \(door)")
      }
    }
  }

  @Test(
    "P0208 a door without any rule is an error, however long a password may be",
    arguments: [
      ("password: {rules: [{id: min8, min_length: 8, doors: [sign_up, set_password, reset_password]}]}", true),
      ("password: {max_length: 64, rules: [{id: min8, min_length: 8, doors: [sign_up]}]}", true),
      ("password: {max_length: 64, rules: [{id: min8, min_length: 8}]}", false),
      ("password: {rules: [{id: old, max_age: 90d}]}", false), ("password: {max_length: 64, rules: []}", false),
      (
        "password: {rules: [{id: a, min_length: 8, doors: [sign_up, set_password]}, {id: b, min_length: 15, doors: [reset_password, admin_create]}]}",
        false
      ),
      ("password: {rules: []}\nidentifiers: {email: {allowed_domains: {value: [a.example], doors: [sign_up]}}}", true),
      ("password: {rules: []}\nprofile: {fields: {n: {type: string, max_length: {value: 9, doors: [sign_up]}}}}", true),
    ])
  func unguarded(section: String, isRefused: Bool) {
    let report = findings("schema: gatehouse/policy.v1\ntenant: acme\napp: {name: Acme}\n\(section)\n")
    #expect(report.contains("error[P0208]") == isRefused, "\(report)")
    #expect(isRefused || report.isEmpty, "\(report)")
  }
}
