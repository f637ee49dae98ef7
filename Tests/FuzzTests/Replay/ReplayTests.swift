import Foundation
import Testing

extension FuzzTarget: CustomTestStringConvertible {
  var testDescription: String { name }

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Corpus")

  /// Every file of this target's corpus, in the order of their names; crashes that were found and fixed stay among
  /// them.
  func corpus() throws -> [(name: String, bytes: [UInt8])] {
    let folder = FuzzTarget.folder.appendingPathComponent(name)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { file in
      (file, try Array(Data(contentsOf: folder.appendingPathComponent(file))))
    }
  }
}

@Suite("What parses bytes from outside keeps its promises")
struct ReplayTests {
  /// In a build for debugging a policy takes a hundred times as long as a head.
  private static let rounds = ["policy": 300, "claims": 300, "head": 1500]

  @Test("for every file of its corpus", arguments: FuzzTarget.all)
  func corpus(_ target: FuzzTarget) throws {
    let files = try target.corpus()
    #expect(files.count >= 10)
    for (name, bytes) in files {
      let problem = target.check(bytes)
      #expect(problem == nil, "\(target.name)/\(name)")
    }
  }

  @Test("for changed copies of its corpus", arguments: FuzzTarget.all, [1, 2, 3] as [UInt64])
  func changed(_ target: FuzzTarget, _ seed: UInt64) throws {
    var mutator = Mutator(seed: seed, corpus: try target.corpus().map(\.bytes))
    for round in 0..<(Self.rounds[target.name] ?? 3000) {
      let bytes = mutator.next()
      if let problem = target.check(bytes) {
        Issue.record(
          "seed \(seed), round \(round): \(problem): \(String(decoding: bytes, as: UTF8.self).debugDescription)")
        return
      }
    }
  }

  @Test("each target has its corpus, and each corpus its target")
  func folders() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: FuzzTarget.folder.path)
    #expect(folders.sorted() == FuzzTarget.all.map(\.name).sorted())
  }

  @Test("the changes find a promise that is broken")
  func negativeControl() throws {
    let broken = FuzzTarget(name: "chunks") { bytes in bytes.starts(with: [0x35, 0x3B]) ? "an extension" : nil }
    var mutator = Mutator(seed: 1, corpus: [Array("5\r\nabcde\r\n0\r\n\r\n".utf8)])
    let found = (0..<20_000).contains { _ in broken.check(mutator.next()) != nil }
    #expect(found)
    var same = Mutator(seed: 1, corpus: [Array("5\r\nabcde\r\n0\r\n\r\n".utf8)])
    var again = Mutator(seed: 1, corpus: [Array("5\r\nabcde\r\n0\r\n\r\n".utf8)])
    #expect((0..<100).allSatisfy { _ in same.next() == again.next() })
  }
}
