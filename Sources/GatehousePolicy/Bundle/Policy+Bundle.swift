// The bundle: the part of a policy that a device and a server in memory judge by, as one JSON document.

extension Policy {
  /// The format of the bundles that this version writes and reads.
  public static let bundleFormat = "gatehouse/bundle.v1"

  /// The part of the policy that judges requests and makes forms, as JSON in UTF-8. The same policy gives the same
  /// bytes. It has no administrators, limits, senders, exceptions, or credentials of the app at other servers.
  public var bundle: [UInt8] {
    guard case .object(let members) = BundleKeys.policy.write(self) else { return [] }
    let format = (BundleKeys.format, JSONText.string(Policy.bundleFormat))
    return Array((JSONText.object([format] + members).sorted.text(indent: 2) + "\n").utf8)
  }

  /// The policy of a bundle. It judges as the one that the bundle was made of, but for the addresses of exceptions.
  public init(bundle: some Sequence<UInt8>) throws(PolicyBundleError) {
    guard let json = JSONText(bundle), case .object(var members) = json else { throw .unreadable }
    guard let index = members.firstIndex(where: { $0.0 == BundleKeys.format }) else { throw .format(nil) }
    guard case .string(Policy.bundleFormat) = members.remove(at: index).1 else {
      if case .object(let all) = json, case .string(let other) = all[index].1 { throw .format(other) }
      throw .unexpected(BundleKeys.format, expected: "a text")
    }
    do {
      let value = BundleValue(json: .object(members), path: "")
      self = try BundleKeys.policy.read(
        value,
        over: Policy(
          tenant: "", app: App(name: ""), identifiers: Identifiers(), password: PasswordPolicy(rules: [])))
    } catch let error as PolicyBundleError {
      throw error
    } catch { throw .unreadable }
  }
}

extension BundleKeys {
  static let format = "bundle"

  static let policy = BundleTable<Policy>([
    .text("tenant", \.tenant, required: true),
    .section("app", \.app, required: true, app),
    .section("identifiers", \.identifiers, required: true, identifiers),
    .section(
      "password", \.password, required: true, password, draft: { PasswordDraft($0) }, made: { $0.section }),
    .section("profile", \.profile, required: true, profile),
    .section("verification", \.verification, verification),
    .section("access", \.access, required: true, access),
    BundleKey(
      name: "providers", isRequired: true,
      write: { .array($0.providers.map { providers.write(ProviderDraft($0)) }) },
      read: { value, policy in
        policy.providers = try value.list.map { try providers.read($0, over: ProviderDraft()).provider }
      }),
    .section("sessions", \.sessions, sessions),
    .section("presence", \.presence, presence),
    BundleKey(
      name: "directory", write: { $0.directory.map(directory.write) },
      read: { value, policy in policy.directory = try directory.read(value, over: DirectoryPolicy(findBy: [])) }),
    .section("privacy", \.privacy, privacy),
    .section("theme", \.theme, theme),
    .section("messages", \.messages, messages),
  ])
}
