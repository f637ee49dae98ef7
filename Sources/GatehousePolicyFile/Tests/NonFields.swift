import GatehousePolicy

/// Profile values of tests that no field of the policy has. Near a field's name one is a slip, and a finding instead of
/// a test that fails; any other is what a test may be about, and so is one whose rule `NAME.unknown` some test names.
final class NonFields {
  private let names: [String]
  private let known: Set<[UInt8]>
  private let expected: [String]
  private let references: References
  /// Whether a name is a slip; each is compared with the fields once.
  private var slips: [[UInt8]: Bool] = [:]

  init(_ policy: Policy, _ root: Node, _ references: References) {
    names = policy.profile.fields.map(\.name)
    known = Set(names.map { Array($0.utf8) })
    self.references = references
    let tests = root["tests"]?.list ?? []
    let lists = tests.compactMap { $0["expect"]?["violations"] }.map { $0["includes"] ?? $0 }
    expected = lists.flatMap { $0.texts ?? [] }.filter { $0.contains("*") || $0.hasSuffix(".unknown") }
  }

  func check(_ entry: Node.Entry) {
    let bytes = Array(entry.key.utf8)
    noteComparison()
    guard !known.contains(bytes) else { return }
    let isSlip = slips[bytes] ?? isSlip(entry.key)
    slips[bytes] = isSlip
    // GUARD: policy file: a misspelt field in a test is a finding
    if isSlip { references.unknownField(entry.key, at: entry.keyRange, among: names) }
  }

  private func isSlip(_ name: String) -> Bool {
    Suggestion.nearest(to: name, among: names) != nil
      && !expected.contains { Family.matches($0, name + ".unknown") }
  }
}
