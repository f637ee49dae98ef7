// Sign-in with the ID token that an app got from a provider's own library.

import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum ProviderSignIn {
  /// The session answer. Refuses `provider_token_invalid` for a token that is not this tenant's to take or was taken
  /// before, `malformed_request` without a nonce where the policy asks for one, `provider_unavailable` while the
  /// provider's keys can not be had, and everything that `FederatedSignIn` refuses.
  package static func run(_ input: ProviderSignInEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> SessionAnswer
  {
    try await call.naming(input.provider) { try await signIn(input, call, services) }
  }

  private static func signIn(_ input: ProviderSignInEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> SessionAnswer
  {
    let provider = try call.policy.signInProvider(input.provider)
    let counted = try await Limiting.reserve(.federatedSignIn, call, services)
    let exchange = try ProviderExchange(provider, call, services)
    let proven = try await exchange.proven(idToken: input.idToken, nonce: input.nonce)
    return try await exchange.once {
      try await FederatedSignIn.open(
        FederatedSignIn.Arrival(
          user: proven.user, isActive: proven.isActive, provider: provider, profile: input.profile,
          device: input.device, taking: proven.taking, counted: counted),
        call, services
      )
    }
  }
}
