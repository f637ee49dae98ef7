import Foundation
import GatehousePolicy
import GatehousePolicyFile
import GatehousePrimitives
import GatehouseTesting
import Testing

/// A generator of passwords from the language of iCloud Keychain, written from its description and not from our code.
private struct Keychain {
  var minimum = 0
  var maximum = 0
  var required: [[Character]] = []
  var allowed: [Character] = []

  static let classes: [String: [Character]] = [
    "upper": Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), "lower": Array("abcdefghijklmnopqrstuvwxyz"),
    "digit": Array("0123456789"), "special": Array("-~!@#$%^&*_+=`|(){}[:;\"'<>,.?] "),
    "ascii-printable": (0x20...0x7E).compactMap { Unicode.Scalar($0) }.map(Character.init),
  ]

  init(_ text: String) throws {
    for part in text.split(separator: ";") {
      let pair = part.split(separator: ":").map { $0.trimmingCharacters(in: .whitespaces) }
      try #require(pair.count == 2, "\(text)")
      switch pair[0] {
      case "minlength": minimum = try #require(Int(pair[1]))
      case "maxlength": maximum = try #require(Int(pair[1]))
      case "required": required.append(try #require(Self.classes[pair[1]]))
      case "allowed": allowed += try #require(Self.classes[pair[1]])
      default: Issue.record("unknown property \(pair[0])")
      }
    }
    allowed += required.flatMap { $0 }
  }

  /// Every class stands once, in the places given; the rest is filled.
  func password(_ length: Int, targets: [Int], _ fill: [Character], _ random: inout SeededGenerator) -> String {
    var letters = (0..<length).map { _ in fill.randomElement(using: &random) ?? "a" }
    for (target, characters) in zip(targets, required) {
      letters[target] = characters.randomElement(using: &random) ?? "a"
    }
    return String(letters)
  }
}

@Suite("The passwordrules string")
struct KeychainTests {
  static let days = ["2026-12-01", "2027-02-28", "2027-03-01", "2030-01-01"]

  @Test(
    "every password it can generate is taken by every door of the tenant", arguments: PoliciesTests.paths + ["initial"],
    days)
  func passes(path: String, day: String) throws {
    let text =
      path == "initial"
      ? PolicyFile.initial(tenant: "acme", name: "Acme") : String(decoding: try Repository.bytes(path), as: UTF8.self)
    try prove(try read(text).policy, at: date(day), SmallLists())
  }

  @Test("a strength becomes a length that random passwords reach it with", arguments: 1...4)
  func strength(score: Int) throws {
    let policy = try read(
      ReadingTests.base.replacing("{id: min8, min_length: 8}", with: "{id: strong, min_strength: \(score)}")
    ).policy
    let rules = policy.passwordRules(at: date("2026-12-01"))
    #expect(rules.hasPrefix("minlength: "), "\(rules)")
    try prove(policy, at: date("2026-12-01"), try ShippedLists())
  }

  /// Every assignment of the required classes to places, at the shortest, a usual and the greatest length, filled from
  /// everything that is allowed and from each class alone.
  private func prove(_ policy: Policy, at instant: Date, _ source: some FactSource) throws {
    var random = SeededGenerator()
    let keychain = try Keychain(policy.passwordRules(at: instant))
    #expect(keychain.minimum >= 6 && keychain.maximum == 128)
    let fills = [keychain.allowed] + keychain.required
    for length in [keychain.minimum, 20, keychain.maximum] {
      for round in 0..<120 {
        var targets = Array(0..<length)
        targets.shuffle(using: &random)
        // A class alone has few members, so that text of it may be a common one; lists are small here.
        let fill = round < 60 ? keychain.allowed : fills[round % fills.count]
        let password = keychain.password(length, targets: targets, fill, &random)
        for door in [Door.signUp, .setPassword, .resetPassword, .adminCreate] {
          let decision = policy.decide(door, Facts(password: password), at: instant, using: source)
          let found = decision.violations.map(\.rule) + decision.warnings.map(\.rule)
          #expect(!found.contains { $0.hasPrefix("password.") }, "seed \(SeededGenerator.seed): \(password) \(found)")
        }
      }
    }
  }
}
