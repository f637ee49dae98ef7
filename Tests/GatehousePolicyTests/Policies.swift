import Foundation
import GatehousePolicy

/// The three apps' policies, built in code as the reader builds them from their files.
enum Policies {
  static let verification = Verification(
    email: EmailVerification(
      method: .linkAndCode, linkTTL: 86_400, codeTTL: 600, resendCooldown: 60, maxSendsPerDay: 10))

  static func password(
    _ id: String, _ kind: RuleKind, _ parameter: Parameter, _ mode: Enforce = .enforce, from: String? = nil,
    existing: Existing? = nil, line: Int = 0
  ) -> Rule {
    Rule(
      id: "password." + id, kind: kind, target: .password, parameter: parameter,
      enforcement: Enforcement(mode, from: from.flatMap { Day($0) }), existing: existing,
      position: SourcePosition(line: line, column: 5))
  }

  static func field(_ name: String, _ kind: RuleKind, _ parameter: Parameter = .flag(true)) -> Rule {
    Rule(id: name + "." + kind.name, kind: kind, target: .field, parameter: parameter)
  }

  static func email(_ kind: RuleKind, _ parameter: Parameter = .flag(true), message: Texts? = nil) -> Rule {
    Rule(id: "email." + kind.name, kind: kind, target: .email, parameter: parameter, message: message)
  }

  static func domains(_ names: String...) -> Parameter { .domains(names.compactMap { DomainPattern($0) }) }

  static func characters(_ text: String) -> Parameter {
    Charset(text).map(Parameter.characters) ?? .flag(true)
  }

  static let kstate: Texts = ["en": "Must use K-State email (@ksu.edu)", "es": "Usa tu correo de K-State (@ksu.edu)"]

  static let ddRide = Policy(
    tenant: "dd-ride", app: App(name: "DD Ride", supportEmail: "help@ddride.example", locales: ["en", "es"]),
    identifiers: Identifiers(
      email: EmailPolicy(rules: [email(.allowedDomains, domains("ksu.edu"), message: kstate)], message: kstate)),
    password: PasswordPolicy(
      existing: .atNextChange,
      rules: [
        password("max_length", .maxLength, .integer(128)),
        password("min8", .minLength, .integer(8), line: 16),
        password("upper", .require, .text("uppercase")),
        password("lower", .require, .text("lowercase")),
        password("digit", .require, .text("digit")),
        password("not_personal", .notContaining, .texts(["email", "name"]), .warn),
      ]),
    profile: ProfilePolicy(fields: [
      Field(
        name: "name", type: .string,
        rules: [field("name", .required), field("name", .maxLength, .integer(100))], trim: true, visibleTo: .users),
      Field(
        name: "phoneNumber", type: .phone, rules: [field("phoneNumber", .required)], visibleTo: .users,
        region: "US", phoneCheck: .length),
      Field(
        name: "classYear", type: .integer,
        rules: [field("classYear", .min, .integer(1)), field("classYear", .max, .integer(4))], defaultValue: 1,
        visibleTo: .users, label: ["en": "Class year", "es": "Curso"], atSignUp: true),
      Field(
        name: "role", type: .enum, rules: [field("role", .values, .texts(["admin", "member"]))],
        defaultValue: "member", write: .admin, visibleTo: .users, claim: true),
      Field(
        name: "chapterId", type: .string, rules: [field("chapterId", .maxLength, .integer(64))], defaultValue: "",
        write: .admin, visibleTo: .users, claim: true, label: ["en": "Chapter", "es": "Capítulo"]),
    ]),
    verification: verification, access: AccessPolicy(full: [Requirement(.emailVerified)]),
    privacy: Privacy(accountExists: .reveal),
    admins: Admins(when: [.init(field: "role", value: "admin")], may: [.listUsers, .updateProfile]),
    limits: Limits([.signInPerAccount: Limit("10/15m")].compactMapValues { $0 }))

  static func messAI(existing: Existing = .promptAtSignIn) -> Policy {
    func staged(_ id: String, _ kind: RuleKind, _ parameter: Parameter) -> Rule {
      password(id, kind, parameter, .warn, from: "2027-03-01")
    }
    return Policy(
      tenant: "messai", app: App(name: "messAI"),
      identifiers: Identifiers(email: EmailPolicy(rules: [email(.maxLength, .integer(254))])),
      password: PasswordPolicy(
        existing: existing,
        rules: [
          password("max_length", .maxLength, .integer(128)),
          password("min6", .minLength, .integer(6)),
          staged("min8", .minLength, .integer(8)),
          staged("upper", .require, .text("uppercase")),
          staged("lower", .require, .text("lowercase")),
          staged("digit", .require, .text("digit")),
          staged("special", .require, .text("special")),
          staged("breached", .notIn, .text("breached")),
        ]),
      profile: ProfilePolicy(fields: [
        Field(
          name: "displayName", type: .string,
          rules: [
            field("displayName", .required), field("displayName", .minLength, .integer(2)),
            field("displayName", .maxLength, .integer(50)),
          ], trim: true, visibleTo: .users),
        Field(name: "photoURL", type: .url, rules: [field("photoURL", .httpsOnly)], visibleTo: .users),
      ]),
      verification: verification, privacy: Privacy(accountExists: .reveal))
  }

