import GatehousePolicy

/// The keys of `passkeys`. None has slips: a passkey that a test brings is any that the policy admits, and an offer
/// admits nothing.
enum PasskeyKeys {
  static let passkeys = SettingTable<Passkeys>(
    "passkeys",
    [
      .words(
        "use", \.use, count: 1...Passkeys.Use.allCases.count, isSet: true, .unsure, trust: false, required: true,
        "Where passkeys stand: they open a session by themselves, are asked for after another proof, make an account."),
      .text(
        "rp_id", \.rpID, PasskeyForms.relyingParty, .unsure, trust: true,
        "The domain that passkeys are bound to, which the tenant's host is or is below; that host by default."),
      former, upgrade,
      .texts(
        "origins", \.origins, PasskeyForms.origin, count: 0...10, .fewerIsStricter, trust: true,
        "Further web origins that may use the passkeys, compared byte by byte."),
      .map("apps", called: "passkeys.apps", trust: true, apps, "Apps that may use the passkeys."),
      .choice(
        "user_verification", \.verification, .order([Passkeys.Verification.preferred, .required]), trust: false,
        "Whether an authenticator has to verify its user; required by default."),
      .choice(
        "attestation", \.attestation, .order([Passkeys.Attestation.none, .direct]), trust: false,
        "Whether a new passkey has to carry a statement that roots vouch for; none by default."),
      roots, models,
      .boolean(
        "synced", \.synced, .offIsStricter, trust: false,
        "Whether passkeys that can be synced between devices are allowed, which is the default."),
      .choice(
        "counter", \.counter, .order([Passkeys.CounterRule.report, .refuse]), trust: false,
        "The answer to a counter of signatures that did not rise; report by default."),
    ])

  private static let former = Setting<Passkeys>(
    Key(
      "rp_id_from", trust: true, .earlierUntil,
      .map(
        MapShape(
          "passkeys.rp_id_from",
          [
            Key("id", trust: true, .unsure, .text(PasskeyForms.relyingParty), required: true, "That domain."),
            Key(
              "until", trust: true, .unsure, .date, required: true,
              "The first day on which its passkeys prove no more."),
          ])),
      "The domain that passkeys were bound to before, with rp_id: until a day these prove as well."),
    read: { node, passkeys in
      guard let id = node["id"]?.text, let until = node["until"]?.day else { return }
      passkeys.former = Passkeys.FormerParty(id: id, until: until)
    },
    canonical: { passkeys in
      passkeys.former.map { former in
        JSONText.object([("id", .string(former.id)), ("until", .string(former.until.description))])
      } ?? .null
    })

  /// The conditions need the fields: `PolicyReader.passkeys`.
  private static let upgrade = Setting<Passkeys>(
    Key(
      "upgrade", trust: false, .looks,
      .map(
        MapShape(
          "passkeys.upgrade",
          [
            Key("from", trust: false, .looks, .date, required: true, "The first day of the offer."),
            Key(
              "when", trust: false, .looks,
              .dictionary(DictionaryShape("condition", names: Forms.fieldName, .any, count: 1...10)),
              "Profile fields that administrators alone write, and their values; all users without it."),
          ])),
      "The offer of a passkey to people who sign in by a password and have none."),
    canonical: { passkeys in
      passkeys.upgrade.map { upgrade in
        JSONText.object([
          ("from", .string(upgrade.from.description)),
          ("when", .object(upgrade.when.map { ($0.field, $0.value.canonical) })),
        ])
      } ?? .null
    })

  private static let apps: [Setting<Passkeys>] = [
    .texts(
      "apple", \.apple, PasskeyForms.appID, count: 0...20, .fewerIsStricter, trust: true,
      "App IDs on Apple platforms: team, full stop, bundle."),
    Setting(
      Key(
        "android", trust: true, .fewerIsStricter, .list(.map(android), count: 0...20),
        "Apps on Android, each with the certificates that sign it."),
      read: { node, passkeys in passkeys.android = (node.list ?? []).compactMap(Passkeys.AndroidApp.init) },
      canonical: { .array($0.android.map(\.canonical)) },
      // Each certificate of an app admits something.
      compared: { .strings($0.android.flatMap { app in app.fingerprints.map { "\(app.package) \($0)" } }) },
      shown: { JSONText.array($0.android.map(\.canonical)).text() }),
  ]

  private static let android = MapShape(
    "Android app", label: "package",
    [
      Key("package", trust: true, .unsure, .text(PasskeyForms.package), required: true, "The application id."),
      Key(
        "sha256", trust: true, .fewerIsStricter, .list(.text(PasskeyForms.fingerprint), count: 1...10), required: true,
        "SHA-256 of each certificate that signs it."),
    ])

  /// Without attestation there are none, and every authenticator is taken.
  private static let roots = Setting<Passkeys>(
    Key(
      "roots", trust: true, .fewerUnlessAll, .list(.text(PasskeyForms.certificate), count: 1...8),
      "Certificates that vouch for authenticators, as PEM, one each; with attestation: direct."),
    read: { node, passkeys in passkeys.roots = (node.texts ?? []).map(PasskeyForms.oneSpelling) },
    canonical: { .strings($0.roots) },
    shown: { "[" + $0.roots.map(PasskeyForms.shortened).joined(separator: ", ") + "]" })

  private static let models = Setting<Passkeys>(
    Key(
      "aaguids", trust: false, .fewerUnlessAll, .list(.text(PasskeyForms.model), count: 1...100),
      "Models of authenticators that are allowed; all that the roots vouch for without it."),
    read: { node, passkeys in passkeys.aaguids = node.texts },
    canonical: { $0.aaguids.map { .strings($0) } ?? .null }, compared: { .strings($0.aaguids ?? []) },
    shown: { $0.aaguids.map { "[" + $0.joined(separator: ", ") + "]" } ?? "all" })
}

extension Passkeys.AndroidApp {
  fileprivate init?(_ node: Node) {
    guard let package = node["package"]?.text else { return nil }
    self.init(package: package, fingerprints: node["sha256"]?.texts ?? [])
  }

  fileprivate var canonical: JSONText {
    .object([("package", .string(package)), ("sha256", .strings(fingerprints))])
  }
}
