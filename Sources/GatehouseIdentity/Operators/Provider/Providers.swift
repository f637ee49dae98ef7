// What operators ask about the identity providers of a tenant: is everything there, and does the provider take us.

package import GatehousePolicy

/// One thing that was looked at.
package struct ProviderFinding: Sendable, Equatable {
  package enum Verdict: String, Sendable { case fine, wrong, unknown }

  /// One word, for scripts.
  package var check: String
  package var verdict: Verdict
  /// For people. Nothing secret, and nothing a provider said.
  package var text: String

  package init(_ check: String, _ verdict: Verdict, _ text: String) {
    self.check = check
    self.verdict = verdict
    self.text = text
  }
}

package enum Providers {
  /// The tenant's providers, passwords apart, as the policy has them.
  package static func list(_ policy: Policy) -> [Provider] { policy.providers.filter { $0.name != "password" } }

  /// The provider of this name. Throws `notFound`.
  package static func find(_ name: String, _ tenant: TenantSnapshot) throws -> Provider {
    guard let provider = list(tenant.policy).first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
      throw OperatorError(.notFound, "the policy of \(tenant.name) has no provider \"\(name)\"")
    }
    return provider
  }

  /// Looks at everything that has to be right before users can use a provider: first here, then there.
  package static func test(_ provider: Provider, _ tenant: TenantSnapshot, _ services: Services) async throws
    -> [ProviderFinding]
  {
    let registration = try await tenant.registration(provider, services)
    var findings: [ProviderFinding] = []
    do throws(ProviderFailure) {
      let description = try services.providers.description(of: registration)
      let kind = description.isOpenIDConnect ? "OpenID Connect" : "OAuth 2.0"
      findings.append(
        ProviderFinding(
          "description", .fine,
          "\(kind), \(description.issuers.first ?? ""), at \(description.hosts.joined(separator: ", "))"))
    } catch {
      return [ProviderFinding("description", .wrong, error.description)]
    }
    findings.append(client(registration))
    findings += secret(registration, tenant) + redirect(provider, tenant)
    return findings + (await services.providers.examine(registration))
  }

  /// The policies that this comes with have a word in the place of ids that only the provider can give.
  private static func client(_ registration: ProviderRegistration) -> ProviderFinding {
    guard let id = registration.clientID else {
      return ProviderFinding("client_id", .wrong, "the policy has neither client_id nor audiences")
    }
    let placeholder = ([id] + registration.provider.audiences).first { $0.utf8.starts(with: "REPLACE".utf8) }
    return placeholder.map {
      ProviderFinding("client_id", .wrong, "\($0) is a placeholder: put the id in its place that the provider gave")
    } ?? ProviderFinding("client_id", .fine, id)
  }

  private static func secret(_ registration: ProviderRegistration, _ tenant: TenantSnapshot) -> [ProviderFinding] {
    guard let name = registration.provider.clientSecret else {
      return [ProviderFinding("secret", .unknown, "the policy names none: a public client, with PKCE alone")]
    }
    guard !registration.isSecretElsewhere else {
      return [
        ProviderFinding(
          "secret", .wrong,
          "\(name) was set for a provider at other addresses: gatehouse secret set \(tenant.name) \(name)")
      ]
    }
    return registration.secret == nil
      ? [ProviderFinding("secret", .wrong, "none is stored: gatehouse secret set \(tenant.name) \(name)")]
      : [ProviderFinding("secret", .fine, "stored as \(name)")]
  }

  /// The redirect address that must be registered at the provider, byte for byte.
  private static func redirect(_ provider: Provider, _ tenant: TenantSnapshot) -> [ProviderFinding] {
    guard provider.flow == .codePKCE || !provider.redirectURIs.isEmpty else {
      return [ProviderFinding("redirect_uri", .unknown, "none: ID tokens of apps only")]
    }
    let own = ["/v1/links/", "/v1/sign-in/"].map { "\(tenant.issuer)\($0)\(provider.name)/callback" }
    return provider.redirectURIs.map { uri in
      guard uri.utf8.starts(with: "https://".utf8) || uri.utf8.starts(with: "http://".utf8) else {
        return ProviderFinding("redirect_uri", .fine, "\(uri), which opens the app")
      }
      return own.contains { $0.utf8.elementsEqual(uri.utf8) }
        ? ProviderFinding("redirect_uri", .fine, "\(uri), here")
        : ProviderFinding("redirect_uri", .unknown, "\(uri) is neither the app nor \(own.joined(separator: " nor "))")
    }
  }
}
