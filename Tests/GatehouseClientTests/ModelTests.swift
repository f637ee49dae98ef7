import Foundation
import GatehouseClientTesting
import Observation
import Testing

@testable import GatehouseClient

@Suite("C21 Models")
@MainActor
struct ModelTests {
  private let stage = ClientStage(skipping: .seconds(29))

  @Test("C21 a sign-in that fails keeps what was typed and says why, and one that succeeds says nothing")
  func signIn() async throws {
    stage.server.addAccount(email: ClientStage.email, password: ClientStage.password)
    let model = SignInModel(stage.client())
    #expect(!model.canSubmit)
    (model.email, model.password) = (ClientStage.email, "wrong")
    #expect(await model.submit() == false)
    #expect(model.message == "Invalid email or password." && model.email == ClientStage.email)
    #expect(model.password == "wrong" && !model.isWorking)
    model.password = ClientStage.password
    #expect(await model.submit())
    #expect(model.message == nil && model.error == nil && model.client.hasSession)
  }

  @Test("C21 a second tap, before the first one is answered, sends nothing")
  func twice() async throws {
    let stage = ClientStage(skipping: .zero)
    stage.server.addAccount(email: ClientStage.email, password: ClientStage.password)
    stage.server.fail(next: .slowAnswer(.seconds(5)), at: "/v1/sign-in")
    let model = SignInModel(stage.client())
    (model.email, model.password) = (ClientStage.email, ClientStage.password)
    let first = Task { await model.submit() }
    await until { stage.clock.sleeping > 0 }
    #expect(await model.submit() == false)
    stage.clock.advance(by: .seconds(5))
    #expect(await first.value)
    #expect(stage.server.count(of: "POST /v1/sign-in") == 1)
  }

  @Test("C21 a sign-up shows each broken rule beside its input, and compares the passwords itself")
  func signUp() async throws {
    let model = SignUpModel(stage.client())
    (model.email, model.password, model.confirmation) = ("ada", "short", "other")
    model["displayName"] = "Ada"
    #expect(await model.submit() == false)
    #expect(model.fieldErrors == ["confirmation": "Passwords do not match."])
    #expect(stage.server.requests == [])
    model.confirmation = "short"
    #expect(await model.submit() == false)
    #expect(model.fieldErrors["password"] == "Password must be at least 6 characters.")
    #expect(model.fieldErrors["email"] == "Enter a valid email address." && model.message == "Please check the form")
    (model.email, model.password, model.confirmation) = (ClientStage.email, "longer", "longer")
    #expect(await model.submit())
    #expect(model.client.state.user?["displayName"]?.string == "Ada" && model.fieldErrors == [:])
  }

  @Test("C21 an address that the server makes wait counts down, and another one need not wait")
  func wait() async throws {
    let stage = ClientStage(skipping: .zero)
    let model = SignInModel(stage.client())
    (model.email, model.password) = (ClientStage.email, "wrong")
    stage.server.fail(next: .refusal("too_many_attempts", retryAfter: 40), at: "/v1/sign-in")
    #expect(await model.submit() == false)
    #expect(model.secondsLeft == 40 && !model.canSubmit)
    model.email = "other@example.com"
    #expect(model.canSubmit)
    model.email = ClientStage.email
    await until { stage.clock.sleeping > 0 }
    stage.clock.advance(by: .seconds(40))
    await until { model.secondsLeft == 0 }
    #expect(model.canSubmit)
  }

  @Test(
    "C21 a refusal that asks for patience counts down in each form", arguments: [AuthError.Code.cooldown, .rateLimited])
  func patience(_ code: AuthError.Code) async throws {
    let stage = ClientStage(skipping: .zero)
    let model = ForgotPasswordModel(stage.client())
    model.email = ClientStage.email
    stage.server.fail(next: .refusal(code, retryAfter: 40), at: "/v1/password-reset")
    #expect(await model.submit() == false)
    #expect(model.secondsLeft == 40 && !model.canResend)
  }

  @Test("C21 a new password that differs from its repetition is not sent")
  func resetTwice() async throws {
    let model = ForgotPasswordModel(stage.client(), policy: try await stage.client().policy())
    model.asksTwice = true
    model.email = ClientStage.email
    #expect(await model.submit())
    (model.code, model.password, model.confirmation) = ("123456", "one password", "another one")
    let count = stage.server.requests.count
    #expect(await model.submit() == false)
    #expect(model.fieldErrors == ["confirmation": "Passwords do not match."] && stage.server.requests.count == count)
  }

  @Test("C21 a sign-up whose answer was lost is sent again under its key, and makes one account")
  func signUpAgain() async throws {
    stage.server.fail(next: .dropAnswer, times: 3, at: "/v1/sign-up")
    let model = SignUpModel(stage.client())
    (model.email, model.password, model.asksTwice) = (ClientStage.email, ClientStage.password, false)
    #expect(await model.submit() == false)
    #expect(model.message == "Network error. Please check your connection.")
    #expect(await model.submit())
    #expect(stage.server.accountCount == 1 && stage.server.mails.count == 1)
  }

  @Test("C21 the session's model follows the client, and its reader is told of each change")
  func session() async throws {
    stage.server.addAccount(email: ClientStage.email, password: ClientStage.password)
    let client = stage.client()
    let model = SessionModel(client)
    #expect(model.isRestoring)
    await until { model.state == .signedOut(.never) }
    let told = Book<Bool>()
    withObservationTracking {
      _ = model.user
    } onChange: {
      told.add(true)
    }
    _ = try await client.signIn(email: ClientStage.email, password: ClientStage.password)
    await until { model.user?.email == ClientStage.email }
    #expect(told.all == [true])
    await model.signOut()
    #expect(model.state == .signedOut(.byUser))
  }

