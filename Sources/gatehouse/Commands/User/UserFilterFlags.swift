import GatehouseAdminWire
import GatehouseWire

/// The flags by which commands choose users: the same for a list and for a change of all that it shows.
struct UserFilterFlags {
  static let query = Flag("query", .text(), "only users whose address or name begins with this")
  static let contains = Flag(
    "contains", .text(), "only addresses that contain this; every account is looked at")
  static let unverified = Flag("unverified", .onOff, "only users whose address is not proven")
  static let since = Flag("since", Kind.pastMoment, "only users that were made since then, such as 2h or 2027-03-01")
  static let until = Flag("until", Kind.pastMoment, "only users that were made before")
  static let matching = Flag(
    "where", .text("FIELD=VALUE", "a stored value"),
    "only users with this value, also of a field that the policy no longer has; field= is none")
  static let all: [any AnyFlag] = [query, contains, unverified, since, until, matching]

  let query: String?
  let contains: String?
  let unverified: Bool?
  let since: GatehouseWire.Timestamp?
  let until: GatehouseWire.Timestamp?
  let matching: String?

  init(_ invocation: Invocation) {
    query = invocation[Self.query]
    contains = invocation[Self.contains]
    unverified = invocation.has(Self.unverified) ? true : nil
    since = invocation[Self.since]
    until = invocation[Self.until]
    matching = invocation[Self.matching]
  }

  var isEmpty: Bool {
    query == nil && contains == nil && unverified == nil && since == nil && until == nil && matching == nil
  }

  /// The filter of a command that changes one user or many; nil where it names one.
  static func ofMany(_ invocation: Invocation) throws(Failure) -> UserFilterFlags? {
    let filter = UserFilterFlags(invocation)
    guard filter.isEmpty == invocation.arguments(UserVerb.user.name).isEmpty else {
      return filter.isEmpty ? nil : filter
    }
    throw Failure(
      .usage,
      filter.isEmpty
        ? "USER is missing, or a filter: --query, --contains, --unverified, --since, --until or --where"
        : "USER names one user, and the filter many; give one of them",
      hint: "gatehouse \(invocation.command.name) --help")
  }

  /// The filter in words, as a question repeats it.
  var words: String {
    var parts: [String] = []
    if unverified == true { parts.append("without a proven address") }
    if let query { parts.append("whose address or name begins with \(Quoted(query))") }
    if let contains { parts.append("with \(Quoted(contains)) in the address") }
    if let matching { parts.append("with \(Visible.line(matching))") }
    if let since { parts.append("made since \(since)") }
    if let until { parts.append("made before \(until)") }
    return parts.joined(separator: ", ")
  }
}
