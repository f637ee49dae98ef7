import Foundation
import GatehouseClientTesting
import Testing

@testable import GatehouseClient

/// Each address that is not the answer to the way that was begun. Another app, a page or a person can open any of them.
@Suite("Back from the hosted pages")
struct HostedReturnTests {
  /// That a client refuses an address without a request, and that the true one still signs in.
  private func expectRefused(
    _ outcome: String, sourceLocation: SourceLocation = #_sourceLocation, _ change: (inout URLComponents) -> Void
  ) async throws {
    let hosted = try await HostedStage()
    let address = try hosted.back(change)
    #expect(await hosted.refused(address) == .codeInvalid, sourceLocation: sourceLocation)
    #expect(hosted.outcomes == [outcome] && hosted.redemptions == 0, sourceLocation: sourceLocation)
    #expect(try await hosted.client.finish(at: hosted.back()).user != nil, sourceLocation: sourceLocation)
  }

  @Test("another scheme is refused")
  func scheme() async throws { try await expectRefused("target") { $0.scheme = "eve" } }

  @Test("another host is refused")
  func host() async throws { try await expectRefused("target") { $0.host = "signed-out" } }

  @Test("another path is refused")
  func path() async throws { try await expectRefused("target") { $0.path = "/more" } }

  @Test("another port is refused")
  func port() async throws { try await expectRefused("target") { $0.port = 8080 } }

  @Test("a user before the host is refused")
  func user() async throws { try await expectRefused("target") { $0.user = "eve" } }

  @Test("a fragment is refused")
  func fragment() async throws { try await expectRefused("target") { $0.fragment = "code=eve" } }

  @Test("another state is refused")
  func state() async throws { try await expectRefused("state") { $0.set("state", PKCE.secret()) } }

  @Test("no state is refused")
  func noState() async throws { try await expectRefused("state") { $0.set("state", nil) } }

  @Test("another issuer is refused (RFC 9207)")
  func issuer() async throws { try await expectRefused("issuer") { $0.set("iss", "https://auth.example.com/t/eve") } }

