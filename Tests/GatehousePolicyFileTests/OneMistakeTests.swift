import Foundation
import GatehousePolicy
import GatehousePolicyFile
import GatehouseTesting
import Testing

/// One mistake in a file is one finding: nothing else complains about what the mistake would have made.
@Suite("One mistake, one finding")
struct OneMistakeTests {
  private static let lists = Result { try ShippedLists() }

  private static func errors(_ text: String, _ path: String) throws -> [Diagnostic] {
    PolicyCheck.check(Array(text.utf8), name: path, using: try lists.get(), now: date("2026-11-20"))
      .diagnostics.filter { $0.severity == .error }
  }

  private static func told(_ errors: [Diagnostic]) -> String {
    errors.map { "\n  \($0.range.start.line): \($0.code.rawValue) \($0.message)" }.joined()
  }

  @Test("a misspelt key, whichever it is and wherever it stands", arguments: PoliciesTests.paths)
  func misspeltKey(path: String) throws {
    let text = String(decoding: try Repository.bytes(path), as: UTF8.self)
    let written = try Written(text)
    try #require(written.keys.count > 200)
    for (index, key) in written.keys.enumerated() {
      // Each key one way; over a file all ways come up.
      let slips = Slips.of(key.text)
      guard !slips.isEmpty else { continue }
      let slip = slips[index % slips.count]
      let errors = try Self.errors(written.replacing(key.range, with: slip), path)
      // Any two letters may be a language.
      let isLanguage =
        ["message", "sentence", "label"].contains(key.path.dropLast().last) || key.path.dropLast(2).last == "labels"
        || (key.path.first == "messages" && key.path.count == 3)
      #expect(
        errors.count == 1 || (isLanguage && errors.isEmpty),
        "\(path):\(key.range.start.line): \(key.path.joined(separator: ".")) as \(slip)\(Self.told(errors))")
    }
  }

  @Test("a value of another kind", arguments: PoliciesTests.paths)
  func wrongKind(path: String) throws {
    let text = String(decoding: try Repository.bytes(path), as: UTF8.self)
    let written = try Written(text)
    try #require(written.values.count > 100)
    for (index, value) in written.values.enumerated() {
      let other = ["[]", "{}", "{a: 1}", "-", "\"\"", "[[a]]"][index % 6]
      let errors = try Self.errors(written.replacing(value.range, with: other), path)
      let target = "\(path):\(value.range.start.line): \(value.path.joined(separator: ".")) as \(other)"
      // What tests and users hold is free; what comes of it is a matter of running them.
      let read = errors.filter { ![.testFailed, .addAt].contains($0.code) }
      #expect(read.count <= 1 && (read.isEmpty || read.count == errors.count), "\(target)\(Self.told(errors))")
    }
  }

  /// One edit of a shipped file, and the code of the one finding.
  static let edits: [(path: String, line: String, edited: String, code: DiagnosticCode)] = [
    ("dd-ride", "min_length: 8}", "min_length: eight}", .notANumber),
    ("dd-ride", "min_length: 8}", "min_length: [8]}", .wrongKind),
    ("dd-ride", "min_length: 8}", "min_lenght: 8}", .unknownKey),
    ("dd-ride", "min_length: 8}", "at_least: 8}", .unknownKey),
    ("dd-ride", "{id: min8, ", "{", .missingKey),
    ("dd-ride", "{id: min8, ", "{id: Min8, ", .badRuleID),
    ("dd-ride", "{id: min8, ", "{id: min9, ", .unknownRuleInTest),
    ("dd-ride", "require: uppercase}", "require: upercase}", .notAChoice),
    ("dd-ride", "enforce: warn, enforce_from", "enforce: wran, enforce_from", .notAChoice),
    ("dd-ride", "enforce: warn, enforce_from", "enforce: enforce, enforce_from", .dateWithoutWarn),
    ("dd-ride", "enforce: warn, enforce_from: 2027-09-01}", "enforce: wran}", .notAChoice),
    ("dd-ride", "[email, name]", "[email, nmae]", .unknownField),
    ("dd-ride", "tenant: dd-ride", "tenant: DD Ride", .badName),
    ("dd-ride", "tenant: dd-ride", "tenat: dd-ride", .unknownKey),
    ("dd-ride", "password:\n  max", "pasword:\n  max", .unknownKey),
    ("dd-ride", "password:\n  max", "pwd:\n  max", .unknownKey),
    ("dd-ride", "profile:\n  unknown", "fields_of_people:\n  unknown", .unknownKey),
    ("dd-ride", "users:  #", "sample_people:  #", .unknownKey),
    ("dd-ride", "existing: at_next_change", "existing: at_next_chnage", .notAChoice),
    ("dd-ride", "phoneNumber: {type: phone", "phoneNumbr: {type: phone", .unknownRuleInTest),
    ("dd-ride", "phoneNumber: {type: phone", "phoneNumber: {type: telephone", .notAChoice),
    ("dd-ride", "phoneNumber: {type: phone, ", "phoneNumber: {", .missingKey),
    ("dd-ride", "role: {type: enum, values: [admin, member]", "role: {type: enum, values: admin", .wrongKind),
    ("dd-ride", "member, write: admin", "member, write: amdin", .notAChoice),
    ("dd-ride", "min: 1\n", "min: one\n", .notANumber),
    ("dd-ride", "at_sign_up: true", "at_sign_up: always", .notTrueOrFalse),
    ("dd-ride", "at_sign_up: true", "at_signup: true", .unknownKey),
    ("dd-ride", "label: {en: Class year, es: Curso}", "label: Class year", .wrongKind),
    ("dd-ride", "continue: [ddride://signed-in]", "continue: [\"javascript://signed-in\"]", .badURL),
    ("dd-ride", "open_app: ddride://open", "open_app: \"http://ddride.example/open\"", .badURL),
    ("dd-ride", "access_token_ttl: 15m", "access_token_ttl: 15", .notADuration),
    ("dd-ride", "refresh_idle_ttl: 60d", "refresh_idle_ttl: 60 days", .notADuration),
    ("dd-ride", "refresh_idle_ttl: 60d", "refresh_idle_ttl: 400d", .lifetimesDisagree),
    ("dd-ride", "max_per_user: 10}", "max_per_user: 10, page_idle_ttl: 31d, page_max_ttl: 30d}", .lifetimesDisagree),
    ("dd-ride", "max_per_user: 10}", "max_per_user: 10, page_max_ttl: 401d}", .outOfRange),
    ("dd-ride", "link_ttl: 24h", "link_ttl: 25h", .aboveCeiling),
    ("dd-ride", "1000/15m", "1000 in 15m", .notALimit),
    ("dd-ride", "  max_length: 128\n", "  max_length: 128\n  max_length: 129\n", .duplicateKey),
    ("dd-ride", "password: {use: sign_in}", "password: {use: sing_in}", .notAChoice),
    ("dd-ride", "password: {use: sign_in}", "passwrd: {use: sign_in}", .missingKey),
    ("dd-ride", "providers:", "provders:", .unknownKey),
    ("dd-ride", "includes: [password.min8]", "includes: [password.mni8]", .unknownRuleInTest),
    ("dd-ride", "[name.required, phoneNumber.required]", "[name.required, phone.required]", .unknownRuleInTest),
    ("dd-ride", "  willie:\n", "  wilie:\n", .unknownUser),
    ("dd-ride", "sign_up: {as: nobody}", "sign_up: {as: nobdy}", .unknownUser),
    ("dd-ride", "    email: willie@ksu.edu", "    emial: willie@ksu.edu", .unknownKey),
    ("dd-ride", "name: Willie Wildcat, phone", "nam: Willie Wildcat, phone", .unknownField),
    ("dd-ride", "email: $each}", "email: $ech}", .unusedEach),
    ("dd-ride", "admin_create: {as: nobody}", "admin_crate: {as: nobody}", .unknownKey),
    ("dd-ride", "admin_create: {as: nobody}", "made_by_admin: {as: nobody}", .unknownKey),
    ("dd-ride", "    reset_password: {email", "    eset_password: {email", .unknownKey),
    ("dd-ride", "expect: {access: full}", "expect: {}", .badCount),
    ("dd-ride", "expect: {access: full}", "expect: {acces: full}", .unknownKey),
    ("dd-ride", "allowed_domains: [ksu.edu]", "allowed_domains: [\"@ksu.edu\"]", .badDomain),
    ("dd-ride", "allowed_domains: [ksu.edu]", "alowed_domains: [ksu.edu]", .unknownKey),
    ("vibes", "  google:\n", "  gogle:\n", .missingKey),
    ("vibes", "  spotify:\n", "  sptify:\n", .missingKey),
    ("vibes", "provider: google, email: g", "provider: gogle, email: g", .unknownProvider),
    ("vibes", "\"linked:spotify\"]  #", "\"linked:sptify\"]  #", .unknownProvider),
    ("vibes", "[username]", "[usernam]", .unknownField),
    ("vibes", "client_id: REPLACE", "client_idd: REPLACE", .unknownKey),
    ("vibes", "tokens: {store: encrypted,", "tokens: {store: plain,", .notAChoice),
    ("vibes", "unique: ignore_case", "unique: ignore_csae", .notAChoice),
    ("messai", "tests_at: 2026-12-01", "tests_at: December", .notADate),
    ("messai", "tests_at: 2026-12-01", "test_at: 2026-12-01", .unknownKey),
    ("messai", "schema: gatehouse/policy.v1", "schema: gatehouse/policy.v2", .notAChoice),
  ]

  @Test("one edit of a file is one finding, with its own code", arguments: edits.indices)
  func edit(index: Int) throws {
    let edit = Self.edits[index]
    let path = "policies/\(edit.path).yaml"
    let text = String(decoding: try Repository.bytes(path), as: UTF8.self)
    let edited = text.replacing(edit.line, with: edit.edited, maxReplacements: 1)
    try #require(edited != text, "\(edit.line)")
    let report = PolicyCheck.check(
      Array(edited.utf8), name: path, using: try Self.lists.get(), now: date("2026-11-20"))
    let found = report.diagnostics.filter { $0.code != .warnWithoutDate }
    #expect(found.map(\.code) == [edit.code], "\(edit.line) → \(edit.edited)\(Self.told(found))")
  }

  @Test("a name that is unknown is told at its first use, with the lines of the others")
  func uses() throws {
    let text = String(decoding: try Repository.bytes("policies/dd-ride.yaml"), as: UTF8.self)
    let edited = text.replacing("    phoneNumber: {type", with: "    phoneNumbr: {type")
    let finding = try #require(try Self.errors(edited, "dd-ride.yaml").first)
    #expect(finding.notes.contains { $0.text.hasPrefix("it also stands on lines ") })
    #expect(finding.notes.first?.text == "did you mean \"phoneNumbr\"?")
  }

  @Test("two mistakes in two parts are two findings")
  func twoMistakes() throws {
    let text = String(decoding: try Repository.bytes("policies/dd-ride.yaml"), as: UTF8.self)
    let edited = text.replacing("min_length: 8}", with: "min_lenght: eight}")
      .replacing("  willie:", with: "  willi:")
    #expect(try Self.errors(edited, "dd-ride.yaml").map(\.code) == [.unknownKey, .notANumber, .unknownUser])
  }

  @Test("two things that are wrong with one part are told together")
  func oneReading() throws {
    let policy = """
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      providers: {password: {use: sign_in}, spotify: {use: link, flow: code_pkce}}
      sessions: {access_token_ttl: 1h, refresh_idle_ttl: 30m, refresh_max_ttl: 20m}

      """
    #expect(
      try Self.errors(policy, "acme.yaml").map(\.code) == [
        .missingKey, .missingKey, .lifetimesDisagree, .lifetimesDisagree,
      ])
  }

  @Test("a test may be about a field that there is not, also one that looks like another")
  func unknownFieldOfTest() throws {
    let policy = """
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      profile: {fields: {city: {type: string}}}
      tests:
        - {name: one, update_profile: {set: {City: Rome}}, expect: {EXPECT}}

      """
    for expect in ["violations: [City.unknown]", "violations: {includes: [\"*.unknown\"]}"] {
      #expect(try Self.errors(policy.replacing("EXPECT", with: expect), "acme.yaml").isEmpty, "\(expect)")
    }
    #expect(
      try Self.errors(policy.replacing("EXPECT", with: "ok: false"), "acme.yaml").map(\.code) == [.unknownField])
  }

  @Test("no finding is ever repeated, however a file is changed", arguments: PoliciesTests.paths)
  func neverRepeated(path: String) throws {
    var random = SeededGenerator()
    let text = String(decoding: try Repository.bytes(path), as: UTF8.self)
    let written = try Written(text)
    for _ in 0..<60 {
      let all = (written.keys + written.values).filter { !$0.text.isEmpty }.shuffled(using: &random)
      // From the end of the text, so that the places before stay where they are.
      let edits = all.prefix(Int.random(in: 1...12, using: &random)).sorted { $0.range.start > $1.range.start }
      var edited = text
      for part in edits {
        edited = Written.replacing(part.range, with: Slips.any(part.text, using: &random), in: edited)
      }
      let found = PolicyCheck.check(
        Array(edited.utf8), name: path, using: try Self.lists.get(), now: date("2026-11-20")
      ).diagnostics
      let targets = found.map { "\($0.code.rawValue) \($0.range) \($0.message)" }
      #expect(Set(targets).count == targets.count, "seed \(SeededGenerator.seed): \(targets)")
    }
  }
}

