import GatehousePrimitives
import GatehouseAdminWire
import GatehouseWire

/// `gatehouse secret set`.
enum SecretSet {
  static let command = Command(
    "secret", "set", summary: "Keep a named secret of a tenant, sealed; an older one is replaced",
    notes: [
      "It is sealed for the addresses of the provider that names it in the live policy, and is sent nowhere else.",
      "One that no provider names yet waits for the first policy that does (docs/providers.md).",
    ],
    arguments: [OperatorCommand.tenant, Argument("NAME", "as policies name it: spotify_client")],
    examples: [
      Example("gatehouse secret set vibes spotify_client", "asks for it, without echo"),
      Example("gatehouse secret set vibes spotify_client --secret-file /run/secrets/spotify", "from a file"),
      Example("gatehouse secret set vibes spotify_client --secret-file - --no-input", "from standard input"),
    ],
    exits: [.no: "the name is not allowed", .notFound: "no such tenant or file", .unavailable: "the database failed"],
    mutating: true, takesSecret: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let name = try invocation.argument("NAME")
    let bytes = try invocation.secret("Secret \(Visible.line(name))")
    return try await OperatorCommand.backend(invocation) { backend in
      let tenant = try invocation.argument(OperatorCommand.tenant.name)
      if invocation.isDryRun {
        // Only whether there is such a tenant, and such a right.
        _ = try await backend.send(ListSecretsOperation.self, .init(tenant: tenant))
      } else {
        _ = try await backend.send(
          SetSecretOperation.self, .init(tenant: tenant, name: name, base64url: Base64URL.encode(bytes)))
      }
      invocation.terminal.note(
        "\(Visible.line(name)) of \(tenant) is \(invocation.isDryRun ? "not kept: a dry run" : "kept")")
      return .ok
    }
  }
}
