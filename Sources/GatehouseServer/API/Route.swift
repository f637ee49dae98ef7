import GatehouseIdentity
package import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

/// One row of the API's table: where an operation lives, who may call it, and the feature that does it.
package final class Route: Sendable {
  /// The callers that a route admits. The feature decides what else a signed-in caller may do.
  package enum Auth: String, Sendable, CaseIterable {
    /// Any caller; a token that is sent is not looked at.
    case anonymous
    /// A caller with a valid access token of this tenant.
    case user
    /// Either; a token that is sent must be valid.
    case optional
    /// Either; a token that has expired counts as none (sign-out with a refresh token).
    case userOrExpired
  }

  /// The outcome of a feature.
  struct Outcome: Sendable {
    var status: Int
    /// Nil for 204.
    var body: [UInt8]?
    /// Rules that failed without blocking.
    var warned: [String] = []
    /// The policy revision under which a repeated answer was first given; nil for a new answer.
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
  /// The codes with which the endpoint itself refuses; `codes` has all.
  let refusals: [ErrorCode]
  /// Whether the route takes an Idempotency-Key: every feature with an effect that its caller may have to ask for twice
  /// keeps its answer.
  package let isIdempotent: Bool
  /// Whether the route exchanges a refresh token, and takes an Idempotency-Key by which a repeated exchange is
  /// recognised.
  package let takesRetryKey: Bool
  /// The door that may demand an attested app before the feature runs; nil where none is demanded.
  package let attests: Door?
  let traits: Traits
  /// The types of input and output, for the API description.
  package let input: any (Codable & SendableMetatype).Type
  /// Each success by its status, with the type of its body.
  package let successes: [(status: Int, output: any (Decodable & SendableMetatype).Type)]
  let template: PathTemplate
  let run: @Sendable (JSONObject, Call, Services) async throws -> Outcome

  init<E: Endpoint>(
    _ endpoint: E.Type, _ auth: Auth, traits: Traits = [], isIdempotent: Bool = false, takesRetryKey: Bool = false,
    attests: Door? = nil, _ feature: @escaping @Sendable (E.Input, Call, Services) async throws -> E.Output
  ) {
    method = E.method
    path = E.path
    self.auth = auth
    self.traits = traits
    self.isIdempotent = isIdempotent
    self.takesRetryKey = takesRetryKey
    self.attests = attests
    summary = E.summary
    details = E.details
    status = E.status
    refusals = E.row.refusals
    input = E.Input.self
    successes = E.successes
    template = PathTemplate(E.path)
    run = { object, call, services in
      let input = try Decoding.value(E.Input.self, from: object)
      let output = try await retryOnConflict { try await feature(input, call, services) }
      return Outcome(
        status: E.status(of: output), body: E.hasBody ? try JSONEncoding.encode(output, spelling: .contract) : nil,
        warned: E.warnings(of: output).map(\.rule))
    }
  }

  /// Whether the browser that calls gets a cookie by which it is known when it comes back from a provider.
  package var bindsBrowser: Bool { traits.contains(.bindsBrowser) }
}
