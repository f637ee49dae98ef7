import GatehouseIdentity
package import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

/// One row of the server's table: where an operation lives, who may call it, and the feature that does it.
package final class Route: Sendable {
  /// Who may call. What a person may do beyond being somebody is the feature's to judge.
  package enum Auth: String, Sendable, CaseIterable {
    /// Anybody; a token that is sent is not looked at.
    case nobody
    /// Somebody with a valid access token of this tenant.
    case user
    /// Either; a token that is sent must be valid.
    case optional
    /// Either; a token that has expired counts as none (sign-out with a refresh token).
    case userOrExpired
  }

  /// What a feature answered, ready to be sent.
  struct Answer: Sendable {
    var status: Int
    /// Nil for 204.
    var body: [UInt8]?
    /// Rules that failed without blocking.
    var warned: [String] = []
    /// Of an answer that is given again: the policy's revision under which it was given first.
    var replayedRevision: Int?
  }

  package let method: GatehouseWire.Method
  /// Below `/t/{tenant}`; `{name}` stands for one segment.
  package let path: String
  package let auth: Auth
  package let summary: String
  package let details: String?
  /// The status of a success.
  package let status: Int
  /// Whether it takes an Idempotency-Key: every feature with an effect that its caller may have to ask for twice keeps its answer.
  package let isIdempotent: Bool
  /// Whether it exchanges a refresh token, and takes an Idempotency-Key by which that exchange is known when it comes again.
  package let takesRetryKey: Bool
  /// Whether the browser that calls gets a cookie by which it is known when it comes back from a provider.
  package let bindsBrowser: Bool
  /// The door that may demand an attested app before the feature runs; nil where none is demanded.
  package let attests: Door?
  /// Whether what it answers, other than a session, must not tell by its time whether an address is somebody's.
  let isEven: Bool
  /// What goes in and comes out, for the API description.
  package let input: any (Codable & SendableMetatype).Type
  package let output: any (Codable & SendableMetatype).Type
  let segments: [Segment]
  let run: @Sendable (JSONObject, Call, Services) async throws -> Answer

  enum Segment: Sendable, Equatable {
    case literal([UInt8])
    case parameter(String)
  }

  init<E: Endpoint>(
    _ endpoint: E.Type, _ auth: Auth, isIdempotent: Bool = false, takesRetryKey: Bool = false,
    bindsBrowser: Bool = false,
    isEven: Bool = false, attests: Door? = nil,
    _ feature: @escaping @Sendable (E.Input, Call, Services) async throws -> E.Output
  ) {
    method = E.method
    path = E.path
    self.auth = auth
    self.isIdempotent = isIdempotent
    self.takesRetryKey = takesRetryKey
    self.bindsBrowser = bindsBrowser
    self.isEven = isEven
    self.attests = attests
    summary = E.summary
    details = E.details
    status = E.status
    input = E.Input.self
    output = E.Output.self
    segments = E.path.split(separator: "/").map { part in
      part.hasPrefix("{") ? .parameter(String(part.dropFirst().dropLast())) : .literal(Array(part.utf8))
    }
    run = { object, call, services in
      let input = try Decoding.value(E.Input.self, from: object)
      let output = try await Redo.once { try await feature(input, call, services) }
      if output is Nothing { return Answer(status: E.status, body: nil) }
      let isPending = if case .pending = output as? SignUpAnswer { true } else { false }
      return Answer(
        status: isPending ? 202 : E.status, body: try JSONEncoding.encode(output),
        warned: Route.session(output)?.warnings.map(\.rule) ?? [])
    }
  }

  private static func session(_ output: some Any) -> SessionAnswer? {
    if case .signedIn(let answer) = output as? SignUpAnswer { answer } else { output as? SessionAnswer }
  }

  /// The values of the parameters when this path is the route's; nil when it is another.
  func match(_ path: [ArraySlice<UInt8>]) -> [(String, String)]? {
    guard path.count == segments.count else { return nil }
    var values: [(String, String)] = []
    for (segment, part) in zip(segments, path) {
      switch segment {
      case .literal(let text): guard part.elementsEqual(text) else { return nil }
      case .parameter(let name): values.append((name, String(decoding: part, as: UTF8.self)))
      }
    }
    return values
  }
}
