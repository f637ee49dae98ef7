import GatehouseWire

/// The common parts of the commands about limits.
enum LimitVerb {
  static let name = Flag("name", .text("LIMIT", "a limit's name"), "only this limit, such as sign_up_per_ip")
  static let address = Flag(
    "address", .text("IP", "an IPv4 or IPv6 address"), "only counts of this address, or of its /64")
  static let user = Flag("user", .text("USER", "an address or id"), "only counts of this user or mailbox")

  static let exits: KeyValuePairs<Exit, String> = [
    .no: "no such limit, address or user", .notFound: "no such tenant", .unavailable: "the database failed",
  ]
}
