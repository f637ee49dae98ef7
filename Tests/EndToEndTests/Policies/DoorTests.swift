import GatehouseAdminWire
import GatehouseWire
import Foundation
@testable import GatehouseIdentity
import GatehouseOutbound
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// No feature reads a rule by itself: it asks the policy at its door. So a rule that binds at one door alone must
/// refuse what comes in there and nothing else.
@Suite("Every feature asks its door")
struct DoorTests {
  /// What is done through one door, and the marked rules that refused it.
  struct Way: Sendable {
    let door: Door
    let name: String
    let walk: @Sendable (Walker) async throws -> [String]
  }

  /// People who were there before the rules were marked.
  struct Walker: Sendable {
    let provided: ProvidedApps
    var apps: ThreeApps { provided.apps }
    let user: JSONValue
    let administrator: JSONValue
    let forgetful: String
    /// The reset that the forgetful one asked for.
    var reset = ""
    let round: Int

    /// A call as the command line makes it, judged by the marked rules.
    func operatorCall() throws -> Call {
      let tenant = try #require(apps.server.services.registry.snapshot("dd-ride"))
      return Call(
        tenant: tenant, requestID: "test", address: nil, languages: [], now: apps.server.clock.now)
    }
  }

  static let ways: [Way] = [
    Way(door: .signUp, name: "sign-up") { walker in
      let up = try await walker.apps.ride.post("/v1/sign-up", App.ride.signUp("new\(walker.round)"))
      return up.rules
    },
    Way(door: .signIn, name: "sign-in") { walker in
      let back = try await walker.apps.signIn(.ride, "pat\(walker.round)")
      #expect(back.status == 200)
      return back.json.next.contains("change_password") ? ["password.marked"] : []
    },
    Way(door: .updateProfile, name: "own profile") { walker in
      try await walker.apps.ride.send(
        "PATCH", "/v1/me", #"{"profile":{"name":"Other"}}"#, token: walker.user.accessToken
      ).rules
    },
    Way(door: .changeEmail, name: "change of address") { walker in
      let body = #"{"email":"other\#(walker.round)@ksu.edu","password":"\#(App.password)"}"#
      return try await walker.apps.ride.post("/v1/me/email", body, token: walker.user.accessToken).rules
    },
    Way(door: .resetPassword, name: "request of a reset") { walker in
      try await walker.apps.ride.post("/v1/password-reset", #"{"email":"\#(walker.forgetful)"}"#).rules
    },
    Way(door: .resetPassword, name: "new password after a reset") { walker in
      let code = try #require(try await walker.apps.server.latestMail(to: walker.forgetful)?.code)
      let body = """
        {"reset_id":"\(walker.reset)","email":"\(walker.forgetful)","code":"\(code)","password":"\(App.otherPassword)"}
        """
      return try await walker.apps.ride.post("/v1/password-reset/confirm", body).rules
    },
    Way(door: .setPassword, name: "change of password") { walker in
      let body = #"{"current_password":"\#(App.password)","password":"\#(App.otherPassword)"}"#
      return try await walker.apps.ride.post("/v1/me/password", body, token: walker.user.accessToken).rules
    },
    Way(door: .federatedSignUp, name: "sign-up by a provider") { walker in
      try await walker.provided.google(
        .ride, "new\(walker.round)", ["email": .string("fed\(walker.round)@ksu.edu")],
        more: #","profile":{"phoneNumber":"785-555-0123"}"#
      ).rules
    },
    Way(door: .link, name: "link") { walker in
      let token = try walker.provided.providers.token(
        "mine\(walker.round)", ["email": .string("mine\(walker.round)@ksu.edu")])
      return try await walker.apps.ride.post(
        "/v1/me/links/google/complete", #"{"id_token":"\#(token)","nonce":"n-1"}"#, token: walker.user.accessToken
      ).rules
    },
    Way(door: .link, name: "sign-in by a provider to the account at the address") { walker in
      try await walker.provided.google(
        .ride, "join\(walker.round)", ["email": .string(App.ride.email("join\(walker.round)"))]
      ).rules
    },
    Way(door: .adminUpdate, name: "an administrator's change") { walker in
      try await walker.apps.ride.send(
        "PATCH", "/v1/users/\(walker.user.userID)", #"{"profile":{"chapterId":"x"}}"#,
        token: walker.administrator.accessToken
      ).rules
    },
    Way(door: .adminUpdate, name: "an operator's change") { walker in
      try await refused {
        _ = try await SetUser.run(
          .init(tenant: "dd-ride", user: App.ride.email("pat\(walker.round)"), profile: ["name": "Fourth"]),
          in: try walker.operatorCall(), walker.apps.asOperator)
      }
    },
    Way(door: .adminCreate, name: "an operator's new account") { walker in
      try await refused {
        _ = try await CreateUser.run(
          .init(
            tenant: "dd-ride", email: "made\(walker.round)@ksu.edu",
            profile: ["name": "W", "phoneNumber": "7855550123"]), in: try walker.operatorCall(),
          walker.apps.asOperator)
      }
    },
  ]

  private static func refused(_ body: () async throws -> Void) async throws -> [String] {
    do {
      try await body()
      return []
    } catch let refusal as Refusal {
      return refusal.violations.map(\.rule)
    }
  }

  @Test("a rule that binds at one door alone refuses what comes through it, and nothing else")
  func walk() async throws {
    try await ProvidedApps.run { provided in
      let apps = provided.apps
      let served = try #require(apps.server.services.registry.snapshot("dd-ride"))
      _ = try await apps.signUp(.ride, "boss")
      try await Operator.set(.ride, "boss", ["role": "admin"], apps)
      try await Operator.verify(.ride, "boss", apps)
      var seen: Set<Door> = []
      for (round, door) in Set(Self.ways.map(\.door)).sorted(by: { $0.rawValue < $1.rawValue }).enumerated() {
        apps.server.services.registry.replace(served)
        var walker = Walker(
          provided: provided, user: try await apps.signUp(.ride, "pat\(round)").json,
          administrator: try await apps.signIn(.ride, "boss").json, forgetful: App.ride.email("forgot\(round)"),
          round: round)
        _ = try await apps.signUp(.ride, "forgot\(round)")
        _ = try await apps.signUp(.ride, "join\(round)")
        apps.server.clock.advance(seconds: 1)
        walker.reset = try await apps.ride.post("/v1/password-reset", #"{"email":"\#(walker.forgetful)"}"#).resetID
        apps.server.clock.advance(seconds: 61)
        apps.server.services.registry.replace(Self.marked(served, at: door))
        for way in Self.ways {
          let answer = try await way.walk(walker)
          let marks = answer.filter { $0.hasSuffix(".marked") }
          #expect(marks.isEmpty == (way.door != door), "\(way.name), rules bound at \(door.rawValue): \(answer)")
          if !marks.isEmpty { seen.insert(door) }
        }
      }
      #expect(seen == Set(Self.ways.map(\.door)))
    }
  }

  @Test("every door that a feature has been built for is walked through")
  func complete() {
    let later: Set<Door> = [.invite, .import]
    #expect(Set(Self.ways.map(\.door)).union(later) == Set(Door.allCases))
    #expect(Set(Self.ways.map(\.door)).isDisjoint(with: later))
  }

  /// The tenant with a rule on addresses, one on passwords and one on a field that nothing passes, bound at one door.
  private static func marked(_ tenant: TenantSnapshot, at door: Door) -> TenantSnapshot {
    var policy = tenant.policy
    let doors = DoorSet([door])
    policy.identifiers.email.rules.append(
      Rule(
        id: "email.marked", kind: .allowedDomains, target: .email,
        parameter: .domains([DomainPattern("nowhere.example")].compactMap(\.self)), doors: doors))
    policy.password.rules.append(
      Rule(
        id: "password.marked", kind: .minLength, target: .password, parameter: .integer(120),
        existing: door == .signIn ? .requireAtSignIn : .atNextChange, doors: doors))
    for index in policy.profile.fields.indices where ["name", "chapterId"].contains(policy.profile.fields[index].name) {
      policy.profile.fields[index].rules.append(
        Rule(
          id: "\(policy.profile.fields[index].name).marked", kind: .minLength, target: .field, parameter: .integer(90),
          doors: doors))
    }
    return TenantSnapshot(
      id: tenant.id, name: tenant.name, displayName: tenant.displayName, enabled: tenant.enabled, policy: policy,
      limits: tenant.limits, lookups: tenant.lookups, revision: tenant.revision, policySince: tenant.policySince,
      digest: tenant.digest,
      keys: tenant.keys,
      vault: tenant.vault, publicURL: String(tenant.issuer.dropLast("/t/dd-ride".count)))
  }
}
