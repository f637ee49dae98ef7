import Foundation
public import GatehouseClient

/// The fate of one request between client and server.
public enum FakeWeather: Sendable, Hashable {
  /// The request is lost: the server does nothing.
  case dropRequest
  /// The server acts, and the answer is lost.
  case dropAnswer
  /// The request arrives that late. When the client gave up before, it arrives all the same.
  case slowRequest(Duration)
  /// The server acts at once, and the answer arrives that late.
  case slowAnswer(Duration)
  /// The request arrives twice; the client gets the second answer.
  case duplicate
  /// The second half of the answer's content is missing.
  case truncatedAnswer
  /// A proxy's HTML page with status 502.
  case gatewayPage
  /// A captive portal's HTML page with status 200.
  case portalPage
  /// A captive portal's answer 204.
  case portalEmpty
  /// A captive portal's redirect with status 302.
  case portalRedirect
  /// The connection ends while the server works, which takes that long. Until then the same request is refused with
  /// `conflict`, and gets its answer after.
  case slowServer(Duration)
  /// The server is killed while it works, and starts anew: nothing was done. For a quarter of a minute the same request
  /// is refused with `conflict`, and is performed after.
  case killedServer
  /// The server refuses with this error: its code, violations, next steps and time to wait.
  case refusal(AuthError)

  /// Every kind of a network's failures, for parameterised tests.
  public static let failures: [FakeWeather] = [
    .dropRequest, .dropAnswer, .slowRequest(.seconds(60)), .slowAnswer(.seconds(60)), .truncatedAnswer, .gatewayPage,
    .portalPage, .portalEmpty, .portalRedirect, .refusal("overloaded", retryAfter: 1),
    .refusal("internal", retryAfter: nil), .slowServer(.seconds(3)), .killedServer,
  ]

  /// The server refuses with this code, and a time to wait if there is one.
  public static func refusal(_ code: AuthError.Code, retryAfter: Int?) -> FakeWeather {
    .refusal(AuthError(code, retryAfter: retryAfter.map { .seconds($0) }))
  }

  /// The server refuses with `validation_failed` and these broken rules, in this order.
  public static func violations(_ violations: [AuthError.Violation]) -> FakeWeather {
    .refusal(AuthError(.validationFailed, violations: violations))
  }

  /// The answer of something that is not the server.
  var page: HTTPAnswer {
    let html = Data("<!doctype html><title>Sign in to this network</title>".utf8)
    let headers = ["Content-Type": "text/html; charset=utf-8"]
    return switch self {
    case .portalPage: HTTPAnswer(status: 200, headers: headers, body: html)
    case .portalEmpty: HTTPAnswer(status: 204)
    case .portalRedirect: HTTPAnswer(status: 302, headers: ["Location": "http://portal.example/"], body: Data())
    default: HTTPAnswer(status: 502, headers: headers, body: html)
    }
  }
}

extension FakeServer {
  /// The next requests meet this weather, each one once: the first request the first of them. With a path
  /// (`/v1/token`), only requests to it do.
  public func fail(next weather: FakeWeather, times: Int = 1, at path: String? = nil) {
    withWorld { world in
      world.weather += Array(repeating: (path: path, weather: weather), count: max(0, times))
    }
  }

  /// All requests meet this weather from now on, until it is nil again. The weather of `fail(next:)` comes first.
  public var weather: FakeWeather? {
    get { withWorld { $0.climate } }
    set { withWorld { $0.climate = newValue } }
  }
}

extension FakeWorld {
  /// The weather of the next request to this path.
  mutating func takeWeather(for path: String) -> FakeWeather? {
    guard let index = weather.firstIndex(where: { $0.path.map(path.hasSuffix) ?? true }) else { return climate }
    return weather.remove(at: index).weather
  }
}
