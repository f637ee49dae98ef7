import GatehousePolicy
import Testing

@Suite("DD Ride")
struct DDRideTests {
  let policy = Policies.ddRide

  func signUp(
    _ email: String? = "w@ksu.edu", _ password: String? = "Wildcat1",
    _ profile: [String: FieldValue] = ["name": "W", "phoneNumber": "7855550123"]
  ) -> Decision {
    policy.decide(.signUp, Facts(email: email, password: password, profile: profile), at: winter, using: NoFacts())
  }

  @Test("any case, any phone spelling, admin fields get defaults")
  func normalised() {
    let decision = signUp("Willie@KSU.edu", "Wildcat1", ["name": "  Willie W ", "phoneNumber": "(785) 555-0123"])
    #expect(decision.allow)
    #expect(decision.access == .limited)
    #expect(decision.next == ["verify_email"])
    #expect(decision.normalised.email == "willie@ksu.edu")
    #expect(
      decision.normalised.profile == [
        "name": "Willie W", "phoneNumber": "+17855550123", "role": "member", "classYear": 1, "chapterId": "",
      ])
    #expect(decision.warnings.isEmpty)
    #expect(decision.passwordComplies == true)
  }

  @Test(
    "look-alike domains are refused at every door of an address",
    arguments: ["w@ksu.edu.example.com", "w@notksu.edu", "w@mail.ksu.edu", "w@ksu.edu.evil.com", "w@ksu.education"],
    [Door.signUp, .changeEmail, .federatedSignUp, .link, .adminCreate, .invite, .import, .resetPassword])
  func lookAlikes(email: String, door: Door) {
    let facts = Facts(
      email: email, password: door == .resetPassword ? nil : "Wildcat1",
      profile: ["name": "W", "phoneNumber": "7855550123"], writer: door == .adminCreate ? .admin : .user)
    let decision = policy.decide(door, facts, at: winter, using: NoFacts())
    #expect(!decision.allow)
    #expect(decision.violationIDs == ["email.allowed_domains"])
    #expect(decision.violations.first?.pointer == "/email")
    #expect(decision.violations.first?.params == ["domains": .strings(["ksu.edu"])])
    #expect(decision.violations.first?.message.text(in: ["es-MX"]) == "Usa tu correo de K-State (@ksu.edu)")
    #expect(decision.violations.first?.message.text(in: ["de"]) == "Must use K-State email (@ksu.edu)")
  }

  @Test("two at signs are no address")
  func twoAts() {
    let decision = signUp("w@ksu.edu@example.com")
    #expect(decision.violationIDs == ["email.syntax"])
    #expect(decision.verdict("email.allowed_domains") == .notReached)
    #expect(decision.normalised.email == nil)
  }

  @Test(
    "each class is needed on its own",
    arguments: [("wildcat1", "password.upper"), ("WILDCAT1", "password.lower"), ("Wildcats", "password.digit")])
  func classes(password: String, rule: String) {
    #expect(signUp("w@ksu.edu", password).violationIDs == [rule])
  }

  @Test("own name in the password is only a warning for now")
  func personal() {
    let decision = signUp("w@ksu.edu", "Willie123", ["name": "Willie", "phoneNumber": "7855550123"])
    #expect(decision.allow)
    #expect(decision.warningIDs == ["password.not_personal"])
    #expect(decision.passwordComplies == false)
  }

  @Test("all problems at once, in file order")
  func everything() {
    let decision = signUp("w@ksu.edu", "wild", ["name": "   "])
    #expect(
      decision.violationIDs == [
        "password.min8", "password.upper", "password.digit", "name.required", "phoneNumber.required",
      ])
    #expect(decision.violations.map(\.pointer).suffix(2) == ["/profile/name", "/profile/phoneNumber"])
    #expect(decision.violations.first?.params == ["min": .integer(8)])
    #expect(decision.violations.first?.message.text(in: ["en"]) == "At least 8 characters")
    #expect(decision.violations.first?.message.text(in: ["es"]) == "Al menos 8 caracteres")
    #expect(decision.access == .limited)
    #expect(decision.trace.first { $0.rule == "password.min8" }?.line == 16)
  }

  @Test("nothing at all: every required value is named, nothing else is reached")
  func nothing() {
    let decision = signUp(nil, nil, [:])
    #expect(
      decision.violationIDs == ["email.required", "password.required", "name.required", "phoneNumber.required"])
    #expect(decision.verdict("password.min8") == .notReached)
    #expect(decision.verdict("name.max_length") == .notReached)
    #expect(signUp("", "", [:]).violationIDs == decision.violationIDs)
  }

  @Test("seven digits are not a phone number")
  func sevenDigits() {
    let decision = signUp("w@ksu.edu", "Wildcat1", ["name": "W", "phoneNumber": "555-0123"])
    #expect(decision.violationIDs == ["phoneNumber.format"])
    #expect(decision.violations.first?.message.text(in: []) == "Enter a 10-digit US phone number")
  }

  @Test(
    "no user makes themselves admin, at no door a person has",
    arguments: [
      ("role", "admin" as FieldValue), ("role", "member"), ("chapterId", "KAPPA"), ("role", .null),
    ],
    [Door.signUp, .updateProfile, .federatedSignUp, .invite])
  func admin(change: (String, FieldValue), door: Door) {
    var profile: [String: FieldValue] = door == .updateProfile ? [:] : ["name": "W", "phoneNumber": "7855550123"]
    profile[change.0] = change.1
    let facts = Facts(email: "w@ksu.edu", password: "Wildcat1", profile: profile)
    let decision = policy.decide(door, facts, at: winter, using: NoFacts())
    #expect(decision.violationIDs == [change.0 + ".write"])
    #expect(decision.normalised.profile[change.0] == nil)
  }

  @Test("a provider makes no user admin either")
  func provided() {
    let facts = Facts(
      provider: ProviderFacts(
        name: "google", email: "w@ksu.edu", emailVerified: true,
        profile: ["role": "admin", "name": "W", "phoneNumber": "7855550123", "other": 1]))
    let decision = policy.decide(.federatedSignUp, facts, at: winter, using: NoFacts())
    #expect(decision.allow)
    #expect(decision.normalised.profile["role"] == "member")
    #expect(decision.access == .full)
  }

  @Test("an admin can")
  func adminCan() {
    let facts = Facts(profile: ["role": "admin", "chapterId": "KAPPA", "classYear": 4], writer: .admin)
    let decision = policy.decide(.adminUpdate, facts, at: winter, using: NoFacts())
    #expect(decision.allow)
    #expect(decision.normalised.profile == ["role": "admin", "chapterId": "KAPPA", "classYear": 4])
  }

  @Test(
    "class years are 1 to 4", arguments: [(0, "classYear.min"), (5, "classYear.max"), (Int64.max, "classYear.max")])
  func classYears(year: Int64, rule: String) {
    for (door, writer) in [(Door.adminUpdate, Facts.Writer.admin), (.updateProfile, .user)] {
      let facts = Facts(profile: ["classYear": .integer(year)], writer: writer)
      #expect(policy.decide(door, facts, at: winter, using: NoFacts()).violationIDs == [rule], "\(door)")
    }
  }

  @Test("a person writes their own class year, at sign-up and later", arguments: [Door.signUp, .updateProfile])
  func ownClassYear(door: Door) {
    var profile: [String: FieldValue] = door == .signUp ? ["name": "W", "phoneNumber": "7855550123"] : [:]
    profile["classYear"] = 4
    let facts = Facts(email: "w@ksu.edu", password: "Wildcat1", profile: profile, writer: .user)
    let decision = policy.decide(door, facts, at: winter, using: NoFacts())
    #expect(decision.allow && decision.normalised.profile["classYear"] == 4)
  }

  @Test("verified is full")
  func verified() {
    let stored = StoredFacts(email: "w@ksu.edu", emailVerified: true)
    #expect(policy.access(of: stored, at: winter) == (.full, []))
    let unverified = StoredFacts(email: "w@ksu.edu", emailVerified: false)
    #expect(policy.access(of: unverified, at: winter) == (.limited, ["verify_email"]))
  }

  @Test("only an administrator by a field only administrators write")
  func administrators() {
    #expect(policy.isAdministrator(profile: ["role": "admin"]))
    #expect(!policy.isAdministrator(profile: ["role": "member"]))
    #expect(!policy.isAdministrator(profile: [:]))
    #expect(policy.may(.listUsers, profile: ["role": "admin"]))
    #expect(!policy.may(.disable, profile: ["role": "admin"]))
    #expect(!policy.may(.listUsers, profile: ["role": "member"]))
    var open = policy
    open.admins = Admins(when: [.init(field: "name", value: "root")], may: [.listUsers])
    #expect(!open.isAdministrator(profile: ["name": "root"]))
    open.admins = Admins(when: [], may: [.listUsers])
    #expect(!open.isAdministrator(profile: [:]))
    open.admins = Admins(when: [.init(field: "chapterId", value: .null)], may: [.listUsers])
    #expect(!open.isAdministrator(profile: [:]))
  }

  @Test("the password string of iCloud says what the rules say")
  func passwordRules() {
    #expect(
      policy.passwordRules(at: winter)
        == "minlength: 8; maxlength: 128; required: upper; required: lower; required: digit;")
    #expect(Policies.vibes().passwordRules(at: winter) == "minlength: 8; maxlength: 128; allowed: ascii-printable;")
  }
}
