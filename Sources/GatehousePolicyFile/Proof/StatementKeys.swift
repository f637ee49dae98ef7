import GatehousePolicy

/// The keys of a statement in the file.
enum StatementKeys {
  /// The claims, of which a statement has one.
  static let claims = ["never", "every", "not_weaker_than"]

  static let statement = MapShape(
    "statement", label: "name",
    [
      Key("name", trust: false, .nothing, .text(.any(200)), required: true, "What holds always, in words."),
      Key("never", trust: false, .nothing, .map(never), "Accounts and steps that no chain of requests leads to."),
      Key(
        "every", trust: false, .nothing, .choice(["signed_up"]),
        "With can or can_reach: every account that its owner made."),
      Key(
        "can", trust: false, .nothing, .choice(["sign_in", "reset_password"]), "With every: the way that stays open."),
      Key("can_reach", trust: false, .nothing, .map(reach), "With every: where the owner's own steps lead."),
      Key(
        "not_weaker_than", trust: false, .nothing, .either([.integer(1...1_000_000_000), .choice(["live"])]),
        "A revision, or live: each request that is allowed now was allowed by it."),
      Key(
        "from", trust: false, .nothing, .choice(["any"]),
        "any: of accounts in every state that could be stored; of accounts from their first step on without it."),
    ], exactlyOne: claims)

  static let never = MapShape(
    "never",
    [
      Key("access", trust: false, .nothing, .choice(Access.allCases.map(\.rawValue)), "The access of the account."),
      Key("email", trust: false, .nothing, .map(domains), "The domain of its address."),
      Key("email_verified", trust: false, .nothing, .boolean, "Whether its address is proven."),
      Key("admin", trust: false, .nothing, .boolean, "Whether admins.when makes its owner an administrator."),
      Key(
        "by", trust: false, .nothing, .choice(Statement.Writer.allCases.map(\.rawValue)),
        "The writer of the step that brought it about."),
      Key(
        "stored", trust: false, .nothing,
        .dictionary(DictionaryShape("field", names: .any(64), .map(stored), count: 1...20)),
        "Stored values by field."),
      Key("door", trust: false, .nothing, .choice(doors.map(\.name)), "The door that let the step through."),
      Key("allowed", trust: false, .nothing, .boolean, "With door: true, the step was allowed."),
    ])

  static let domains = MapShape(
    "email",
    [
      Key("outside", trust: false, .nothing, list, "At none of these domains."),
      Key("inside", trust: false, .nothing, list, "At one of these domains."),
    ], exactlyOne: ["outside", "inside"])

  static let stored = MapShape(
    "stored value",
    [
      Key("not", trust: false, .nothing, .choice(["e164"]), "Text that has not this form."),
      Key("absent", trust: false, .nothing, .boolean, "true: there is no value."),
      Key("is", trust: false, .nothing, .any, "This value."),
      Key("outside", trust: false, .nothing, .list(.any, count: 1...100), "A value that is none of these."),
    ], exactlyOne: ["not", "absent", "is", "outside"])

  static let reach = MapShape(
    "can_reach",
    [Key("access", trust: false, .nothing, .choice([Access.full.rawValue]), required: true, "Full access.")])

  /// The doors as tests name them.
  static let doors: [(name: String, door: Door)] = Door.allCases.map { door in
    (door == .federatedSignUp ? "sign_up_with" : door.rawValue, door)
  }

  static func name(of door: Door) -> String { doors.first { $0.door == door }?.name ?? door.rawValue }

  private static let list = Shape.list(.text(Forms.domain), count: 1...200)
}
