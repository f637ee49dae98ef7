import GatehouseIdentity
import GatehouseAdminWire
import GatehouseWire

/// `gatehouse tenant create`.
enum TenantCreate {
  private static let policy = Flag(
    "policy", .file, "the tenant's policy file (default: long passwords, hidden addresses)")
  private static let displayName = Flag("display-name", .text(), "the name people know; default: the policy's app name")
  private static let ifNotExists = Flag(
    "if-not-exists", .onOff, "a tenant that exists already is left as it is, also a different one")

  static let command = Command(
    "tenant", "create", summary: "Register an app: its tenant, keys and policy",
    arguments: [OperatorCommand.tenant], flags: [policy, displayName, ifNotExists],
    examples: [
      Example("gatehouse tenant create dd-ride --policy policies/dd-ride.yaml", "with its policy"),
      Example(
        "gatehouse tenant create vibes --policy policies/vibes.yaml --if-absent", "in a script, again and again"),
      Example("gatehouse tenant create messai --display-name messAI", "with the policy of `gatehouse policy init`"),
    ],
    exits: [.no: "the policy is wrong", .conflict: "the tenant exists already", .unavailable: "the database failed"],
    mutating: true, creates: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let text = try invocation.argument("TENANT")
    guard let name = TenantName(text) else {
      throw Failure(.usage, "\(Quoted(text)) is not a tenant name: 1 to 63 lower-case letters, digits, inner hyphens")
    }
    let policyText = try invocation[policy].map(PolicyInput.text)
    return try await OperatorCommand.backend(invocation) { backend in
      let made = try await backend.send(
        CreateTenantOperation.self,
        .init(
          name: text, displayName: invocation[displayName], policy: policyText, file: invocation[policy],
          ifNotExists: invocation.has(ifNotExists) ? true : nil, ifAbsent: invocation.ifAbsent,
          dryRun: invocation.isDryRun))
      invocation.answer([
        "name": .text(name.description), "outcome": .text(made.outcome.rawValue), "url": .text(made.publicURL),
      ])
      switch made.outcome.known {
      case .exists: invocation.terminal.note("the tenant \(name) exists already; nothing was changed")
      case .checked: invocation.terminal.note("the tenant \(name) would be made")
      case .created, nil: try invocation.terminal.data(next(name.description, at: made.publicURL))
      }
      return .ok
    }
  }

  private static func next(_ name: String, at url: String) -> String {
    """
    made \(name)
      API     \(url)/t/\(name)/v1
      policy  \(url)/t/\(name)/v1/policy
      keys    \(url)/t/\(name)/.well-known/jwks.json
    next:
      gatehouse policy show \(name) > \(name).yaml    # edit it, then: gatehouse policy apply \(name) \(name).yaml
      gatehouse user create \(name) you@example.com

    """
  }
}
