import GatehousePolicy

/// Every key of a floor file.
enum FloorKeys {
  static let schema = "gatehouse/floor.v1"

  static let file = MapShape(
    "the floor",
    [
      Key("schema", trust: false, .choice([schema]), required: true, "The language and its version."),
      Key("password", trust: false, .map(password), "The least demands of every policy on passwords."),
      Key("sessions", trust: false, .map(sessions), "How long sessions and tokens live at most."),
      Key("verification", trust: false, .map(verification), "The longest life of mailed links and codes."),
      Key(
        "limits", trust: false, .map(limits), "The limits that every policy must have, and the most that it may allow."),
      Key(
        "provider_hosts", trust: false, .list(.text(HostPattern.host), count: 0...200),
        "The hosts that providers with endpoints of their own may lead to."),
      Key(
        "continue_hosts", trust: false, .list(.text(HostPattern.target), count: 0...200),
        "The hosts and schemes that people, mailed links and web apps may be led to."),
      Key(
        "always", trust: false, .list(.map(StatementKeys.statement), count: 0...100),
        "Statements that every policy satisfies."),
    ])

  static let password = MapShape(
    "password",
    [
      Key("min_length", trust: false, .integer(1...128), "Code points of the shortest password any policy may admit."),
      Key(
        "not_in", trust: false, .list(.choice(["common", "breached"]), count: 1...2),
        "Lists that every policy refuses by."),
    ])

  static let sessions = MapShape(
    "sessions",
    Floor.lifetimes.filter { $0.section == "sessions" }.map {
      Key($0.key, trust: false, .duration($0.range), $0.summary)
    }
  )

  static let verification = MapShape(
    "verification",
    Floor.lifetimes.filter { $0.section == "verification" }.map {
      Key($0.key, trust: false, .duration($0.range), $0.summary)
    })

  static let limits = MapShape(
    "limits",
    Limits.Name.allCases.map {
      Key($0.rawValue, trust: false, .limit, "The most that a policy may allow, such as 10/15m.")
    }
  )
}
