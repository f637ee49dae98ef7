import Foundation
import GatehouseClientTesting
import GatehousePolicy
import GatehouseWire
import Testing

@testable import GatehouseClient

@Suite("FakeServer")
struct FakeServerTests {
  private let stage = ClientStage()
  private var requests: Requests { Requests(configuration: stage.configuration()) }

  private func signedIn() async throws -> SessionAnswer {
    stage.server.addAccount(email: ClientStage.email, password: ClientStage.password)
    let input = SignInEndpoint.Input(email: ClientStage.email, password: ClientStage.password)
    return try await requests.send(Call(SignInEndpoint.self, input)).content
  }

  private func refresh(_ token: String, _ key: String?) async throws -> SessionAnswer {
    try await requests.send(Call(TokenEndpoint.self, .init(refreshToken: token), key: key, mayRepeat: false)).content
  }

  private func code(_ body: () async throws -> SessionAnswer) async -> AuthError.Code? {
    do {
      _ = try await body()
      return nil
    } catch { return (error as? AuthError)?.code }
  }

  @Test("C07 a refresh that comes again under its key gets the same successor, a day later too")
  func sameKey() async throws {
    let first = try #require(try await signedIn().refreshToken)
    let second = try #require(try await refresh(first, "key").refreshToken)
    stage.clock.advance(by: .seconds(86_400))
    #expect(try await refresh(first, "key").refreshToken == second)
  }

  @Test("C07 under another key a spent token is answered within the grace alone, and ends the session after it")
  func otherKey() async throws {
    let first = try #require(try await signedIn().refreshToken)
    let second = try #require(try await refresh(first, "key").refreshToken)
    stage.clock.advance(by: .seconds(29))
    #expect(try await refresh(first, "other").refreshToken == second)
    stage.clock.advance(by: .seconds(2))
    #expect(await code { try await refresh(first, "other") } == .sessionRevoked)
    #expect(await code { try await refresh(second, nil) } == .sessionRevoked)
  }

  @Test("C11 a disabled account is told before a revoked session")
  func disabledFirst() async throws {
    let token = try #require(try await signedIn().refreshToken)
    stage.server.revokeSessions(of: ClientStage.email)
    #expect(await code { try await refresh(token, nil) } == .sessionRevoked)
    stage.server.setDisabled(true, ClientStage.email)
    #expect(await code { try await refresh(token, nil) } == .accountDisabled)
  }

