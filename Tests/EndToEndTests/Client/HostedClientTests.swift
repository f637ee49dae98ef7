import Foundation
import GatehouseClient
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

extension FormClient {
  /// Goes from the page that a client begins at to the address that leads back to its app: signs in, goes on as the one
  /// who is signed in where there is no password, or goes back where there is no address either.
  func comeBack(from page: URL, as email: String?, _ password: String?) async throws -> URL? {
    let text = page.absoluteString
    let start = try #require(text.range(of: "/ui/")?.upperBound)
    let shown = try await open(String(text[start...]))
    var next: Page
    if let email, let password {
      next = try await send(shown, ["email": email, "password": password])
    } else {
      next = try await send(shown, intent: email == nil ? "give-up" : "proceed")
    }
    // A scheme is opened by a click.
    if next.outside == nil, next.path == "continue" { next = try await send(next) }
    return next.outside.flatMap { URL(string: $0) }
  }
}

/// The client on the server's own pages, by a browser without scripts.
@Suite("From the client to the hosted pages and back")
struct HostedClientTests {
  private static let email = App.messai.email("pat")

  private func signedUp(_ body: (ThreeApps, AuthClient, FormClient) async throws -> Void) async throws {
    try await ThreeApps.run { apps async throws in
      #expect(try await apps.signUp(.messai, "pat").status == 201)
      try await body(apps, Phone(apps, .messai).client, FormClient(apps, .messai))
    }
  }

  private func back(
    _ browser: FormClient, _ client: AuthClient, password: String? = App.password, promptsAgain: Bool = false
  ) async throws -> URL {
    let target = try #require(URL(string: App.messai.scheme))
    let flow = try await client.hostedSignIn(returnTo: target, promptsAgain: promptsAgain)
    return try #require(try await browser.comeBack(from: flow.url, as: Self.email, password))
  }

  private func code(_ body: () async throws(AuthError) -> AuthState) async -> AuthError.Code? {
    do throws(AuthError) {
      _ = try await body()
      return nil
    } catch {
      return error.code
    }
  }

  @Test("a person signs in on the page, and the app has a session of its own that refreshes")
  func signIn() async throws {
    try await signedUp { _, client, browser async throws in
      let state = try await client.finish(at: back(browser, client))
      #expect(state.user?.email == Self.email)
      #expect(try await client.accessToken(minTTL: .seconds(100_000)).isEmpty == false)
      #expect(try await client.devices().contains { $0.isCurrent && $0.name == "phone" })
    }
  }

  @Test("an app that calls the server localhost, where the server calls itself 127.0.0.1, is told so")
  func otherAddress() async throws {
    try await signedUp { apps, client, browser async throws in
      let theirs = apps.server.url
      let ours = theirs.replacing("127.0.0.1", with: "localhost")
      try #require(ours != theirs)
      var configuration = client.configuration
      configuration.server = try #require(URL(string: ours))
      let app = AuthClient(configuration)
      let target = try #require(URL(string: App.messai.scheme))
      let flow = try await app.hostedSignIn(returnTo: target)
      #expect(flow.url.absoluteString.hasPrefix(ours))
      let back = try #require(try await browser.comeBack(from: flow.url, as: Self.email, App.password))
      do throws(AuthError) {
        _ = try await app.finish(at: back)
        Issue.record("the answer of another address was taken")
      } catch {
        #expect(error.code == .serverAddressDiffers)
        #expect(error.message.contains("\(ours)/t/messai,") && error.message.contains("\(theirs)/t/messai."))
      }
    }
  }

  @Test("a browser that is signed in leads the next app back without a password, unless that asks for one")
  func again() async throws {
    try await signedUp { apps, client, browser async throws in
      _ = try await client.finish(at: back(browser, client))
      let second = try Phone(apps, .messai).client
      #expect(try await second.finish(at: back(browser, second, password: nil)).user?.email == Self.email)
      let third = try Phone(apps, .messai).client
      #expect(try await third.finish(at: back(browser, third, promptsAgain: true)).user?.email == Self.email)
      #expect(try await client.reload().user != nil, "sessions of apps are their own")
    }
  }

  @Test("an answer that was lost costs one tap")
  func lost() async throws {
    try await signedUp { apps, _, browser async throws in
      let weather = LockBox(1)
      let client = try Phone(apps, .messai, transport: LosingAnswers(left: weather)).client
      let address = try await back(browser, client)
      #expect(await code { () async throws(AuthError) in try await client.finish(at: address) } == .network)
      #expect(client.state == .signedOut(.never))
      #expect(try await client.finish(at: back(browser, client, password: nil)).user?.email == Self.email)
    }
  }

  /// Loses the answers of the token endpoint, so many times.
  private struct LosingAnswers: HTTPTransport {
    let left: LockBox<Int>
    let base = SystemTransport()

    func send(_ call: HTTPCall, deadline: Duration) async throws -> HTTPAnswer {
      let answer = try await base.send(call, deadline: deadline)
      guard call.url.path.hasSuffix("/v1/token") else { return answer }
      let isLost = left.withLock { left in
        left -= 1
        return left >= 0
      }
      if isLost { throw TransportError(reason: "-1005") }
      return answer
    }
  }
}
