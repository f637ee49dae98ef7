import GatehousePolicy

/// The steps that a search tries in every situation: each transition with an example of each class of its values.
struct StepTable {
  let policy: Policy
  let components: Set<Component>
  /// Addresses to try; the sample's alone where the address is held.
  let emails: [String?]
  /// Values to try by field, in the order of the file.
  let values: [(field: String, values: [FieldValue?])]

  /// The most combinations of values with which an account is made.
  private static let mostCombinations = 5000

  /// Every step; nil where there are too many.
  func steps() -> [Step]? {
    var combinations: [Step] = emails.map { Step(transition: .signUp, email: $0) }
    for (field, values) in values {
      guard combinations.count * values.count <= Self.mostCombinations else { return nil }
      combinations = combinations.flatMap { step in
        values.map { value in
          var step = step
          step.values[field] = value
          return step
        }
      }
    }
    return combinations.flatMap(creating) + changing + [Step(transition: .nextDay)]
  }

  private func creating(_ step: Step) -> [Step] {
    func made(_ transition: Transition, _ change: (inout Step) -> Void = { _ in }) -> Step {
      var made = Step(transition: transition, email: step.email, values: step.values)
      change(&made)
      return made
    }
    let vouched = components.contains(.email) ? [true, false] : [true]
    var steps = [made(.signUp)]
    for provider in wayIn {
      for (scopes, isVouched) in scopes(of: provider).flatMap({ scopes in vouched.map { (scopes, $0) } }) {
        steps.append(
          made(.signUpWith) { ($0.provider, $0.scopes, $0.isVouched) = (provider.name, scopes, isVouched) })
      }
    }
    return steps + [made(.adminCreate), made(.invite)]
      + vouched.map { isVouched in made(.import) { $0.isVouched = isVouched } }
  }

  /// The providers that an account comes by: all where they matter, else one.
  private var wayIn: [Provider] {
    let all = policy.providers.filter { $0.use == .signIn && $0.name != "password" }
    let varied = all.filter { components.contains(.link($0.name)) }
    return varied.isEmpty ? Array(all.prefix(1)) : varied
  }

  private func scopes(of provider: Provider) -> [[String]] {
    guard components.contains(.link(provider.name)), !provider.missingScopes(granted: []).isEmpty else {
      return [provider.scopes]
    }
    return [provider.scopes, []]
  }

  private var changing: [Step] {
    var steps: [Step] = []
    if components.contains(.email) {
      steps.append(Step(transition: .verifyEmail))
      for email in emails {
        steps += [Step(transition: .changeEmail, email: email), Step(transition: .resetPassword, email: email)]
      }
    }
    for (field, values) in values {
      for value in values.compactMap({ $0 }) {
        steps += [.updateProfile, .adminUpdate].map { Step(transition: $0, values: [field: value]) }
      }
    }
    for provider in policy.providers where components.contains(.link(provider.name)) {
      // The product links no provider that lacks a required scope.
      if provider.missingScopes(granted: provider.scopes).isEmpty {
        steps.append(Step(transition: .link, provider: provider.name, scopes: provider.scopes))
      }
      steps += [.unlink, .endGrant].map { Step(transition: $0, provider: provider.name) }
    }
    return steps + [.setPassword, .resetPassword, .signIn].map { Step(transition: $0) }
  }
}
