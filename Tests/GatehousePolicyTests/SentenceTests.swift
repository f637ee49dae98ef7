import Testing

@testable import GatehousePolicy

/// Each kind of rule at each place, with each parameter that has words of its own, and with one and with several.
struct SentenceCase: CustomTestStringConvertible {
  let rule: Rule
  let region: String?
  let isOne: Bool
  var flaw: Flaw?

  var testDescription: String {
    "\(rule.id) \(flaw?.rawValue ?? rule.text(region: region)?.variant ?? "without text")" + (isOne ? " of one" : "")
  }

  static let all = ofRules + ofFlaws

  /// Faults of values that the rule does not name.
  private static let ofFlaws = Flaw.allCases.map { flaw in
    let kind: RuleKind =
      switch flaw {
      case .lines, .characters, .marks: .type
      case .phoneExtension, .unassigned: .format
      }
    return SentenceCase(
      rule: Rule(id: "displayName.\(kind.name)", kind: kind, target: .field), region: nil, isOne: false, flaw: flaw)
  }

  private static let ofRules: [SentenceCase] = Rules.all.flatMap { kind in
    kind.targets.sorted { $0.rawValue < $1.rawValue }.flatMap { target in
      parameters(of: kind).flatMap { parameter, isOne in
        let id = target == .field ? "displayName.\(kind.name)" : "\(target.rawValue).\(kind.name)"
        let rule = Rule(id: id, kind: kind, target: target, parameter: parameter)
        let regions: [String?] = parameter == .text("phone") && kind == .format ? ["US", "ES"] : [nil]
        return regions.map { SentenceCase(rule: rule, region: $0, isOne: isOne) }
      }
    }
  }

  private static func parameters(of kind: RuleKind) -> [(Parameter, Bool)] {
    // Implied rules say the type of their field.
    if kind == .type || kind == .format { return kind.fieldTypes.map { (.text($0.rawValue), false) } }
    switch kind.shape {
    case .integer(let range): return [(.integer(range.clamped(to: 0...7).upperBound), false), (.integer(1), true)]
    case .word(let words): return words.map { (.text($0), false) }
    case .texts, .regions, .subjects: return [(.texts(["one", "two"]), false), (.texts(["one"]), true)]
    case .domains:
      return [(Policies.domains("ksu.edu", "*.ksu.edu"), false), (Policies.domains("ksu.edu"), true)]
    case .characters: return ["a-z_.", "letters"].compactMap { Charset($0) }.map { (.characters($0), false) }
    case .duration: return [(.duration(86_400), false)]
    case .flag: return [(.flag(true), false)]
    }
  }
}

