import Foundation
import GatehouseClient
import GatehouseIdentity
import GatehousePolicy
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// The checklist on a device says what the server says. `script/prove client` asks a hundred thousand times.
@Suite("The client's checklist")
struct ChecklistTests {
  private static let inputs = ProcessInfo.processInfo.environment["GATEHOUSE_CLIENT_INPUTS"].flatMap { Int($0) } ?? 1500

  /// What a form may hold.
  private struct Typed {
    var email: String?
    var password: String?
    var profile: [String: FieldValue]

    private static let emails: [String?] = [
      nil, "", "a", "a@", "@ksu.edu", "willie@ksu.edu", "Willie@KSU.EDU", "willie@notksu.edu",
      "willie@ksu.edu.evil.com",
      "al@example.com", " al@example.com ", "al@exämple.de", "al@\u{212A}su.edu", "a b@example.com", "al+x@example.com",
    ]
    private static let alphabet = Array("abcXYZ019!? äöé\u{1F600}e\u{301}")
    private static let values: [FieldValue] = [
      .null, "", " ", "A", "Al", "  Al  ", "Zoë", "(785) 555-0123", "1 555 123 4567", "+44 20 7946 0958", "555-0123", 0,
      1, 4,
      5, true, "admin", "member", "https://example.com/a.jpg", "http://example.com/a.jpg", "a.jpg", "not a url",
      .string(String(repeating: "x", count: 101)), .string(String(repeating: "é", count: 50)), "al_1", "admin_",
      "spotify",
    ]

    init(_ policy: Policy, _ random: inout SeededGenerator) {
      email = Self.emails.randomElement(using: &random) ?? nil
      let length = Int.random(in: 0..<14, using: &random)
      password =
        length == 13 ? nil : String((0..<length).compactMap { _ in Self.alphabet.randomElement(using: &random) })
      profile = [:]
      for field in policy.profile.fields where field.write != .admin && Bool.random(using: &random) {
        profile[field.name] = Self.values.randomElement(using: &random)
      }
    }

    var clientProfile: Profile {
      profile.mapValues { value in
        switch value {
        case .null, .unsupported: .null
        case .boolean(let flag): .boolean(flag)
        case .integer(let number): .integer(number)
        case .string(let text): .string(text)
        }
      }
    }
  }

  /// Where device and server say different things, and how often the device decided at all.
  private func differences(_ app: App) async throws -> (different: [String], decided: Int) {
    var result: (different: [String], decided: Int) = ([], 0)
    try await ThreeApps.run { apps async throws in
      let policy = try await Phone(apps, app).client.policy()
      let tenant = try #require(apps.server.services.registry.all.first { $0.name.description == app.rawValue })
      let now = apps.server.clock.now
      var random = SeededGenerator()
      for _ in 0..<Self.inputs {
        let typed = Typed(tenant.policy, &random)
        guard let form = AuthForm.allCases.randomElement(using: &random), let door = Door(rawValue: form.rawValue)
        else {
          continue
        }
        let decision = tenant.policy.decide(
          door, Facts(email: typed.email, password: typed.password, profile: typed.profile), at: now,
          using: apps.server.services.facts)
        let verdicts = Dictionary(decision.trace.map { ($0.rule, $0.verdict) }, uniquingKeysWith: { one, _ in one })
        for row in policy.check(
          form, email: typed.email, password: typed.password, profile: typed.clientProfile, at: now)
        where row.mark != .checkedOnSubmit {
          result.decided += 1
          if !Self.agree(row.mark, verdicts[row.rule]) {
            result.different.append(
              "\(form) \(row.rule): \(row.mark) \(verdicts[row.rule].map { "\($0)" } ?? "-") \(typed)")
          }
        }
      }
    }
    return result
  }

  private static func agree(_ mark: ChecklistRow.Mark, _ verdict: TraceEntry.Verdict?) -> Bool {
    switch (mark, verdict) {
    case (.met, .pass), (.unmet, .fail), (.advice, .warn), (.pending, .notReached), (.pending, nil): true
    default: false
    }
  }

  @Test("C12 device and server say the same of every rule that the device decides", arguments: App.allCases)
  func same(app: App) async throws {
    let (different, decided) = try await differences(app)
    #expect(different.prefix(5) == [] && decided > Self.inputs)
  }

  @Test("DD Ride: a row turns as the password grows")
  func rows() async throws {
    try await ThreeApps.run { apps async throws in
      let policy = try await Phone(apps, .ride).client.policy()
      func mark(_ password: String) -> [ChecklistRow.Mark] {
        policy.check(.signUp, input: "password", password: password, at: apps.server.clock.now)
          .filter { ["password.min8", "password.upper", "password.digit"].contains($0.rule) }.map(\.mark)
      }
      #expect(mark("wild") == [.unmet, .unmet, .unmet])
      #expect(mark("Wildcat") == [.unmet, .met, .unmet])
      #expect(mark("Wildcat1") == [.met, .met, .met])
    }
  }

  @Test("messAI: a rule with a date is advice until then, and refuses on it")
  func advice() async throws {
    try await ThreeApps.run { apps async throws in
      let policy = try await Phone(apps, .messai).client.policy()
      func mark(_ day: TimeInterval) -> ChecklistRow.Mark? {
        policy.check(.signUp, password: "kt49xw", at: Date(timeIntervalSince1970: day))
          .first { $0.rule == "password.min8" }?.mark
      }
      #expect(mark(1_803_772_800) == .advice(from: "2027-03-01"))  // 2027-02-28
      #expect(mark(1_803_859_200) == .unmet)  // 2027-03-01
    }
  }

  @Test("DD Ride: a number that is typed into a form is sent as one, and judged as one")
  @MainActor
  func numbers() async throws {
    try await ThreeApps.run { apps async throws in
      let model = SignUpModel(try Phone(apps, .ride).client)
      await model.load()
      (model.email, model.password, model.asksTwice) = ("willie@ksu.edu", App.password, false)
      (model["name"], model["phoneNumber"], model["classYear"]) = ("Willie", "785-555-0123", "5")
      #expect(model.rows.filter { $0.mark == .unmet }.map(\.rule) == ["classYear.max"] && !model.canSubmit)
      model["classYear"] = "3"
      #expect(await model.submit(), "\(model.message ?? "")")
      #expect(model.client.state.user?["classYear"] == .integer(3))
    }
  }

  @Test("the policy is asked for again by its tag, and kept without a network")
  func tag() async throws {
    try await ThreeApps.run { apps async throws in
      let transport = ChaosTransport(seed: 1)
      let client = try Phone(apps, .ride, transport: transport).client
      let first = try await client.policy()
      #expect(try await client.policy().revision == first.revision)
      transport.set(share: 100)
      #expect(try await client.policy().revision == first.revision)
    }
  }

  @Test("a password's strength comes from the server")
  func strength() async throws {
    try await ThreeApps.run { apps async throws in
      let client = try Phone(apps, .ride).client
      #expect(try await client.passwordStrength("password") == 0)
      #expect(try await client.passwordStrength("Tallgrass-Prairie-2031!") == 4)
    }
  }
}
