import Foundation
import GatehouseClientTesting
import GatehousePolicy
import Testing

@testable import GatehouseClient

@Suite("C21 Models of the account, and forms that are judged before the server is asked")
@MainActor
struct AccountModelTests {
  private let stage = ClientStage(skipping: .seconds(29))

  /// A policy with a field of each kind of right, and two rules.
  private static let policy: FakePolicy = {
    var policy = FakePolicy.standard
    policy.policy.app.name = "Acme"
    policy.policy.password.rules = [
      Rule(id: "password.min8", kind: .minLength, target: .password, parameter: .integer(8))
    ]
    let required = Rule(id: "username.required", kind: .required, target: .field, parameter: .flag(true))
    let members = Rule(id: "role.values", kind: .values, target: .field, parameter: .texts(["member"]))
    var role = Field(name: "role", type: .enum, rules: [members], write: .admin, label: ["en": "Role"])
    role.valueLabels = ["member": ["en": "Member"]]
    policy.policy.profile.fields = [
      Field(
        name: "username", type: .string, rules: [required], trim: true, visibleTo: .users, label: ["en": "Username"],
        atSignUp: true),
      Field(name: "classYear", type: .integer), role,
    ]
    return policy
  }()

  private func usePolicy() { stage.server.policy = Self.policy }

  /// How many requests a form sends.
  private func requests(_ body: () async -> Void) async -> Int {
    let before = stage.server.requests.count
    await body()
    return stage.server.requests.count - before
  }

  @Test("a sign-up with broken rules and empty inputs asks no server, and says each beside its input")
  func signUp() async throws {
    usePolicy()
    let model = SignUpModel(stage.client())
    await model.load()
    (model.email, model.password, model.confirmation) = ("ada", "short", "other")
    let sent = await requests { #expect(await model.submit() == false) }
    #expect(sent == 0 && model.message == "Please check the form" && model.error?.code == .validationFailed)
    #expect(
      model.fieldErrors == [
        "email": "Enter a valid email address.", "password": "Password must be at least 8 characters.",
        "username": "Username is required.", "confirmation": "Passwords do not match.",
      ])
    (model.email, model.password, model.confirmation) = (ClientStage.email, "long enough", "long enough")
    #expect(await model.submit() == false)
    #expect(model.message == "Username is required." && model.error?.isTemporary == false && !model.canRetry)
    model["username"] = "ada"
    #expect(await model.submit())
    #expect(model.fieldErrors.isEmpty && model.client.hasSession)
  }

