import GatehouseIdentity
import GatehousePrimitives
import GatehouseRuntime
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseServer

@Suite("Answers that are kept")
struct KeptAnswersTests {
  private func request(_ languages: [String]) throws -> Request {
    var headers = Headers()
    for language in languages { headers.add("accept-language", language) }
    return try #require(Request(method: .get, target: "/t/messai/v1/policy", headers: headers))
  }

  /// Keeps an answer of `size` bytes for each of so many languages.
  private func fill(_ kept: KeptAnswers, _ server: TestServer, languages: Int, size: Int) throws {
    let tenant = try #require(server.services.registry.snapshot("messai"))
    let moment = KeptAnswers.Moment(server.services.registry, at: server.clock.now)
    for number in 0..<languages {
      let response = Response(status: 200, body: [UInt8](repeating: 0x20, count: size))
      kept.keep(response, of: "/v1/policy", tenant, to: try request(["x-\(number)"]), at: moment)
      #expect(kept.bytes <= 100_000)
    }
  }

  @Test("T148 they take no more than their bound in bytes, and the newest is among them")
  func bytes() async throws {
    try await SharedServer.run { server in
      let kept = KeptAnswers(bounds: KeptAnswers.Bounds(answers: 1000, bytes: 100_000))
      try fill(kept, server, languages: 30, size: 9000)
      let moment = KeptAnswers.Moment(server.services.registry, at: server.clock.now)
      #expect(kept.find(try request(["x-29"]), at: moment)?.response.body.count == 9000)
      #expect(kept.find(try request(["x-0"]), at: moment) == nil)
    }
  }

  @Test("T148 their number stays within the bound")
  func number() async throws {
    try await SharedServer.run { server in
      let kept = KeptAnswers(bounds: KeptAnswers.Bounds(answers: 3, bytes: 100_000))
      try fill(kept, server, languages: 4, size: 10)
      #expect(
        kept.find(try request(["x-0"]), at: KeptAnswers.Moment(server.services.registry, at: server.clock.now)) == nil)
    }
  }

  @Test("T148 an answer that is larger than the bound is not kept and drops none")
  func large() async throws {
    try await SharedServer.run { server in
      let kept = KeptAnswers(bounds: KeptAnswers.Bounds(answers: 1000, bytes: 100_000))
      try fill(kept, server, languages: 1, size: 10)
      let tenant = try #require(server.services.registry.snapshot("messai"))
      let moment = KeptAnswers.Moment(server.services.registry, at: server.clock.now)
      let response = Response(status: 200, body: [UInt8](repeating: 0x20, count: 200_000))
      kept.keep(response, of: "/v1/policy", tenant, to: try request(["en"]), at: moment)
      #expect(kept.find(try request(["en"]), at: moment) == nil)
      #expect(kept.find(try request(["x-0"]), at: moment) != nil)
    }
  }

  /// Bytes that a document of this key is made of, where it has to be made.
  private func made(_ key: String, _ kept: KeptAnswers, size: Int = 9000) -> Bool {
    var isMade = false
    _ = kept.document(key) {
      isMade = true
      return [UInt8](repeating: 0x20, count: size)
    }
    return isMade
  }

  @Test("a document is made once for each key, and outlives the answers of a moment")
  func documents() async throws {
    try await SharedServer.run { server in
      let kept = KeptAnswers()
      #expect(made("policy 1", kept) && made("policy 2", kept))
      let tenant = try #require(server.services.registry.snapshot("messai"))
      var moment = KeptAnswers.Moment(server.services.registry, at: server.clock.now)
      for _ in 0..<2 {
        moment.day += 1
        let response = Response(status: 200, body: [])
        kept.keep(response, of: "/v1/policy", tenant, to: try request(["en"]), at: moment)
        #expect(kept.find(try request(["en"]), at: moment) != nil)
        #expect(!made("policy 1", kept) && !made("policy 2", kept))
      }
    }
  }

  @Test("a document that is fetched is fetched once, and one that could not be is not kept")
  func fetched() async throws {
    struct Away: Error {}
    let kept = KeptAnswers()
    await #expect(throws: Away.self) { try await kept.fetched("logo") { throw Away() } }
    var count = 0
    for _ in 0..<3 {
      let document = await kept.fetched("logo") {
        count += 1
        return [1]
      }
      #expect(document.body == [1])
    }
    #expect(count == 1)
  }

  @Test("documents and answers together take no more than their bound in bytes")
  func bothInBytes() async throws {
    try await SharedServer.run { server in
      let kept = KeptAnswers(bounds: KeptAnswers.Bounds(answers: 1000, bytes: 100_000))
      for number in 0..<30 {
        #expect(made("policy \(number)", kept))
        try fill(kept, server, languages: 2, size: 3000)
        #expect(kept.bytes <= 100_000)
      }
      #expect(!made("policy 29", kept) && made("policy 0", kept))
    }
  }

  @Test("a document that is larger than the bound is given, and not kept")
  func largeDocument() {
    let kept = KeptAnswers(bounds: KeptAnswers.Bounds(answers: 1000, bytes: 100_000))
    #expect(made("small", kept))
    for _ in 0..<2 { #expect(made("large", kept, size: 200_000)) }
    #expect(!made("small", kept))
  }

  @Test("T148 several language fields are one list, for the answer and for the place where it is kept")
  func repeated() throws {
    #expect(try request([]).acceptLanguage == nil)
    #expect(try request(["es", "en;q=0.5"]).acceptLanguage.map(Languages.parse) == ["es", "en"])
    #expect(try request(["es", "en"]).acceptLanguage == request(["es, en"]).acceptLanguage)
  }
}
