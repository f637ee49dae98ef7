import Foundation

extension Policy {
  /// The policy as it judges stored people at an instant: stages are those of that instant, and texts, lines and all
  /// that takes no part in judging are left out. A copy of it costs little, and two that are the same judge alike.
  /// Values of fields that the policy does not have are the caller's to leave out.
  func bare(at instant: Date) -> Policy {
    let email = identifiers.email
    var secrets = PasswordPolicy(existing: password.existing, rules: [])
    secrets.rules = password.rules.map { $0.bare(at: instant) }
    var bare = Policy(
      schema: "", tenant: "", app: App(name: ""),
      identifiers: Identifiers(
        email: EmailPolicy(
          normalize: email.normalize, rules: email.rules.map { $0.bare(at: instant) }, existing: email.existing,
          doors: email.syntaxRule.doors)),
      password: secrets,
      profile: ProfilePolicy(unknownFields: .ignore, fields: profile.fields.map { $0.bare(at: instant) }),
      access: AccessPolicy(
        full: access.full.map { Requirement($0.need, enforcement: Enforcement($0.enforcement.mode(at: instant))) }),
      providers: providers.map {
        Provider(name: $0.name, use: $0.use, scopes: $0.scopes, requireScopes: $0.requireScopes)
      },
      exceptions: exceptions)
    bare.mfa = mfa.map { $0.bare(at: instant) }
    // A passkey to sign in with may be the factor that a demand asks for.
    bare.passkeys = passkeys.map { Passkeys(use: $0.use) }
    return bare
  }
}

extension MFA {
  fileprivate func bare(at instant: Date) -> MFA {
    MFA(
      factors: factors,
      requiredIf: requiredIf.map { demand in
        Demand(
          id: demand.id, when: demand.when, level: demand.level,
          enforcement: Enforcement(demand.enforcement.mode(at: instant)))
      },
      grace: grace, validFor: validFor)
  }
}

extension MFA.Demand {
  /// Whether both are about the same users; of equal demands as `Policy.bare` makes them.
  func isSame(as other: MFA.Demand) -> Bool {
    zip(when, other.when).allSatisfy { $0.value.isSame(as: $1.value) }
  }
}

extension Policy {
  /// A copy of a bare policy for values that come in: every rule on addresses and fields binds at every door, so that a
  /// stored value is judged by all of them, regardless of the door it came in by. Nothing is required for access.
  var bindingEverywhere: Policy {
    var copy = self
    let doors = DoorSet(Door.allCases)
    copy.access = AccessPolicy()
    copy.mfa = nil
    for index in copy.identifiers.email.rules.indices { copy.identifiers.email.rules[index].doors = doors }
    for field in copy.profile.fields.indices {
      for index in copy.profile.fields[field].rules.indices { copy.profile.fields[field].rules[index].doors = doors }
    }
    return copy
  }

  /// The part of a bare policy that can mean something for a stored person at sign-in: rules that bind there, and
  /// fields that have one.
  var meetingStored: Policy {
    var copy = self
    let email = copy.identifiers.email
    copy.identifiers.email.rules.removeAll { !$0.meetsStored(email.existing) }
    // Only a hash is stored: a rule on passwords asks for another one, or for nothing.
    copy.password.rules.removeAll {
      $0.enforcement.mode != .enforce || ($0.existing ?? $0.kind.ownExisting ?? password.existing) != .requireAtSignIn
    }
    // The rules of one field hang together: what is a letter for one of them is one for all. A demand for a second
    // factor reads fields, too.
    let read = Set(demands.flatMap { $0.when.map(\.field) })
    copy.profile.fields.removeAll { field in
      !read.contains(field.name) && !field.rules.contains { $0.meetsStored(field.existing) }
    }
    return copy
  }
}

extension Rule {
  /// A required value is asked for at any time where a provider or an invitation let its owner in without.
  fileprivate func meetsStored(_ usual: Existing) -> Bool {
    enforcement.mode == .enforce && (isRequired || (existing ?? usual) != .atNextChange)
  }
}

extension Field {
  fileprivate func bare(at instant: Date) -> Field {
    Field(
      name: name, type: type, rules: rules.map { $0.bare(at: instant) }, defaultValue: defaultValue, trim: trim,
      multiline: multiline, write: write, unique: unique, region: region, phoneCheck: phoneCheck, existing: existing,
      doors: typeRule.doors)
  }

  /// Whether both judge every value alike; of fields as `Policy.bare` makes them.
  func isSame(as other: Field) -> Bool {
    self == other && zip(rules, other.rules).allSatisfy { $0.isSame(as: $1) }
  }
}

extension Rule {
  fileprivate func bare(at instant: Date) -> Rule {
    Rule(
      id: id, kind: kind, target: target, parameter: parameter, enforcement: Enforcement(enforcement.mode(at: instant)),
      existing: existing, doors: doors, failsOpen: failsOpen)
  }

  /// Whether both are the same to the byte. `==` also takes canonically equivalent text for equal.
  func isSame(as other: Rule) -> Bool { self == other && Text.same(parameter.description, other.parameter.description) }
}

extension EmailPolicy {
  /// Whether both judge every address alike; of sections as `Policy.bare` makes them.
  func isSame(as other: EmailPolicy) -> Bool {
    self == other && zip(rules, other.rules).allSatisfy { $0.isSame(as: $1) }
  }
}
