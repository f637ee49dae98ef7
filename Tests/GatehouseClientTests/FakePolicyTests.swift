import Foundation
import GatehouseClientTesting
import GatehousePolicy
import Testing

@testable import GatehouseClient

@Suite("FakeServer and its policy")
struct FakePolicyTests {
  private let clock = ManualClock()

  private func server(_ policy: Policy) -> FakeServer { FakeServer(policy: FakePolicy(policy), clock: clock) }

  private func client(_ server: FakeServer) -> AuthClient { AuthClient(server.configuration()) }

  private static func policy(_ fields: [Field] = [], access: [Requirement] = []) -> Policy {
    Policy(
      tenant: "campus", app: App(name: "Campus"),
      identifiers: Identifiers(
        email: EmailPolicy(rules: [
          Rule(
            id: "email.allowed_domains", kind: .allowedDomains, target: .email,
            parameter: .domains([DomainPattern("campus.example")].compactMap(\.self)),
            message: ["en": "Use your campus address."])
        ])),
      password: PasswordPolicy(rules: [
        Rule(id: "password.min8", kind: .minLength, target: .password, parameter: .integer(8)),
        Rule(id: "password.last2", kind: .notLast, target: .password, parameter: .integer(2)),
      ]),
      profile: ProfilePolicy(fields: fields), access: AccessPolicy(full: access),
      privacy: Privacy(accountExists: .reveal), messages: Messages([.invalidCredentials: ["en": "No such login"]]))
  }

  private static let fields = [
    Field(name: "nick", type: .string, trim: true, visibleTo: .users, unique: .ignoreCase),
    Field(name: "year", type: .integer, defaultValue: 1),
    Field(name: "isDriver", type: .boolean, defaultValue: false),
    Field(name: "birthday", type: .date),
    Field(name: "role", type: .string, defaultValue: "member", write: .admin, visibleTo: .`self`),
    Field(name: "note", type: .string, defaultValue: "-", write: .admin, visibleTo: .admin),
  ]

  private func rules(_ body: () async throws(AuthError) -> Void) async -> [String] {
    await failure(body)?.violations.map(\.rule) ?? []
  }

