import Foundation
import GatehousePolicy

/// Judges changes of what `decide` reads by requests: a change is weaker where an example of some class was refused
/// and is allowed now. Other changes keep the direction that their key declares.
struct ExactDiff {
  let old: Policy
  let new: Policy
  let now: Date
  /// Whether a warning or a next step less is a difference; otherwise only whether a request is allowed and its access.
  var countsAdvice = true

  /// The changes with the relation that requests show, and an example of what is weaker.
  func judged(_ changes: [PolicyChange]) -> [PolicyChange] { compared(changes).changes }

  /// The changes so, and the comparisons of the parts that they are about.
  func compared(_ changes: [PolicyChange]) -> (changes: [PolicyChange], parts: [DiffComparison]) {
    let budget = ProofBudget()
    var comparisons: [DiffPart: DiffComparison?] = [:]
    var parts: [DiffComparison] = []
    let judged = changes.map { change in
      guard change.relation != .neutral, let part = part(of: change) else { return change }
      if comparisons[part] == nil {
        let found = DiffCases(part: part, old: old, new: new, now: now, countsAdvice: countsAdvice)
          .compared(within: budget)
        comparisons[part] = found
        if let found { parts.append(found) }
      }
      return (comparisons[part] ?? nil).map { $0.judged(change) } ?? change
    }
    return (judged, parts)
  }

  /// Whether `decide` reads what the change is about. Exceptions name people and are left out.
  func isRead(_ change: PolicyChange) -> Bool {
    guard !change.isDeclared else { return false }
    let names = change.subject.split(separator: ".", maxSplits: 1).map(String.init)
    switch names[0] {
    case "email", "access", "profile": return true
    case "password": return names.last != "repeat"
    case "identifiers": return change.subject == "identifiers.email.normalize"
    case "providers": return change.subject.hasSuffix(".require_scopes")
    case "mfa", "passkeys": return false
    default:
      let isField = [old, new].contains { $0.profile.field(names[0]) != nil }
      return isField && !["label", "labels", "at_sign_up", "claim", "visible_to", "renamed_from"].contains(names.last)
    }
  }

  /// The part of a request that the change is about; nil where `decide` does not read it, or not alone.
  private func part(of change: PolicyChange) -> DiffPart? {
    guard !change.isDeclared else { return nil }
    let names = change.subject.split(separator: ".", maxSplits: 1).map(String.init)
    guard names.count == 2 else { return nil }
    switch names[0] {
    case "email": return .email
    case "password": return names[1] == "rules" ? nil : .password
    case "identifiers": return names[1] == "email.normalize" ? .email : nil
    case "access":
      guard names[1].hasPrefix("profile:") else { return names[1] == "full.requires" ? nil : .access }
      return .field(String(names[1].dropFirst("profile:".count)))
    case "providers": return names[1].hasSuffix(".require_scopes") ? .access : nil
    case "mfa", "passkeys": return nil
    case "profile":
      if names[1] == "unknown_fields" { return .unknownFields }
      return new.profile.field(names[1]) == nil ? nil : .field(names[1])
    default:
      guard let before = old.profile.field(names[0]), let after = new.profile.field(names[0]) else { return nil }
      // Values of another type, numbers of another region and keys of another form are not compared by requests.
      let settings = [
        "type", "label", "labels", "at_sign_up", "trim", "region", "check", "claim", "visible_to", "unique",
        "renamed_from",
      ]
      guard before.type == after.type, !settings.contains(names[1]) else { return nil }
      return .field(names[0])
    }
  }
}

/// A part of a request that is judged by itself.
enum DiffPart: Hashable {
  case email, password, unknownFields, access
  case field(String)
}

/// A request on a day, at one of the two policies.
struct DiffExample {
  let part: DiffPart
  let door: Door
  let facts: Facts
  let instant: Date
  let words: String
}
