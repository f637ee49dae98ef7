package import GatehousePolicy

/// Makes what a door is told from what a test says: the request, and the account that is stored.
struct TestInputs {
  let policy: Policy
  let references: References
  let nonFields: NonFields

  private var sink: Diagnostics { references.sink }

  /// - Returns: The door that is really asked (`update_profile` by an administrator is `admin_update`) and its facts.
  func facts(at door: String, body: Node?, given: Node?) -> (door: Door, facts: Facts)? {
    // Written values are always read, so that a mistake in them shows; samples are made only for fields that need one.
    let written = given.map { self.stored($0) }
    func stored() -> StoredFacts { written ?? self.stored(nil) }
    let session = SessionFacts(level: given?["level"]?.word() ?? .aal1)
    var facts = Facts(
      email: text(body?["email"]), password: text(body?["password"]),
      profile: profile(body?["profile"] ?? body?["set"]), session: session)
    switch door {
    case "sign_up":
      facts.bringsPasskey = body?["passkey"]?.truth ?? false
      // A passkey that verified its user is two proofs.
      if facts.bringsPasskey { facts.session = SessionFacts(level: Factor.passkey.reached) }
      return (.signUp, facts)
    case "sign_up_with", "link":
      guard let provider = provider(body) else { return nil }
      facts.email = nil
      facts.provider = provider
      if door == "link" { facts.stored = stored() }
      return (door == "link" ? .link : .federatedSignUp, facts)
    case "update_profile", "admin_update":
      let isAdmin = door == "admin_update" || body?["as"]?.text == "admin"
      facts.writer = isAdmin ? .admin : .user
      facts.stored = stored()
      return (isAdmin ? .adminUpdate : .updateProfile, facts)
    case "change_email", "set_password":
      facts.stored = stored()
      return (door == "change_email" ? .changeEmail : .setPassword, facts)
    case "reset_password":
      // A request for a reset brings an address and no known account; its completion brings a password of a known
      // account.
      if facts.password != nil { facts.stored = stored() }
      return (.resetPassword, facts)
    case "admin_create", "invite":
      facts.writer = .admin
      return (door == "invite" ? .invite : .adminCreate, facts)
    case "import":
      facts.writer = .system
      return (.import, facts)
    default:
      facts.password = facts.password ?? text(given?["password"])
      facts.stored = stored()
      return (.signIn, facts)
    }
  }

  private func text(_ node: Node?) -> String? {
    guard let node else { return nil }
    guard !node.isNull else { return nil }
    if node.text == nil {
      sink.error(
        about: node.range, code: .badTestValue,
        "a request carries text here; anything else is refused before the policy is asked",
        at: node.range)
    }
    return node.text
  }

  private func profile(_ node: Node?) -> [String: FieldValue] {
    guard let node else { return [:] }
    guard let entries = node.map else {
      sink.error(about: node.range, code: .badTestValue, "a map of profile values is needed here", at: node.range)
      return [:]
    }
    var values: [String: FieldValue] = [:]
    for entry in entries {
      nonFields.check(entry)
      values[entry.key] = FieldValue(entry.value, type: policy.profile.field(entry.key)?.type)
    }
    return values
  }

  /// Values that another account holds; only unique fields can be taken.
  func taken(_ node: Node?) -> [String: FieldValue] {
    var values: [String: FieldValue] = [:]
    for entry in node?.map ?? [] {
      guard let field = policy.profile.field(entry.key), field.unique != nil else {
        references.unknownField(
          entry.key, what: "unique profile field", at: entry.keyRange,
          among: policy.profile.fields.filter { $0.unique != nil }.map(\.name))
        continue
      }
      values[field.name] = FieldValue(entry.value, type: field.type)
    }
    return values
  }

  private func provider(_ body: Node?) -> ProviderFacts? {
    guard let node = body?["provider"], let name = node.text else { return nil }
    guard let provider = policy.provider(name), name != "password" else {
      unknown(name, node.range)
      return nil
    }
    return ProviderFacts(
      name: name, email: text(body?["email"]), emailVerified: body?["email_verified"]?.truth ?? false,
      scopes: provider.scopes)
  }

  private func unknown(_ name: String, _ range: SourceRange) {
    let names = policy.providers.map(\.name).filter { $0 != "password" }
    references.unknownProvider(name, "no provider \(quoted(name))", at: range, among: names)
  }

  /// A stored account: unless the test says otherwise every required field holds a valid value, every field with a
  /// default holds it, the address is not proven and nothing is linked.
  private func stored(_ given: Node?) -> StoredFacts {
    var user = StoredFacts(email: text(given?["email"]) ?? Samples.email(policy))
    user.emailVerified = given?["email_verified"]?.truth ?? false
    for field in policy.profile.fields {
      if let value = field.defaultValue {
        user.profile[field.name] = value
      } else if field.isRequired {
        user.profile[field.name] = Samples.value(field)
      }
    }
    user.profile.merge(profile(given?["profile"])) { _, written in written }
    user.profile = user.profile.filter { $0.value != .null }
    user.factors = given?["factors"]?.texts ?? []
    for entry in given?["links"]?.map ?? [] {
      guard let provider = policy.provider(entry.key), entry.key != "password" else {
        unknown(entry.key, entry.keyRange)
        continue
      }
      user.links[entry.key] = entry.value["scopes"]?.texts ?? provider.scopes
    }
    return user
  }
}

/// Values that a policy admits, for what a test does not say.
package enum Samples {
  package static func email(_ policy: Policy) -> String {
    guard let first = policy.identifiers.email.rules.lazy.compactMap(\.allowedDomains?.first).first else {
      return "person@example.com"
    }
    return "person@" + (first.subdomainsOnly ? "mail." : "") + first.domain
  }

  package static func value(_ field: Field) -> FieldValue {
    switch field.type {
    case .integer:
      [0, 1, field.first(\.least), field.first(\.most)].compactMap { $0 }.map(FieldValue.integer).fitting(field)
    case .boolean: false
    case .enum: FieldValue.string(field.first(\.values)?.first ?? "")
    case .url: "https://example.com/"
    case .date: "2000-01-01"
    case .phone: "+15555550123"
    case .string: texts(field).map(FieldValue.string).fitting(field)
    }
  }

  private static func texts(_ field: Field) -> [String] {
    let length = Int(clamping: min(field.first(\.shortest) ?? 1, 1024))
    let letters = field.rules.compactMap { rule -> Unicode.Scalar? in
      guard case .characters(let set) = rule.parameter, let range = set.ranges.first else { return nil }
      return Unicode.Scalar(range.lowerBound)
    }
    let letter = letters.first ?? "x"
    return ["Alex", "alex", String(repeating: Character(letter), count: length)]
  }
}

extension [FieldValue] {
  /// The first that the field admits, else the last.
  fileprivate func fitting(_ field: Field) -> FieldValue {
    first { Values.problem($0, field) == nil } ?? last ?? .null
  }
}

extension Field {
  /// The first answer of the rules; nil where none has one.
  fileprivate func first<Value>(_ said: (Rule) -> Value?) -> Value? { rules.lazy.compactMap(said).first }
}
