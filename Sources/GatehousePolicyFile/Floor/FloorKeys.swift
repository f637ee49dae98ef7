import GatehousePolicy

/// Every key of a floor file.
enum FloorKeys {
  static let schema = "gatehouse/floor.v1"

  static let file = MapShape(
    "the floor",
    [
      Key("schema", .choice([schema]), required: true, "The language and its version."),
      Key("password", .map(password), "What every policy asks of passwords at least."),
      Key("sessions", .map(sessions), "How long sessions and tokens live at most."),
      Key("verification", .map(verification), "The longest life of mailed links and codes."),
      Key("limits", .map(limits), "What every policy limits, and how much it may allow."),
    ])

  static let password = MapShape(
    "password",
    [
      Key("min_length", .integer(1...128), "Code points of the shortest password any policy may admit."),
      Key("not_in", .list(.choice(["common", "breached"]), count: 1...2), "Lists that every policy refuses by."),
    ])

  static let sessions = MapShape(
    "sessions", Floor.lifetimes.filter { $0.section == "sessions" }.map { Key($0.key, .duration($0.range), $0.summary) }
  )

  static let verification = MapShape(
    "verification",
    Floor.lifetimes.filter { $0.section == "verification" }.map { Key($0.key, .duration($0.range), $0.summary) })

  static let limits = MapShape(
    "limits", Limits.Name.allCases.map { Key($0.rawValue, .limit, "The most that a policy may allow, such as 10/15m.") }
  )
}
