import GatehouseIdentity

/// `gatehouse provider test`.
enum ProviderTest {
  static let command = Command(
    "provider", "test", summary: "Ask an identity provider whether everything is set up",
    notes: [
      "It looks at the policy, the stored secret and the redirect addresses, then asks the provider for its addresses,"
        + " keys and time, and whether it knows the client. No user is affected."
    ],
    arguments: [OperatorCommand.tenant, Argument("PROVIDER", "its name in the policy, such as spotify")],
    examples: [
      Example("gatehouse provider test vibes spotify", "before the first user links"),
      Example("gatehouse provider test vibes google --output json", "for a script"),
      Example("gatehouse provider test dd-ride google", "of another app"),
    ],
    exits: [
      .no: "something is wrong", .notFound: "no such tenant or provider", .unavailable: "the database failed",
    ], prints: true, settings: .all, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.run(invocation) { services, _, call in
      let provider = try Providers.find(try invocation.argument("PROVIDER"), call.tenant)
      let findings = try await Providers.test(provider, call.tenant, services)
      let rows = findings.map { [Cell.text($0.check), .text($0.verdict.rawValue), .text($0.text)] }
      let columns = [
        Table.Column("check", "check"), Table.Column("verdict", "verdict"), Table.Column("text", "what"),
      ]
      try invocation.print(Table(kind: "provider.test", columns: columns, rows: rows, whenEmpty: "nothing to look at"))
      return findings.contains { $0.verdict == .wrong } ? .no : .ok
    }
  }
}
