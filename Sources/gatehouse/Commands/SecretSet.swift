import GatehouseIdentity
import GatehousePrimitives

/// `gatehouse secret set`.
enum SecretSet {
  static let command = Command(
    "secret", "set", summary: "Keep a named secret of a tenant, sealed; an older one is replaced",
    arguments: [OperatorCommand.tenant, Argument("NAME", "as policies name it: spotify_client")],
    examples: [
      Example("gatehouse secret set vibes spotify_client", "asks for it, without echo"),
      Example("gatehouse secret set vibes spotify_client --secret-file /run/secrets/spotify", "from a file"),
      Example("gatehouse secret set vibes spotify_client --secret-file - --no-input", "from standard input"),
    ],
    exits: [.no: "the name is none", .notFound: "no such tenant or file", .unavailable: "the database failed"],
    mutating: true, takesSecret: true, settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let name = try invocation.argument("NAME")
    let secret = Secret(try invocation.secret("Secret \(Visible.line(name))"))
    return try await OperatorCommand.run(invocation) { services, tenant, call in
      if !invocation.isDryRun {
        try await Secrets.set(name, secret, call.tenant, author: OperatorCommand.author(invocation), services)
      }
      invocation.terminal.note(
        "\(Visible.line(name)) of \(tenant.name) is \(invocation.isDryRun ? "not kept: a dry run" : "kept")")
      return .ok
    }
  }
}
