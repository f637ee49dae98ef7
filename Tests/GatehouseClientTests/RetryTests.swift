import Foundation
import GatehouseClientTesting
import GatehouseWire
import Testing

@testable import GatehouseClient

/// Requests that the server does once, however often they are asked: the conduct after each answer.
@Suite("Requests under keys")
struct RetryTests {
  private func signUp(_ client: AuthClient, _ password: String = ClientStage.password) async throws(AuthError)
    -> AuthState
  {
    try await client.signUp(email: ClientStage.email, password: password, profile: ["displayName": "Ada"])
  }

  private func keys(_ stage: ClientStage) -> Set<String?> {
    Set(stage.server.requests.filter { $0.route == "POST /v1/sign-up" }.map(\.key))
  }

  @Test(
    "a sign-up whose connection dies while the server works, or with the server, ends signed in and makes one account",
    arguments: [FakeWeather.slowServer(.seconds(3)), .slowServer(.seconds(12)), .killedServer])
  func underWay(weather: FakeWeather) async throws {
    let stage = ClientStage()
    stage.server.fail(next: weather, at: "/v1/sign-up")
    #expect(try await signUp(stage.client()).user?.email == ClientStage.email)
    #expect(keys(stage).count == 1 && stage.server.sessionCount(of: ClientStage.email) == 1)
  }

  @Test("a request that is under way for longer than a call is told as a conflict that may be over later")
  func longUnderWay() async throws {
    let stage = ClientStage()
    stage.server.fail(next: .slowServer(.seconds(40)), at: "/v1/sign-up")
    let client = stage.client()
    let error = await failure { () async throws(AuthError) in try await signUp(client) }
    #expect(error?.code == .conflict && error?.isTemporary == true)
    stage.clock.advance(by: .seconds(20))
    #expect(try await signUp(client).user != nil)
  }

  @Test("an app that is killed before the answer goes on under the same key, and makes one account")
  func killed() async throws {
    let stage = ClientStage()
    stage.server.fail(next: .dropAnswer, times: 3, at: "/v1/sign-up")
    #expect(await failure { () async throws(AuthError) in try await signUp(stage.client()) }?.code == .network)
    let next = await stage.restarted()
    #expect(try await signUp(next).user != nil)
    #expect(keys(stage).count == 1)
  }

  @Test("a process that is killed at any step of a sign-up loses no account and makes no second one")
  func killedAnywhere() async throws {
    let steps = try await MortalProcess.dyingAtEach { process, step in
      let stage = ClientStage()
      let dying = AuthClient(process.configuration(stage.configuration()))
      _ = await failure { () async throws(AuthError) in try await signUp(dying) }
      let next = await stage.restarted()
      if !next.hasSession { _ = try await signUp(next) }
      #expect(next.hasSession, "killed at step \(step)")
      #expect(stage.server.sessionCount(of: ClientStage.email) == 1, "killed at step \(step)")
    }
    #expect(steps > 6)
  }

  @Test("a definite answer closes the request: the next one has another key")
  func definite() async throws {
    let stage = ClientStage()
    let client = stage.client()
    let error = await failure { () async throws(AuthError) in try await signUp(client, "short") }
    #expect(error?.code == .validationFailed)
    _ = try await signUp(client)
    #expect(keys(stage).count == 2)
    let stored = StoredRecord(try stage.store.read(stage.configuration().storeKey) ?? Data())
    #expect(stored?.open?.isEmpty == true)
  }

  @Test("another password after a lost answer is another request, and the server's answer to it is told")
  func otherPassword() async throws {
    let stage = ClientStage()
    stage.server.fail(next: .dropAnswer, times: 3, at: "/v1/sign-up")
    let client = stage.client()
    #expect(await failure { () async throws(AuthError) in try await signUp(client) }?.code == .network)
    let error = await failure { () async throws(AuthError) in try await signUp(client, "another one") }
    #expect(error?.code == .accountExists)
  }

  @Test("nothing of a password is in the store, not even a digest")
  func secret() async throws {
    let stage = ClientStage()
    let names = ["correct horse", "wrong horse"].map {
      OpenRequest.name(
        of: SignUpEndpoint.self, SignUpEndpoint.Input(email: "a@b.co", password: $0, profile: [:], device: nil), of: nil
      )
    }
    #expect(Set(names).count == 1)
    stage.server.fail(next: .dropAnswer, times: 3, at: "/v1/sign-up")
    _ = await failure { () async throws(AuthError) in try await signUp(stage.client()) }
    let stored = try #require(try stage.store.read(stage.configuration().storeKey))
    #expect(!String(decoding: stored, as: UTF8.self).contains(ClientStage.password))
  }