/// The keys and scalars of a text with their places, and the text with one of them replaced.
private struct Written {
  struct Part {
    let path: [String]
    let text: String
    let range: SourceRange
  }

  let text: String
  private(set) var keys: [Part] = []
  private(set) var values: [Part] = []

  init(_ text: String) throws {
    self.text = text
    walk(try #require(Document.parse(Array(text.utf8), name: "x").root), [])
  }

  private mutating func walk(_ node: Node, _ path: [String]) {
    switch node.content {
    case .scalar(let text, let style):
      if style == .plain { values.append(Part(path: path, text: text, range: node.range)) }
    case .list(let nodes): for node in nodes { walk(node, path) }
    case .map(let entries):
      for entry in entries {
        keys.append(Part(path: path + [entry.key], text: entry.key, range: entry.keyRange))
        walk(entry.value, path + [entry.key])
      }
    }
  }

  func replacing(_ range: SourceRange, with new: String) -> String { Self.replacing(range, with: new, in: text) }

  static func replacing(_ range: SourceRange, with new: String, in text: String) -> String {
    var lines = text.components(separatedBy: "\n")
    let line = Array(lines[range.start.line - 1].unicodeScalars)
    let (start, end) = (range.start.column - 1, range.end.column - 1)
    var changed = String.UnicodeScalarView(line[..<start])
    changed += new.unicodeScalars
    changed += line[end...]
    lines[range.start.line - 1] = String(changed)
    return lines.joined(separator: "\n")
  }
}

/// Ways to misspell a word.
private enum Slips {
  /// One letter left out, or two neighbours in the wrong order.
  static func of(_ word: String) -> [String] {
    let letters = Array(word)
    guard letters.count > 1 else { return [] }
    let dropped = letters.indices.map { index in
      var rest = letters
      rest.remove(at: index)
      return String(rest)
    }
    let swapped = letters.indices.dropLast().map { index in
      var other = letters
      other.swapAt(index, index + 1)
      return String(other)
    }
    return (dropped + swapped).filter { $0 != word }
  }

  static func any(_ word: String, using random: inout SeededGenerator) -> String {
    (of(word) + ["x", "[]", "null", "a b", word + word]).randomElement(using: &random) ?? word
  }
}
