import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// A form that is sent twice, by clumsy thumbs or a slow network, has one effect: the second one meets the first one's
/// answer. The form's key is what an `Idempotency-Key` is to the API.
enum SentOnce {
  /// The pauses after which a second one looks again for the answer of the first, which is under way.
  private static let pauses: [Duration] = [100, 200, 400, 800, 1600, 3200].map { .milliseconds($0) }

  /// The value of `work`, or what `again` reads of the answer that was kept for the same form of the same `caller`.
  static func run<Value: Sendable>(
    _ key: String, _ operation: String, of caller: Caller?, _ visit: Visit, again: @Sendable (JSONObject) -> Value?,
    _ work: @Sendable (Call) async throws -> Value
  ) async throws -> Value {
    let call = visit.call.identified(as: caller)
    guard (16...64).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return try await work(call)
    }
    switch try await begin(key, operation, call, visit) {
    case .again(let kept):
      guard let value = try JSONParser.parse(Array(kept.body.utf8)).object.flatMap(again) else {
        throw Refusal(.conflict, note: "a kept answer of another kind")
      }
      return value
    case .first(let claim): return try await Idempotency.run(under: claim, call, visit.services, work)
    }
  }

  private static func begin(_ key: String, _ operation: String, _ call: Call, _ visit: Visit) async throws
    -> Idempotency.Outcome
  {
    func look() async throws -> Idempotency.Outcome {
      try await Idempotency.begin(
        key, operation: "form " + operation, body: visit.request.body, call, visit.services)
    }
    for pause in pauses {
      do {
        return try await look()
      } catch let refusal as Refusal where refusal.code == .conflict {
        await Loop.current?.wait(until: .now + pause)
      }
    }
    return try await look()
  }
}
