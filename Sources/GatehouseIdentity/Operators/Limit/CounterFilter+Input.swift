import GatehousePolicy
import GatehousePrimitives

extension CounterFilter {
  /// Creates the filter of an operator's input: a limit, an address, a user or mailbox. Refuses input that is none.
  init(name: String?, address: String?, user: String?, _ seen: Call, _ call: OperatorCall) async throws {
    self.init()
    if let name {
      guard LimitRule.names.contains(name) else {
        throw Refusal.malformed("/name", "is not a limit; limits are \(LimitRule.names.joined(separator: ", "))")
      }
      self.name = name
    }
    if let address {
      guard let address = NetworkAddress(address) else {
        throw Refusal.malformed("/address", "is not an IPv4 or IPv6 address")
      }
      keys.append([seen.key(of: address)])
    }
    if let user {
      let email = seen.policy.normalisedEmail(user, using: call.services.facts)
      // What is counted for a mailbox does not ask whether there is a user.
      let found = try? await call.user(user, in: seen)
      guard
        let key = found.map({ SignInKey(seen.tenant, of: $0).text }) ?? email.map({ seen.hashed(.email($0)) })
      else {
        throw Refusal.malformed("/user", "is neither an address nor a user's id")
      }
      keys.append([key] + (found.map { [$0.id.text] } ?? []))
      self.user = found?.id
    }
  }
}
