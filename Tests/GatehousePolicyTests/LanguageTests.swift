import Foundation
import GatehousePolicy
import Testing

@Suite("Texts, parameters and the small grammars")
struct LanguageTests {
  @Test("every kind of rule has a text in every language, with its parameter in it", arguments: Rules.all)
  func catalogue(kind: RuleKind) {
    for target in kind.targets {
      let parameter: Parameter =
        switch kind.shape {
        case .integer(let range): .integer(Swift.min(7, range.upperBound))
        case .word(let words): .text(words[0])
        case .texts, .regions, .subjects: .texts(["one", "two"])
        case .domains: Policies.domains("ksu.edu", "*.ksu.edu")
        case .characters: Charset("a-z").map(Parameter.characters) ?? .flag(true)
        case .duration: .duration(60)
        case .flag: .flag(true)
        }
      let rule = Rule(id: "x." + kind.name, kind: kind, target: target, parameter: parameter)
      for form in Catalogue.Form.allCases {
        let texts = Catalogue.texts(of: rule, form: form)
        #expect(Set(texts.byLanguage.keys) == Set(Language.allCases.map(\.rawValue)))
        for text in texts.byLanguage.values { #expect(!text.isEmpty && !text.contains("{") && !text.contains("}")) }
        if case .integer = kind.shape, kind != .minStrength {
          #expect(texts.text(in: ["en"])?.contains("7") == true)
        }
      }
      #expect(kind.parameter(from: rule.params) == parameter || kind.isImplied)
    }
  }

  @Test("names of kinds are unique, and each is found by its name")
  func names() {
    #expect(Set(Rules.all.map(\.name)).count == Rules.all.count)
    for kind in Rules.all { #expect(Rules.kind(kind.name) === kind) }
    #expect(Rules.kind("min_lenght") == nil)
    #expect(!Rules.writable(at: .field, type: .integer).contains(.minLength))
    #expect(Rules.writable(at: .password).map(\.name).contains("not_in"))
    #expect(!Rules.writable(at: .email).contains(.syntax))
  }

  @Test("the apps' own sentences")
  func sentences() {
    let rule = Policies.password("min6", .minLength, .integer(6))
    #expect(Catalogue.texts(of: rule, form: .sentence).text(in: ["en"]) == "Password must be at least 6 characters.")
    #expect(Catalogue.texts(of: rule).text(in: ["en"]) == "At least 6 characters")
    let one = Policies.password("min1", .minLength, .integer(1))
    #expect(Catalogue.texts(of: one).text(in: ["en"]) == "At least 1 character")
    #expect(Catalogue.texts(of: one).text(in: ["es"]) == "Al menos 1 carácter")
  }

  @Test(
    "the language is the first wished for that there is",
    arguments: [
      (["es"], "hola"), (["es-MX", "en"], "hola"), (["fr", "es"], "hola"), (["fr"], "hello"), ([], "hello"),
      (["EN-us"], "hello"), (["pt-BR"], "oi"), (["pt-br"], "oi"), (["pt"], "hello"), (["", "-"], "hello"),
    ] as [([String], String)])
  func languages(wished: [String], text: String) {
    let texts: Texts = ["en": "hello", "es": "hola", "pt-BR": "oi"]
    #expect(texts.text(in: wished) == text)
    #expect((["de": "hallo"] as Texts).text(in: wished) == "hallo")
    #expect(Texts([:]).text(in: wished) == nil)
  }

  @Test(
    "limits", arguments: [("10/15m", 10, 900), ("100/1h", 100, 3600), ("1/1s", 1, 1), ("5/30d", 5, 2_592_000)])
  func limits(text: String, count: Int64, window: Int64) {
    let limit = Limit(text)
    #expect(limit?.count == count && limit?.window == window && limit?.description == text)
  }

  @Test(
    "no limits",
    arguments: [
      "", "10", "10/", "/15m", "0/15m", "10/0m", "-1/15m", "10/15", "10/15x", "10/15m/1", " 10/15m", "10 /15m",
      "1e3/1h",
      "10/1h30m", "99999999999999999999/1h", "10/99999999999d", "+1/1h", "10/32d", "1000001/1h",
    ])
  func noLimits(text: String) { #expect(Limit(text) == nil) }

  @Test("T168 relaxed limits are multiplied by the factor for the same span, up to a million")
  func relaxedLimits() {
    let limits = Limits([.signUpPerIP: Limit("2/1h"), .mailPerTenant: Limit("20000/1h")].compactMapValues(\.self))
    let relaxed = limits.relaxed(by: 100)
    #expect(relaxed[.signUpPerIP] == Limit("200/1h"))
    #expect(relaxed[.mailPerTenant] == Limit("1000000/1h"))
    #expect(relaxed[.resetPerIP] == Limit("60000/1h"))
    #expect(relaxed.byName[.requestsPerIP] == nil)
    #expect(limits.relaxed(by: 1) == limits)
  }

  @Test("spans need a unit")
  func spans() {
    #expect(Seconds.parse("15m") == 900 && Seconds.parse("0s") == 0 && Seconds.parse("3650d") != nil)
    for text in ["15", "m", "", "15M", "1.5h", "-1s", "3651d", "١m", "1 m", "999999999d"] {
      #expect(Seconds.parse(text) == nil, "\(text)")
    }
    #expect(Seconds.text(900) == "15m" && Seconds.text(86_400) == "1d" && Seconds.text(61) == "61s")
  }

  @Test("sets of characters")
  func charsets() {
    #expect(Charset("a-zA-Z0-9_.")?.holds("aZ9_.") == true)
    #expect(Charset("a-zA-Z0-9_.")?.holds("a-b") == false)
    #expect(Charset("a-z-")?.holds("a-b") == true)
    #expect(Charset("-a")?.holds("a-") == true)
    #expect(Charset("à-ü")?.holds("éa") == false)
    for text in ["", "z-a", "a\u{7}", String(repeating: "a", count: 257)] { #expect(Charset(text) == nil) }
  }

  @Test("domains of a list")
  func patterns() {
    #expect(DomainPattern("*.KSU.edu")?.description == "*.ksu.edu")
    #expect(DomainPattern("*.edu")?.subdomainsOnly == true)
    for text in ["", "*", "*.", ".edu", "a..b", "ksu.edu.", "*.*.edu", "a b.c", "@ksu.edu", "-a.b", "ksu.*", "1.2.3.4"]
    {
      #expect(DomainPattern(text) == nil, "\(text)")
    }
  }

  @Test("parameters read what their shape says and nothing else")
  func shapes() {
    let length = RuleKind.minLength.shape
    #expect(length.parameter(from: ["8"]) == .integer(8))
    for text in ["0", "1025", "-1", "+8", "8.0", "0x8", "", " 8", "eight"] {
      #expect(length.parameter(from: [text]) == nil, "\(text)")
    }
    #expect(length.parameter(from: ["8", "9"]) == nil && length.parameter(from: []) == nil)
    #expect(RuleKind.require.shape.parameter(from: ["upper"]) == nil)
    #expect(RuleKind.allowedDomains.shape.parameter(from: ["ksu.edu", "ksu.edu"]) == nil)
    #expect(RuleKind.allowedDomains.shape.parameter(from: []) == nil)
    #expect(RuleKind.httpsOnly.shape.parameter(from: ["yes"]) == nil)
    #expect(RuleKind.maxAge.shape.parameter(from: ["90d"]) == .duration(7_776_000))
    #expect(RuleKind.maxAge.parameter(from: ["seconds": .integer(60)]) == .duration(60))
  }

  @Test("days count as calendars do")
  func days() {
    #expect(Day("1970-01-01")?.startSeconds == 0)
    #expect(Day("2027-03-01")?.startSeconds == 1_803_859_200)
    #expect(Day("1969-12-31")?.startSeconds == -86_400)
    #expect(Day("2000-03-01")?.startSeconds == 951_868_800)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
    for year in stride(from: 1900, through: 2400, by: 7) {
      for (month, day) in [(1, 1), (2, 28), (3, 1), (12, 31)] {
        let expected = calendar.date(from: DateComponents(year: year, month: month, day: day))
        #expect(Day(year: year, month: month, day: day)?.start == expected)
      }
    }
    #expect(Day("0000-01-01") == nil)
    #expect(Day("2027-03-01")?.description == "2027-03-01")
  }

  @Test("field values keep their JSON type")
  func json() throws {
    let text = #"{"a":1,"b":"1","c":true,"d":null,"e":[1],"f":{"x":1},"g":1.5,"h":-9223372036854775808,"i":1e300}"#
    let values = try JSONDecoder().decode([String: FieldValue].self, from: Data(text.utf8))
    #expect(
      values == [
        "a": 1, "b": "1", "c": true, "d": .null, "e": .unsupported("array"), "f": .unsupported("object"),
        "g": .unsupported("number"), "h": .integer(.min), "i": .unsupported("number"),
      ])
    let good = values.filter { if case .unsupported = $0.value { false } else { true } }
    #expect(try JSONDecoder().decode([String: FieldValue].self, from: JSONEncoder().encode(good)) == good)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(values) }
    let params: [String: ParameterValue] = [
      "a": .integer(1), "b": .string("x"), "c": .strings(["y"]), "d": .boolean(true),
    ]
    #expect(try JSONDecoder().decode([String: ParameterValue].self, from: JSONEncoder().encode(params)) == params)
  }

  @Test("the public half: in file order, disclosed, of today, and nothing administrators write")
  func publicRules() {
    let rules = Policies.ddRide.publicRules(at: winter)
    #expect(
      rules.map(\.id) == [
        "email.required", "email.syntax", "email.allowed_domains", "password.required", "password.max_length",
        "password.min8", "password.upper", "password.lower", "password.digit", "password.not_personal", "name.required",
        "name.max_length", "phoneNumber.required", "phoneNumber.format", "classYear.min", "classYear.max",
      ])
    #expect(rules.allSatisfy { !$0.checkedOnSubmit })
    #expect(rules.first { $0.id == "password.not_personal" }?.enforce == .warn)
    let today = Policies.messAI().publicRules(at: winter)
    let march = Policies.messAI().publicRules(at: instant("2027-03-01"))
    #expect(today.first { $0.id == "password.min8" }?.enforceFrom == Day("2027-03-01"))
    #expect(march.first { $0.id == "password.min8" }?.enforceFrom == nil)
    #expect(march.first { $0.id == "password.min8" }?.enforce == .enforce)
    #expect(today.first { $0.id == "password.breached" }?.checkedOnSubmit == true)
    #expect(Policies.vibes().publicRules(at: winter).first { $0.id == "username.unique" }?.checkedOnSubmit == true)
    var hidden = Policies.ddRide
    hidden.password.rules[1].disclose = false
    #expect(!hidden.publicRules(at: winter).contains { $0.id == "password.min8" })
    #expect(!hidden.passwordRules(at: winter).contains("minlength"))
    let fields = Policies.ddRide.publicFields
    #expect(fields.map(\.name) == ["name", "phoneNumber", "classYear", "role", "chapterId"])
    #expect(fields[3].values == ["admin", "member"] && fields[1].region == "US" && fields[0].isRequired)
  }

  @Test(
    "a public rule names the doors of clients, and that it has exceptions while one holds; operators' rules are not in it"
  )
  func publicDoors() throws {
    var policy = Policies.ddRide
    func rule(_ id: String, at instant: Date) -> PublicRule? { policy.publicRules(at: instant).first { $0.id == id } }
    #expect(
      rule("password.min8", at: winter)?.doors
        == [.signUp, .signIn, .setPassword, .resetPassword].filter(
          policy.password.rules[1].doors.contains))
    #expect(rule("name.required", at: winter)?.doors.contains(.adminCreate) == false)
    #expect(policy.publicRules(at: winter).allSatisfy { !$0.hasExceptions && !$0.doors.isEmpty })
    policy.exceptions = [
      PolicyException(
        email: "coach@ksu.edu", rule: "password.digit", until: try #require(Day("2027-03-01")), reason: "private words")
    ]
    #expect(policy.publicRules(at: winter).filter(\.hasExceptions).map(\.id) == ["password.digit"])
    #expect(rule("password.digit", at: instant("2027-03-02"))?.hasExceptions == false)
    policy.password.rules[1].doors = DoorSet([.adminCreate])
    #expect(rule("password.min8", at: winter) == nil)
    policy.password.rules[1].doors = DoorSet([.adminCreate, .setPassword])
    #expect(rule("password.min8", at: winter)?.doors == [.setPassword])
  }
}
