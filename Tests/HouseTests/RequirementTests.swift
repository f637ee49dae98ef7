import Foundation
import Testing

/// What script/bootstrap installs from PyPI, and how.
@Suite("Pinned Python packages")
struct RequirementTests {
  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(WallTests.root)/\(path)", encoding: .utf8)
  }

  /// Requirements, each with the lines that continue it.
  private func requirements(in text: String) -> [String] {
    text.replacing("\\\n", with: " ").split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
  }

  /// Those without one exact version and the SHA-256 of what may be installed.
  private func loose(_ text: String) -> [String] {
    requirements(in: text).filter {
      $0.wholeMatch(of: /[a-z0-9-]+==[0-9a-z.]+( +--hash=sha256:[0-9a-f]{64})+ */) == nil
    }
  }

  private static let files = [
    "script/requirements.txt": 40, "Bench/gatehouse_prove/failover/requirements.txt": 9,
    "Bench/gatehouse_prove/failover/build-requirements.txt": 0,
  ]

  @Test("T150 every package has one version and a hash of each file that may be installed", arguments: files)
  func pinned(path: String, least: Int) throws {
    let file = try text(path)
    #expect(requirements(in: file).count > least && loose(file) == [])
  }

  @Test("T150 the same look finds a package without a version, without a hash, or with a cut one")
  func control() {
    let hash = String(repeating: "a", count: 64)
    #expect(loose("a==1 \\\n    --hash=sha256:\(hash)\n") == [])
    #expect(loose("a>=1 --hash=sha256:\(hash)\nb==1\nc==1 --hash=sha256:abc\n").count == 3)
  }

  @Test("T150 script/bootstrap installs by hash alone, and names no file of /tmp")
  func bootstrap() throws {
    let script = try text("script/bootstrap")
    #expect(script.contains("--require-hashes -r"))
    #expect(script.components(separatedBy: "pip install").count == 2)
    #expect(!script.contains("/tmp") && script.contains("mktemp"))
  }
}
