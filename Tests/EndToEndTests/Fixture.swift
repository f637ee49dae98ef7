import Foundation
import GatehousePrimitives
import GatehouseTesting

/// A server with the three apps and their true policies, and one client for each.
struct ThreeApps {
  let server: TestServer
  let messai: TestClient
  let ride: TestClient
  let vibes: TestClient

  /// Runs a test against a server of its own.
  static func run(at start: Date? = nil, smtp: String? = nil, _ body: (ThreeApps) async throws -> Void) async throws {
    var policies: [String: String] = [:]
    for name in ["messai", "dd-ride", "vibes"] { policies[name] = try TestLists.policy(name) }
    let clock = start.map { TestClock($0) } ?? TestClock()
    let server = try await TestServer.start(policies: policies, clock: clock, smtp: smtp)
    let apps = ThreeApps(
      server: server, messai: TestClient(server.url + "/t/messai"), ride: TestClient(server.url + "/t/dd-ride"),
      vibes: TestClient(server.url + "/t/vibes"))
    do {
      try await body(apps)
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  /// Signs somebody up for DD Ride and answers the session.
  func rider(_ email: String = "willie@ksu.edu", password: String = "Wildcat1") async throws -> JSONValue {
    try await ride.post(
      "/v1/sign-up",
      #"{"email":"\#(email)","password":"\#(password)","profile":{"name":"Willie W","phoneNumber":"(785) 555-0123"}}"#
    ).json
  }

  /// Signs somebody up for messAI and answers the session.
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
}
