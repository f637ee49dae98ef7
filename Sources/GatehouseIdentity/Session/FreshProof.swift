// What proves that an account's owner is there now, for the doors that a token alone does not open.

package import GatehousePolicy
import GatehouseWire

/// A way to a fresh proof. The raw value stands in a refusal.
package enum FreshWay: String, Sendable, CaseIterable {
  case password
  /// A new sign-in at a provider.
  case provider
  /// Six digits, mailed to the proven address.
  case code
}

extension StoredUser {
  /// The ways that are open to this account, in the order in which they are offered.
  ///
  /// A mailed code is for accounts without a password: beside one it would give a reader of the mail what only the
  /// owner of the password may do.
  package func freshWays(_ call: Call, _ services: Services) -> [FreshWay] {
    let hasPassword = signsInByPassword(call.policy)
    let atProvider = call.policy.providers.contains { provesItself(at: $0, call, services) }
    let ways: [FreshWay?] = [
      hasPassword ? .password : nil, atProvider ? .provider : nil,
      hasPassword || emailVerifiedAt == nil ? nil : .code,
    ]
    return ways.compactMap(\.self)
  }

  /// Whether a sign-in at the provider is a fresh proof: it says whether its user was there, or no code can be mailed.
  package func provesItself(at provider: Provider, _ call: Call, _ services: Services) -> Bool {
    guard provider.use == .signIn, links.contains(where: { $0.provider == provider.name }),
      let exchange = try? ProviderExchange(provider, call, services)
    else { return false }
    return exchange.description.sendsAuthTime || emailVerifiedAt == nil
  }
}

extension Refusal {
  /// That a fresh proof of this account is needed, with the ways to one. Its reader MUST be signed in to the account.
  static func reauthentication(of user: StoredUser, _ call: Call, _ services: Services) -> Refusal {
    var refusal = Refusal(.reauthenticationRequired)
    refusal.methods = user.freshWays(call, services).map(\.rawValue)
    return refusal
  }
}
