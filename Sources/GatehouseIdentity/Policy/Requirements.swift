import GatehousePolicy
import GatehouseWire

enum Requirements {
  /// The requests of the steps of `next`, in the first language of the caller that the app speaks; nil where nothing is
  /// missing.
  static func make(_ next: [String], _ call: Call) -> [AccessRequirement]? {
    guard !next.isEmpty else { return nil }
    return next.map { step in
      AccessRequirement(need: step, message: call.policy.request(for: step)?.text(in: call.spoken) ?? step)
    }
  }
}

extension Refusal {
  /// A caller whose access is limited, and what would lift the limit.
  static func accessLimited(_ standing: Standing, _ call: Call) -> Refusal {
    var refusal = Refusal(.accessLimited, next: standing.next)
    refusal.requirements = Requirements.make(standing.next, call)
    return refusal
  }
}
