package import GatehousePolicy

/// The purpose of reading a text.
package enum PolicyReading: Sendable {
  /// To be checked or applied: every refusal binds.
  case candidate
  /// To be asked about, and never applied as such: a file of which a policy can be made. Its tests are not read.
  case question
  /// To be served or compared with: it was accepted under this language. Its tests are not read.
  case stored(PolicyLanguage)

  var language: PolicyLanguage {
    switch self {
    case .candidate, .question: .current
    case .stored(let language): language
    }
  }

  /// The sections that are passed over without a look.
  var skippedSections: [String] {
    switch self {
    case .candidate: []
    case .question, .stored: References.tests  // GUARD: stored: its tests are not read
    }
  }

  func refuses(_ finding: Diagnostic) -> Bool {
    guard finding.severity == .error else { return false }
    switch self {
    case .candidate: return true
    case .question: return !finding.code.leavesPolicy
    case .stored:
      // GUARD: stored: a new refusal binds candidates alone
      return finding.code.bindsStored
    }
  }
}

extension DiagnosticCode {
  /// Whether nothing more is said of a part that has it: of a stored revision only what refuses it may.
  var silences: Bool { bindsStored || rawValue.hasPrefix("P04") }

  /// Whether a text with this finding still has one meaning as a policy, although the policy is refused.
  var leavesPolicy: Bool {
    [
      .unguardedDoor, .aboveCeiling, .lifetimesDisagree, .reservedClaim, .hiddenClaim, .selfMadeAdmin,
      .reservedFieldName,
    ].contains(self)
  }

  /// Whether the first servers refused this already, so that only a damaged revision can have it. A later refusal has a
  /// code outside of these and binds `check` and `apply` alone: a revision that was accepted goes on loading.
  var bindsStored: Bool { ("P0100"..."P0127").contains(rawValue) || ("P0201"..."P0222").contains(rawValue) }
}
