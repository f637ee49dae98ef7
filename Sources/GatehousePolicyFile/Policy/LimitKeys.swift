import GatehousePolicy

/// The keys of `limits`, `presence`, `privacy` and `accounts`.
enum LimitKeys {
  static let limits = SettingTable<Limits>("limits", Limits.Name.allCases.map(limit))

  /// The canonical form has the limits of the file; two policies are compared by the limits that hold.
  private static func limit(_ name: Limits.Name) -> Setting<Limits> {
    Setting(
      Key(name.rawValue, trust: false, .limit, .limit, "A number of times per duration, such as 10/15m."),
      floor: "The most that a policy may allow, such as 10/15m.",
      read: { node, limits in limits.byName[name] = node.limit },
      canonical: { $0.byName[name].map { .string($0.description) } },
      compared: { .optional($0[name]?.description) })
  }

  static let presence = SettingTable<PresencePolicy>(
    "presence",
    [
      .duration(
        "idle", \.idle, 60...86_400, .looks, trust: false,
        "Online until this long after the last request; 20m by default."),
      .choice(
        "visible_to", \.visibleTo, .order([PresencePolicy.Visibility.users, .`self`]), trust: false,
        "The readers besides administrators; users by default."),
    ])

  static let accounts = SettingTable<AccountsPolicy>(
    "accounts",
    [
      .duration(
        "undo_deletion", \.undoDeletion, 0...7_776_000, .looks, trust: false,
        "How long an operator can bring a deleted account back; 0s by default: it is erased at once.")
    ])

  static let privacy = SettingTable<Privacy>(
    "privacy",
    [
      .choice(
        "account_exists", \.accountExists, .order([Privacy.AccountExists.reveal, .hide]), trust: false,
        "Whether sign-up says that an address is taken.")
    ])
}
