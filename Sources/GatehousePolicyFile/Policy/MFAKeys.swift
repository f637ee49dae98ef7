import GatehousePolicy

/// The keys of `mfa`.
enum MFAKeys {
  static let mfa = SettingTable<MFA>(
    "mfa",
    [
      Setting(
        Key(
          "factors", trust: false, .fewerIsStricter, .list(.text(factor), count: 1...Factor.allCases.count),
          required: true, "The kinds of second factors that people may add."),
        read: { node, mfa in if let list = node.list { mfa.factors = list.compactMap { $0.word() } } },
        canonical: { .strings($0.factors.map(\.rawValue).sorted()) }),
      .duration(
        "remember_device", \.rememberDevice, 0...7_776_000, .lessIsStricter, trust: false,
        "How long a remembered device stands in for the second factor; 0s by default: never."),
      Setting(
        Key(
          "valid_for", trust: false, .lessIsStricter, .duration(300...Bounds.tenYears),
          "A session's second factor is asked for again after this long; not at all without it."),
        read: { node, mfa in mfa.validFor = node.seconds },
        canonical: { $0.validFor.map { .integer($0) } ?? .null },
        // Without it a session keeps its factor for life.
        compared: { .integer($0.validFor ?? .max) }, shown: { $0.validFor.map(Seconds.text) ?? "nothing" }),
    ])

  /// A word that another version takes is no mistake of spelling.
  private static let factor = TextForm(
    words(Factor.available), code: .notAChoice,
    pattern: "^(\(Factor.available.map(\.rawValue).joined(separator: "|")))$",
    words: Factor.available.map(\.rawValue), named: Factor.available.map(\.rawValue),
    unavailable: Factor.allCases.filter { !Factor.available.contains($0) }.map(\.rawValue),
    accepts: { text in Factor.available.contains { $0.rawValue == text } })

  private static func words(_ factors: [Factor]) -> String {
    Shape.choice(factors.map(\.rawValue)).expected
  }
}

extension PolicyReader {
  /// The second factors of the tenant's people.
  func mfa(_ entry: Node.Entry?, _ sessions: Sessions) -> MFA? {
    guard let entry else { return nil }
    let mfa = MFAKeys.mfa.read(entry.value, over: MFA(factors: [], position: entry.position))
    let life = max(sessions.refreshMaxTTL, sessions.pageMaxTTL)
    if let validFor = mfa.validFor, validFor > life, !sink.hasErrors(in: entry.range) {
      sink.error(
        about: root.entry("sessions")?.range, code: .lifetimesDisagree,
        "valid_for (\(Seconds.text(validFor))) is longer than the life of a session (\(Seconds.text(life)))",
        at: entry.value["valid_for"]?.range ?? entry.keyRange,
        notes: [.init("without valid_for a session keeps its second factor for life")])
    }
    return mfa
  }
}
