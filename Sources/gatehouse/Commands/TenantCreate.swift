import GatehouseIdentity
import GatehousePolicyFile

/// `gatehouse tenant create`.
enum TenantCreate {
  private static let policy = Flag(
    "policy", .file, "the tenant's policy file (default: long passwords, hidden addresses)")
  private static let displayName = Flag("display-name", .text(), "the name people know; default: the policy's app name")
  private static let ifNotExists = Flag("if-not-exists", .onOff, "a tenant that exists already is left as it is")

  static let command = Command(
    "tenant", "create", summary: "Register an app: its tenant, keys and policy",
    arguments: [OperatorCommand.tenant], flags: [policy, displayName, ifNotExists],
    examples: [
      Example("gatehouse tenant create dd-ride --policy policies/dd-ride.yaml", "with its policy"),
      Example(
        "gatehouse tenant create vibes --policy policies/vibes.yaml --if-not-exists", "in a script, again and again"),
      Example("gatehouse tenant create messai --display-name messAI", "with the policy of `gatehouse policy init`"),
    ],
    exits: [.no: "the policy is wrong", .conflict: "the tenant exists already", .unavailable: "the database failed"],
    mutating: true, settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let text = try invocation.argument("TENANT")
    guard let name = TenantName(text) else {
      throw Failure(.usage, "\(Quoted(text)) is no tenant's name: 1 to 63 lower-case letters, digits and inner hyphens")
    }
    let (policyText, path) = try policyText(of: name, invocation)
    return try await OperatorCommand.run(invocation) { services in
      if invocation.has(ifNotExists), try await services.directory.tenant(name) != nil {
        invocation.terminal.note("the tenant \(name) exists already; nothing was changed")
        return .ok
      }
      if invocation.isDryRun {
        _ = try Policies.judge(policyText, file: path, of: name, services)
        invocation.terminal.note("the tenant \(name) would be made")
        return .ok
      }
      _ = try await Tenants.create(
        name, displayName: invocation[displayName], policy: policyText, file: path,
        author: OperatorCommand.author(invocation, reason: "first revision"), services)
      try invocation.terminal.data(
        """
        made \(name)
          API     \(services.publicURL)/t/\(name)/v1
          policy  \(services.publicURL)/t/\(name)/v1/policy
          keys    \(services.publicURL)/t/\(name)/.well-known/jwks.json
        next:
          gatehouse policy show \(name) > \(name).yaml    # edit it, then: gatehouse policy apply \(name) \(name).yaml
          gatehouse user create \(name) you@example.com

        """)
      return .ok
    }
  }

  /// From the file, or the policy that tenants without one begin with.
  private static func policyText(of name: TenantName, _ invocation: Invocation) throws(Failure) -> (String, String) {
    if let path = invocation[policy] { return (String(decoding: try PolicyInput.bytes(path), as: UTF8.self), path) }
    let text = PolicyFile.initial(
      tenant: name.description, name: invocation[displayName] ?? name.description)
    return (text, "the policy of a new tenant")
  }
}
