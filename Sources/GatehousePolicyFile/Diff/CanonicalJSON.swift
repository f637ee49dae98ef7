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
      ("schema", .string(schema)), ("tenant", .string(tenant)), ("app", app.canonical),
      ("identifiers", identifiers.canonical), ("password", password.canonical), ("profile", profile.canonical),
      ("verification", verification.email.canonical),
      ("access", .array(access.full.map { .object([("need", .string($0.need.text))] + $0.enforcement.canonical) })),
      ("providers", .object(providers.map { ($0.name, $0.canonical) })), ("sessions", sessions.canonical),
      ("presence", presence.canonical), ("directory", directory?.canonical ?? .null), ("mail", mail.canonical),
      ("privacy", .string(privacy.accountExists.rawValue)),
      ("admins", admins?.canonical ?? .null), ("attest", attest?.canonical ?? .null),
      ("limits", .object(limits.byName.map { ($0.key.rawValue, .string($0.value.description)) })),
      ("theme", theme.canonical),
      ("exceptions", .array(exceptions.map { $0.canonical }.sorted { $0.text() < $1.text() })),
      ("messages", messages.canonical),
    ]
  }
}

extension Policy {
  /// One section of the canonical form.
  func canonical(_ section: String) -> JSONText {
    (canonical.first { $0.0 == section }?.1 ?? .null).sorted
  }
}

extension JSONText {
  /// Keys of every map in the order of their bytes.
  var sorted: JSONText {
    switch self {
    case .array(let members): .array(members.map(\.sorted))
    case .object(let members):
      .object(
        members.map { ($0.0, $0.1.sorted) }.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) })
    default: self
    }
  }

  fileprivate static func strings(_ texts: [String]) -> JSONText { .array(texts.map { .string($0) }) }

  fileprivate static func optional(_ text: String?) -> JSONText { text.map { .string($0) } ?? .null }
}

extension App {
  fileprivate var canonical: JSONText {
    .object([
      ("name", .string(name)), ("support_email", .optional(supportEmail)), ("locales", .strings(locales)),
      ("base_url", .optional(baseURL)), ("audience", .optional(audience)), ("bundle_ids", .strings(bundleIDs)),
      ("origins", .strings(origins)), ("continue", .strings(continueTargets)), ("open_app", .optional(openApp)),
    ])
  }
}

extension Identifiers {
  fileprivate var canonical: JSONText {
    .object([
      ("sign_in_with", .strings(signInWith.map(\.rawValue))), ("normalize", .string(email.normalize.rawValue)),
      ("existing", .string(email.existing.rawValue)), ("syntax", email.syntaxRule.canonical(in: email.existing)),
      // Settings are keys of a map, so their order means nothing.
      ("rules", .object(email.rules.map { ($0.id, $0.canonical(in: email.existing)) })),
    ])
  }
}

extension PasswordPolicy {
  fileprivate var canonical: JSONText {
    .object([
      ("existing", .string(existing.rawValue)), ("rules", .array(rules.map { $0.canonical(in: existing) })),
    ])
  }
}

extension ProfilePolicy {
  fileprivate var canonical: JSONText {
    .object([
      ("unknown_fields", .string(unknownFields.rawValue)),
      ("fields", .object(fields.map { ($0.name, $0.canonical) })),
    ])
  }
}

extension Field {
  fileprivate var canonical: JSONText {
    let labels = label.map { [("label", $0.canonical)] } ?? []
    return .object(
      labels + [
        ("type", .string(type.rawValue)), ("default", defaultValue?.canonical ?? .array([])), ("trim", .boolean(trim)),
        ("at_sign_up", .boolean(atSignUp)),
        ("write", .string(write.rawValue)), ("visible_to", .string(visibleTo.rawValue)), ("claim", .boolean(claim)),
        ("unique", .optional(unique?.rawValue)), ("region", .optional(region)), ("check", .string(phoneCheck.rawValue)),
        ("existing", .string(existing.rawValue)), ("implied", typeRule.canonical(in: existing)),
        ("rules", .object(rules.map { ($0.id, $0.canonical(in: existing)) })),
      ])
  }
}

