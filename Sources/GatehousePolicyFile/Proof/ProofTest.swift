import Foundation
import GatehousePolicy

/// A request, or a look at a stored account, as a test in the language of policy files.
struct ProofTest {
  let name: String
  /// nil where the policy is the same on every day.
  let day: String?
  let fields: [Field]
  /// Whether the policy demands second factors, which accounts of proofs have.
  let demandsFactors: Bool
  let stored: StoredFacts?
  /// The door as tests name it, and its request; nil for a look at the account.
  let call: (key: String, facts: Facts)?
  let expect: String

  /// - Parameter facts: The request; its account is stated by the test.
  init(_ name: String, _ policy: Policy, at instant: Date, _ door: Door, _ facts: Facts, expect: String) {
    self.name = name
    day = policy.dates.isEmpty ? nil : ProofDays.name(instant)
    fields = policy.profile.fields
    demandsFactors = !policy.demands.isEmpty
    stored = facts.stored
    call = door == .signIn ? nil : (StatementKeys.name(of: door), facts)
    self.expect = expect
  }

  /// The last step of a chain; a step that no door judges is a look at the account.
  init(_ name: String, at instant: Date, account: Account?, requests: Requests, step: Step, expect: String) {
    let facts = requests.facts(of: step, account, at: instant)
    self.init(name, requests.policy, at: instant, step.transition.door ?? .signIn, facts, expect: expect)
  }

  /// A member of the list `tests`, on one line.
  var text: String {
    var parts = ["name: \(Self.written("refuted: " + name))"]
    if let day { parts.append("at: \(day)") }
    if let stored { parts.append("given: \(given(stored))") }
    if let call { parts.append("\(call.key): \(body(call.key, call.facts))") }
    parts.append("expect: {\(expect)}")
    return "- {\(parts.joined(separator: ", "))}"
  }

  private func given(_ account: StoredFacts) -> String {
    var parts: [String] = []
    if let email = account.email { parts.append("email: \(Self.written(email))") }
    parts.append("email_verified: \(account.emailVerified)")
    let profile = fields.map { field in
      "\(field.name): \(account.profile[field.name].map(Self.written) ?? "null")"
    }
    if !profile.isEmpty { parts.append("profile: {\(profile.joined(separator: ", "))}") }
    let links = account.links.sorted { $0.key < $1.key }.map { name, scopes in
      "\(name): {scopes: [\(scopes.map(Self.written).joined(separator: ", "))]}"
    }
    if !links.isEmpty { parts.append("links: {\(links.joined(separator: ", "))}") }
    if demandsFactors {
      parts.append("factors: [\(Factor.allCases.map(\.rawValue).joined(separator: ", "))], level: phr")
    }
    return "{\(parts.joined(separator: ", "))}"
  }

  private func body(_ key: String, _ facts: Facts) -> String {
    let values = facts.profile.sorted { $0.key < $1.key }.map { "\($0.key): \(Self.written($0.value))" }
    let set = "{\(values.joined(separator: ", "))}"
    if key == Door.updateProfile.rawValue || key == Door.adminUpdate.rawValue { return "{set: \(set)}" }
    var parts: [String] = []
    if let provider = facts.provider { parts.append("provider: \(provider.name)") }
    if let email = facts.email ?? facts.provider?.email { parts.append("email: \(Self.written(email))") }
    if let password = facts.password { parts.append("password: \(Self.written(password))") }
    if facts.bringsPasskey { parts.append("passkey: true") }
    if let provider = facts.provider { parts.append("email_verified: \(provider.emailVerified)") }
    if !values.isEmpty { parts.append("profile: \(set)") }
    return "{\(parts.joined(separator: ", "))}"
  }

  static func written(_ value: FieldValue) -> String {
    switch value {
    case .string(let text): written(text)
    case .integer, .boolean, .null, .unsupported: value.shown
    }
  }

  static func written(_ text: String) -> String { WrittenScalar.text(text, quote: nil) }
}

/// The words of a chain.
struct ProofWords {
  let policy: Policy
  let days: [Date]

  /// - Parameter start: The stored account that a chain begins with, where it does.
  func chain(start: Situation?, _ edges: [Search.Edge]) -> [String] {
    (start?.account.map { ["an account is stored: \(describe($0))"] } ?? []) + edges.map(words)
  }

  private func describe(_ account: Account) -> String {
    var parts = [account.email ?? "without an address", account.emailVerified ? "proven" : "not proven"]
    parts += account.profile.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.shown)" }
    parts += account.links.keys.sorted().map { "linked to \($0)" }
    return parts.joined(separator: ", ")
  }

  private func words(_ edge: Search.Edge) -> String {
    let step = edge.step
    var parts = [step.transition.rawValue]
    switch step.transition {
    case .nextDay: return "the day \(ProofDays.name(days[edge.to.day])) comes"
    case .signUpWith, .link, .unlink, .endGrant: parts.append(step.provider)
    default: break
    }
    if let email = edge.decision?.normalised.email, step.email != nil || step.transition.createsAccount {
      parts.append(email)
    }
    let values = step.values.sorted { $0.key < $1.key }.compactMap { name, value in
      value.map { "\(name) \($0.shown)" }
    }
    return (parts + values).joined(separator: " ")
  }
}