  @Test("a sign-in with an empty input asks no server")
  func signIn() async throws {
    let model = SignInModel(stage.client())
    model.email = "  "
    let sent = await requests { #expect(await model.submit() == false) }
    #expect(sent == 0 && model.fieldErrors.keys.sorted() == ["email", "password"])
    #expect(model.fieldErrors["password"] == "Please fill this in.")
  }

  @Test("a sentence of the app's own stands in the place of the client's")
  func ownSentences() async throws {
    var configuration = stage.configuration()
    configuration.sentences = [.missing: "Nothing here."]
    let model = VerifyEmailModel(AuthClient(configuration))
    #expect(await model.submit() == false)
    #expect(model.message == "Nothing here." && model.fieldErrors == ["code": "Nothing here."])
  }

  @Test("too many sign-ins count down to the next one")
  func tooMany() async throws {
    let clock = ManualClock()
    var configuration = stage.configuration()
    configuration.clock = clock
    let model = SignInModel(AuthClient(configuration))
    (model.email, model.password) = (ClientStage.email, "wrong")
    stage.server.fail(
      next: .refusal("too_many_attempts", retryAfter: 90), at: "/v1/sign-in")
    #expect(await model.submit() == false)
    #expect(model.secondsLeft == 90)
    await until { clock.sleeping > 0 }
    clock.advance(by: .seconds(1))
    await until { model.secondsLeft == 89 }
  }

  @Test("without a network the form keeps its text, and another try may succeed")
  func retry() async throws {
    stage.server.addAccount(email: ClientStage.email, password: ClientStage.password)
    let model = SignInModel(stage.client())
    (model.email, model.password) = (ClientStage.email, ClientStage.password)
    stage.server.fail(next: .dropRequest, at: "/v1/sign-in")
    #expect(await model.submit() == false)
    #expect(model.canRetry && model.message == "Network error. Please check your connection.")
    #expect(await model.submit())
    #expect(!model.canRetry && model.message == nil)
  }

  @Test("a forgotten password is judged before its code is spent")
  func forgot() async throws {
    usePolicy()
    stage.server.addAccount(email: ClientStage.email, password: ClientStage.password)
    let model = ForgotPasswordModel(stage.client())
    model.asksTwice = true
    await model.load()
    model.email = ClientStage.email
    #expect(await model.submit())
    (model.code, model.password) = (stage.server.code(for: ClientStage.email) ?? "", "short")
    #expect(model.rows.first { $0.rule == "password.min8" }?.mark == .unmet)
    let sent = await requests { #expect(await model.submit() == false) }
    #expect(sent == 0 && model.fieldErrors["confirmation"] == "Passwords do not match.")
    (model.password, model.confirmation) = ("long enough", "long enough")
    #expect(await model.submit() && model.step == .done)
  }

  @Test("a password is changed with the one of now, and the form is empty afterwards")
  func changePassword() async throws {
    usePolicy()
    let client = try await stage.signedIn()
    let model = ChangePasswordModel(client)
    await model.load()
    (model.password, model.confirmation) = ("short", "short")
    let sent = await requests { #expect(await model.submit() == false) }
    #expect(sent == 0)
    #expect(model.fieldErrors["current_password"] == "Please fill this in.")
    #expect(model.fieldErrors["password"] == "Password must be at least 8 characters.")
    (model.current, model.password, model.confirmation) = ("wrong", "long enough", "long enough")
    #expect(await model.submit() == false)
    #expect(model.error != nil && model.password == "long enough" && !model.isDone)
    model.current = ClientStage.password
    #expect(await model.submit())
    #expect(model.isDone && model.current.isEmpty && model.password.isEmpty && model.confirmation.isEmpty)
    #expect(try await client.signIn(email: ClientStage.email, password: "long enough").user != nil)
  }

  @Test("another address counts when the code of its mail is typed, and the old one until then")
  func changeEmail() async throws {
    usePolicy()
    let client = try await stage.signedIn()
    let model = ChangeEmailModel(client)
    await model.load()
    model.email = "nonsense"
    let sent = await requests { #expect(await model.submit() == false) }
    #expect(sent == 0 && model.fieldErrors["email"] == "Enter a valid email address.")
    (model.email, model.password) = ("ada@new.example", ClientStage.password)
    #expect(await model.submit())
    #expect(model.step == .code && client.state.user?.email == ClientStage.email)
    #expect(await model.submit() == false)
    #expect(model.fieldErrors["code"] == "Please fill this in.")
    model.code = stage.server.code(for: "ada@new.example") ?? ""
    #expect(await model.submit())
    #expect(model.step == .done && client.state.user?.email == "ada@new.example" && model.password.isEmpty)
  }

  @Test("an account without a password is asked for the code of a mail")
  func proof() async throws {
    let client = try await stage.signedIn()
    let model = DeleteAccountModel(client)
    model.show(AuthError(.reauthenticationRequired, methods: [.password, .code]))
    #expect(!model.asksForCode && model.proof == nil)
    model.show(AuthError(.reauthenticationRequired, methods: [.code]))
    #expect(model.asksForCode)
    model.proofCode = "123456"
    guard case .code("123456") = model.proof else { return #expect(Bool(false), "no code") }
    model.asksForCode = false
    model.password = "a password"
    guard case .password("a password") = model.proof else { return #expect(Bool(false), "no password") }
  }

  @Test("an account is deleted with its password alone, and the person is told")
  func delete() async throws {
    let client = try await stage.signedIn()
    let model = DeleteAccountModel(client)
    model.password = "wrong"
    #expect(await model.submit() == false)
    #expect(model.message != nil && client.hasSession)
    model.password = ClientStage.password
    #expect(await model.submit())
    #expect(client.state == .signedOut(.deleted) && model.password.isEmpty)
    #expect(client.sentence(for: .deleted) == "Your account is deleted.")
  }

  @Test("a profile shows the fields of the policy with their labels, and saves what was changed, all or nothing")
  func profile() async throws {
    usePolicy()
    stage.server.addAccount(
      email: ClientStage.email, password: ClientStage.password,
      profile: ["username": "ada", "classYear": 3, "role": "member"])
    let client = stage.client()
    _ = try await client.signIn(email: ClientStage.email, password: ClientStage.password)
    await client.settle()
    let model = ProfileModel(client)
    #expect(model.fields.isEmpty && model["username"] == "ada")
    await model.load()
    #expect(model.fields.map(\.label) == ["Username", "Class year"])
    #expect(model.fixedFields.map { model.text(of: $0) } == ["Member"])
    #expect(model["classYear"] == "3" && !model.hasChanges)
    let nothing = await requests { #expect(await model.submit()) }
    #expect(nothing == 0)
    model["username"] = ""
    model["classYear"] = "4"
    let sent = await requests { #expect(await model.submit() == false) }
    #expect(sent == 0 && model.fieldErrors == ["username": "Username is required."])
    #expect(model["classYear"] == "4" && !model.isSaved)
    model["username"] = "countess"
    #expect(await model.submit())
    #expect(model.isSaved && !model.hasChanges)
    #expect(client.state.user?["username"] == "countess" && client.state.user?["classYear"] == 4)
    model["username"] = "ada"
    #expect(!model.isSaved && model.hasChanges)
    model.discard()
    #expect(model["username"] == "countess")
  }

  @Test("the devices of a person, this one first; others are signed out one by one and all at once")
  func devices() async throws {
    let client = try await stage.signedIn()
    for account in ["two", "three", "four"] { _ = try await stage.signedIn(ClientStage.email, account) }
    _ = try await client.signIn(email: ClientStage.email, password: ClientStage.password)
    await client.settle()
    let model = DevicesModel(client)
    #expect(model.devices == nil && !model.isOnlyHere)
    #expect(await model.load())
    let all = try #require(model.devices)
    #expect(all.first?.isCurrent == true && all.count > 2)
    stage.server.fail(next: .refusal("internal", retryAfter: nil), at: "/v1/me/sessions")
    #expect(await model.load() == false)
    #expect(model.devices == all && model.message != nil)
    #expect(await model.end(try #require(all.last)))
    #expect(model.devices?.count == all.count - 1)
    #expect(await model.endOthers())
    #expect(model.devices?.count == 1 && model.isOnlyHere && client.hasSession)
  }

  @Test("the inputs of a sign-up stand in the order of the screen: name, address, other fields, password")
  func inputs() async throws {
    usePolicy()
    let model = SignUpModel(stage.client())
    #expect(model.inputs == ["email", "password", "confirmation"])
    await model.load()
    #expect(model.inputs == ["username", "email", "password", "confirmation"])
    model.asksTwice = false
    #expect(model.inputs == ["username", "email", "password"])
    (model.email, model.password) = ("ada", "short")
    #expect(await model.submit() == false)
    #expect(model.firstFault == "username")
  }

  @Test("each state has its screen, and of several steps the first one counts")
  func screens() {
    let user = AuthUser(id: "1", email: nil, createdAt: .distantPast, updatedAt: .distantPast)
    let later = AuthStep(need: "later:thing", message: "Do it.")
    let table: [(AuthState, AuthScreen)] = [
      (.restoring, .starting), (.locked, .unlock), (.signedOut(.never), .signIn), (.awaitingEmail("a"), .verifyEmail),
      (.signedIn(user), .app), (.limited(user, next: []), .app),
      (.limited(user, next: [.verifyEmail, .link("spotify")]), .verifyEmail),
      (.limited(user, next: [.link("spotify")]), .link("spotify")),
      (.limited(user, next: [.changeEmail]), .changeEmail),
      (.limited(user, next: [.changePassword]), .changePassword),
      (.limited(user, next: [.profile("username")]), .profile("username")),
      (.limited(user, next: [later]), .other(later)),
    ]
    for (state, screen) in table { #expect(state.screen == screen) }
  }

  @Test("the model of the session has the policy for the look of the screens, and keeps it without a network")
  func look() async throws {
    usePolicy()
    let client = stage.client()
    let model = SessionModel(client)
    #expect(model.policy == nil)
    await model.load()
    #expect(model.policy?.appName == "Acme")
    #expect(SessionModel(client).policy?.appName == "Acme")
    stage.server.fail(next: .dropRequest, times: 9, at: "/v1/policy")
    await model.load()
    #expect(model.policy?.appName == "Acme")
  }
}