  @Test("requests of two people and of two inputs are two requests")
  func apart() {
    func name(_ email: String?, _ generation: String?) -> String {
      OpenRequest.name(
        of: SendEmailVerificationEndpoint.self, SendEmailVerificationEndpoint.Input(email: email), of: generation)
    }
    #expect(Set([name("a@b.co", nil), name("c@b.co", nil), name(nil, "1"), name(nil, "2")]).count == 4)
    #expect(name("a@b.co", nil) == name("a@b.co", nil))
  }

  @Test("a key is as old as a day at most, and only the newest requests are kept")
  func bounds() {
    var record = StoredRecord()
    let now = Date(timeIntervalSince1970: 1_900_000_000)
    #expect(record.key(of: "a", orNew: "1", at: now) == "1" && record.key(of: "a", orNew: "2", at: now) == "1")
    #expect(record.key(of: "a", orNew: "3", at: now.addingTimeInterval(OpenRequest.lifetime)) == "3")
    for number in 0..<20 { _ = record.key(of: "\(number)", orNew: "k", at: now) }
    #expect(record.open?.count == OpenRequest.most)
  }

  @Test("every code of the contract has a rule, and a code of a later server leaves its request open")
  func table() {
    let kept = ErrorCode.allCases.filter(\.retry.keepsKey)
    #expect(
      kept == [.rateLimited, .overloaded, .providerUnavailable, .conflict, .internal, .unknownOutcome, .requestTimeout])
    #expect(ErrorCode.allCases.filter { $0.retry.again == .attested } == [.attestRequired, .attestInvalid])
    for code in ErrorCode.allCases { #expect(AuthError.Code(rawValue: code.rawValue).retry == code.retry) }
    #expect(AuthError.Code(rawValue: "something_new").retry == .open)
    #expect(!AuthError(.cancelled).isTemporary && AuthError(.overloaded).isTemporary)
  }

  @Test("without a network a call is told so within three seconds, however old the token is", arguments: [0, 1000])
  func offline(age: Int) async throws {
    let stage = ClientStage(skipping: .seconds(3))
    let client = try await stage.signedIn()
    stage.clock.advance(by: .seconds(age))
    stage.server.weather = .dropRequest
    let start = stage.clock.uptime
    let error = await failure { () async throws(AuthError) in try await client.users(["x"]) }
    #expect(error?.code == .network && stage.clock.uptime - start <= .seconds(3))
  }

  @Test("a refresh that failed goes on without its callers, and a later call joins it without waiting for its pause")
  func joined() async throws {
    let stage = ClientStage(skipping: .seconds(3))
    let client = try await stage.signedIn()
    stage.clock.advance(by: .seconds(1000))
    stage.server.fail(next: .dropRequest, times: 3, at: "/v1/token")
    #expect(await failure { () async throws(AuthError) in try await client.accessToken() }?.code == .network)
    await until { stage.clock.sleeping > 0 }
    _ = try await client.accessToken()
    #expect(stage.server.count(of: "POST /v1/token") == 1)
  }

  @Test("while the server asks for patience a later call is told its refusal at once")
  func patience() async throws {
    let stage = ClientStage(skipping: .zero)
    let client = try await stage.signedIn()
    stage.clock.advance(by: .seconds(1000))
    stage.server.fail(next: .refusal("overloaded", retryAfter: 20), at: "/v1/token")
    for _ in 0..<2 {
      #expect(await failure { () async throws(AuthError) in try await client.accessToken() }?.code == .overloaded)
    }
    stage.clock.advance(by: .seconds(20))
    await client.settle()
    #expect(client.hasSession)
  }

  @Test("a forced refresh gives a new token, and without a network an error in place of the old one")
  func forced() async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    let first = try await client.accessToken()
    let second = try await client.accessToken(forcingRefresh: true)
    #expect(first != second)
    stage.server.weather = .dropRequest
    let error = await failure { () async throws(AuthError) in try await client.accessToken(forcingRefresh: true) }
    #expect(error?.code == .network)
    #expect(try await client.accessToken() == second)
    await client.settle()
  }
}
