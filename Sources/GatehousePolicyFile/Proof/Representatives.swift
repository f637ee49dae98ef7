import Foundation
import GatehousePolicy

/// One value for each class of values of a field that a proof can tell apart.
struct Representatives {
  let policy: Policy
  let field: Field
  let demands: [Statement.Stored]
  let days: [Date]
  let source: any FactSource

  /// The first value of each class, in order: those that pass the same doors on the same days, owe the same steps once
  /// they are stored, and meet the same demands. nil where that is too much work.
  func first(of values: [FieldValue?], within budget: ProofBudget) -> [FieldValue?]? {
    let slice = policy.slice(of: [.field(field.name)])
    let decisions = days.count * (DoorSet.profile.doors.count + 2)
    var seen: Set<[String]> = []
    var first: [FieldValue?] = []
    for value in values {
      guard budget.spend(decisions * slice.weight) else { return nil }
      if seen.insert(signature(value, slice)).inserted { first.append(value) }
    }
    return first
  }

  private func signature(_ value: FieldValue?, _ slice: Policy) -> [String] {
    var signature = [value == nil ? "absent" : "given"] + stored(value, slice)
    let given = value.map { [field.name: $0] } ?? [:]
    let email = "w@example.com"
    for instant in days {
      for door in DoorSet.profile.doors {
        var facts = Facts(email: email, password: "Tallgrass-Prairie-2031!", profile: given)
        if door == .federatedSignUp { facts.provider = ProviderFacts(name: "", email: email, emailVerified: true) }
        if [.adminCreate, .adminUpdate, .invite].contains(door) { facts.writer = .admin }
        if door == .import { facts.writer = .system }
        if [.updateProfile, .adminUpdate].contains(door) { facts.stored = StoredFacts(email: email) }
        let decision = slice.decide(door, facts, at: instant, using: source)
        signature.append(decision.allow ? "passes" : "fails")
        if decision.allow { signature += stored(decision.normalised.profile[field.name], slice) }
      }
    }
    return signature
  }

  /// The meaning of a stored value: the demands and conditions that it meets, and what its account owes.
  private func stored(_ value: FieldValue?, _ slice: Policy) -> [String] {
    let isEmpty = value == nil || value == .null || value == .string("")
    let profile = value.map { [field.name: $0] } ?? [:]
    let conditions = (policy.admins?.when ?? []).filter { $0.field == field.name }
    var words = [isEmpty ? "empty" : "full"]
    words += demands.map { $0.holds(value) ? "meets" : "misses" }
    words += conditions.map { (value ?? .null).isSame(as: $0.value) ? "meets" : "misses" }
    for instant in days {
      for door in [Door.signUp, .invite] {
        words += slice.access(of: StoredFacts(email: nil, profile: profile, enteredBy: door), at: instant).next
      }
    }
    return words
  }
}
