import Foundation
import GatehouseClient
import Testing

/// The effects of a policy on a person, told with every rule, step, word and value: the same at every server that
/// judges by that policy.
struct PolicyStory {
  let app: App
  /// A device that was never used.
  let device: () throws -> AuthClient
  /// Lets seconds pass at the server and on the devices.
  let wait: (Double) async -> Void

  private static let weakest = "Vkqzjw82"

  /// Every step with its outcome, in order.
  func told() async throws -> [String] {
    var lines: [String] = []
    func step(_ name: String, _ body: () async throws(AuthError) -> String) async {
      do throws(AuthError) { lines.append("\(name): \(try await body())") } catch {
        lines.append("\(name): \(error.code) \(error.message)")
        lines += error.violations.map { "  \($0.input) \($0.rule): \($0.message) | \($0.sentence)" }
        lines += error.next.map { "  \($0.need): \($0.message ?? "-")" }
      }
    }
    try await signUps(step)
    let phone = try device()
    await step("sign-up") { () async throws(AuthError) in
      _ = try await phone.signUp(email: app.email("al"), password: App.password, profile: app.clientProfile("alma"))
      return Self.standing(phone)
    }
    await profile(phone, step)
    try await taken(step)
    await changes(phone, step)
    await step("policy") { () async throws(AuthError) in
      let policy = try await phone.policy()
      let now = Date(timeIntervalSince1970: 1_800_000_000)
      let rows = policy.check(
        .signUp, email: "al@example.org", password: Self.weakest, profile: app.clientProfile(""), at: now)
      let fields = policy.fields.map { "\($0.name) \($0.type) \($0.isRequired) \($0.choices)" }
      return "\(policy.appName) \(policy.languages) \(fields) \(policy.passwordRules) \(rows)"
    }
    return lines
  }

  typealias Step = (String, () async throws(AuthError) -> String) async -> Void

  private func signUps(_ step: Step) async throws {
    let inputs: [(name: String, email: String, password: String, profile: Profile)] = [
      ("nothing", "", "", [:]),
      ("wrong in everything", "nobody@ksu.edu.example", "qz", wrongProfile),
      ("wrong types", app.email("types"), App.password, wrongTypes),
      ("another domain", "w@gmail.com", "qzjk", app.clientProfile("gmail")),
      ("a weak password", app.email("weak"), "qzj", app.clientProfile("weak")),
      ("a password of the address", app.email("Vkqzjw82"), Self.weakest, app.clientProfile("Vkqzjw82")),
      ("no address", "no address", App.password, app.clientProfile("none")),
      (
        "a field of administrators", app.email("role"), App.password,
        app.clientProfile("role").merging(["role": "admin"]) { $1 }
      ),
    ]
    for input in inputs {
      let device = try device()
      await step(input.name) { () async throws(AuthError) in
        _ = try await device.signUp(email: input.email, password: input.password, profile: input.profile)
        return Self.standing(device)
      }
    }
  }

  private var wrongProfile: Profile {
    switch app {
    case .messai: ["displayName": "A", "photoURL": "http://example.com/a.jpg", "shoe": 43]
    case .ride: ["name": "", "phoneNumber": "", "classYear": 99, "role": "none of these"]
    case .vibes: ["username": "?", "zodiac": "?"]
    }
  }

  private var wrongTypes: Profile {
    switch app {
    case .messai: ["displayName": 5, "photoURL": true]
    case .ride: ["name": 5, "phoneNumber": true, "classYear": "two"]
    case .vibes: ["username": 5]
    }
  }

  private func profile(_ phone: AuthClient, _ step: Step) async {
    let good: Profile =
      switch app {
      case .messai: ["displayName": "  Alma  ", "photoURL": "https://example.com/a.jpg"]
      case .ride: ["name": " Alma ", "classYear": 3, "phoneNumber": "+1 (785) 555-0199"]
      case .vibes: ["username": " alma.b "]
      }
    for (name, profile) in [
      ("a good profile", good), ("a wrong profile", wrongProfile), ("wrong types of a profile", wrongTypes),
      ("cleared", good.mapValues { _ in .null }), ("nothing changed", [:]),
    ] {
      await step(name) { () async throws(AuthError) in
        _ = try await phone.updateProfile(profile)
        return Self.standing(phone)
      }
    }
  }

  private func taken(_ step: Step) async throws {
    let tablet = try device()
    await step("a taken address") { () async throws(AuthError) in
      _ = try await tablet.signUp(email: app.email("AL"), password: App.password, profile: app.clientProfile("other"))
      return Self.standing(tablet)
    }
    let name = app == .vibes ? "ALMA.B" : "alma"
    await step("a taken name") { () async throws(AuthError) in
      _ = try await tablet.signUp(email: app.email("bo"), password: App.password, profile: app.clientProfile(name))
      return Self.standing(tablet)
    }
    await step("a wrong password") { () async throws(AuthError) in
      _ = try await tablet.signIn(email: app.email("al"), password: App.otherPassword)
      return Self.standing(tablet)
    }
  }

  private func changes(_ phone: AuthClient, _ step: Step) async {
    for new in ["qz", "vkqzjw", Self.weakest, App.otherPassword] {
      await step("the password \(new)") { () async throws(AuthError) in
        let warnings = try await phone.changePassword(current: App.password, new: new)
        if new != App.password { _ = try await phone.changePassword(current: new, new: App.password) }
        return "\(warnings.map(Self.told))"
      }
    }
    await wait(120)
    for email in ["w@gmail.com", "no address", app.email("al"), app.email("free")] {
      await step("the address \(email)") { () async throws(AuthError) in
        "\(try await phone.changeEmail(to: email, proof: .password(App.password)))"
      }
    }
    await step("a reset for no address") { () async throws(AuthError) in
      "\(try await phone.sendPasswordReset(to: "no address"))"
    }
    await step("signed in again") { () async throws(AuthError) in
      _ = try await phone.signIn(email: app.email("al"), password: App.password)
      return Self.standing(phone)
    }
    await step("other users") { () async throws(AuthError) in
      "\(try await phone.user(phone.state.user?.id ?? "").profile.sorted { $0.key < $1.key })"
    }
  }

  /// State, missing steps with their sentences, values with their types, and warnings.
  private static func standing(_ client: AuthClient) -> String {
    let profile = (client.state.user?.profile ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let warnings = client.warnings.map(told)
    return switch client.state {
    case .limited(_, let next):
      "limited \(next.map { "\($0.need): \($0.message ?? "-")" }) \(profile) \(warnings)"
    case .signedIn: "signed in \(profile) \(warnings)"
    default: "\(client.state)"
    }
  }

  private static func told(_ warning: AuthWarning) -> String {
    "\(warning.rule) from \(warning.enforceFrom ?? "-"): \(warning.message) | \(warning.sentence)"
  }
}
