import GatehouseIdentity
import GatehousePolicy
import GatehouseServerTesting
import GatehouseTesting

/// What an operator does at the command line, by the same code.
enum Operator {
  static func disable(_ app: App, _ local: String = "pat", _ apps: ThreeApps, disabled: Bool = true) async throws {
    let call = try await apps.operatorCall(app)
    let user = try await OperatedUsers.find(app.email(local), call, apps.server.services)
    try await OperatedUsers.setDisabled(user, disabled, call, author: ThreeApps.author, apps.server.services)
  }

  static func revoke(_ app: App, _ local: String = "pat", _ apps: ThreeApps) async throws {
    let call = try await apps.operatorCall(app)
    let user = try await OperatedUsers.find(app.email(local), call, apps.server.services)
    try await OperatedUsers.revoke(nil, of: user, call, author: ThreeApps.author, apps.server.services)
  }

  static func verify(_ app: App, _ local: String = "pat", _ apps: ThreeApps) async throws {
    let call = try await apps.operatorCall(app)
    let user = try await OperatedUsers.find(app.email(local), call, apps.server.services)
    try await OperatedUsers.verifyEmail(user, call, author: ThreeApps.author, apps.server.services)
  }

  static func set(_ app: App, _ local: String, _ fields: [String: FieldValue], _ apps: ThreeApps) async throws {
    let call = try await apps.operatorCall(app)
    let user = try await OperatedUsers.find(app.email(local), call, apps.server.services)
    _ = try await OperatedUsers.set(fields, of: user, call, author: ThreeApps.author, apps.server.services)
  }
}
