import Foundation
import GatehousePolicy
import GatehouseTesting
import Testing

extension SeededGenerator {
  /// Any Unicode text; half of it near the borders rules look at.
  mutating func text(maxLength: Int = 12) -> String {
    let near = Array("aAzZ09 .-_@+()1\u{A0}\u{200B}\u{301}\u{308}ßẞİıΣςǅK\u{212A}é".unicodeScalars)
    var scalars = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...maxLength, using: &self) {
      if Bool.random(using: &self) {
        scalars.append(near[Int.random(in: 0..<near.count, using: &self)])
      } else if let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &self)) {
        scalars.append(scalar)
      }
    }
    return String(scalars)
  }
}

private func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }

@Suite("Properties")
struct PropertyTests {
  private let seed = SeededGenerator.seed

  @Test("normalisation is idempotent over random Unicode")
  func idempotent() {
    print("seed \(SeededGenerator.seed)")
    var random = SeededGenerator()
    let vibes = Policies.vibes()
    let open = Policy(
      tenant: "t", app: App(name: "T"), identifiers: Identifiers(), password: PasswordPolicy(rules: []),
      profile: ProfilePolicy(fields: [
        Field(name: "s", type: .string, trim: true), Field(name: "raw", type: .string),
        Field(name: "p", type: .phone, region: "US", phoneCheck: .length), Field(name: "u", type: .url, trim: true),
      ]))
    for round in 0..<20_000 {
      let text = random.text()
      let email = open.normalisedEmail(text + "@b.co", using: NoFacts())
      if let email { #expect(bytes(open.normalisedEmail(email, using: NoFacts())) == bytes(email), "\(seed) \(round)") }
      var profile: [String: FieldValue] = ["s": .string(text), "raw": .string(text), "p": .string(text)]
      profile["u"] = .string("https://a.example/" + text)
      let once = open.decide(.updateProfile, Facts(profile: profile), at: winter, using: NoFacts()).normalised.profile
      let twice = open.decide(.updateProfile, Facts(profile: once), at: winter, using: NoFacts()).normalised.profile
      #expect(once.keys.sorted() == twice.keys.sorted(), "\(seed) \(round)")
      #expect(once.allSatisfy { twice[$0.key]?.isSame(as: $0.value) == true }, "\(seed) \(round)")
      let key = vibes.uniqueKey(for: "username", value: .string(text))
      if let key {
        #expect(bytes(vibes.uniqueKey(for: "username", value: .string(key))) == bytes(key), "\(seed) \(round)")
      }
    }
  }

  @Test("the key of uniqueness is stable for every code point that shows something, and upper and lower case share it")
  func keys() {
    let vibes = Policies.vibes()
    func key(_ text: String) -> [UInt8]? { bytes(vibes.uniqueKey(for: "username", value: .string(text))) }
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), scalar.properties.generalCategory != .unassigned else { continue }
      let text = String(scalar)
      guard let once = key(text) else {
        if scalar.isShown { Issue.record("no key for \(value)") }
        continue
      }
      if key(String(decoding: once, as: UTF8.self)) != once { Issue.record("unstable: U+\(String(value, radix: 16))") }
      if scalar.properties.isCased, key(text.uppercased()) != once || key(text.lowercased()) != once {
        Issue.record("cases differ: U+\(String(value, radix: 16))")
      }
    }
  }

  @Test("a decision does not depend on the order of a dictionary")
  func order() {
    print("seed \(SeededGenerator.seed)")
    var random = SeededGenerator()
    let policies = [Policies.ddRide, Policies.messAI(), Policies.vibes()]
    let names = ["name", "phoneNumber", "role", "username", "displayName", "photoURL", "x", "y", "é", "zz"]
    let doors = Door.allCases
    for round in 0..<5_000 {
      let pairs = names.shuffled(using: &random).prefix(Int.random(in: 0...10, using: &random)).map {
        ($0, FieldValue.string(random.text()))
      }
      var forward: [String: FieldValue] = [:]
      for (name, value) in pairs { forward[name] = value }
      var backward = [String: FieldValue](minimumCapacity: 500)
      for (name, value) in pairs.reversed() { backward[name] = value }
      let door = doors[round % doors.count]
      let email = random.text() + "@ksu.edu"
      let password = random.text(maxLength: 20)
      for policy in policies {
        let a = policy.decide(
          door, Facts(email: email, password: password, profile: forward), at: winter, using: FixedFacts())
        let b = policy.decide(
          door, Facts(email: email, password: password, profile: backward), at: winter, using: FixedFacts())
        #expect(a == b, "\(seed) \(round)")
        #expect(a.allow == a.violations.isEmpty)
        if door == .signIn { #expect(a.allow) }
        if a.access == .full { #expect(a.next.isEmpty) }
        for violation in a.violations {
          let verdict = a.verdict(violation.rule)
          #expect(verdict == .fail || verdict == .undecidable)
        }
      }
    }
  }

  @Test("the values that a sign-up stores pass the same policy again")
  func stored() {
    print("seed \(SeededGenerator.seed)")
    var random = SeededGenerator()
    let policy = Policies.vibes()
    var accepted = 0
    for round in 0..<5_000 {
      let name = String(
        (0..<Int.random(in: 1...8, using: &random)).map { _ in "abAB01._ ".randomElement(using: &random) ?? "a" })
      let facts = Facts(email: "Aa@b.co", password: "TestPass123!", profile: ["username": .string(name)])
      let once = policy.decide(.signUp, facts, at: winter, using: NoFacts())
      guard once.allow else { continue }
      accepted += 1
      let again = policy.decide(
        .signUp, Facts(email: once.normalised.email, password: "TestPass123!", profile: once.normalised.profile),
        at: winter, using: NoFacts())
      #expect(again.allow && again.normalised == once.normalised, "\(seed) \(round)")
    }
    #expect(accepted > 100)
  }

  @Test("every password the iCloud string can generate passes")
  func generated() {
    print("seed \(SeededGenerator.seed)")
    var random = SeededGenerator()
    for policy in [Policies.ddRide, Policies.messAI(), Policies.vibes()] {
      let text = policy.passwordRules(at: instant("2027-03-02"))
      let parts = text.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      func number(_ key: String) -> Int {
        parts.first { $0.hasPrefix(key) }.flatMap { Int($0.dropFirst(key.count)) } ?? 0
      }
      let sets: [String: String] = [
        "upper": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "lower": "abcdefghijklmnopqrstuvwxyz", "digit": "0123456789",
        "special": "-~!@#$%^&*_+=`|(){}[:;\"'<>,.?] ",
        "ascii-printable": String(String.UnicodeScalarView((0x20...0x7E).compactMap { Unicode.Scalar($0) })),
      ]
      let required = parts.filter { $0.hasPrefix("required: ") }.map { String($0.dropFirst(10)) }
      let allowed = parts.filter { $0.hasPrefix("allowed: ") }.map { String($0.dropFirst(9)) } + required
      #expect(number("minlength: ") == 8 && number("maxlength: ") == 128)
      for length in [number("minlength: "), 20, number("maxlength: ")] {
        for _ in 0..<300 {
          var letters = required.compactMap { sets[$0]?.randomElement(using: &random) }
          let pool = allowed.compactMap { sets[$0] }.joined()
          while letters.count < length { letters.append(pool.randomElement(using: &random) ?? "a") }
          let password = String(letters.shuffled(using: &random))
          let decision = policy.decide(
            .setPassword, Facts(password: password), at: instant("2027-03-02"), using: FixedFacts())
          #expect(decision.allow && decision.warnings.isEmpty, "\(seed) \(password) \(decision.violationIDs)")
        }
      }
    }
  }
}
