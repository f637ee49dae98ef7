import GatehousePolicy
import GatehousePolicyFile
import Testing

@Suite("Files without a password door")
struct PasswordDoorFileTests {
  private static let google = "google: {use: sign_in, client_id: abc}"
  private static let closed = ReadingTests.base + "providers: {\(google)}\n"
  private static let open = ReadingTests.base + "providers: {password: {use: sign_in}, \(google)}\n"

  @Test(
    "T135 the door is open where providers name password, and where there are none",
    arguments: [
      (open, true), (ReadingTests.base, true), (closed, false), (ReadingTests.base + "providers: {}\n", false),
    ])
  func door(text: String, isOpen: Bool) throws {
    #expect(try read(text).policy.hasPassword == isOpen)
  }

  @Test("T135 the doors of a closed file show no rule on passwords, and nothing at sign-up and reset")
  func matrix() throws {
    let rows = DoorMatrix(try read(Self.closed).policy).rows
    let passwords = rows.filter { $0.rule.hasPrefix("password.") }
    #expect(!passwords.isEmpty && passwords.allSatisfy { $0.cells.allSatisfy { $0 == .closed } })
    for door in [Door.signUp, .setPassword, .resetPassword] {
      #expect(rows.allSatisfy { $0[door] == .closed }, "\(door)")
    }
    #expect(rows.contains { $0[.federatedSignUp] == .enforces } && rows.contains { $0[.adminCreate] == .enforces })
    let open = DoorMatrix(try read(Self.open).policy).rows
    #expect(open.contains { $0.rule.hasPrefix("password.") && $0[.signUp] == .enforces })
  }

  @Test(
    "T135 a test at a closed door is told that the door is closed",
    arguments: [
      ("sign_up: {email: a@acme.example, password: longenough}", "sign_up is closed"),
      ("set_password: {password: longenough}", "set_password is closed"),
      ("reset_password: {email: a@acme.example}", "reset_password is closed"),
      ("admin_create: {email: a@acme.example, password: longenough}", "admin_create is closed to a password"),
      ("sign_in: {password: longenough}", "sign_in is closed to a password"),
      ("given: {password: longenough}", "sign_in is closed to a password"),
    ])
  func tests(door: String, message: String) throws {
    let tests = "tests: [{name: x, \(door), expect: {ok: true}}]\n"
    #expect(findings(Self.closed + tests).contains("error[P0409]: \(message)"))
    #expect(findings(Self.open + tests).isEmpty, "the negative control")
  }

  @Test(
    "T135 tests at the doors of others stay",
    arguments: [
      "admin_create: {email: a@acme.example}", "given: {email_verified: true}",
      "sign_up_with: {provider: google, email: a@acme.example, email_verified: true}",
    ])
  func otherTests(door: String) throws {
    #expect(findings(Self.closed + "tests: [{name: x, \(door), expect: {ok: true}}]\n").isEmpty)
  }

  @Test("T135 no test has to cover a password rule that applies to no user")
  func mutants() throws {
    let subjects = PolicyTests.mutate(try read(Self.closed), using: SmallLists()).map(\.mutant.subject)
    #expect(!subjects.contains { $0.hasPrefix("password") })
    let open = PolicyTests.mutate(try read(Self.open), using: SmallLists()).map(\.mutant.subject)
    #expect(open.contains { $0.hasPrefix("password") })
  }

  @Test("T135 to leave password out is stricter, to name it again is weaker")
  func diff() throws {
    let (open, closed) = (try read(Self.open), try read(Self.closed))
    #expect(PolicyFile.diff(open, closed).map(\.relation) == [.stricter])
    #expect(PolicyFile.diff(closed, open).map(\.relation) == [.weaker])
  }

  @Test("T136 a stored revision that keeps the door differs from its own text: applying that is stricter")
  func diffOfStored() throws {
    let stored = try PolicyFile.read(Self.closed, name: "revision 1", as: .stored(.first)).get()
    let changes = PolicyFile.diff(stored, try read(Self.closed))
    #expect(changes.map(\.relation) == [.stricter] && changes.map(\.subject) == ["providers.password"])
  }

  @Test("T135 forms are told of no rule on passwords, and password managers of none")
  func publicHalf() throws {
    let policy = try read(Self.closed).policy
    #expect(!policy.publicRules(at: date("2026-01-01")).contains { $0.pointer == Pointer.password })
    #expect(policy.passwordRules(at: date("2026-01-01")) == "")
  }

  @Test("T135 a stored password that broke the rules need not change where passwords open nothing")
  func standing() throws {
    let rules = "min_length: 8, existing: require_at_sign_in"
    let base = Self.closed.replacing("min_length: 8", with: rules)
    #expect(base != Self.closed)
    let stored = StoredFacts(email: "a@acme.example", mustChangePassword: true)
    func next(_ text: String) throws -> [String] {
      try read(text).policy.decide(.signIn, Facts(stored: stored), at: date("2026-01-01"), using: SmallLists()).next
    }
    #expect(try next(base) == [])
    #expect(try next(Self.open.replacing("min_length: 8", with: rules)) == ["change_password"])
  }

  @Test("T135 a file without any way to sign in is a lint")
  func noWayIn() throws {
    let check = PolicyCheck.check(
      Array((ReadingTests.base + "providers: {}\n").utf8), name: "x.yaml", using: SmallLists(), now: date("2026-01-01"))
    #expect(check.diagnostics.contains { $0.code == .impossible })
  }
}
