package import GatehousePrimitives

/// For a server that speaks with no provider: none is described, so that none is there.
package struct UnreachableProviders: ProviderClient {
  private static let failure = ProviderFailure.misconfigured("this server speaks with no provider")

  package init() {}

  package func description(of registration: ProviderRegistration) throws(ProviderFailure) -> ProviderDescription {
    throw Self.failure
  }

  package func keys(
    at registration: ProviderRegistration, isKeyMissing: Bool
  ) async throws(ProviderFailure) -> VerificationKeys { throw Self.failure }

  package func authorizationURL(
    _ request: ProviderAuthorization, at registration: ProviderRegistration
  ) async throws(ProviderFailure) -> String { throw Self.failure }

  package func exchange(
    _ code: ProviderCode, at registration: ProviderRegistration
  ) async throws(ProviderFailure) -> ProviderGrant { throw Self.failure }

  package func refresh(
    _ token: Secret<String>, at registration: ProviderRegistration
  ) async throws(ProviderFailure) -> ProviderGrant { throw Self.failure }

  package func person(
    _ accessToken: Secret<String>, at registration: ProviderRegistration
  ) async throws(ProviderFailure) -> ProviderPerson { throw Self.failure }

  package func revoke(
    _ grant: GrantedTokens, at registration: ProviderRegistration
  ) async throws(ProviderFailure) -> Bool { throw Self.failure }
}
