/// The texts of rules that have none of their own, in English and Spanish.
public enum Catalogue {
  /// The form of a text.
  public enum Form: Sendable, Hashable, CaseIterable {
    /// A row of a checklist, `At least 8 characters`.
    case short
    /// A sentence that stands alone, `Password must be at least 8 characters.`
    case sentence
  }

  /// The rule's own text, else the catalogue's.
  static func message(of rule: Rule, in policy: Policy) -> Texts {
    if let own = rule.message, !own.isEmpty { return own }
    return texts(of: rule, region: region(of: rule, in: policy))
  }

  /// The texts of a requirement for access.
  static func message(of need: Requirement.Need) -> Texts {
    switch need {
    case .emailVerified: ["en": "Verify your email address", "es": "Verifica tu correo electrónico"]
    case .phoneVerified: ["en": "Verify your phone number", "es": "Verifica tu número de teléfono"]
    case .mfa: ["en": "Set up two-factor authentication", "es": "Configura la verificación en dos pasos"]
    case .linked("spotify"): ["en": "Please connect your Spotify account", "es": "Conecta tu cuenta de Spotify"]
    case .linked(let name): ["en": "Please connect your \(name) account", "es": "Conecta tu cuenta de \(name)"]
    case .profile(let name): ["en": "Please complete your profile: \(name)", "es": "Completa tu perfil: \(name)"]
    }
  }

  /// The sentence that stands alone: the rule's own, else its own text, else the catalogue's.
  static func sentence(of rule: Rule, in policy: Policy) -> Texts {
    if let own = rule.sentence ?? rule.message, !own.isEmpty { return own }
    return texts(
      of: rule, form: .sentence, region: region(of: rule, in: policy),
      label: rule.target == .field ? policy.profile.field(fieldName(of: rule))?.readable : nil)
  }

  /// The catalogue's text of a rule in a form. Where there is no sentence the short form serves. `label` is the field
  /// as people read it; nil: made of its identifier.
  public static func texts(of rule: Rule, form: Form = .short, region: String? = nil, label: Texts? = nil) -> Texts {
    if form == .sentence {
      // A field that the policy does not know has a name of the caller's making.
      let label = rule.kind == .unknown ? [:] : label ?? Label.field(fieldName(of: rule))
      if let texts = Sentences.texts(of: rule, region: region, label: label) { return texts }
    }
    return entry(of: rule, region: region).short.filled(with: rule)
  }

