import Foundation
import GatehousePolicy
import Testing

@Suite("Kinds of rule on addresses")
struct EmailRuleKindTests {
  private func violations(_ rules: [Rule], _ email: String, _ source: some FactSource = FixedFacts()) -> [String] {
    let policy = Policy(
      tenant: "t", app: App(name: "T"), identifiers: Identifiers(email: EmailPolicy(rules: rules)),
      password: PasswordPolicy(rules: []))
    return policy.decide(.changeEmail, Facts(email: email), at: winter, using: source).violationIDs
  }

  @Test(
    "domains, exact and below",
    arguments: [
      ("a@ksu.edu", true, false), ("a@KSU.EDU", true, false), ("a@mail.ksu.edu", false, true),
      ("a@a.b.ksu.edu", false, true), ("a@xksu.edu", false, false), ("a@ksu.edu.example", false, false),
      ("a@edu.ksu", false, false), ("a@ｋｓｕ.edu", true, false), ("a@ksu.ed", false, false),
    ])
  func domains(email: String, exact: Bool, below: Bool) {
    let exactRule = Policies.email(.allowedDomains, Policies.domains("ksu.edu"))
    let belowRule = Policies.email(.allowedDomains, Policies.domains("*.ksu.edu"))
    let bothRule = Policies.email(.allowedDomains, Policies.domains("*.ksu.edu", "KSU.edu"))
    let denyRule = Policies.email(.deniedDomains, Policies.domains("*.ksu.edu", "ksu.edu"))
    #expect(violations([exactRule], email).isEmpty == exact)
    #expect(violations([belowRule], email).isEmpty == below)
    #expect(violations([bothRule], email).isEmpty == (exact || below))
    #expect(violations([denyRule], email).isEmpty == !(exact || below))
  }

  @Test(
    "T208 with allowed domains a local part that a mail system reads another address out of is refused",
    arguments: [
      "a%gmail.com@ksu.edu", "gmail.com!a@ksu.edu", "=?utf-8?q?a=40gmail.com=3e=00?=@ksu.edu", "=?x@ksu.edu",
      "A%B@KSU.EDU", "/c=us/o=acme/s=a@ksu.edu", "IMCEASMTP-a+40gmail.com@ksu.edu", "SRS0=x=tt=gmail.com=a@ksu.edu",
      "a_gmail.com#EXT#@ksu.edu", "%@ksu.edu",
    ])
  func routed(email: String) {
    let rule = Policies.email(.allowedDomains, Policies.domains("ksu.edu"))
    #expect(violations([rule], email) == ["email.plain_local_part"])
    #expect(violations([], email) == [], "without allowed domains an address is its owner's affair")
  }

  @Test(
    "T208 with allowed domains an address with an at sign, a route or quotes in its local part is none",
    arguments: [
      "\"a@gmail.com\"@ksu.edu", "\"a b\"@ksu.edu", "a@gmail.com@ksu.edu", "@gmail.com:a@ksu.edu",
      "<a@gmail.com>@ksu.edu",
      "a(x)@ksu.edu", "a\\@gmail.com@ksu.edu",
    ])
  func quoted(email: String) {
    #expect(violations([Policies.email(.allowedDomains, Policies.domains("ksu.edu"))], email) == ["email.syntax"])
  }

  @Test(
    "T208 with allowed domains the usual characters of local parts stay, and a stored account is not locked out",
    arguments: [
      "a+tag@ksu.edu", "o'neil@ksu.edu", "a.b-c_d@ksu.edu", "a=b@ksu.edu", "what?@ksu.edu", "a#1@ksu.edu",
      "a/b@ksu.edu",
      "x{y}~z@ksu.edu", "imperial@ksu.edu", "srs@ksu.edu",
    ])
  func unrouted(email: String) {
    #expect(violations([Policies.email(.allowedDomains, Policies.domains("ksu.edu"))], email) == [])
  }

  @Test(
    "T208 a stored account with such an address keeps its access, and the rule stands at the doors of its neighbour")
  func routedAccount() throws {
    var policy = Policies.ddRide
    let stored = StoredFacts(email: "a%gmail.com@ksu.edu", emailVerified: true, profile: [:], enteredBy: .signUp)
    #expect(policy.access(of: stored, at: instant("2027-03-01")).next.contains("change_email") == false)
    let rule = try #require(policy.identifiers.email.plainLocalPartRule)
    #expect(rule.doors == policy.identifiers.email.rules.first { $0.kind == .allowedDomains }?.doors)
    policy.identifiers.email.rules = []
    #expect(policy.identifiers.email.plainLocalPartRule == nil)
  }

  @Test("international domains compare in their ASCII form, and what can not be known denies")
  func international() {
    let rule = Policies.email(.allowedDomains, Policies.domains("bücher.example"))
    #expect(violations([rule], "a@bücher.example").isEmpty)
    #expect(violations([rule], "a@BÜCHER.example").isEmpty)
    #expect(violations([rule], "a@xn--bcher-kva.example").isEmpty)
    #expect(violations([rule], "a@bucher.example") == ["email.allowed_domains"])
    #expect(violations([rule], "a@bücher.example", NoFacts()) == ["email.syntax"])
    #expect(violations([rule], "a@xn--bcher-kva.example", NoFacts()) == ["email.allowed_domains"])
    let deny = Policies.email(.deniedDomains, Policies.domains("bücher.example"))
    #expect(violations([deny], "a@other.example", NoFacts()) == ["email.denied_domains"])
    #expect(violations([deny], "a@other.example").isEmpty)
  }

  @Test("throw-away domains, tags and length")
  func others() {
    let disposable = Policies.email(.denyDisposable)
    #expect(violations([disposable], "a@trash.example") == ["email.deny_disposable"])
    #expect(violations([disposable], "a@good.example").isEmpty)
    #expect(violations([disposable], "a@good.example", NoFacts()) == ["email.deny_disposable"])
    let tagged = Policies.email(.denySubaddress)
    #expect(violations([tagged], "a+b@x.example") == ["email.deny_subaddress"])
    #expect(violations([tagged], "ab@x.example").isEmpty)
    let short = Policies.email(.maxLength, .integer(11))
    #expect(violations([short], "a@x.example").isEmpty)
    #expect(violations([short], "ab@x.example") == ["email.max_length"])
  }

  @Test("all that is wrong with an address is said at once")
  func several() {
    let rules = [
      Policies.email(.allowedDomains, Policies.domains("ksu.edu")), Policies.email(.denySubaddress),
      Policies.email(.maxLength, .integer(5)),
    ]
    #expect(violations(rules, "a+b@x.example") == rules.map(\.id))
  }
}
