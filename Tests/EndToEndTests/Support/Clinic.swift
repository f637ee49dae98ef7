import Foundation
import GatehouseAdminWire
import GatehouseAssembly
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

/// The tenant on its server.
struct Clinic {
  let server: TestServer
  let apps: ThreeApps
  let tenant: TenantID
  var store: any TenantStore { server.services.store.open(tenant) }
  var client: TestClient { TestClient(server.url + "/t/clinic") }

  func apply(_ text: String) async throws {
    _ = try await server.apply(text, to: "clinic", allowsWeaker: true, allowsLockout: true)
    try await apps.reload()
  }

  /// A user that is newer than all others.
  func create(_ name: String, _ profile: [String: FieldValue]) async throws {
    server.clock.advance(seconds: 1)
    try await Operator.create("\(name)@example.com", profile, in: "clinic", server)
  }

  func profile(_ name: String) async throws -> [String: FieldValue] {
    try await ShowUser.run(.init(tenant: "clinic", user: "\(name)@example.com"), server.asOperator).profile
  }

  func set(_ name: String, _ fields: String...) async throws {
    _ = try await SetUser.run(
      .init(tenant: "clinic", user: "\(name)@example.com", fields: fields), server.asOperator)
  }

  /// All rounds of the job, once every server has the revision.
  func move() async throws {
    server.clock.advance(seconds: 16)
    while try await server.round(of: .moveValues) {}
  }

  func backfill() async throws -> BackfillRecord {
    try #require(try await ListBackfills.run(.init(tenant: "clinic"), server.asOperator).items.first)
  }

  func events(_ event: AuditEvent) async throws -> Int {
    try await store.audit(AuditQuery(event: event.rawValue), limit: 100).count
  }

  /// How many values are kept for an undo.
  func kept() async throws -> Int {
    let users = try await store.users(after: nil, newest: 1000).map(\.id)
    return try await store.users(keeping: "ward", among: users).count
  }

  func signUp(_ name: String, _ field: String, _ value: String) async throws -> TestClient.Answer {
    try await client.post(
      "/v1/sign-up",
      #"{"email":"\#(name)@example.com","password":"correct horse","profile":{"\#(field)":"\#(value)"}}"#)
  }

  func signIn(_ name: String) async throws -> JSONValue {
    let answer = try await client.post(
      "/v1/sign-in", #"{"email":"\#(name)@example.com","password":"correct horse"}"#)
    #expect(answer.status == 200, "\(answer.text)")
    return answer.json
  }

  static func policy(_ fields: String) -> String {
    """
    schema: gatehouse/policy.v1
    tenant: clinic
    app: {name: Clinic, locales: [en]}
    identifiers: {sign_in_with: [email], email: {normalize: lowercase}}
    password: {max_length: 128, rules: [{id: min8, min_length: 8}]}
    profile: {unknown_fields: reject, fields: {\(fields)}}
    providers: {password: {use: sign_in}}
    privacy: {account_exists: reveal}

    """
  }

  /// A server with the tenant and this policy.
  static func run(_ text: String, _ body: (Clinic) async throws -> Void) async throws {
    try await ThreeApps.run { apps in
      try await apps.server.makeTenant("clinic", text)
      let tenant = try await Tenants.find("clinic", apps.server.services)
      try await body(Clinic(server: apps.server, apps: apps, tenant: tenant.id))
    }
  }
}
