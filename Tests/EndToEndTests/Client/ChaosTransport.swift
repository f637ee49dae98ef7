import Foundation
import GatehouseClient
import GatehousePrimitives
import GatehouseTesting

/// A network in bad weather, in front of the real one. What happens is drawn from a seed.
final class ChaosTransport: HTTPTransport {
  /// What may happen to one exchange.
  enum Weather: CaseIterable {
    case clear
    /// The request is lost.
    case lostBefore
    /// The request arrives, and the answer is lost.
    case lostAfter
    /// The answer is cut in the middle.
    case cut
    /// The request arrives twice; the second answer comes back.
    case twice
    /// The request arrives twice; the first answer comes back.
    case echo
    /// The request waits while others go on.
    case late
    /// A gateway's page.
    case badGateway
    /// A captive portal's page.
    case portal
    /// A captive portal's way of saying that a network is there.
    case emptyPortal
    /// A captive portal's redirection.
    case redirect
    /// A proxy's refusal in JSON that is not the server's.
    case foreignJSON
  }

  private let inner = SystemTransport()
  /// What is on its way: time stands still meanwhile.
  private let air: Air
  private let random: LockBox<SeededGenerator>
  /// How many of a hundred exchanges meet bad weather.
  private let share = LockBox(0)
  private let met = LockBox<[String: Int]>([:])
  private let book = LockBox<[String]>([])

  init(seed: UInt64, air: Air = Air()) {
    random = LockBox(SeededGenerator(seed: seed))
    self.air = air
  }

  /// From now on so many of a hundred exchanges meet bad weather.
  func set(share percent: Int) { share.withLock { $0 = percent } }

  /// How often each weather was met.
  var weathers: [String: Int] { met.withLock { $0 } }

  /// The last exchanges, for the message of a test that fails.
  var lastExchanges: [String] { book.withLock { $0 } }

  private func note(_ call: HTTPCall, _ weather: Weather, _ answer: HTTPAnswer) {
    let (sent, came) = (
      String(decoding: call.body ?? Data(), as: UTF8.self), String(decoding: answer.body, as: UTF8.self)
    )
    func member(_ name: String, of text: String) -> String {
      text.range(of: "\"\(name)\":\"").map { String(text[$0.upperBound...].prefix(12)) } ?? "-"
    }
    let line =
      "\(weather) \(call.method) \(call.url.path) \(member("refresh_token", of: sent)) "
      + "key \(call.headers["Idempotency-Key"]?.prefix(4) ?? "-"): \(answer.status) "
      + "\(member("refresh_token", of: came)) \(member("code", of: came))"
    book.withLock { $0 = $0.suffix(40) + [line] }
  }

  /// The exchange with the server, noted.
  private func carry(_ call: HTTPCall, _ weather: Weather, _ deadline: Duration) async throws -> HTTPAnswer {
    let answer = try await inner.send(call, deadline: deadline)
    note(call, weather, answer)
    return answer
  }

  func send(_ call: HTTPCall, deadline: Duration) async throws -> HTTPAnswer {
    let percent = share.withLock { $0 }
    let weather = random.withLock { random in
      Int.random(in: 0..<100, using: &random) < percent
        ? Weather.allCases.randomElement(using: &random) ?? .clear : .clear
    }
    met.withLock { $0["\(weather)", default: 0] += 1 }
    air.enter()
    defer { air.leave() }
    switch weather {
    case .clear: return try await carry(call, weather, deadline)
    case .lostBefore: throw TransportError(reason: "lost")
    case .lostAfter:
      _ = try await carry(call, weather, deadline)
      throw TransportError(reason: "lost")
    case .cut:
      var answer = try await carry(call, weather, deadline)
      answer.body = answer.body.prefix(answer.body.count / 2)
      return answer
    case .twice:
      _ = try await carry(call, weather, deadline)
      return try await carry(call, weather, deadline)
    case .echo:
      let answer = try await carry(call, weather, deadline)
      _ = try await carry(call, weather, deadline)
      return answer
    case .late:
      for _ in 0..<50 { await Task.yield() }
      return try await carry(call, weather, deadline)
    case .badGateway: return page(502)
    case .portal: return page(200)
    case .emptyPortal: return HTTPAnswer(status: 204)
    case .redirect: return HTTPAnswer(status: 302, headers: ["Location": "http://portal.example/"])
    case .foreignJSON:
      return HTTPAnswer(
        status: 401, headers: ["Content-Type": "application/json"], body: Data(#"{"error":"session_revoked"}"#.utf8))
    }
  }

  private func page(_ status: Int) -> HTTPAnswer {
    HTTPAnswer(
      status: status, headers: ["Content-Type": "text/html"], body: Data("<html><body>Welcome</body></html>".utf8))
  }
}

/// Exchanges on their way. The clock of a walk moves by hours in an instant; no request is in the air for so long.
final class Air: Sendable {
  private let count = LockBox(0)

  func enter() { count.withLock { $0 += 1 } }
  func leave() { count.withLock { $0 -= 1 } }

  /// Waits until nothing is on its way.
  func clear() async {
    while count.withLock({ $0 > 0 }) { await Task.yield() }
  }
}
