import Foundation
import GatehousePolicy
import Testing

@testable import GatehouseServer

@Suite("The line that a policy is known by")
struct PolicyLineTests {
  private static let day = Day("2027-03-01")
  private static let before = Date(timeIntervalSince1970: Double((day?.startSeconds ?? 0) - 1))
  private static let after = Date(timeIntervalSince1970: Double(day?.startSeconds ?? 0))

  private static func policy(
    domains: [String] = [], mode: Enforce = .enforce, disclose: Bool = true, needs: [Requirement] = [],
    stages: [String] = [], providers: [Provider] = [Provider(name: "password", use: .signIn)]
  ) -> Policy {
    let rule = Rule(
      id: "email.allowed_domains", kind: .allowedDomains, target: .email,
      parameter: .domains(domains.compactMap { DomainPattern($0) }), enforcement: Enforcement(mode), disclose: disclose)
    let rules = stages.map { from in
      Rule(
        id: "password.min8", kind: .minLength, target: .password, parameter: .integer(8),
        enforcement: Enforcement(.warn, from: Day(from)), disclose: disclose)
    }
    return Policy(
      tenant: "a", app: App(name: "A"),
      identifiers: Identifiers(email: EmailPolicy(rules: domains.isEmpty ? [] : [rule])),
      password: PasswordPolicy(rules: rules), access: AccessPolicy(full: needs), providers: providers)
  }

  private static func line(_ policy: Policy, at now: Date = before) -> String { PolicyLine.text(of: policy, at: now) }

  @Test("a policy that asks for nothing is known by what people sign in with")
  func fallback() { #expect(Self.line(Self.policy()) == "Email and password") }

  @Test(
    "the domains of addresses come first",
    arguments: [
      (["ksu.edu"], "Only @ksu.edu"), (["a.edu", "*.b.edu"], "Only @a.edu and @*.b.edu"),
      (["a.edu", "b.edu", "c.edu", "d.edu"], "Only @a.edu, @b.edu and 2 more"),
    ])
  func domains(_ names: [String], _ line: String) {
    let policy = Self.policy(domains: names, needs: [Requirement(.emailVerified)], stages: ["2027-03-01"])
    #expect(Self.line(policy) == line)
  }

  @Test("a rule that only warns, or that the policy does not disclose, is not told")
  func untold() {
    #expect(Self.line(Self.policy(domains: ["ksu.edu"], mode: .warn)) == "Email and password")
    #expect(Self.line(Self.policy(domains: ["ksu.edu"], disclose: false)) == "Email and password")
    #expect(Self.line(Self.policy(disclose: false, stages: ["2027-03-01"])) == "Email and password")
  }

  @Test("an account elsewhere that access needs comes before a day")
  func linked() {
    let needs = [Requirement(.linked("spotify")), Requirement(.emailVerified)]
    #expect(Self.line(Self.policy(needs: needs, stages: ["2027-03-01"])) == "Needs Spotify")
    let warns = [Requirement(.linked("spotify"), enforcement: Enforcement(.warn))]
    #expect(Self.line(Self.policy(needs: warns)) == "Email and password")
  }

  @Test("the next day on which passwords become stricter is told until it has come")
  func stages() {
    let policy = Self.policy(stages: ["2028-01-01", "2027-03-01"])
    #expect(Self.line(policy) == "Stricter passwords from 2027-03-01")
    #expect(Self.line(policy, at: Self.after) == "Stricter passwords from 2028-01-01")
    #expect(Self.line(Self.policy(stages: ["2027-03-01"]), at: Self.after) == "Email and password")
  }

  @Test("where no password is taken, it names the providers")
  func providers() {
    let google = Provider(name: "google", use: .signIn)
    let github = Provider(name: "github", use: .signIn)
    #expect(Self.line(Self.policy(stages: ["2027-03-01"], providers: [google])) == "Sign-in with Google")
    #expect(Self.line(Self.policy(providers: [google, github])) == "Sign-in with Google or GitHub")
  }

  @Test("addresses that have to be verified come last")
  func verified() {
    #expect(Self.line(Self.policy(needs: [Requirement(.emailVerified)])) == "Only verified addresses")
  }
}
