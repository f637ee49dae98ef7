import Foundation
import GatehousePolicy

/// A step as a test in the language of policy files.
struct ProofTest {
  let name: String
  let instant: Date
  let account: Account?
  let requests: Requests
  let step: Step
  let expect: String

  /// A member of the list `tests`, on one line.
  var text: String {
    var parts = ["name: \(Self.written("refuted: " + name))"]
    if !requests.policy.dates.isEmpty { parts.append("at: \(ProofDays.name(instant))") }
    if let account { parts.append("given: \(given(account))") }
    if let door { parts.append(door) }
    parts.append("expect: {\(expect)}")
    return "- {\(parts.joined(separator: ", "))}"
  }

  private func given(_ account: Account) -> String {
    var parts: [String] = []
    if let email = account.email { parts.append("email: \(Self.written(email))") }
    parts.append("email_verified: \(account.emailVerified)")
    let profile = requests.policy.profile.fields.map { field in
      "\(field.name): \(account.profile[field.name].map(Self.written) ?? "null")"
    }
    if !profile.isEmpty { parts.append("profile: {\(profile.joined(separator: ", "))}") }
    let links = account.links.sorted { $0.key < $1.key }.map { name, scopes in
      "\(name): {scopes: [\(scopes.map(Self.written).joined(separator: ", "))]}"
    }
    if !links.isEmpty { parts.append("links: {\(links.joined(separator: ", "))}") }
    return "{\(parts.joined(separator: ", "))}"
  }

  private var door: String? {
    let facts = requests.facts(of: step, account, at: instant)
    let values = facts.profile.sorted { $0.key < $1.key }.map { "\($0.key): \(Self.written($0.value))" }
    let set = "{\(values.joined(separator: ", "))}"
    var parts: [String] = []
    if let email = facts.email ?? facts.provider?.email { parts.append("email: \(Self.written(email))") }
    if let password = facts.password { parts.append("password: \(Self.written(password))") }
    if let provider = facts.provider {
      parts.insert("provider: \(provider.name)", at: 0)
      parts.append("email_verified: \(provider.emailVerified)")
    }
    switch step.transition {
    case .updateProfile, .adminUpdate: parts = ["set: \(set)"]
    default: if !values.isEmpty { parts.append("profile: \(set)") }
    }
    switch step.transition {
    case .signIn, .verifyEmail, .unlink, .endGrant, .nextDay: return nil
    default: return "\(step.transition.rawValue): {\(parts.joined(separator: ", "))}"
    }
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
