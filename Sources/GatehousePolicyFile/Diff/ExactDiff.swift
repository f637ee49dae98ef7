import Foundation
import GatehousePolicy

/// Judges changes of what `decide` reads by requests: a change is weaker where an example of some class was refused
/// and is allowed now. Other changes keep the direction that their key declares.
struct ExactDiff {
  let old: Policy
  let new: Policy
  let now: Date

  /// The changes with the relation that requests show, and an example of what is weaker.
  func judged(_ changes: [PolicyChange]) -> [PolicyChange] {
    let budget = ProofBudget()
    var comparisons: [DiffPart: DiffComparison?] = [:]
    return changes.map { change in
      guard let part = part(of: change) else { return change }
      if comparisons[part] == nil {
        comparisons[part] = DiffCases(part: part, old: old, new: new, now: now).compared(within: budget)
      }
      return (comparisons[part] ?? nil).map { $0.judged(change) } ?? change
    }
  }

  /// Whether `decide` reads what the change is about. Exceptions name people and are left out.
  func isRead(_ change: PolicyChange) -> Bool {
    guard !change.isDeclared else { return false }
    let names = change.subject.split(separator: ".", maxSplits: 1).map(String.init)
    switch names[0] {
    case "email", "password", "access", "profile": return true
    case "identifiers": return change.subject == "identifiers.email.normalize"
    case "providers": return change.subject.hasSuffix(".require_scopes")
    default:
      let isField = [old, new].contains { $0.profile.field(names[0]) != nil }
      return isField && !["label", "at_sign_up", "claim", "visible_to"].contains(names.last)
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
    case "profile":
      if names[1] == "unknown_fields" { return .unknownFields }
      return new.profile.field(names[1]) == nil ? nil : .field(names[1])
    default:
      guard let before = old.profile.field(names[0]), let after = new.profile.field(names[0]) else { return nil }
      // Values of another type, numbers of another region and keys of another form are not compared by requests.
      let settings = ["type", "label", "at_sign_up", "trim", "region", "check", "claim", "visible_to", "unique"]
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

/// The decisions about the requests of a part.
struct DiffComparison {
  /// Requests that were refused and are allowed, or had less access, by each rule that refused them.
  private var looser: [String: String] = [:]
  private var firstLooser: String?
  /// The rules that refuse what was allowed, or take access.
  private var tighter: Set<String> = []
  private var isTighter = false
  /// Whether something else differs: stored values, warnings, next steps.
  private var storesOther: String?
  private var differs = false

  /// Adds the decisions of both policies on one request.
  mutating func add(_ before: Decision, _ after: Decision, _ what: @autoclosure () -> String) {
    let gained = (!before.allow && after.allow) || (before.isBelow(after))
    let lost = (before.allow && !after.allow) || (after.isBelow(before))
    if gained {
      let rules = before.allow ? before.lacking : before.violations.map(\.rule)
      let by = before.allow ? "had limited access for want of" : "was refused by"
      let then = before.allow ? "has full access now" : "is now allowed"
      let example = "\(what()) \(by) \(rules.joined(separator: ", ")), \(then)"
      for rule in rules where looser[rule] == nil { looser[rule] = example }
      if firstLooser == nil { firstLooser = example }
    }
    if lost {
      isTighter = true
      tighter.formUnion(after.allow ? after.lacking : after.violations.map(\.rule))
    }
    if before.allow, after.allow, before.normalised != after.normalised, storesOther == nil {
      storesOther = "\(what()) is stored differently"
    }
    if before.warnings.map(\.rule) != after.warnings.map(\.rule) || before.next != after.next { differs = true }
  }

  func judged(_ change: PolicyChange) -> PolicyChange {
    var change = change
    let rule = change.subject
    let keys = [rule, rule + ".unknown", String(rule.drop { $0 != "." }.dropFirst()) + ".unknown"]
    let example = keys.lazy.compactMap { looser[$0] }.first ?? (change.relation == .stricter ? nil : firstLooser)
    if let example, change.relation != .stricter, change.relation != .neutral {
      change.remark = "for example: \(example)"
      if !isTighter { change.relation = .weaker }
    } else if firstLooser == nil, !isTighter, storesOther == nil {
      if !differs, change.relation != .neutral { change.remark = "it means the same" }
      if change.relation != .stricter || !differs { change.relation = .neutral }
    } else if firstLooser == nil, change.relation == .weaker || change.relation == .incomparable {
      if let storesOther {
        change.relation = .incomparable
        change.remark = "for example: \(storesOther)"
      } else {
        change.relation = tighter.contains(rule) || change.relation == .incomparable ? .stricter : .neutral
      }
    }
    return change
  }
}

extension Decision {
  /// Whether the account had less access.
  fileprivate func isBelow(_ other: Decision) -> Bool {
    allow && other.allow && access == .limited && other.access == .full
  }

  /// The rules and requirements that limit access.
  fileprivate var lacking: [String] {
    let failed = trace.filter { $0.verdict == .fail }.map(\.rule)
    return failed.isEmpty ? next : failed
  }
}
