@testable import GatehousePolicyFile

extension FuzzTarget {
  /// Policy files, with the YAML below them: always a policy or findings, and the findings can be shown.
  static let policy = FuzzTarget(name: "policy") { bytes in
    guard bytes.count <= 32_768 else { return nil }
    let name = "fuzz.yaml"
    switch PolicyFile.read(bytes, name: name) {
    case .failure(let refusal):
      if refusal.diagnostics.isEmpty { return "refused without a reason" }
      if refusal.text(colours: .none).isEmpty { return "a reason without words" }
      // Each finding shows its line once, and no line is shown longer than it is.
      let longest = (refusal.document.lines.map(\.utf8.count).max() ?? 0) + 4096
      return refusal.text().utf8.count <= refusal.diagnostics.count * longest * 4 + 4096 ? nil : "findings without end"
    case .success(let file):
      if !file.document.diagnostics.isEmpty { return "a policy from a text with errors" }
      guard case .success(let again) = PolicyFile.read(bytes, name: name) else { return "refused the second time" }
      return again.tests.count == file.tests.count ? nil : "other tests the second time"
    }
  }
}