  @Test("a sign-up is refused with every broken rule, in the policy's order and words")
  func refused() async throws {
    let client = client(server(Self.policy(Self.fields)))
    let error = await failure { () async throws(AuthError) in
      _ = try await client.signUp(email: "al@example.com", password: "short", profile: ["year": "two", "x": 1])
    }
    #expect(error?.code == .validationFailed)
    #expect(
      error?.violations.map(\.rule) == ["email.allowed_domains", "password.min8", "year.type", "x.unknown"])
    #expect(error?.violation(of: "email")?.sentence == "Use your campus address.")
    #expect(error?.violation(of: "x")?.input == "x")
  }

  private struct Person: Decodable, Equatable {
    var id: String
    var year: Int
    var isDriver: Bool
    var role: String
  }

  @Test("an account has the defaults of its fields, and a type of the app decodes it")
  func defaults() async throws {
    let server = server(Self.policy(Self.fields))
    let user = try #require(
      try await client(server).signUp(email: "al@campus.example", password: "long enough").user)
    #expect(user.profile == ["year": 1, "isDriver": false, "role": "member"])
    #expect(try user.decode(Person.self) == Person(id: user.id, year: 1, isDriver: false, role: "member"))
    server.addAccount(
      email: "bo@campus.example", password: "long enough", profile: ["year": 3, "birthday": "2001-05-09"])
    let other = AuthClient(server.configuration(account: "other"))
    let bo = try #require(try await other.signIn(email: "bo@campus.example", password: "long enough").user)
    #expect(bo["year"]?.integer == 3 && bo["birthday"] == "2001-05-09" && bo["isDriver"]?.boolean == false)
    server.setField("isDriver", true, of: "bo@campus.example")
    server.setField("birthday", nil, of: "bo@campus.example")
    let after = try #require(try await other.reload().user)
    #expect(after["isDriver"]?.boolean == true && after["birthday"] == nil)
    #expect(try await client(server).signIn(email: "al@campus.example", password: "long enough").user != nil)
    #expect(try await other.user(user.id).profile == [:])
  }

  @Test("a change of the profile is judged, and stored in the form of its field")
  func change() async throws {
    let server = server(Self.policy(Self.fields))
    let client = client(server)
    _ = try await client.signUp(email: "al@campus.example", password: "long enough")
    #expect(try await client.updateProfile(["nick": "  Al ", "year": 2]).user?["nick"] == "Al")
    #expect(
      await rules { () async throws(AuthError) in _ = try await client.updateProfile(["role": "admin", "year": true]) }
        == ["year.type", "role.write"])
    let other = AuthClient(server.configuration(account: "other"))
    #expect(
      await rules { () async throws(AuthError) in
        _ = try await other.signUp(email: "bo@campus.example", password: "long enough", profile: ["nick": "AL"])
      } == ["nick.unique"])
    #expect(server.accountCount == 1)
  }

  @Test("a new password and a new address are judged, and the words for a code are the policy's")
  func others() async throws {
    let client = client(server(Self.policy()))
    _ = try await client.signUp(email: "al@campus.example", password: "long enough")
    #expect(
      await rules { () async throws(AuthError) in
        _ = try await client.changePassword(current: "long enough", new: "short")
      } == ["password.min8"])
    #expect(
      await rules { () async throws(AuthError) in
        _ = try await client.changePassword(current: "long enough", new: "long enough")
      } == ["password.last2"])
    #expect(
      await rules { () async throws(AuthError) in
        _ = try await client.changeEmail(to: "al@example.com", proof: .password("long enough"))
      } == ["email.allowed_domains"])
    let wrong = await failure { () async throws(AuthError) in
      try await client.reauthenticate(.password("wrong"))
    }
    #expect(wrong?.message == "No such login")
  }

  @Test("the missing steps come in the order of access.full, and a done one leaves the others in place")
  func order() async throws {
    let access = [Requirement(.profile("nick")), Requirement(.linked("spotify")), Requirement(.emailVerified)]
    var policy = Self.policy(Self.fields, access: access)
    policy.providers.append(Provider(name: "spotify", use: .link, scopes: ["a", "b"], requireScopes: .all))
    let server = server(policy)
    let client = client(server)
    _ = try await client.signUp(email: "al@campus.example", password: "long enough")
    func needs() -> [String] {
      guard case .limited(_, let next) = client.state else { return [] }
      return next.map(\.need)
    }
    #expect(needs() == ["profile:nick", "link:spotify", "verify_email"])
    let flow = try await client.startLink("spotify", redirect: URL(string: "app://spotify"))
    _ = try await client.finish(at: try #require(server.callback(from: flow.url)))
    #expect(needs() == ["profile:nick", "verify_email"])
    _ = try await client.updateProfile(["nick": "al"])
    #expect(needs() == ["verify_email"])
    server.policy.fullAccess = [.profile("birthday"), .verifyEmail]
    _ = try await client.reload()
    #expect(needs() == ["profile:birthday", "verify_email"])
    #expect(server.policy.fullAccess == [.profile("birthday"), .verifyEmail])
  }

  @Test("the public policy is that of the bundle")
  func published() async throws {
    let client = client(server(Self.policy(Self.fields)))
    let policy = try await client.policy()
    #expect(policy.appName == "Campus")
    #expect(policy.fields.map(\.name) == ["nick", "year", "isDriver", "birthday", "role"])
  }

  @Test("a test chooses the error that the next request is refused with")
  func chosen() async throws {
    let server = FakeServer(clock: clock)
    let chosen = [
      AuthError.Violation(
        input: "email", rule: "email.campus", message: "A campus address", sentence: "Please use your campus email."),
      AuthError.Violation(input: "nick", rule: "nick.unique", message: "A free name"),
    ]
    let client = client(server)
    server.fail(next: .violations(chosen))
    let error = await failure { () async throws(AuthError) in
      _ = try await client.signUp(email: "new@example.com", password: "correct horse")
    }
    #expect(error?.code == .validationFailed && error?.violations == chosen)
    server.fail(
      next: .refusal(
        AuthError(.accessLimited, message: "Not yet", next: [.link("spotify")], retryAfter: .seconds(7))))
    let limited = await failure { () async throws(AuthError) in
      _ = try await client.signUp(email: "new@example.com", password: "correct horse")
    }
    #expect(limited?.message == "Not yet" && limited?.next == [.link("spotify")] && limited?.retryAfter == .seconds(7))
    #expect(try await client.signUp(email: "new@example.com", password: "correct horse").user != nil)
  }

  @Test("a bundle of another version is refused with what is wrong")
  func unreadable() throws {
    #expect(throws: PolicyBundleError.format("gatehouse/bundle.v9")) {
      _ = try FakePolicy(bundle: Data("{\"bundle\": \"gatehouse/bundle.v9\"}".utf8))
    }
    let policy = Self.policy(Self.fields)
    #expect(try FakePolicy(bundle: Data(policy.bundle)).policy.bundle == policy.bundle)
  }
}
