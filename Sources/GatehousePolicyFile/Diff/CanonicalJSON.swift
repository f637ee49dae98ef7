package import GatehousePolicy

extension Policy {
  /// The policy as JSON that depends on its meaning only: no comments, no order of keys, no places, every default
  /// written out, keys sorted by their bytes, no white space. UTF-8. The order of `password.rules`, of domains and of
  /// other lists is kept, since it is the order of checklists and answers; the order of maps and exceptions is not.
  ///
  /// Values stand below the paths of their keys. `TrustPaths` compares them there.
  package var canonicalJSON: [UInt8] {
    Array(JSONText.object(canonical).sorted.text().utf8)
  }

  /// By section.
  var canonical: [(String, JSONText)] {
    [
      ("schema", .string(schema)), ("tenant", .string(tenant)), ("app", AppKeys.app.canonical(app)),
      ("identifiers", identifiers.canonical), ("password", password.canonical),
      ("profile", ProfileKeys.profile.canonical(profile)),
      ("verification", VerificationKeys.email.canonical(verification.email)),
      ("access", .array(access.full.map { .object([("need", .string($0.need.text))] + $0.enforcement.canonical) })),
      ("providers", .object(providers.map { ($0.name, ProviderKeys.settings.canonical($0)) })),
      ("sessions", SessionKeys.sessions.canonical(sessions)),
      ("presence", LimitKeys.presence.canonical(presence)),
      ("directory", directory.map(DirectoryKeys.directory.canonical) ?? .null),
      ("mail", MailKeys.from.canonical(mail.from)), ("privacy", .string(privacy.accountExists.rawValue)),
      ("admins", admins.map(AdminKeys.admins.canonical) ?? .null),
      ("attest", attest.map(AttestKeys.attest.canonical) ?? .null), ("limits", LimitKeys.limits.canonical(limits)),
      ("theme", LookKeys.theme.canonical(theme)),
      ("exceptions", .array(exceptions.map { $0.canonical }.sorted { $0.text() < $1.text() })),
      ("messages", LookKeys.messages.canonical(messages)),
      ("accounts", LimitKeys.accounts.canonical(accounts)), ("mfa", mfa.map(MFAKeys.mfa.canonical) ?? .null),
      ("passkeys", passkeys.map(PasskeyKeys.passkeys.canonical) ?? .null),
    ]
  }
}

extension Policy {
  /// One section of the canonical form.
  func canonical(_ section: String) -> JSONText {
    (canonical.first { $0.0 == section }?.1 ?? .null).sorted
  }
}

extension Identifiers {
  fileprivate var canonical: JSONText {
    .object(
      [
        ("existing", .string(email.existing.rawValue)), ("syntax", email.syntaxRule.canonical(in: email.existing)),
        // Settings are keys of a map, so their order means nothing.
        ("rules", .object(email.rules.map { ($0.id, $0.canonical(in: email.existing)) })),
      ] + PolicyKeys.signIn.members(of: self) + PolicyKeys.normalize.members(of: email))
  }
}

extension PasswordPolicy {
  fileprivate var canonical: JSONText {
    .object(
      [
        ("existing", .string(existing.rawValue)), ("rules", .array(rules.map { $0.canonical(in: existing) })),
      ] + PolicyKeys.typing.members(of: self))
  }
}

extension FieldValue {
  var canonical: JSONText {
    switch self {
    case .null: .null
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): .integer(number)
    case .string(let text): .string(text)
    case .unsupported(let kind): .object([("unsupported", .string(kind))])
    }
  }
}

extension Enforcement {
  var canonical: [(String, JSONText)] {
    [("enforce", .string(mode.rawValue)), ("enforce_from", .optional(from?.description))]
  }
}

extension Rule {
  func canonical(in section: Existing) -> JSONText {
    .object(
      [
        ("id", .string(id)), ("kind", .string(kind.name)), ("parameter", parameter.canonical),
        ("existing", .string(EffectiveRule(self, in: section).existing.rawValue)),
        ("doors", .strings(doors.doors.map(\.rawValue))),
        ("message", message?.canonical ?? .null), ("disclose", .boolean(disclose)),
      ] + (sentence.map { [("sentence", $0.canonical)] } ?? []) + (failsOpen ? [("fail", .string("open"))] : [])
        + enforcement.canonical)
  }
}

extension Texts {
  /// For a person who compares two of them.
  var shown: String { canonical.sorted.text() }

  var canonical: JSONText { .object(byLanguage.map { ($0.key, .string($0.value)) }) }
}

extension Parameter {
  fileprivate var canonical: JSONText {
    switch self {
    case .flag(let flag): .boolean(flag)
    case .integer(let number), .duration(let number): .integer(number)
    case .text(let text): .string(text)
    case .texts(let texts): .strings(texts)
    case .domains(let domains): .strings(domains.map(\.description))
    case .characters(let set): .string(set.text)
    }
  }
}

extension PolicyException {
  fileprivate var canonical: JSONText {
    .object([
      ("email", .string(email)), ("rule", .string(rule)), ("until", .string(until.description)),
      ("reason", .string(reason)),
    ])
  }
}
