import GatehousePolicy

/// Every key of a floor file.
enum FloorKeys {
  static let schema = "gatehouse/floor.v1"

  static let file = MapShape(
    "the floor",
    [
      Key("schema", trust: false, .nothing, .choice([schema]), required: true, "The language and its version."),
      Key("password", trust: false, .nothing, .map(password), "The least demands of every policy on passwords."),
      Key(
        "sessions", trust: false, .nothing, .map(SessionKeys.sessions.floor("sessions")),
        "How long sessions and tokens live at most."),
      Key(
        "verification", trust: false, .nothing, .map(VerificationKeys.email.floor("verification")),
        "The longest life of mailed links and codes."),
      Key(
        "limits", trust: false, .nothing, .map(LimitKeys.limits.floor("limits")),
        "The limits that every policy must have, and the most that it may allow."),
      Key(
        "provider_hosts", trust: false, .nothing, .list(.text(HostPattern.host), count: 0...200),
        "The hosts that providers with endpoints of their own may lead to."),
      Key(
        "continue_hosts", trust: false, .nothing, .list(.text(HostPattern.target), count: 0...200),
        "The hosts and schemes that people, mailed links and web apps may be led to."),
      Key(
        "always", trust: false, .nothing, .list(.map(StatementKeys.statement), count: 0...100),
        "Statements that every policy satisfies."),
    ])

  static let password = MapShape(
    "password",
    [
      Key(
        "min_length", trust: false, .nothing, .integer(1...128),
        "Code points of the shortest password any policy may admit."),
      Key(
        "not_in", trust: false, .nothing, .list(.choice(["common", "breached"]), count: 1...2),
        "Lists that every policy refuses by."),
    ])
}

extension SettingTable {
  /// The keys by which the floor bounds settings of the section.
  fileprivate func floor(_ what: String) -> MapShape {
    MapShape(
      what,
      all.compactMap { setting in
        setting.floor.map { Key(setting.key.name, trust: false, .nothing, setting.key.shape, $0) }
      })
  }
}
