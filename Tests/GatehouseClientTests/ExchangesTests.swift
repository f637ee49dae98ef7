import Foundation
import Testing

@testable import GatehouseClient

@Suite("Exchanges under way")
struct ExchangesTests {
  private let exchanges = Exchanges()

  private func reason(_ id: Int) async -> String? {
    do { _ = try await exchanges.wait(id) } catch { return (error as? TransportError)?.reason ?? "\(error)" }
    return nil
  }

  @Test("C07 a result that comes before its caller waits is not lost")
  func early() async {
    exchanges.open(1, largestAnswer: 10)
    exchanges.finish(1, TransportError(reason: "early"))
    #expect(await reason(1) == "early")
  }

  @Test("the first result counts")
  func first() async {
    exchanges.open(1, largestAnswer: 10)
    exchanges.finish(1, TransportError(reason: "deadline"))
    exchanges.finish(1, TransportError(reason: "answered"))
    #expect(await reason(1) == "deadline")
  }

  @Test("an exchange that has ended keeps nothing, and one that never began waits for nothing")
  func ended() async {
    exchanges.open(1, largestAnswer: 10)
    exchanges.finish(1, TransportError(reason: "first"))
    #expect(await reason(1) == "first")
    #expect(await reason(1) == "not open")
  }

  @Test("content is bounded, and nothing is added after the end")
  func bounded() {
    exchanges.open(1, largestAnswer: 2)
    #expect(exchanges.receive(Data("ab".utf8), for: 1) == false)
    #expect(exchanges.receive(Data("c".utf8), for: 1))
    exchanges.finish(1, TransportError(reason: "too large"))
    #expect(exchanges.receive(Data("d".utf8), for: 1) == false)
  }
}