@Suite("Sentences of rules, which stand alone")
struct SentenceTests {
  @Test("every kind of rule has a sentence in every language", arguments: SentenceCase.all)
  func complete(row: SentenceCase) throws {
    let text = try #require(row.flaw?.text ?? row.rule.text(region: row.region))
    if row.flaw == nil, case .text(let word) = row.rule.parameter {
      #expect(text.variant.hasPrefix(word) || row.rule.kind == .notIn)
    }
    let texts = Catalogue.texts(of: row.rule, form: .sentence, region: row.region, as: row.flaw)
    #expect(Set(texts.byLanguage.keys) == Set(Language.allCases.map(\.rawValue)))
    #expect(Set(texts.byLanguage.values).count == texts.byLanguage.count, "\(texts) says the same twice")
    for (tag, text) in texts.byLanguage {
      let language = try #require(Language(tag: tag))
      #expect(text.hasSuffix("."), "\(text)")
      #expect(text.first { $0.isLetter }.map { $0.isUppercase || !$0.isCased } == true, "\(text)")
      if language.direction == .rightToLeft { #expect(Isolation.isWhole(text), "\(text)") }
      #expect(!text.contains("{") && !text.contains("}") && !text.contains(".."), "\(text)")
      if row.rule.target == .field, row.rule.kind != .unknown {
        let label = try #require(Label.field("displayName").byLanguage[tag])
        #expect(text.contains(label) && (language == .english) == (label == "Display name"), "\(text)")
      }
      guard row.isOne else { continue }
      for plural in [
        "characters", "caracteres", "one of", "uno de", "una de", "contraseñas", "einen dieser", "einer dieser", "إحدى",
      ] {
        #expect(!text.contains(plural) || row.rule.kind == .minStrength, "\(text)")
      }
    }
  }

  @Test("no text is there that no rule says")
  func stale() {
    func name(_ kind: RuleKind, _ text: RuleText) -> String { "\(text.target) \(kind) \(text.variant)" }
    let used = SentenceCase.all.filter { $0.flaw == nil }.compactMap { row in
      row.rule.text(region: row.region).map { name(row.rule.kind, $0) }
    }
    let all = Rules.all.flatMap { kind in kind.texts.map { name(kind, $0) } }
    #expect(Set(all).subtracting(used) == [] && Set(all).count == all.count)
  }

  @Test("a rule at a place for which its kind has no text says that the value is refused")
  func fallback() {
    let rule = Rule(id: "password.newest", kind: .httpsOnly, target: .password)
    let texts = Catalogue.texts(of: rule)
    #expect(texts.text(in: ["en"]) == "Choose another password" && texts.text(in: ["es"]) == "Elige otra contraseña")
    #expect(Catalogue.texts(of: rule, form: .sentence) == Catalogue.texts(of: rule))
  }

  @Test(
    "the words",
    arguments: [
      (Policies.field("name", .required), "Name is required.", "El campo «Nombre» es obligatorio."),
      (
        Policies.field("classYear", .max, .integer(4)), "Class year must be at most 4.",
        "El campo «Class year» debe ser 4 como máximo."
      ),
      (
        Policies.field("name", .minLength, .integer(2)), "Name must be at least 2 characters.",
        "El campo «Nombre» debe tener al menos 2 caracteres."
      ),
      (
        Policies.email(.allowedDomains, Policies.domains("ksu.edu", "*.ksu.edu")),
        "Email must be at one of these domains: ksu.edu, *.ksu.edu.",
        "El correo debe ser de uno de estos dominios: ksu.edu, *.ksu.edu."
      ),
      (
        Policies.password("last", .notLast, .integer(5)), "Password must not be one of your last 5 passwords.",
        "La contraseña no debe ser una de tus últimas 5 contraseñas."
      ),
      (
        Policies.field("role", .values, .texts(["{field}", "{min}"])), "Role must be one of: {field}, {min}.",
        "El campo «Rol» debe ser uno de estos valores: {field}, {min}."
      ),
    ])
  func words(rule: Rule, english: String, spanish: String) {
    let texts = Catalogue.texts(of: rule, form: .sentence)
    #expect(texts.text(in: ["en"]) == english && texts.text(in: ["es"]) == spanish)
  }

  @Test("a field's label is the policy's, in other languages what its identifier says")
  func labels() {
    var policy = Policies.ddRide
    func sentence() -> Texts {
      policy.violation(of: policy.profile.fields[1].rules[0], pointer: "").sentence
    }
    #expect(sentence().text(in: ["en"]) == "Phone number is required.")
    #expect(sentence().text(in: ["es"]) == "El campo «Número de teléfono» es obligatorio.")
    #expect(sentence().text(in: ["de"]) == "Das Feld „Telefonnummer“ ist erforderlich.")
    policy.profile.fields[1].label = ["es": "Celular"]
    #expect(sentence().text(in: ["en"]) == "Phone number is required.")
    #expect(sentence().text(in: ["es"]) == "El campo «Celular» es obligatorio.")
    policy.profile.fields[1].label = ["en": "Mobile", "es": "Celular"]
    #expect(sentence().text(in: ["en"]) == "Mobile is required.")
  }

  @Test("a rule's own text is its sentence too, unless it has a sentence of its own")
  func own() {
    var rule = Policies.email(.allowedDomains, Policies.domains("ksu.edu"), message: Policies.kstate)
    let policy = Policies.ddRide
    #expect(policy.violation(of: rule, pointer: "").sentence == Policies.kstate)
    rule.sentence = ["en": "Please use your K-State email."]
    let violation = policy.violation(of: rule, pointer: "")
    #expect(violation.message == Policies.kstate && violation.sentence == ["en": "Please use your K-State email."])
    rule.message = nil
    #expect(policy.violation(of: rule, pointer: "").message.text(in: ["en"]) == "Use an email address at ksu.edu")
    #expect(policy.violation(of: rule, pointer: "").sentence == ["en": "Please use your K-State email."])
  }

  @Test("what a caller calls a field that there is none of is in no sentence")
  func unknown() {
    let facts = Facts(email: "w@ksu.edu", password: "Wildcat-2031", profile: ["<b>x</b>": "1"])
    let decision = Policies.ddRide.decide(.signUp, facts, at: winter, using: NoFacts())
    let found = decision.violations.first { $0.rule.hasSuffix(".unknown") }
    #expect(found?.sentence.text(in: ["es"]) == "Este campo no existe.")
    for text in (found?.sentence ?? [:]).byLanguage.values { #expect(!text.contains("<b>")) }
  }

  @Test(
    "identifiers as people read them",
    arguments: [
      ("phoneNumber", "Phone number"), ("displayName", "Display name"), ("photoURL", "Photo URL"),
      ("photoUrl", "Photo URL"), ("chapterId", "Chapter ID"), ("chapter_id", "Chapter ID"), ("id", "ID"),
      ("username", "Username"), ("fcmToken", "Fcm token"), ("URLOfPhoto", "URL of photo"), ("a", "A"), ("A", "A"),
      ("address2", "Address2"), ("_", "_"), ("first-name", "First name"), ("NAME", "NAME"),
    ])
  func readable(identifier: String, text: String) { #expect(Label.readable(identifier) == text) }
}

@Suite("What a step to full access asks for")
struct NextStepTests {
  @Test(
    "each step in English and in Spanish",
    arguments: [
      ("verify_email", "Please verify your email address", "Verifica tu correo electrónico"),
      ("verify_phone", "Please verify your phone number", "Verifica tu número de teléfono"),
      ("enroll_mfa", "Please set up two-factor authentication", "Configura la verificación en dos pasos"),
      (
        "verify_mfa", "Please confirm your sign-in with your second factor",
        "Confirma tu inicio de sesión con el segundo paso"
      ),
      ("change_password", "Please choose a new password", "Elige una contraseña nueva"),
      ("change_email", "Please change your email address", "Cambia tu correo electrónico"),
      ("link:spotify", "Please connect your Spotify account", "Conecta tu cuenta de Spotify"),
      ("link:github", "Please connect your GitHub account", "Conecta tu cuenta de GitHub"),
      ("link:acme", "Please connect your Acme account", "Conecta tu cuenta de Acme"),
      ("profile:username", "Please complete your profile: Username", "Completa tu perfil: Nombre de usuario"),
      ("profile:classYear", "Please complete your profile: Class year", "Completa tu perfil: Class year"),
    ])
  func steps(step: String, english: String, spanish: String) {
    let texts = Policies.vibes().request(for: step)
    #expect(texts?.text(in: ["en"]) == english && texts?.text(in: ["es"]) == spanish)
    #expect(Set((texts?.byLanguage ?? [:]).keys) == Set(Language.allCases.map(\.rawValue)))
  }

  @Test("an unknown step asks for nothing")
  func none() { #expect(Policies.vibes().request(for: "dance") == nil) }

  @Test(
    "the step of each need has a text",
    arguments: [
      Requirement.Need.emailVerified, .phoneVerified, .mfa, .linked("google"), .profile("name"),
    ])
  func needs(need: Requirement.Need) { #expect(Policies.ddRide.request(for: need.nextStep) != nil) }
}
