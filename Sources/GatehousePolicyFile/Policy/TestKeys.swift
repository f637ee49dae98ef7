import GatehousePolicy

/// The keys of a test in the file. The value of `sign_up` is the API's request body.
enum TestKeys {
  static let test = MapShape(
    "test", label: "name",
    [
      Key(
        "name", trust: false, .nothing, .text(.any(200)), required: true,
        "The behaviour that the test checks, in words."),
      Key(
        "each", trust: false, .nothing, .list(.any, count: 1...200),
        "The test runs once per member, which replaces $each."),
      Key("at", trust: false, .nothing, .date, "The day the test is about; that of tests_at by default."),
      Key("given", trust: false, .nothing, .map(given), "A stored account."),
      Key(
        "attested", trust: false, .nothing, .boolean,
        "Whether the request comes from an attested app; true by default, at doors of attest:."),
      Key(
        "taken", trust: false, .nothing, .dictionary(values("taken")),
        "Values of unique fields that another account holds."),
    ] + doors + [
      Key(
        "expect", trust: false, .nothing, .map(expect), required: true,
        "The expected outcome; keys left out are not checked.")
    ])

  /// The doors a test can go through.
  static let doors = [
    Key(
      "sign_up", trust: false, .nothing,
      .map(credentials("sign_up", ["as", "email", "password", "passkey", "profile", "device"])),
      "A user signs up."),
    Key("sign_in", trust: false, .nothing, .map(body("sign_in", ["password"])), "The given account signs in."),
    Key(
      "sign_up_with", trust: false, .nothing, .map(federated("sign_up_with")), "A new user signs up with a provider."),
    Key("link", trust: false, .nothing, .map(federated("link")), "The given account links a provider."),
    Key("update_profile", trust: false, .nothing, .map(update), "A user writes profile fields."),
    Key(
      "change_email", trust: false, .nothing, .map(body("change_email", ["email"])),
      "The given account changes its address."),
    Key(
      "set_password", trust: false, .nothing, .map(body("set_password", ["password"])),
      "The given account sets a password."),
    Key(
      "reset_password", trust: false, .nothing, .map(body("reset_password", ["email", "password"])),
      "A reset is asked for, or done."),
    Key(
      "admin_create", trust: false, .nothing, .map(body("admin_create", ["as", "email", "password", "profile"])),
      "An administrator creates an account."),
    Key(
      "admin_update", trust: false, .nothing, .map(body("admin_update", ["set"])),
      "An administrator writes profile fields."),
    Key("invite", trust: false, .nothing, .map(body("invite", ["as", "email", "profile"])), "A user is invited."),
    Key("import", trust: false, .nothing, .map(body("import", ["as", "email", "profile"])), "An account is imported."),
  ]

  static let given = MapShape(
    "given",
    [
      key("as"),
      Key("email", trust: false, .nothing, .text(.any(1024)), "The stored address."),
      Key("email_verified", trust: false, .nothing, .boolean, "Whether the address is proven; false by default."),
      Key(
        "profile", trust: false, .nothing, .dictionary(values("profile")),
        "Stored values; required fields hold a valid one by default."),
      Key(
        "links", trust: false, .nothing,
        .dictionary(DictionaryShape("link", names: Forms.name, .map(link), count: 0...20)),
        "Linked providers."
      ),
      Key(
        "password", trust: false, .nothing, .text(.any(1024)),
        "The password the person signs in with; a complying one by default."),
      Key(
        "previous_passwords", trust: false, .nothing, .list(.text(.any(1024)), count: 1...23),
        "The passwords before that one, newest first."),
      Key("password_age", trust: false, .nothing, .duration(0...Bounds.tenYears), "How long ago the password was set."),
      Key("factors", trust: false, .nothing, factors, "The second factors of the account; none by default."),
      Key(
        "level", trust: false, .nothing, .choice(AssuranceLevel.allCases.map(\.rawValue)),
        "How strong the session is; aal1 by default: a first proof."),
      Key(
        "mfa_asked", trust: false, .nothing, .duration(0...Bounds.tenYears),
        "How long ago the account had its first session under a demand for a second factor; none by default."),
    ])

  static let link = MapShape(
    "link",
    [
      Key(
        "scopes", trust: false, .nothing, .either([.choice(["all"]), .list(.text(Forms.token), count: 0...100)]),
        required: true,
        "The scopes that were granted.")
    ])

  static let update = MapShape(
    "update_profile",
    [
      Key(
        "as", trust: false, .nothing, .choice(writers),
        "The writer; the user by default. given: {as: NAME} names the owner of the account."),
      Key("set", trust: false, .nothing, setValues, required: true, "The values."),
    ])

