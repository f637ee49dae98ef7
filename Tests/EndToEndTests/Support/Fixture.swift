import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// A server with the three apps and their true policies, and one client for each.
struct ThreeApps {
  let server: TestServer
  let messai: TestClient
  let ride: TestClient
  let vibes: TestClient
  /// The mail server, where there is one; mails become files otherwise.
  let sink: MailSink?

  init(_ server: TestServer, sink: MailSink? = nil) {
    self.server = server
    self.sink = sink
    messai = TestClient(server.url + "/t/messai")
    ride = TestClient(server.url + "/t/dd-ride")
    vibes = TestClient(server.url + "/t/vibes")
  }

  /// Runs a test against the process's shared server, with tenants of its own: for tests that neither stop the server,
  /// move its clock nor change a policy.
  static func share(_ body: (ThreeApps) async throws -> Void) async throws {
    try await SharedServer.run { try await body(ThreeApps($0)) }
  }

  /// Runs a test against a server of its own. `policy` may change a file's text; it is what the file says otherwise.
  static func run(
    at start: Date? = nil, sink: MailSink? = nil, channels: [any Channel] = [], cost: PasswordCost = .cheapest,
    policy: (App, String) throws -> String = { $1 }, _ body: (ThreeApps) async throws -> Void
  ) async throws {
    var policies: [String: String] = [:]
    for app in App.allCases { policies[app.rawValue] = try policy(app, TestLists.policy(app.rawValue)) }
    let clock = start.map { TestClock($0) } ?? TestClock()
    let server = try await TestServer.start(
      policies: policies, clock: clock, smtp: sink?.url, cost: cost, channels: channels)
    do {
      try await body(ThreeApps(server, sink: sink))
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  /// The same with mails going out over SMTP to a mail server of another make.
  static func runWithMail(
    _ options: MailSink.Options = MailSink.Options(), policy: (App, String) throws -> String = { $1 },
    _ body: (ThreeApps) async throws -> Void
  ) async throws {
    try await run(sink: try await MailSink.start(options), policy: policy, body)
  }

  /// Runs `body` with another server of the same installation beside, or in the place of, the first; `cost` is that of
  /// its password hashes, where it is another.
  func withSibling(cost: PasswordCost? = nil, _ body: (ThreeApps) async throws -> Void) async throws {
    let other = try await server.sibling(smtp: sink?.url, cost: cost)
    do {
      try await body(ThreeApps(other, sink: sink))
      await other.stop()
    } catch {
      await other.stop()
      throw error
    }
  }

  /// Takes over what the database holds of every tenant, now rather than in a moment.
  func reload() async throws { try await TenantLoader(server.services).loadAll() }

  /// The next mail to an address that arrives at the mail server, after sending what waits.
  func delivery(to address: String) async throws -> MailSink.Delivery {
    try await server.deliverMail()
    return try await #require(sink).next(to: address)
  }

  func mail(to address: String) async throws -> ReadMail { try await delivery(to: address).read }

  /// A rider at `willie@ksu.edu`, proven, who asked to move to `new@ksu.edu`.
  func movingRider() async throws -> JSONValue {
    let rider = try await rider()
    try await Operator.verify(.ride, "willie", self)
    server.clock.advance(seconds: 61)
    let change = try await ride.post(
      "/v1/me/email", #"{"email":"new@ksu.edu","password":"Wildcat1"}"#, token: rider.accessToken)
    #expect(change.status == 202, "\(change.text)")
    return rider
  }

  /// Signs a user up for DD Ride and answers the session.
  func rider(_ email: String = "willie@ksu.edu", password: String = "Wildcat1") async throws -> JSONValue {
    try await ride.post(
      "/v1/sign-up",
      #"{"email":"\#(email)","password":"\#(password)","profile":{"name":"Willie W","phoneNumber":"(785) 555-0123"}}"#
    ).json
  }

  /// Signs a user up for messAI and answers the session.
  func writer(_ email: String = "al@example.com", password: String = "kt49xw", name: String = "Al") async throws
    -> JSONValue
  {
    try await messai.post(
      "/v1/sign-up", #"{"email":"\#(email)","password":"\#(password)","profile":{"displayName":"\#(name)"}}"#
    ).json
  }
}

extension JSONValue {
  var accessToken: String { self["access_token"]?.string ?? "" }
  var refreshToken: String { self["refresh_token"]?.string ?? "" }
  var userID: String { self["user"]?["id"]?.string ?? "" }
  var next: [String] { (self["next"]?.array ?? []).compactMap(\.string) }
  var warnings: [String] { (self["warnings"]?.array ?? []).compactMap { $0["rule"]?.string } }
  /// The names of an object, in no order.
  var names: Set<String> { Set(object?.members.map(\.key) ?? []) }
}