  /// `phoneNumber` of `phoneNumber.format`.
  private static func fieldName(of rule: Rule) -> String {
    rule.id.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(rule.id[..<$0]) } ?? rule.id
  }

  private static func region(of rule: Rule, in policy: Policy) -> String? {
    guard rule.kind == .format else { return nil }
    return policy.profile.fields.first { $0.formatRule.id == rule.id }.map { $0.region ?? "US" }
  }

  private struct Entry {
    let short: Texts
  }

  private static func entry(of rule: Rule, region: String?) -> Entry {
    switch rule.target {
    case .email: emailEntry(rule)
    case .password: passwordEntry(rule)
    case .field: fieldEntry(rule, region)
    }
  }

  private static func emailEntry(_ rule: Rule) -> Entry {
    switch rule.kind.name {
    case "required": Entry(short: ["en": "Enter your email address", "es": "Escribe tu correo electrónico"])
    case "allowed_domains":
      Entry(short: ["en": "Use an email address at {domains}", "es": "Usa un correo de {domains}"])
    case "plain_local_part":
      Entry(
        short: [
          "en": "Use an address without %, ! and =? before the @", "es": "Usa un correo sin %, ! ni =? antes de la @",
        ])
    case "denied_domains":
      Entry(
        short: ["en": "This email provider is not accepted", "es": "No se acepta este proveedor de correo"])
    case "deny_disposable":
      Entry(
        short: ["en": "Temporary email addresses are not accepted", "es": "No se aceptan correos temporales"])
    case "deny_subaddress":
      Entry(
        short: ["en": "Use the address without the part after +", "es": "Usa el correo sin la parte tras +"])
    case "max_length":
      Entry(short: ["en": "At most {max} characters", "es": "{max} caracteres como máximo"])
    default: Entry(short: ["en": "Enter a valid email address", "es": "Escribe un correo electrónico válido"])
    }
  }

  private static func passwordEntry(_ rule: Rule) -> Entry {
    switch rule.kind.name {
    case "required": Entry(short: ["en": "Enter a password", "es": "Escribe una contraseña"])
    case "min_length":
      Entry(
        short: ["en": "At least {min} characters", "es": "Al menos {min} caracteres"])
    case "max_length":
      Entry(
        short: ["en": "At most {max} characters", "es": "{max} caracteres como máximo"])
    case "require": classEntry(rule)
    case "not_containing":
      Entry(
        short: ["en": "Does not contain your name or email", "es": "No contiene tu nombre ni tu correo"])
    case "not_in":
      Entry(
        short: ["en": "Not a commonly used password", "es": "No es una contraseña muy usada"])
    case "min_strength":
      Entry(short: ["en": "Hard to guess", "es": "Difícil de adivinar"])
    case "not_last":
      Entry(
        short: ["en": "None of your last {count} passwords", "es": "Ninguna de tus últimas {count} contraseñas"])
    case "max_age":
      Entry(short: ["en": "It is time for a new password", "es": "Es hora de cambiar la contraseña"])
    default: Entry(short: ["en": "Choose another password", "es": "Elige otra contraseña"])
    }
  }

  private static func classEntry(_ rule: Rule) -> Entry {
    func entry(_ en: String, _ es: String) -> Entry {
      Entry(
        short: ["en": "At least one \(en)", "es": "Al menos \(es)"])
    }
    return switch rule.parameter {
    case .text("uppercase"): entry("uppercase letter", "una mayúscula")
    case .text("lowercase"): entry("lowercase letter", "una minúscula")
    case .text("digit"): entry("number", "un número")
    default: entry("special character", "un carácter especial")
    }
  }

  private static func fieldEntry(_ rule: Rule, _ region: String?) -> Entry {
    switch rule.kind.name {
    case "required": Entry(short: ["en": "This field is required", "es": "Este campo es obligatorio"])
    case "type": Entry(short: ["en": "This value has the wrong type", "es": "Este valor no es del tipo correcto"])
    case "format": formatEntry(rule, region)
    case "write": Entry(short: ["en": "You cannot change this field", "es": "No puedes cambiar este campo"])
    case "unknown": Entry(short: ["en": "There is no such field", "es": "Este campo no existe"])
    case "unique": Entry(short: ["en": "This is already taken", "es": "Ya está en uso"])
    case "min_length": Entry(short: ["en": "At least {min} characters", "es": "Al menos {min} caracteres"])
    case "max_length": Entry(short: ["en": "At most {max} characters", "es": "{max} caracteres como máximo"])
    case "charset" where rule.isOfLetters: Entry(short: ["en": "Use only letters", "es": "Usa solo letras"])
    case "charset": Entry(short: ["en": "Use only {characters}", "es": "Usa solo {characters}"])
    case "reserved": Entry(short: ["en": "This name is reserved", "es": "Este nombre está reservado"])
    case "min": Entry(short: ["en": "At least {min}", "es": "{min} como mínimo"])
    case "max": Entry(short: ["en": "At most {max}", "es": "{max} como máximo"])
    case "values": Entry(short: ["en": "One of {values}", "es": "Uno de {values}"])
    case "https_only": Entry(short: ["en": "Use an https address", "es": "Usa una dirección https"])
    case "allowed_regions":
      Entry(short: ["en": "Use a number from {regions}", "es": "Usa un número de {regions}"])
    default: Entry(short: ["en": "This value is not accepted", "es": "Este valor no se acepta"])
    }
  }

  private static func formatEntry(_ rule: Rule, _ region: String?) -> Entry {
    switch (rule.parameter, region) {
    case (.text("phone"), "US"):
      Entry(
        short: ["en": "Enter a 10-digit US phone number", "es": "Escribe un teléfono de EE. UU. de 10 dígitos"])
    case (.text("phone"), _):
      Entry(short: ["en": "Enter a valid phone number", "es": "Escribe un número de teléfono válido"])
    case (.text("url"), _): Entry(short: ["en": "Enter a web address", "es": "Escribe una dirección web"])
    default: Entry(short: ["en": "Enter a date as YYYY-MM-DD", "es": "Escribe una fecha como AAAA-MM-DD"])
    }
  }
}

extension Texts {
  /// With the rule's parameter in the place of `{name}`, and the singular where the number is one.
  func filled(with rule: Rule) -> Texts {
    let name = rule.kind.parameterName
    guard !name.isEmpty, let value = rule.parameter.value else { return self }
    let text: String
    switch value {
    case .integer(let number): text = String(number)
    case .string(let word): text = word
    case .strings(let words): text = words.joined(separator: ", ")
    case .boolean(let flag): text = String(flag)
    }
    let isOne = value == .integer(1)
    let mark = Array("{\(name)}".utf8)
    return Texts(
      byLanguage.mapValues { template in
        let filled = Texts.put(text, for: mark, into: template)
        return isOne ? Texts.singular(filled) : filled
      })
  }

  /// The template with `text` wherever `mark` stands. Over bytes: this is done for every refusal, and searching strings
  /// by their characters cost more than the whole decision.
  private static func put(_ text: String, for mark: [UInt8], into template: String) -> String {
    var rest = Array(template.utf8)[...]
    var filled: [UInt8] = []
    while let brace = rest.firstIndex(of: UInt8(ascii: "{")) {
      filled += rest[..<brace]
      let isMark = rest[brace...].starts(with: mark)
      if isMark { filled += text.utf8 } else { filled.append(rest[brace]) }
      rest = rest[(brace + (isMark ? mark.count : 1))...]
    }
    guard rest.count < template.utf8.count else { return template }
    return String(decoding: filled + rest, as: UTF8.self)
  }

  private static func singular(_ text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      switch word {
      case "characters": "character"
      case "characters.": "character."
      case "caracteres": "carácter"
      case "caracteres.": "carácter."
      default: String(word)
      }
    }.joined(separator: " ")
  }
}

extension Rule {
  fileprivate var isOfLetters: Bool {
    if case .characters(let set) = parameter { set.isLetters } else { false }
  }
}
