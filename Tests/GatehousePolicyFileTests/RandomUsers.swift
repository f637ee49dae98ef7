import GatehousePolicy
import GatehouseTesting

/// Requests and accounts for property tests: values that each break something, in random company.
enum RandomUsers {
  static func facts(_ policy: Policy, at door: Door, _ random: inout SeededGenerator) -> Facts {
    func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
    let emails: [String?] = [
      nil, "", "no address", "a@b.example", "a@acme.example", "a@mail.acme.example", "wildcat@ksu.edu", "W@KSU.edu",
      "a@mail.ksu.edu", "a@notksu.edu",
    ]
    let passwords: [String?] = [
      nil, "", "abc", "abcde", "abcdef", "abcdefg", "abcdefgh", "Abcdefg1", "Abcdef1!", "ABCDEF1!", "123456",
      "password",
      "Wildcat1", String(repeating: "Ab1!", count: 32), String(repeating: "Ab1!", count: 32) + "x",
    ]
    let values: [FieldValue] = [
      .null, "", "  ", " x ", "x", "ab", "abc", "bad value", "admin", "root", "owner", "a", "b", "member", 0, 1, 5, 9,
      10,
      99, 100, true, "2000-01-31", "yesterday", "http://example.com/a", "https://example.com/a", "(785) 555-0123",
      "785", .string(String(repeating: "x", count: 51)), .string(String(repeating: "x", count: 120)),
    ]
    func profile() -> [String: FieldValue] {
      var profile: [String: FieldValue] = [:]
      for field in policy.profile.fields where Bool.random(using: &random) {
        profile[field.name] = Bool.random(using: &random) ? Samples.of(field) : pick(values)
      }
      if Int.random(in: 0..<8, using: &random) == 0 { profile["nickname"] = "x" }
      return profile
    }
    var facts = Facts(email: pick(emails), password: pick(passwords), profile: profile())
    facts.writer =
      switch door {
      case .adminCreate, .adminUpdate, .invite: .admin
      case .import: .system
      default: .user
      }
    if ![.signUp, .federatedSignUp, .adminCreate, .invite, .import].contains(door) {
      var user = StoredFacts(email: pick(emails) ?? "a@b.example")
      user.emailVerified = Bool.random(using: &random)
      user.profile = profile().filter { $0.value != .null }
      user.factors = pick([[], [], ["totp"], ["passkey"], ["totp", "passkey"]])
      if Bool.random(using: &random) {
        facts.session = SessionFacts(level: pick(AssuranceLevel.allCases))
      }
      if Bool.random(using: &random) { user.links["spotify"] = pick([[], ["x"], ["x", "y"]]) }
      facts.stored = user
    }
    for field in policy.profile.fields where field.unique != nil && Bool.random(using: &random) {
      facts.taken.insert(field.name)
    }
    return facts
  }
}

extension Samples {
  /// A value that most fields of the type take.
  fileprivate static func of(_ field: Field) -> FieldValue {
    switch field.type {
    case .string: "abcdef"
    case .integer: 2
    case .boolean: true
    case .enum: "member"
    case .url: "https://example.com/a"
    case .date: "2000-01-31"
    case .phone: "7855550123"
    }
  }
}

enum Samples {}
