import GatehouseRuntime
import Testing

@testable import GatehouseServer

@Suite("Names of requests")
struct RequestIDsTests {
  private func request(_ headers: Headers = Headers()) throws -> Request {
    try #require(Request(method: .get, target: "/", headers: headers))
  }

  @Test("names that are given differ, by one giver and by several, and are plain words of one length")
  func differ() throws {
    let givers = (0..<8).map { _ in RequestIDs() }
    let request = try request()
    let names = givers.flatMap { giver in (0..<10_000).map { _ in giver.name(of: request) } }
    #expect(Set(names).count == names.count)
    let letters = Set("0123456789abcdefghjkmnpqrstvwxyz")
    #expect(names.allSatisfy { $0.utf8.count == 15 && $0.allSatisfy(letters.contains) })
    // Each place of them takes every letter, or nearly: the last carries four bits.
    for place in 2..<15 {
      #expect(Set(names.map { $0.utf8.dropFirst(place).first }).count == (place == 14 ? 16 : 32), "\(place)")
    }
  }

  @Test(
    "a caller's own name is taken where it is a plain word, once, of 8 to 64 letters",
    arguments: [
      (["my-own.name_1"], true), ([String(repeating: "a", count: 64)], true), (["short"], false),
      ([String(repeating: "a", count: 65)], false), (["with space"], false), (["quote\"quote"], false),
      (["name-one", "name-two"], false),
    ])
  func own(_ given: [String], _ isTaken: Bool) throws {
    var headers = Headers()
    for name in given { headers.add("x-request-id", name) }
    let name = RequestIDs().name(of: try request(headers))
    #expect(given.contains(name) == isTaken)
  }
}
