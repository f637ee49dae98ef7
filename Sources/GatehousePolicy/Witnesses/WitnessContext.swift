/// The surroundings on which a rule's examples depend: the field, the way addresses are stored, and the example that
/// they vary.
package struct WitnessContext: Sendable {
  /// The field of the rule; nil for rules on addresses and passwords.
  package var field: Field?
  /// The form addresses are stored in.
  package var normalize: EmailPolicy.Normalize
  /// The names of the policy's fields.
  package var fieldNames: [String]
  /// The parsers of telephone numbers and domains, and the list of throw-away mail services.
  package var source: any FactSource
  /// The example that the rule's own examples vary in what the rule looks at; nil: a plain one. An example of one rule
  /// as the sample of the next gives examples of both.
  package var sample: Witness.Value?

  /// `source` is best a `WitnessFacts`, which knows the examples of telephone numbers and throw-away domains.
  package init(
    field: Field? = nil, normalize: EmailPolicy.Normalize = .lowercase, fieldNames: [String] = [],
    source: any FactSource = WitnessFacts(NoFacts()), sample: Witness.Value? = nil
  ) {
    self.field = field
    self.normalize = normalize
    self.fieldNames = fieldNames
    self.source = source
    self.sample = sample
  }
}

extension WitnessContext {
  /// The local part and the domain of the sample.
  var address: (local: String, domain: String) {
    guard case .email(let text)? = sample, let address = address(text) else { return ("willie", "example.com") }
    return (address.local, address.domain)
  }

  var password: PasswordWitness {
    guard case .password(let witness)? = sample, !witness.text.isEmpty else { return PasswordWitness("Aa1-zzzzyyyy") }
    return witness
  }

  /// The sample as the value of the field; a plain value of its type where the sample is none.
  var value: FieldValue {
    if case .field(let value)? = sample, seen(value) != nil { return value }
    return field?.plainValue ?? "Willie"
  }

  /// The text that is measured: of an address, a password or a field.
  func text(of target: RuleTarget) -> String {
    switch target {
    case .email: address.local + "@" + address.domain
    case .password: password.text
    case .field: value.string ?? ""
    }
  }

  /// The sample with another text.
  func with(_ text: String, at target: RuleTarget) -> Witness.Value {
    switch target {
    case .email: .email(text)
    case .password: with { $0.text = text }
    case .field: .field(.string(text))
    }
  }

  /// The sample password changed.
  func with(_ change: (inout PasswordWitness) -> Void) -> Witness.Value {
    var password = password
    change(&password)
    return .password(password)
  }
}

extension WitnessContext {
  /// The address of this text; nil where it is none.
  func address(_ text: String) -> EmailAddress? {
    EmailAddress(text, normalize: normalize) { source.asciiDomain($0) }
  }

  /// A value as the rules of the field see it: trimmed, in NFC, in its stored form. Nil where an earlier failure or the
  /// lack of a value hides it from them.
  func seen(_ value: FieldValue) -> (value: FieldValue, region: String?)? {
    guard let field, case .some(let typed) = field.typed(value), !typed.isAbsent, field.flaw(of: typed) == nil else {
      return nil
    }
    guard case .string(let text) = typed else { return (typed, nil) }
    return switch field.formatted(text, using: source) {
    case .notNeeded: (typed, nil)
    case .good(let text, let region, _): (.string(text), region)
    case .bad, .unknown: nil
    }
  }

  /// The text of a value as rules see it; nil where they see none.
  func seenText(_ value: Witness.Value) -> String? {
    switch value {
    case .email(let text): address(text)?.text
    case .password(let password): password.text.isEmpty ? nil : Text.nfc(password.text)
    case .field(let value): seen(value)?.value.string
    case .writer, .taken, .key: nil
    }
  }

  func seenAddress(_ value: Witness.Value) -> EmailAddress? {
    guard case .email(let text) = value else { return nil }
    return address(text)
  }

  func seenPassword(_ value: Witness.Value) -> PasswordWitness? {
    guard case .password(let password) = value, !password.text.isEmpty else { return nil }
    return password
  }
}

extension Field {
  /// A value that has the field's type and form.
  var plainValue: FieldValue {
    switch type {
    case .string: return "Willie"
    case .integer: return 1
    case .boolean: return true
    case .enum: return .string(words?.first ?? "word")
    case .url: return "https://www.example.com/willie"
    case .date: return "2000-02-29"
    case .phone: return .string(PhoneExamples.number(of: region ?? "US"))
    }
  }

  /// The words of `values`.
  private var words: [String]? {
    rules.lazy.compactMap(\.values).first
  }
}
