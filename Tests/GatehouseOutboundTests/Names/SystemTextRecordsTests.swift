import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehouseTesting
import Testing

@Suite("TXT records, asked of a name server of another make")
struct SystemTextRecordsTests {
  private let name = "_gatehouse.auth.example.com"

  private func ask(_ body: (DNSPeer, SystemTextRecords) async throws -> Void) async throws {
    let peer = try await DNSPeer.start(packages: TestLists.root + "/.build/python")
    try await body(peer, SystemTextRecords(.init(address: "127.0.0.1", port: peer.port)))
  }

  private func texts(_ records: SystemTextRecords) async throws -> [String] {
    try await records.texts(at: name).map { String(decoding: $0, as: UTF8.self) }
  }

  private func refusal(_ records: SystemTextRecords) async -> TextRecordError? {
    do {
      _ = try await records.texts(at: name)
      return nil
    } catch {
      return error as? TextRecordError
    }
  }

  @Test("all records of a name are read, each with its strings joined; a name without one has none")
  func read() async throws {
    try await ask { peer, records async throws in
      #expect(try await texts(records) == [])
      let long = String(repeating: "x", count: 300)
      try await peer.set(name, ["one", "", long])
      #expect(try await texts(records) == ["one", "", long])
    }
  }

  @Test("T139 an answer that is too large, cut or malformed is refused")
  func bounded() async throws {
    try await ask { peer, records async throws in
      try await peer.set(name, [String(repeating: "x", count: 20_000)])
      #expect(await refusal(records) != nil)
      try await peer.set(name, ["cut"], fault: .truncated)
      #expect(await refusal(records) == .tooLarge)
      try await peer.set(name, ["short"], fault: .short)
      #expect(await refusal(records) == .malformed)
      try await peer.set(name, ["whole"])
      #expect(try await texts(records) == ["whole"])
    }
  }

  @Test("T139 a name server that is silent costs three seconds and no more")
  func silent() async throws {
    try await ask { peer, records async throws in
      try await peer.set(name, [], fault: .silent)
      let begun = ContinuousClock.now
      #expect(await refusal(records) == .noAnswer)
      // Threads of a machine under load run late, by less than another round would take.
      #expect(ContinuousClock.now - begun < .seconds(6))
      #expect(peer.questions <= 3)
    }
  }
}
