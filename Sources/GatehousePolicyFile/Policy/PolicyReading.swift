package import GatehousePolicy

/// What a text is read for.
package enum PolicyReading: Sendable {
  /// To be checked or applied: every refusal binds.
  case candidate
  /// To be served or compared with: it was accepted under this language. Its tests are not read.
  case stored(PolicyLanguage)

  var language: PolicyLanguage {
    switch self {
    case .candidate: .current
    case .stored(let language): language
    }
  }

  /// The sections that are passed over without a look.
  var skippedSections: [String] {
    switch self {
    case .candidate: []
    case .stored: ["tests", "tests_at", "users"]  // GUARD: stored: its tests are not read
    }
  }

  func refuses(_ finding: Diagnostic) -> Bool {
    guard finding.severity == .error else { return false }
    switch self {
    case .candidate: return true
    case .stored:
      // GUARD: stored: a new refusal binds candidates alone
      return finding.code.bindsStored
    }
  }
}

extension DiagnosticCode {
  /// Whether the first servers refused this already, so that only a damaged revision can have it. What is refused since has a
  /// code of its own, outside of these, and binds `check` and `apply` alone: a revision that was accepted goes on loading.
  var bindsStored: Bool { ("P0100"..."P0127").contains(rawValue) || ("P0201"..."P0222").contains(rawValue) }
}
