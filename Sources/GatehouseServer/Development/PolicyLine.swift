import Foundation
import GatehousePolicy

/// The description of a policy in one line.
enum PolicyLine {
  /// The first sentence that is true of the policy at this moment.
  static func text(of policy: Policy, at now: Date) -> String {
    table.lazy.compactMap { $0(policy, now) }.first ?? "Email and password"
  }

  private static let table: [@Sendable (Policy, Date) -> String?] = [
    { policy, now in
      domains(of: policy, at: now).map { "Only " + joined($0.map { "@\($0)" }) }
    },
    { policy, now in
      let linked = needs(of: policy, at: now).compactMap { need in
        if case .linked(let provider) = need { Label.provider(provider) } else { nil }
      }
      return linked.isEmpty ? nil : "Needs " + joined(linked)
    },
    { policy, now in
      firstDay(of: policy, after: now).map { "Stricter passwords from \($0)" }
    },
    { policy, _ in
      guard !policy.hasPassword else { return nil }
      let names = policy.providers.filter { $0.use == .signIn }.map { Label.provider($0.name) }
      return names.isEmpty ? nil : "Sign-in with " + joined(names, "or")
    },
    { policy, now in
      needs(of: policy, at: now).contains(.emailVerified) ? "Only verified addresses" : nil
    },
  ]

  /// The domains that addresses must have; nil where any will do.
  private static func domains(of policy: Policy, at now: Date) -> [DomainPattern]? {
    policy.identifiers.email.rules.lazy.filter { $0.disclose && $0.enforcement.mode(at: now) == .enforce }
      .compactMap(\.allowedDomains).first
  }

  private static func needs(of policy: Policy, at now: Date) -> [Requirement.Need] {
    policy.access.full.filter { $0.enforcement.mode(at: now) == .enforce }.map(\.need)
  }

  /// The next day on which a rule on passwords begins to bind.
  private static func firstDay(of policy: Policy, after now: Date) -> Day? {
    guard policy.hasPassword else { return nil }
    return policy.password.rules.filter { $0.disclose && $0.enforcement.mode(at: now) == .warn }
      .compactMap(\.enforcement.from).min()
  }

  /// `a`, `a and b`, `a, b and 3 more`.
  private static func joined(_ words: [String], _ last: String = "and") -> String {
    switch words.count {
    case ...1: words.first ?? ""
    case 2: "\(words[0]) \(last) \(words[1])"
    default: "\(words[0]), \(words[1]) and \(words.count - 2) more"
    }
  }
}