extension FieldValue {
  fileprivate var canonical: JSONText {
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
  fileprivate var canonical: [(String, JSONText)] {
    [("enforce", .string(mode.rawValue)), ("enforce_from", .optional(from?.description))]
  }
}

extension Rule {
  fileprivate func canonical(in section: Existing) -> JSONText {
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

  fileprivate var canonical: JSONText { .object(byLanguage.map { ($0.key, .string($0.value)) }) }
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

extension EmailVerification {
  fileprivate var canonical: JSONText {
    .object([
      ("method", .string(method.rawValue)), ("confirm", .string(confirm.rawValue)), ("link_ttl", .integer(linkTTL)),
      ("code_ttl", .integer(codeTTL)),
      ("on_sign_up", .boolean(onSignUp)), ("resend_cooldown", .integer(resendCooldown)),
      ("max_sends_per_day", .integer(maxSendsPerDay)),
    ])
  }
}

extension Provider {
  fileprivate var canonical: JSONText {
    .object([
      ("use", .string(use.rawValue)), ("flow", .optional(flow?.rawValue)), ("audiences", .strings(audiences)),
      ("nonce", .string(nonce.rawValue)), ("client_id", .optional(clientID)),
      ("client_secret", .optional(clientSecret)),
      ("redirect_uris", .strings(redirectURIs)), ("scopes", .strings(scopes)),
      ("require_scopes", .strings(missingScopes(granted: []).sorted())),
      ("require_auth_time", .boolean(requireAuthTime)), ("existing_email", .string(existingEmail.rawValue)),
      ("prompt_for", .strings(promptFor)),
      (
        "tokens",
        .object([
          ("store", .string(tokenStore.rawValue)), ("hand_out", .string(handOut.rawValue)),
          ("keep_warm", .boolean(keepWarm)),
        ])
      ),
      ("one_account_per_user", .boolean(oneAccountPerUser)),
      ("on_sign_out", .string(onSignOut.rawValue)), ("endpoints", endpoints?.canonical ?? .null),
    ])
  }
}

extension Provider.Endpoints {
  var canonical: JSONText {
    .object(byName.map { ($0.name, .optional($0.address)) })
  }

  /// Every address by its key.
  var byName: [(name: String, address: String?)] {
    [
      ("issuer", issuer), ("authorization", authorization), ("token", token), ("userinfo", userinfo), ("jwks", jwks),
      ("revocation", revocation),
    ]
  }
}

extension Sessions {
  fileprivate var canonical: JSONText {
    .object([
      ("access_token_ttl", .integer(accessTokenTTL)), ("refresh_idle_ttl", .integer(refreshIdleTTL)),
      ("refresh_max_ttl", .integer(refreshMaxTTL)), ("page_idle_ttl", .integer(pageIdleTTL)),
      ("page_max_ttl", .integer(pageMaxTTL)), ("reuse_grace", .integer(reuseGrace)),
      ("max_per_user", .integer(maxPerUser)), ("new_device_notice", .boolean(newDeviceNotice)),
    ])
  }
}

extension PresencePolicy {
  fileprivate var canonical: JSONText {
    .object([("idle", .integer(idle)), ("visible_to", .string(visibleTo.rawValue))])
  }
}

extension DirectoryPolicy {
  /// Both lists are sets.
  fileprivate var canonical: JSONText {
    .object([
      ("find_by", .strings(findBy.map(\.rawValue).sorted())), ("prefix_of", .strings(prefixOf.sorted())),
      ("limit", .string(limit.description)),
    ])
  }
}

extension Admins {
  fileprivate var canonical: JSONText {
    .object([
      ("when", .object(when.map { ($0.field, $0.value.canonical) })), ("may", .strings(may.map(\.rawValue).sorted())),
    ])
  }
}

extension Attest {
  fileprivate var canonical: JSONText {
    .object([
      (
        "ios",
        .object([
          ("team", .string(ios.team)), ("bundle", .string(ios.bundle)),
          ("environment", .string(ios.environment.rawValue)),
        ])
      ), ("doors", .strings(doors.map(\.rawValue))),
    ])
  }
}

extension Theme {
  fileprivate var canonical: JSONText {
    .object([
      ("logo", .optional(logo)), ("primary", .optional(primary)), ("dark_mode", .string(darkMode.rawValue)),
    ])
  }
}

extension Messages {
  fileprivate var canonical: JSONText { .object(byCode.map { ($0.key.rawValue, $0.value.canonical) }) }
}

extension PolicyException {
  fileprivate var canonical: JSONText {
    .object([
      ("email", .string(email)), ("rule", .string(rule)), ("until", .string(until.description)),
      ("reason", .string(reason)),
    ])
  }
}