  @Test("C21 a model that goes stops to follow")
  func gone() async throws {
    let client = stage.client()
    var model: SessionModel? = SessionModel(client)
    weak let watched = model
    await until { model?.state == .signedOut(.never) }
    model = nil
    await until { watched == nil }
    #expect(watched == nil)
  }

  @Test("C21 an input that changes tells its reader")
  func observed() {
    let model = SignInModel(stage.client())
    let told = Book<Bool>()
    withObservationTracking {
      _ = model.email
    } onChange: {
      told.add(true)
    }
    model.email = "a"
    #expect(told.all == [true] && model.email == "a")
  }

  @Test("C21 verification counts down until the mail may be sent again, and goes on with the code")
  func verify() async throws {
    stage.server.policy.fullAccess = [.verifyEmail]
    let client = stage.client()
    _ = try await client.signUp(email: ClientStage.email, password: ClientStage.password)
    let clock = ManualClock()
    let model = VerifyEmailModel(AuthClient(moving(clock)))
    _ = await model.client.restored()
    #expect(model.email == ClientStage.email && model.canResend)
    // The sign-up sent a mail a moment ago: the server tells how long to wait.
    #expect(await model.resend() == false)
    #expect(model.secondsLeft > 0 && model.error?.code == .cooldown)
    let wait = model.secondsLeft
    #expect(await model.resend() == false)
    for second in 1...wait {
      await until { clock.sleeping > 0 }
      clock.advance(by: .seconds(1))
      await until { model.secondsLeft == wait - second }
    }
    #expect(model.canResend)
    stage.clock.advance(by: .seconds(60))
    #expect(await model.resend())
    #expect(model.secondsLeft == 60 && stage.server.mails.count == 2)
    model.code = "12 34 56"
    #expect(await model.submit() == false)
    #expect(model.error?.code == .codeInvalid && model.code == "12 34 56")
    #expect(await model.check() == false)
    model.code = stage.server.code(for: ClientStage.email) ?? ""
    #expect(await model.submit())
    #expect(model.client.state.user?.isEmailVerified == true)
  }

  /// A client's configuration that counts on another clock than the server.
  private func moving(_ clock: ManualClock) -> AuthConfiguration {
    var configuration = stage.configuration()
    configuration.clock = clock
    return configuration
  }

  @Test("C21 a screen that watches goes on by itself when the address was confirmed in a browser")
  func watch() async throws {
    stage.server.policy.fullAccess = [.verifyEmail]
    let client = stage.client()
    _ = try await client.signUp(email: ClientStage.email, password: ClientStage.password)
    let model = VerifyEmailModel(client)
    let watching = Task { await model.watch() }
    stage.server.verify(ClientStage.email)
    await watching.value
    guard case .signedIn = client.state else { return #expect(Bool(false), "not signed in") }
    let other = VerifyEmailModel(client)
    let cancelled = Task { await other.watch() }
    cancelled.cancel()
    await cancelled.value
    #expect(client.hasSession)
  }

  @Test("C21 a forgotten password is set by the code of the mail, step by step")
  func forgot() async throws {
    stage.server.addAccount(email: ClientStage.email, password: ClientStage.password)
    let client = AuthClient(moving(ManualClock()))
    let model = ForgotPasswordModel(client)
    model.email = "nonsense"
    #expect(await model.submit() == false)
    #expect(model.fieldErrors["email"] != nil && model.step == .address && model.email == "nonsense")
    model.email = ClientStage.email
    #expect(await model.submit())
    #expect(model.step == .code && model.secondsLeft == 60)
    #expect(await model.resend() == false)
    (model.code, model.password) = (stage.server.code(for: ClientStage.email) ?? "", "short")
    #expect(await model.submit() == false)
    #expect(model.fieldErrors["password"] != nil && model.step == .code)
    model.password = "brand new one"
    #expect(await model.submit())
    #expect(model.step == .done)
    #expect(try await client.signIn(email: ClientStage.email, password: "brand new one").user != nil)
  }

  @Test("C21 linking leads from the provider's page to full access, and a refusal there is told")
  func link() async throws {
    stage.server.policy.fullAccess = [.link("spotify")]
    let client = try await stage.signedIn()
    let redirect = try #require(URL(string: "vibes://spotify-callback"))
    let model = LinkModel(client, provider: "spotify", redirect: redirect)
    #expect(await model.submit())
    var page = try #require(model.flow?.url)
    #expect(await model.finish(at: try #require(stage.server.callback(from: page, as: nil))) == false)
    #expect(model.error?.code == .providerDenied && !model.isLinked)
    #expect(await model.submit())
    page = try #require(model.flow?.url)
    // The system ended the app meanwhile: another process finishes.
    let next = LinkModel(await stage.restarted(), provider: "spotify", redirect: redirect)
    #expect(await next.finish(at: try #require(stage.server.callback(from: page))))
    #expect(next.isLinked)
    guard case .signedIn = next.client.state else { return #expect(Bool(false), "not signed in") }
    #expect(await next.unlink())
    #expect(!next.isLinked)
  }

  @Test("C21 a model whose task is cancelled says nothing, keeps what was typed, and can submit again")
  func cancelled() async throws {
    stage.server.addAccount(email: ClientStage.email, password: ClientStage.password)
    stage.server.fail(next: .slowAnswer(.seconds(40)), at: "/v1/sign-in")
    let model = SignInModel(stage.client())
    (model.email, model.password) = (ClientStage.email, ClientStage.password)
    let tap = Task { await model.submit() }
    await until { stage.clock.sleeping > 0 }
    #expect(model.isWorking)
    tap.cancel()
    #expect(await tap.value == false)
    #expect(model.message == nil && !model.isWorking && model.email == ClientStage.email)
    #expect(await model.submit())
  }
}
