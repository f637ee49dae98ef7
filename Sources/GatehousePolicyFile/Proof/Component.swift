import GatehousePolicy

/// A part of an account that is judged by itself. What `decide` allows is a conjunction over these parts, and so is
/// full access: a part that a statement does not read is held where it passes.
enum Component: Hashable, Sendable {
  /// The address, and whether it is proven.
  case email
  case password
  case field(String)
  case link(String)
  /// A demand that no step of an account meets, such as a second factor.
  case unmet(String)
}

extension Policy {
  /// Every component that can limit access.
  var limitingComponents: [Component] {
    let demands = access.full.map(\.component)
    let email: [Component] = identifiers.email.rules.isEmpty ? [] : [.email]
    let fields = profile.fields.filter { field in
      field.rules.contains { $0.isRequired || ($0.existing ?? field.existing) == .requireAtSignIn }
    }.map { Component.field($0.name) }
    var seen: Set<Component> = []
    return (demands + email + [.password] + fields).filter { seen.insert($0).inserted }
  }

  /// The policy as far as it speaks about some components. A request that the whole policy allows, a slice allows too,
  /// and an account with full access has it under the slice as well.
  func slice(of components: Set<Component>) -> Policy {
    var slice = self
    slice.exceptions = []
    if !components.contains(.email) { slice.identifiers.email.rules = [] }
    if !components.contains(.password) { slice.password.rules = [] }
    slice.profile.unknownFields = .ignore
    slice.profile.fields = profile.fields.filter { components.contains(.field($0.name)) }
    // Accounts of proofs have every factor.
    slice.mfa = nil
    slice.access.full = access.full.filter { components.contains($0.component) }
    return slice
  }

  /// The numbers, words and domains that one decision compares at most, as a measure of its time.
  var weight: Int {
    allRules.reduce(4 + access.full.count) { sum, rule in
      switch rule.parameter {
      case .texts(let texts): sum + 1 + texts.count / 8
      case .domains(let domains): sum + 1 + domains.count / 8
      default: sum + 1
      }
    }
  }
}

extension Requirement {
  var component: Component {
    switch need {
    case .emailVerified: .email
    case .linked(let provider): .link(provider)
    case .profile(let field): .field(field)
    case .phoneVerified, .mfa: .unmet(need.text)
    }
  }
}
