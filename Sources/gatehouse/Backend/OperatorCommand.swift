import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehouseWire

/// The common run of an operator's commands: the store is opened, the command runs, errors become words and exit codes.
enum OperatorCommand {
  /// The argument that every verb about one tenant begins with.
  static let tenant = Argument("TENANT", "the tenant's name, such as dd-ride", completes: .tenant)

  static func run(_ invocation: Invocation, _ body: (Services) async throws -> Exit) async throws -> Exit {
    try await assembled(invocation) { try await body($0.services) }
  }

  /// As above, for a verb that works on more than the services.
  static func assembled(_ invocation: Invocation, _ body: (Assembly) async throws -> Exit) async throws -> Exit {
    let config = try Config.load(invocation)
    let assembly = try await Assembly.open(config, for: .command, invocation.terminal)
    do {
      let exit = try await body(assembly)
      await assembly.close()
      return exit
    } catch {
      await assembly.close()
      let failure = failure(of: error)
      guard failure.exit == .no else { throw failure }
      // A refusal may come of a list that is not there.
      throw Failure(
        .no, failure.messages + assembly.missingLists.map(RuleLists.isMissing), hint: failure.hint, code: failure.code)
    }
  }

  /// As above, for a verb about one tenant; `call` acts as a request of the operator's would.
  static func run(
    _ invocation: Invocation, _ body: (Services, TenantRecord, Call) async throws -> Exit
  ) async throws -> Exit {
    try await run(invocation) { services in
      let record = try await Tenants.find(try invocation.argument("TENANT"), services)
      let snapshot = try await Tenants.snapshot(record, services)
      let call = Call(
        tenant: snapshot, requestID: "cli-\(getpid())", address: nil, languages: ["en"], now: services.clock.now)
      return try await body(services, record, call)
    }
  }

  /// As above, for a verb of `AdminRoutes`: over the database, or by the server that was named.
  static func backend(_ invocation: Invocation, _ body: (OperatorBackend) async throws -> Exit) async throws -> Exit {
    if let server = try RemoteServer.of(invocation) {
      do {
        return try await body(
          .remote(RemoteBackend(server, stated: invocation[Person.stated].flatMap(StatedName.init))))
      } catch {
        throw failure(of: error)
      }
    }
    return try await run(invocation) { services in
      let who = Person.operatorHere(invocation)
      return try await body(.inProcess(OperatorCall(who, services, requestID: "cli-\(getpid())")))
    }
  }

  /// The operator at this command line, for verbs that are not operations yet.
  static func author(_ invocation: Invocation) -> Author {
    let name = Person.operatorHere(invocation).shown
    return Author(.operator(name), name: name, reason: "")
  }

  /// The same, with a reason.
  static func author(_ invocation: Invocation, _ services: Services, reason: String?) throws -> Author {
    try OperatorCall(Person.operatorHere(invocation), services, requestID: "cli-\(getpid())").author(reason)
  }

  private static func failure(of error: any Error) -> Failure {
    switch error {
    case let failure as Failure: return failure
    case is OperatorError, is Refusal, is StoreError:
      return Failure(AdminProblems.problem(of: error, requestID: "").problem)
    default: return Failure(database: error)
    }
  }
}
