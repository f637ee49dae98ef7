import GatehouseAdminWire

/// The arguments and words that the verbs of `gatehouse audit` share.
enum AuditVerb {
  static let tenant = Argument(
    OperatorCommand.tenant.name, OperatorCommand.tenant.summary, .optional,
    completes: .tenant)
  static let installation = Flag(
    "installation", .onOff,
    "the log of the installation: tenants made and deleted, admin tokens, keys, migrations")

  /// The log of a command line, as operations call it.
  static func log(_ invocation: Invocation) throws(Failure) -> String {
    switch (invocation.arguments(tenant.name).first, invocation.has(installation)) {
    case (let name?, false): return name
    case (nil, true): return InstallationLog.name
    case (nil, false): throw Failure(.usage, "no log is named: give a TENANT, or --installation")
    case (_?, true): throw Failure(.usage, "TENANT and --installation name two logs; give one of them")
    }
  }

  /// As sentences call a log.
  static func shown(_ log: String) -> String { log == InstallationLog.name ? "the installation" : log }
}