  @Test(
    "a server that calls itself by another address than the app is refused, and both addresses are named",
    arguments: [
      ("http://127.0.0.1:8080", "http://localhost:8080"), ("http://localhost:8080", "http://127.0.0.1:8080"),
      ("http://localhost:8080", "http://localhost:8081"), ("http://localhost", "https://localhost"),
      ("https://auth.example.com", "https://login.example.com"),
      ("https://auth.example.com:8443", "https://auth.example.com"),
    ])
  func otherAddress(app: String, server: String) async throws {
    let stage = ClientStage()
    stage.server.addAccount(email: ClientStage.email, password: ClientStage.password)
    var configuration = stage.configuration()
    configuration.server = try #require(URL(string: app))
    configuration.tenant = "dd-ride"
    let client = AuthClient(configuration)
    let flow = try await client.hostedSignIn(returnTo: ClientStage.target)
    let back = try #require(stage.server.hostedReturn(from: flow.url, as: ClientStage.email))
    var parts = try #require(URLComponents(url: back, resolvingAgainstBaseURL: false))
    parts.set("iss", server + "/t/dd-ride")
    let other = try #require(parts.url)
    let error = await failure { () async throws(AuthError) in try await client.finish(at: other) }
    #expect(error?.code == .serverAddressDiffers && error?.isTemporary == false)
    let named = "This app uses the server at \(app)/t/dd-ride, and the server calls itself \(server)/t/dd-ride."
    #expect(error?.message.hasPrefix(named) == true, "\(error?.message ?? "")")
    #expect(
      stage.log.all.last { $0.event == "hosted" }?.outcome
        == "issuer \(server)/t/dd-ride is not \(app)/t/dd-ride")
    #expect(stage.server.count(of: "POST /v1/token") == 0)
    #expect(try await client.finish(at: back).user != nil)
  }

  @Test(
    "an issuer that is no address of a server is refused without a word about it",
    arguments: [
      "ada://auth.example.com", "https://", "auth.example.com", "https://eve@auth.example.com",
      "https://eve.example/?a",
      "https://eve.example/#a", "https://eve.example/t/eve", "https://\(String(repeating: "e", count: 300)).example",
    ])
  func noAddress(issuer: String) async throws { try await expectRefused("issuer") { $0.set("iss", issuer) } }

  @Test("no issuer is refused (RFC 9207)")
  func noIssuer() async throws { try await expectRefused("issuer") { $0.set("iss", nil) } }

  @Test("neither a code nor an error is refused")
  func nothing() async throws { try await expectRefused("form") { $0.set("code", nil) } }

  @Test("a code and an error are refused")
  func both() async throws { try await expectRefused("form") { $0.set("error", "access_denied") } }

  @Test("an empty code is refused")
  func emptyCode() async throws { try await expectRefused("form") { $0.set("code", "") } }

  @Test("a code without end is refused")
  func longCode() async throws {
    try await expectRefused("form") { $0.set("code", String(repeating: "a", count: 513)) }
  }

  @Test("a parameter that comes twice is refused", arguments: ["code", "state", "iss"])
  func twice(name: String) async throws {
    try await expectRefused("form") { parts in
      parts.queryItems = (parts.queryItems ?? []).flatMap { $0.name == name ? [$0, $0] : [$0] }
    }
  }

  @Test("an address of no way at all is refused")
  func noWay() async throws {
    let hosted = try await HostedStage()
    let address = try hosted.back()
    let other = hosted.stage.client("second")
    #expect(await failure { () async throws(AuthError) in try await other.finish(at: address) }?.code == .codeInvalid)
    #expect(hosted.redemptions == 0)
  }

  @Test("the answer to a way that was given up for a newer one is refused")
  func older() async throws {
    let hosted = try await HostedStage()
    let older = try hosted.back()
    _ = try await hosted.client.hostedSignIn(returnTo: ClientStage.target)
    #expect(await hosted.refused(older) == .codeInvalid && hosted.outcomes == ["state"])
  }

  @Test("a day later the way is given up, and told as expired")
  func expired() async throws {
    let hosted = try await HostedStage()
    hosted.stage.clock.advance(by: .seconds(86_401))
    let address = try hosted.back()
    #expect(await hosted.client.pendingFlow() == nil)
    #expect(await hosted.refused(address) == .codeExpired && hosted.redemptions == 0)
    #expect(await hosted.refused(address) == .codeInvalid)
  }

  @Test("a person who took an hour is signed in")
  func slow() async throws {
    let hosted = try await HostedStage()
    hosted.stage.clock.advance(by: .seconds(3600))
    #expect(try await hosted.client.finish(at: hosted.back()).user?.email == ClientStage.email)
  }

  @Test("a person who goes back without signing in is told so, and begins anew")
  func denied() async throws {
    let hosted = try await HostedStage()
    let address = try hosted.back(as: nil)
    let error = await failure { () async throws(AuthError) in try await hosted.client.finish(at: address) }
    #expect(error?.code == .accessDenied && error?.message == "You did not sign in.")
    #expect(hosted.client.state == .signedOut(.never))
    #expect(await hosted.client.pendingFlow() == nil)
  }

  @Test("an error that has no name here is unknown")
  func otherError() async throws {
    let hosted = try await HostedStage()
    let address = try hosted.back { parts in
      parts.set("code", nil)
      parts.set("error", "server_error")
    }
    #expect(await hosted.refused(address) == .unknown)
    #expect(await hosted.client.pendingFlow() == nil)
  }

  @Test(
    "addresses that browsers write alike are one",
    arguments: [
      ("https://app.example", "HTTPS://App.Example:443/"), ("http://app.example:80/back", "http://app.example/back"),
      ("ada://signed-in", "ADA://Signed-In"), ("com.example.ada:/back", "com.example.ada:/back"),
    ])
  func alike(one: String, other: String) throws {
    #expect(ReturnTarget(try #require(URL(string: one))) == ReturnTarget(try #require(URL(string: other))))
  }

  @Test(
    "addresses that differ in more than a browser's spelling are two",
    arguments: [
      ("https://app.example/back", "https://app.example/Back"),
      ("https://app.example/back", "https://app.example/back/"),
      ("https://app.example", "http://app.example"), ("https://app.example", "https://app.example:8443"),
      ("https://app.example", "https://app.example.eve.example"), ("ada://signed-in", "ada://signed-in/"),
      ("https://app.example/a", "https://app.example/%61"), ("ada:back", "ada:/back"),
    ])
  func different(one: String, other: String) throws {
    #expect(ReturnTarget(try #require(URL(string: one))) != ReturnTarget(try #require(URL(string: other))))
  }
}
