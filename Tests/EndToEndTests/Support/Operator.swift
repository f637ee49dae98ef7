import GatehouseAdminWire
import GatehouseIdentity
import GatehousePolicy
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire

/// What an operator does at the command line, by the same code.
enum Operator {
  static func disable(_ app: App, _ local: String = "pat", _ apps: ThreeApps, disabled: Bool = true) async throws {
    _ = try await SetUser.run(
      .init(tenant: app.rawValue, user: app.email(local), disabled: disabled), apps.asOperator)
  }

  static func revoke(_ app: App, _ local: String = "pat", _ apps: ThreeApps) async throws {
    _ = try await RevokeSessions.run(.init(tenant: app.rawValue, user: app.email(local)), apps.asOperator)
  }

  static func verify(_ app: App, _ local: String = "pat", _ apps: ThreeApps) async throws {
    try await verify(app.email(local), of: app.rawValue, apps.server)
  }

  /// Takes an address as proven.
  static func verify(_ email: String, of tenant: String, _ server: TestServer) async throws {
    _ = try await VerifyUserEmail.run(.init(tenant: tenant, user: email), server.asOperator)
  }

  static func set(_ app: App, _ local: String, _ fields: [String: FieldValue], _ apps: ThreeApps) async throws {
    try await set(fields, of: app.email(local), in: app.rawValue, apps.server)
  }

  static func set(
    _ fields: [String: FieldValue], of email: String, in tenant: String, _ server: TestServer
  ) async throws {
    _ = try await SetUser.run(.init(tenant: tenant, user: email, profile: fields), server.asOperator)
  }

  /// Makes a user; their id.
  @discardableResult
  static func create(
    _ email: String, _ profile: [String: FieldValue] = [:], in tenant: String, _ server: TestServer
  ) async throws -> String? {
    try await CreateUser.run(.init(tenant: tenant, email: email, profile: profile), server.asOperator).id
  }
}

extension Operator {
  /// Takes all second factors of a user.
  static func resetFactors(_ app: App, _ local: String = "pat", on apps: ThreeApps) async throws {
    _ = try await ResetUserFactors.run(
      .init(tenant: app.rawValue, user: app.email(local), reason: "came to the desk"), apps.asOperator)
  }

  static func delete(_ app: App, _ local: String = "pat", on apps: ThreeApps) async throws {
    _ = try await DeleteUser.run(.init(tenant: app.rawValue, user: app.email(local)), apps.asOperator)
  }
}
