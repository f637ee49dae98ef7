import GatehouseIdentity
import GatehouseRuntime
import GatehouseWire

/// The `Idempotency-Key` field, for operations that take it.
enum IdempotencyGate {
  /// The key of a request; nil without one, or where the operation takes none. Refuses anything but one field of 1 to
  /// 255 visible ASCII characters.
  static func key(_ request: Request, _ route: Route) throws -> String? {
    try route.isIdempotent ? key(request) : nil
  }

  /// The key of a request of an operation that takes one.
  static func key(_ request: Request) throws -> String? {
    let fields = request.headers.values(of: "idempotency-key")
    guard let key = fields.first else { return nil }
    guard fields.count == 1, (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw Refusal.malformed("", "one Idempotency-Key of 1 to 255 visible ASCII characters") }
    return key
  }

  /// Runs an operation once for its key.
  static func run(
    _ route: Route, _ request: Request, _ call: Call, _ services: Services,
    _ work: (Call) async throws -> Route.Outcome
  ) async throws -> Route.Outcome {
    guard let key = try key(request, route) else { return try await work(call) }
    let operation = "\(route.method.rawValue) \(route.path)"
    switch try await Idempotency.begin(key, operation: operation, body: request.body, call, services) {
    case .again(let kept):
      return Route.Outcome(status: kept.status, body: Array(kept.body.utf8), replayedRevision: kept.revision)
    case .first(let claim): return try await Idempotency.run(under: claim, call, services, work)
    }
  }
}