  @Test("a sign-up of a hidden tenant waits for its code, and then its password signs in")
  func hidden() async throws {
    stage.server.policy.hidesAccounts = true
    let client = stage.client()
    #expect(
      try await client.signUp(email: ClientStage.email, password: ClientStage.password)
        == .awaitingEmail(ClientStage.email))
    #expect(stage.server.accountCount == 0)
    #expect(await stage.restarted().state == .awaitingEmail(ClientStage.email))
    let code = try #require(stage.server.code(for: ClientStage.email))
    #expect(try await client.confirmEmail(code: code) == .signedOut(.confirmed))
    #expect(try await client.signIn(email: ClientStage.email, password: ClientStage.password).user != nil)
    _ = await failure { () async throws(AuthError) in
      _ = try await client.signUp(email: ClientStage.email, password: "taken by another")
    }
    #expect(stage.server.accountCount == 1 && stage.server.mails.last?.kind == .signUpTried)
  }

  @Test("every call of a signed-in person is answered")
  func calls() async throws {
    let client = try await stage.signedIn()
    #expect(try await client.updateProfile(["displayName": "Ada", "classYear": 2]).user?["classYear"] == 2)
    try await client.setPresence(online: false)
    #expect(try await client.reload().user?.presence.isOnline == false)
    let me = try #require(client.state.user)
    #expect(try await client.users([me.id, "nobody"]).map(\.id) == [me.id])
    #expect(try await client.user(me.id)["displayName"] == "Ada")
    try await client.setPushToken("token", platform: .fcm)
    try await client.setPushToken(nil, platform: .fcm)
    let other = try await stage.signedIn(ClientStage.email, "second")
    let devices = try await client.devices()
    #expect(devices.count == 2 && devices.count(where: \.isCurrent) == 1)
    try await client.end(device: try #require(devices.first { !$0.isCurrent }?.id))
    await other.foreground()
    await other.settle()
    #expect(other.state == .signedOut(.revoked))
    #expect(String(decoding: try await client.export(), as: UTF8.self).contains(ClientStage.email))
    stage.clock.advance(by: .seconds(400))
    let late = await failure { () async throws(AuthError) in try await client.deleteAccount() }
    #expect(late?.code == .reauthenticationRequired)
    try await client.reauthenticate(.password(ClientStage.password))
    _ = try await client.changeEmail(to: "new@example.com")
    let code = try #require(stage.server.code(for: "new@example.com"))
    #expect(try await client.confirmEmailChange(email: "new@example.com", code: code).user?.email == "new@example.com")
    try await client.changePassword(current: ClientStage.password, new: "another one")
    try await client.signOut(.everywhere)
    #expect(client.state == .signedOut(.byUser))
    #expect(try await client.signIn(email: "new@example.com", password: "another one").user != nil)
  }

  @Test("a person who signs in by a provider alone proves by a mailed code who they are")
  func codeProof() async throws {
    let client = AuthClient(stage.server.configuration())
    let token = stage.server.idToken("google", subject: "g1", email: ClientStage.email)
    _ = try await client.signIn(with: "google", idToken: token)
    let refused = await failure { () async throws(AuthError) in try await client.deleteAccount() }
    #expect(refused?.code == .reauthenticationRequired && refused?.methods == [.code])
    let again = await failure { () async throws(AuthError) in
      try await client.reauthenticate(.provider("google", idToken: token, nonce: nil))
    }
    #expect(again?.methods == [.code])
    #expect(try await client.sendReauthenticationCode() > .zero)
    #expect(stage.server.mails.last?.kind == .reauthentication)
    let code = try #require(stage.server.code(for: ClientStage.email))
    try await client.reauthenticate(.code(code))
    try await client.deleteAccount()
    #expect(stage.server.accountCount == 0)
  }

  @Test("the token endpoint takes exactly one of a refresh token and a code, each with what goes with it")
  func exactlyOne() async throws {
    let verifier = String(repeating: "v", count: 43)
    var inputs = [
      TokenEndpoint.Input(refreshToken: nil), .init(code: "gh_hb_1", codeVerifier: String(verifier.dropLast())),
      .init(refreshToken: "gh_rt_1"), .init(refreshToken: "gh_rt_1"), .init(code: "gh_hb_1", codeVerifier: verifier),
      .init(code: "gh_hb_1", codeVerifier: verifier),
    ]
    inputs[2].codeVerifier = verifier
    inputs[3].device = Device(name: "phone")
    inputs[4].refreshToken = "gh_rt_1"
    inputs[5].include = "user"
    for input in inputs {
      let call = Call(TokenEndpoint.self, input, mayRepeat: false)
      #expect(await code { try await requests.send(call).content } == "malformed_request")
    }
    let unknown = Call(TokenEndpoint.self, .init(code: "gh_hb_1", codeVerifier: verifier), mayRepeat: false)
    #expect(await code { try await requests.send(unknown).content } == .codeInvalid)
  }

  @Test("pages that are not the server's lead nowhere, and an address without an account is not signed in")
  func noReturn() async throws {
    let hosted = try await HostedStage()
    let other = try #require(URL(string: "https://auth.example.com/ui/other?continue=a://b&state=s"))
    #expect(hosted.stage.server.hostedReturn(from: other, as: ClientStage.email) == nil)
    #expect(hosted.stage.server.hostedReturn(from: hosted.flow.url, as: "nobody@example.com") == nil)
  }

  @Test("a provider's ID token signs in, links and proves, and another one's does not")
  func provider() async throws {
    stage.server.policy.policy.providers.append(Provider(name: "google", use: .signIn, requireAuthTime: true))
    let client = stage.client()
    let token = stage.server.idToken("google", subject: "g1", email: "g@example.com", nonce: "n")
    let wrong = await failure { () async throws(AuthError) in
      _ = try await client.signIn(with: "google", idToken: token, nonce: "other")
    }
    #expect(wrong?.code == "provider_token_invalid")
    #expect(try await client.signIn(with: "google", idToken: token, nonce: "n").user?.isEmailVerified == true)
    try await client.reauthenticate(.provider("google", idToken: token, nonce: "n"))
    let other = stage.client("second")
    #expect(try await other.signIn(with: "google", idToken: token, nonce: "n").user?.id == client.state.user?.id)
  }

  @Test("a step that is missing is told with the server's sentence")
  func requirements() async throws {
    stage.server.policy.fullAccess = [.link("spotify")]
    let client = try await stage.signedIn()
    let error = await failure { () async throws(AuthError) in _ = try await client.users(["a"]) }
    #expect(error?.code == .accessLimited && error?.next.first?.provider == "spotify")
    #expect(error?.next.first?.message == "Please connect your Spotify account")
  }

  @Test(
    "previews show their state at once and their calls succeed",
    arguments: [
      AuthState.restoring, .signedOut(.revoked), .awaitingEmail("a@example.com"), .signedIn(person),
      .limited(person, next: [.verifyEmail, .link("spotify")]), .signedIn(withoutAddress),
    ])
  func preview(state: AuthState) async throws {
    let client = AuthClient.preview(state)
    #expect(client.state == state)
    guard state != .restoring else { return }
    #expect(await client.restored() == state)
    await client.settle()
    #expect(client.state == state)
    guard state.user != nil else {
      #expect(try await client.signIn(email: "b@example.com", password: "any").user?.email == "b@example.com")
      return
    }
    #expect(try await client.updateProfile(["displayName": "Grace"]).user?["displayName"] == "Grace")
    if case .limited = state {
      #expect(try await client.confirmEmail(code: "any").user?.isEmailVerified == true)
    }
  }

  private static var withoutAddress: AuthUser {
    var user = person
    user.email = nil
    return user
  }

  private static let person = AuthUser(
    id: "01970000-0000-7000-8000-000000000001", email: "a@example.com", profile: ["displayName": "Ada"],
    presence: UserPresence(isOnline: true, lastSeen: Date(timeIntervalSince1970: 1_900_000_000)),
    createdAt: Date(timeIntervalSince1970: 1_900_000_000), updatedAt: Date(timeIntervalSince1970: 1_900_000_000))
}