  static let expect = MapShape(
    "expect",
    [
      Key("ok", trust: false, .nothing, .boolean, "Whether the door opens."),
      Key(
        "violations", trust: false, .nothing, ruleList, "Rules that refuse: all of them in file order, or some of them."
      ),
      Key("warnings", trust: false, .nothing, ruleList, "Rules that warn: all of them in file order, or some of them."),
      Key("access", trust: false, .nothing, .choice(Access.allCases.map(\.rawValue)), "How much the person may do."),
      Key(
        "admin", trust: false, .nothing, .boolean,
        "Whether the person administers the tenant afterwards, by admins.when."),
      Key("next", trust: false, .nothing, ids(0...20), "The next steps that the user is asked for."),
      Key(
        "challenge", trust: false, .nothing, factors,
        "The second factors of which the person has to prove one: all of them, in the order totp, passkey."),
      Key(
        "offers", trust: false, .nothing,
        .list(.choice(Offer.allCases.map(\.rawValue)), count: 0...Offer.allCases.count),
        "What the person may do beside: add_passkey, where passkeys.upgrade offers one."),
      Key("stored", trust: false, .nothing, .map(stored), "The stored values; only those given here are compared."),
    ])

  private static let factors = Shape.list(
    .choice(Factor.allCases.map(\.rawValue)), count: 0...Factor.allCases.count)

  static let stored = MapShape(
    "stored",
    [
      Key("email", trust: false, .nothing, .text(.any(1024)), "The address."),
      Key("profile", trust: false, .nothing, .dictionary(values("profile")), "Profile values."),
    ])

  /// Members may repeat where a family stands for several rules.
  private static let ruleList = ids(0...100)

  /// All ids of a list, or what it includes and excludes.
  private static func ids(_ count: ClosedRange<Int>) -> Shape {
    let list = Shape.list(.text(.any(120)), count: count)
    let part = MapShape(
      "expected ids",
      [
        Key("includes", trust: false, .nothing, list, "Ids that must be in the list."),
        Key("excludes", trust: false, .nothing, list, "Ids that must not be."),
      ])
    return .either([list, .map(part)])
  }

  /// A map of values, or `$each`.
  private static let setValues = Shape.either([.dictionary(values("set")), .text(.any(1024))])

  private static func values(_ what: String) -> DictionaryShape {
    DictionaryShape("\(what) value", names: .any(64), .any, count: 0...100)
  }

  private static func body(_ what: String, _ keys: [String]) -> MapShape {
    MapShape(what, keys.map(key))
  }

  private static func credentials(_ what: String, _ keys: [String]) -> MapShape { body(what, keys) }

  private static func federated(_ what: String) -> MapShape {
    MapShape(
      what,
      [
        Key("provider", trust: false, .nothing, .text(Forms.name), required: true, "The provider."),
        Key("email_verified", trust: false, .nothing, .boolean, "Whether the provider says the address is proven."),
      ] + ["as", "email", "profile"].map(key))
  }

  private static func key(_ name: String) -> Key {
    switch name {
    case "as":
      Key(
        "as", trust: false, .nothing, .text(.any(40)),
        "A user of users:, for values not given here; null removes a value.")
    case "email": Key("email", trust: false, .nothing, .any, "An address, as a request carries it.")
    case "password": Key("password", trust: false, .nothing, .any, "A password, as a request carries it.")
    case "passkey":
      Key(
        "passkey", trust: false, .nothing, .boolean,
        "Whether a passkey comes in the place of a password, by passkeys.use; false by default.")
    case "set":
      Key("set", trust: false, .nothing, setValues, required: true, "Profile values, as a request carries them.")
    case "device": Key("device", trust: false, .nothing, .any, "The device, as a request carries it.")
    default: Key(name, trust: false, .nothing, setValues, "Profile values, as a request carries them.")
    }
  }
}

extension TestKeys {
  /// The writers at `update_profile`. No user has such a name, because `as:` has another meaning there.
  static let writers = ["user", "admin"]

  /// The parts of a test whose `as:` names a user.
  static let startFromUser = ["given", "sign_up", "sign_up_with", "admin_create", "invite", "import"]

  static let users = DictionaryShape("user", names: userName, .map(user), count: 1...100)

  static let user = MapShape(
    "user",
    [
      Key("email", trust: false, .nothing, .text(.any(1024)), "The address."),
      Key("password", trust: false, .nothing, .text(.any(1024)), "The password."),
      Key("profile", trust: false, .nothing, .dictionary(values("profile")), "Profile values."),
    ])

  /// The keys that a part of a test has.
  static func keys(of part: String) -> [String] {
    guard case .map(let shape)? = test.key(part)?.shape else { return [] }
    return shape.keys.map(\.name)
  }

  private static let userName = TextForm(
    "a name as providers have, and neither \(writers.joined(separator: " nor "))", code: .badName,
    lengths: Forms.name.lengths, pattern: "^(?!(\(writers.joined(separator: "|")))$)[a-z][a-z0-9_]{0,39}$",
    accepts: { Forms.name.holds($0) && !writers.contains($0) })
}