  static let spotifyScopes = [
    "user-read-email", "user-read-private", "playlist-read-private", "playlist-read-collaborative",
    "playlist-modify-public", "playlist-modify-private", "user-library-read", "user-library-modify", "user-top-read",
    "user-read-recently-played", "user-read-currently-playing", "user-read-playback-state",
  ]

  static func vibes(spotify: Enforce = .enforce) -> Policy {
    Policy(
      tenant: "vibes", app: App(name: "vibes"),
      identifiers: Identifiers(),
      password: PasswordPolicy(rules: [
        password("max_length", .maxLength, .integer(128)),
        password("min6", .minLength, .integer(6)), password("min8", .minLength, .integer(8), .warn),
      ]),
      profile: ProfilePolicy(fields: [
        Field(
          name: "username", type: .string,
          rules: [
            field("username", .required), field("username", .minLength, .integer(3)),
            field("username", .maxLength, .integer(30)),
            Charset("a-zA-Z0-9_.").map { field("username", .charset, .characters($0)) },
            field("username", .reserved, .texts(["admin", "support", "vibes"])),
          ].compactMap { $0 }, trim: true, visibleTo: .users, unique: .ignoreCase)
      ]),
      verification: verification,
      access: AccessPolicy(full: [
        Requirement(.profile("username")), Requirement(.linked("spotify"), enforcement: Enforcement(spotify)),
      ]),
      providers: [
        Provider(name: "password", use: .signIn),
        Provider(name: "google", use: .signIn, existingEmail: .linkIfBothVerified, promptFor: ["username"]),
        Provider(
          name: "spotify", use: .link, flow: .codePKCE, scopes: spotifyScopes, requireScopes: .all,
          tokenStore: .encrypted, handOut: .accessTokenOnly, oneAccountPerUser: true),
      ],
      privacy: Privacy(accountExists: .reveal))
  }
}

/// A source with fixed answers, which counts what it is asked.
final class FixedFacts: FactSource, @unchecked Sendable {
  private let lock = NSLock()
  private var asked: [String] = []
  let listed: Set<String>
  let score: Int?
  let reused: Set<String>

  init(
    listed: Set<String> = ["123456", "Password1!", "qwerty"], score: Int? = 2, reused: Set<String> = ["OldPass1!"]
  ) {
    self.listed = listed
    self.score = score
    self.reused = reused
  }

  var questions: [String] { lock.withLock { asked } }
  private func note(_ question: String) { lock.withLock { asked.append(question) } }

  func isListed(_ password: String, list: String) -> Bool? {
    note("list \(list)")
    return listed.contains(password)
  }
  func strength(of password: String, inputs: [String]) -> Int? {
    note("strength \(inputs.joined(separator: " "))")
    return score
  }
  func isReused(_ password: String, last: Int) -> Bool? {
    note("reused \(last)")
    return reused.contains(password)
  }
  func isDisposable(_ domain: String) -> Bool? {
    note("disposable \(domain)")
    return domain == "trash.example"
  }
  func phone(_ raw: String, region: String) -> PhoneFact? {
    note("phone \(region)")
    switch raw {
    case "030 901820": return PhoneFact(e164: "+4930901820", region: "DE", isPossible: true, isValid: true)
    case "+44 20 7946 0018": return PhoneFact(e164: "+442079460018", region: "GB", isPossible: true, isValid: true)
    case "extended": return PhoneFact(e164: "+17855326011", isPossible: true, isValid: true, hasExtension: true)
    case "0000": return PhoneFact(e164: "+490000", region: "DE", isPossible: true, isValid: false)
    default: return PhoneFact(e164: nil)
    }
  }
  func asciiDomain(_ domain: String) -> String? {
    note("idna")
    switch domain.lowercased() {
    case "bücher.example": return "xn--bcher-kva.example"
    case "ｋｓｕ.edu": return "ksu.edu"
    default: return nil
    }
  }
}

/// An instant from `2027-02-28T23:59:59` in UTC.
func instant(_ text: String) -> Date {
  let parts = text.split(separator: "T")
  let day = Day(parts[0])?.start ?? .distantPast
  guard parts.count == 2 else { return day }
  let clock = parts[1].split(separator: ":").compactMap { Double($0) }
  return day.addingTimeInterval(clock[0] * 3600 + clock[1] * 60 + clock[2])
}

let winter = instant("2026-12-01")

extension Decision {
  var violationIDs: [String] { violations.map(\.rule) }
  var warningIDs: [String] { warnings.map(\.rule) }
  func verdict(_ rule: String) -> TraceEntry.Verdict? { trace.first { $0.rule == rule }?.verdict }
}
