import Foundation
import GatehousePolicy
import GatehousePolicyFile
import GatehouseWire

/// The objection against a policy text, as far as it decides the next step of its author.
package enum PolicyObjection: Sendable, Equatable {
  /// The file cannot be read as a policy, or the floor forbids it.
  case wrong
  /// Nothing but tests in the file.
  case failingTests
  /// It is the policy of another tenant.
  case otherTenant
  /// It lets in what the live policy refuses, or cannot be compared with it.
  case weaker
  /// It takes full access from administrators or too many active users, or their only way in from any.
  case lockout
}

/// A consent of a policy's author, as a flag of the command line.
package enum PolicyConsentFlag: Sendable, Equatable {
  /// The change of this subject.
  case finding(String)
  /// Every change that lets in what the live policy refuses.
  case weaker
  case lockout

  /// - Parameter tenant: the tenant that a finding is allowed for; nil: the only one of the command.
  func word(of tenant: TenantName? = nil) -> String {
    switch self {
    case .finding(let subject): "--allow " + ShellWord.of(tenant.map { "\($0):\(subject)" } ?? subject)
    case .weaker: "--allow-weaker"
    case .lockout: "--allow-lockout"
    }
  }

  /// Many flags would be copied without a look, and one word then says what is done.
  private static let mostFindings = 5

  static func of(_ changes: [PolicyChange]) -> [PolicyConsentFlag] {
    changes.count <= mostFindings ? changes.map { .finding($0.subject) } : [.weaker]
  }
}

extension [PolicyConsentFlag] {
  /// The flags as words of a command, each once.
  func words(of tenant: TenantName? = nil) -> String {
    var words: [String] = []
    for word in map({ $0.word(of: tenant) }) where !words.contains(word) { words.append(word) }
    return words.joined(separator: " ")
  }
}

extension OperatorError {
  /// The objection to changes that let in what the live policy refuses, or of which that is not known; nil where all of
  /// them are allowed.
  /// - Parameter allowed: subjects, as they are or behind the tenant's name and a colon.
  static func weaker(
    _ new: PolicyFile, than old: PolicyFile, but allowed: Set<String>, of tenant: TenantName, now: Date
  ) -> OperatorError? {
    let changes = PolicyFile.diff(old, new, now: now).filter {
      $0.relation == .weaker
        || $0.relation == .incomparable  // GUARD: apply: incomparable needs it too
    }.filter {
      // GUARD: apply: a finding is allowed by its name
      !allowed.contains($0.subject) && !allowed.contains("\(tenant):\($0.subject)")
    }
    guard !changes.isEmpty else { return nil }
    let isWeaker = changes.contains { $0.relation == .weaker }
    let lines = changes.map { change in
      "  \(change.relation == .weaker ? "weaker" : "cannot be compared"): \(change.told)"
        + " (\(PolicyConsentFlag.finding(change.subject).word()))"
    }
    let consents = PolicyConsentFlag.of(changes)
    return OperatorError(
      .notAllowed,
      "\(new.name) is not applied, "
        + (isWeaker
          ? "it would let in what the live policy refuses:\n"
          : "it lets in other requests than the live policy, and neither is the stricter one:\n")
        + lines.joined(separator: "\n"),
      hint: "gatehouse policy apply \(tenant) \(new.name) \(consents.words())", objection: .weaker, consents: consents)
  }

  /// Several objections to one text, with one hint that answers all of them; nil where there is none.
  static func joined(_ objections: [OperatorError], to file: String, of tenant: TenantName) -> OperatorError? {
    guard objections.count > 1, let first = objections.first else { return objections.first }
    let consents = objections.flatMap(\.consents)
    return OperatorError(
      first.kind, objections.map(\.description).joined(separator: "\n"),
      hint: "gatehouse policy apply \(tenant) \(file) \(consents.words())", objection: first.objection,
      consents: consents)
  }

  /// The objections to several tenants' texts, which are applied together or not at all.
  static func joined(_ objections: [(tenant: TenantName, error: OperatorError)], ofMany isBatch: Bool) -> OperatorError?
  {
    guard let (_, first) = objections.first else { return nil }
    guard isBatch else { return first }
    let errors = objections.map(\.error)
    let isConsent = errors.allSatisfy { !$0.consents.isEmpty }
    var words: [String] = []
    for (tenant, error) in objections {
      words += error.consents.map { $0.word(of: tenant) }.filter { !words.contains($0) }
    }
    return OperatorError(
      first.kind, errors.map(\.description).joined(separator: "\n"),
      hint: isConsent
        ? "the same command with \(words.joined(separator: " "))" : errors.compactMap(\.hint).first,
      scope: first.scope, revision: errors.lazy.compactMap(\.revision).first, findings: errors.flatMap(\.findings))
  }
}
