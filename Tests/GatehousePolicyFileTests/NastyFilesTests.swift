import Foundation
import GatehousePolicy
import GatehousePolicyFile
import GatehouseTesting
import Testing

@Suite("Files that mean harm")
struct NastyFilesTests {
  /// Every one of these is refused, quickly and with a place.
  static let corpus: [(name: String, bytes: [UInt8])] = [
    ("nothing", []),
    ("a zero byte", [0]),
    ("no UTF-8", Array("tenant: ".utf8) + [0xFF, 0xFE]),
    ("half a character", [0xE2, 0x82]),
    ("an overlong slash", [0xC0, 0xAF]),
    ("a lone surrogate", [0xED, 0xA0, 0x80]),
    ("UTF-16", [0xFF, 0xFE, 0x61, 0x00]),
    ("a byte order mark", [0xEF, 0xBB, 0xBF] + Array("a: b\n".utf8)),
    ("open brackets", Array(String(repeating: "[", count: 200_000).utf8)),
    ("open braces", Array(String(repeating: "{", count: 200_000).utf8)),
    ("open maps", Array(String(repeating: "{a: ", count: 60_000).utf8)),
    ("dashes", Array(String(repeating: "- ", count: 100_000).utf8)),
    ("question marks", Array(String(repeating: "? ", count: 100_000).utf8)),
    ("colons", Array(String(repeating: ": ", count: 100_000).utf8)),
    ("indentation", Array((0..<600).map { String(repeating: " ", count: $0) + "a:\n" }.joined().utf8)),
    ("one long key", Array((String(repeating: "k", count: 200_000) + ": 1\n").utf8)),
    ("one long text", Array(("tenant: " + String(repeating: "x", count: 200_000) + "\n").utf8)),
    ("many keys", Array((0..<20_000).map { "k\($0): 1\n" }.joined().utf8)),
    ("one key many times", Array(String(repeating: "tenant: a\n", count: 20_000).utf8)),
    ("an unclosed quote", Array(("a: \"" + String(repeating: "b", count: 100_000)).utf8)),
    ("a billion laughs", Array(laughs.utf8)),
    ("an alias to itself", Array("a: &a [*a]\n".utf8)),
    ("tags", Array(String(repeating: "- !!python/object/apply:os.system [id]\n", count: 100).utf8)),
    ("directives", Array(String(repeating: "%TAG ! tag:x,2026:\n", count: 5000).utf8)),
    ("documents", Array(String(repeating: "---\n", count: 50_000).utf8)),
    ("too large", [UInt8](repeating: UInt8(ascii: "#"), count: 300_000)),
    ("a number without end", Array(("password: {max_length: " + String(repeating: "9", count: 5000) + "}\n").utf8)),
    ("escapes", Array("a: \"\\U00110000\"\n".utf8)),
    ("block text", Array(("a: |\n" + String(repeating: "  b\n", count: 50_000)).utf8)),
    ("anchors without end", Array(String(repeating: "&a ", count: 80_000).utf8)),
    ("comments only", Array(String(repeating: "# \n", count: 80_000).utf8)),
  ]

  private static let laughs =
    "a0: &a0 [lol]\n" + (1..<30).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1), *a\($0 - 1)]\n" }.joined()

  @Test("is refused with a place, whatever it is", arguments: corpus.map(\.name))
  func refused(name: String) throws {
    let bytes = try #require(Self.corpus.first { $0.name == name }).bytes
    let clock = ContinuousClock()
    let start = clock.now
    let reading = PolicyFile.read(bytes, name: "nasty.yaml")
    // Generous for a busy machine; an attack on the parser would take minutes. Sanitizers make everything slower.
    let patience = ProcessInfo.processInfo.environment["TEST_PATIENCE"].flatMap { Int($0) } ?? 1
    #expect(clock.now - start < .seconds(10 * patience))
    guard case .failure(let refusal) = reading else {
      Issue.record("accepted")
      return
    }
    #expect(!refusal.diagnostics.isEmpty)
    #expect(refusal.diagnostics.count <= 200)
    #expect(refusal.diagnostics.allSatisfy { $0.range.start.line >= 1 && $0.range.start.column >= 1 })
    #expect(refusal.text().utf8.count < 2_000_000)
  }

  @Test(
    "bytes changed at random never crash, and never pass unnoticed as another tenant", arguments: PoliciesTests.paths)
  func mutated(path: String) throws {
    var random = SeededGenerator()
    let original = try Repository.bytes(path)
    for _ in 0..<150 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(contentsOf: Array("{[:,]}&*!|>'\"#- ".utf8).shuffled(using: &random).prefix(2), at: index)
        default: bytes.removeSubrange(index..<min(bytes.count, index + 40))
        }
      }
      switch PolicyFile.read(bytes, name: path) {
      case .failure(let refusal): #expect(!refusal.diagnostics.isEmpty, "seed \(SeededGenerator.seed)")
      case .success(let file):
        // What is accepted can be run, compared and written down.
        _ = PolicyTests.run(file, using: SmallLists())
        #expect(PolicyFile.diff(file, file).isEmpty, "seed \(SeededGenerator.seed)")
        #expect(!file.policy.canonicalJSON.isEmpty, "seed \(SeededGenerator.seed)")
      }
    }
  }

  @Test("P0100 the place of the first bytes that are not UTF-8")
  func encoding() {
    let document = Document.parse(Array("a: b\nc: é".utf8) + [0xFF], name: "x.yaml")
    #expect(
      Rendering(name: "x.yaml", lines: document.lines).text(document.diagnostics)
        == "x.yaml:2:5: error[P0100]: the file is not valid UTF-8\n")
  }

  @Test("P0101 a file over 256 KiB is not looked at, one of exactly 256 KiB is")
  func size() {
    let most = [UInt8](repeating: UInt8(ascii: "#"), count: 256 * 1024)
    #expect(Document.parse(most, name: "x").diagnostics.map(\.code) == [.empty])
    let document = Document.parse(most + [UInt8(ascii: "#")], name: "x")
    #expect(
      Rendering(name: "x", lines: document.lines).text(document.diagnostics)
        == "x:1:1: error[P0101]: the file has more than 262144 bytes; no more are read\n")
  }
}
