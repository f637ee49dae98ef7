import GatehousePolicy
import GatehousePrimitives
package import GatehouseAdminWire
package import GatehouseWire

/// `gatehouse secret set`: keeps a named secret, sealed for the addresses of the provider that the live policy names it
/// at; an older one of the same name is replaced.
package enum SetSecret {
  package static func run(_ input: SetSecretOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    let secret = Secret(try bytes(input))
    let seen = try await call.call(input.tenant)
    guard (1...64).contains(input.name.utf8.count),
      input.name.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F })
    else {
      throw OperatorError(.refused, "a secret's name has 1 to 64 lower-case letters, digits and underscores")
    }
    let destination = try ProviderSecrets.destination(of: input.name, seen.tenant, call.services)
    try demandForm(secret, input.name, seen.tenant, call.services)
    let sealed = try secret.expose {
      try seen.tenant.vault.seal($0, for: .bound(.secret(name: input.name), to: destination))
    }
    try await call.store(of: seen).setSecret(
      input.name, sealed: sealed,
      audit: try call.entry(.secretChanged, details: ["name": input.name]))
    return Nothing()
  }

  /// Refuses what no provider that names it can use.
  private static func demandForm(
    _ secret: Secret<[UInt8]>, _ name: String, _ tenant: TenantSnapshot, _ services: Services
  ) throws {
    for provider in ProviderSecrets.naming(name, tenant.policy) {
      let registration = ProviderRegistration(tenant: tenant.id, provider: provider, secret: nil)
      // GUARD: secrets: of the form that the provider takes
      if let problem = services.providers.problem(of: secret, at: registration) {
        throw OperatorError(
          .refused, "this is no secret for \(provider.name): \(problem)", hint: "docs/providers.md says how to make it")
      }
    }
  }

  private static func bytes(_ input: SetSecretOperation.Input) throws -> [UInt8] {
    let bytes: [UInt8]
    switch (input.value, input.base64url) {
    case (let text?, nil): bytes = Array(text.utf8)
    case (nil, let text?):
      guard let decoded = Base64URL.decode(text) else { throw Refusal.malformed("/base64url", "is none") }
      bytes = decoded
    default: throw Refusal.malformed("", "one of value and base64url is needed")
    }
    guard (1...65_536).contains(bytes.count) else { throw Refusal.malformed("/value", "must be 1 to 65536 bytes") }
    return bytes
  }
}
