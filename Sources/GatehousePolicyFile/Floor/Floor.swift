import GatehousePolicy

/// The operator's own bounds, which no tenant's policy may weaken: one file for all of them.
package struct Floor: Sendable {
  /// A lifetime that may not be longer.
  struct Lifetime: Sendable {
    /// The key's section in a floor file.
    let section: String
    let key: String
    /// The path of the setting in a policy.
    let path: [String]
    let value: @Sendable (Policy) -> Int64?
  }

  /// Each duration of a policy whose setting names a text of the floor.
  static let lifetimes =
    lifetimes(SessionKeys.sessions, "sessions", ["sessions"], \.sessions)
    + lifetimes(VerificationKeys.email, "verification", ["verification", "email"], \.verification.email)

  private static func lifetimes<Section>(
    _ table: SettingTable<Section>, _ section: String, _ path: [String],
    _ place: any KeyPath<Policy, Section> & Sendable
  ) -> [Lifetime] {
    table.all.filter { $0.floor != nil }.map { setting in
      Lifetime(
        section: section, key: setting.key.name, path: path + [setting.key.name],
        value: { policy in
          if case .integer(let seconds)? = setting.canonical(policy[keyPath: place]) { seconds } else { nil }
        })
    }
  }

  /// How the file is called in messages.
  package let name: String
  /// The file's exact text.
  package let text: String
  let root: Node

  /// Reads a floor file. Everything wrong with it is reported at once.
  package static func read(_ bytes: [UInt8], name: String) -> Result<Floor, PolicyFileRefusal> {
    let document = Document.parse(bytes, name: name)
    guard let root = document.root, document.diagnostics.isEmpty else {
      return .failure(PolicyFileRefusal(document: document, diagnostics: document.diagnostics))
    }
    let sink = Diagnostics()
    ShapeChecker(into: sink).check(root, FloorKeys.file)
    checkStatements(root, into: sink)
    guard !sink.hasErrors else {
      return .failure(PolicyFileRefusal(document: document, diagnostics: sink.sorted))
    }
    return .success(Floor(name: name, text: String(decoding: bytes, as: UTF8.self), root: root))
  }

  /// Reports where a policy is below the floor, with both lines. A breach that the live revision has as well, at least
  /// as far below, is a warning: an edit that makes nothing worse is no reason to keep the tenant from it.
  package func judge(_ file: PolicyFile, beside live: PolicyFile? = nil, into sink: Diagnostics) {
    guard let root = file.document.root else { return }
    let stored = live.map(breaches) ?? []
    for breach in breaches(of: file) {
      // GUARD: floor: not further below than the live revision
      let isKnown = stored.contains { $0.isAtLeast(breach) }
      let line = breach.entry.keyRange.start.line
      let note = Diagnostic.Note("the floor: \(name):\(line): \(breach.entry.key)")
      let place = Self.range(breach.path, in: root)
      if isKnown {
        sink.warning(.belowFloor, breach.message + "; so is the live revision", at: place, notes: [note])
      } else {
        sink.error(.belowFloor, breach.message, at: place, notes: [note])
      }
    }
  }

  private func breaches(of file: PolicyFile) -> [FloorBreach] {
    var judge = FloorJudge(floor: self, file: file)
    judge.password()
    judge.lifetimes()
    judge.limits()
    judge.providerHosts()
    judge.continueHosts()
    return judge.breaches
  }

  /// The place of a setting in a policy, or where it would be.
  private static func range(_ path: [String], in root: Node) -> SourceRange {
    var node = root
    var range = root.entry("schema")?.keyRange ?? root.range
    for key in path {
      guard let entry = node.entry(key) else { break }
      range = entry.keyRange
      node = entry.value
    }
    return range
  }
}

/// One place at which a policy is below the floor.
private struct FloorBreach {
  /// The thing that is below, the same in every policy: a setting, or an address of one.
  let subject: String
  /// How far below; of two breaches of one subject the one whose every number is greater is further below.
  let depth: [Int64]
  let message: String
  let path: [String]
  let entry: Node.Entry

  /// Whether this is a breach of the same subject, and as far below as the other one or further.
  func isAtLeast(_ other: FloorBreach) -> Bool {
    subject.utf8.elementsEqual(other.subject.utf8) && zip(depth, other.depth).allSatisfy { $0 >= $1 }
  }
}

/// One comparison of a policy with the floor.
private struct FloorJudge {
  let floor: Floor
  let file: PolicyFile
  private(set) var breaches: [FloorBreach] = []

  init(floor: Floor, file: PolicyFile) { (self.floor, self.file) = (floor, file) }

  mutating func password() {
    let section = floor.root["password"]
    if let entry = section?.entry("min_length"), let least = entry.value.integer {
      let bounds = binding.compactMap(\.shortest)
      let bound = bounds.max() ?? 0
      // GUARD: floor: length of passwords
      if bound < least {
        let now = bounds.isEmpty ? "no rule on their length binds" : "the shortest has \(bound)"
        report("passwords need \(least) characters at least: \(now)", ["password"], entry, depth: [least - bound])
      }
    }
    if let entry = section?.entry("not_in") {
      let lists = Set(binding.compactMap(\.refusedList))
      // GUARD: floor: lists of passwords
      for list in entry.value.texts ?? [] where !lists.contains(list) {
        report("passwords on the list \(quoted(list)) must be refused", ["password"], entry, of: list)
      }
    }
  }

  mutating func lifetimes() {
    for lifetime in Floor.lifetimes {
      guard let entry = floor.root[lifetime.section]?.entry(lifetime.key), let most = entry.value.seconds else {
        continue
      }
      guard let value = lifetime.value(file.policy) else { continue }
      // GUARD: floor: lifetimes
      guard value > most else { continue }
      let name = lifetime.path.joined(separator: ".")
      report(
        "\(name) is \(Seconds.text(value)), at most \(Seconds.text(most)) is allowed", lifetime.path, entry,
        depth: [value])
    }
  }

  mutating func limits() {
    for entry in floor.root["limits"]?.map ?? [] {
      guard let name = Limits.Name(rawValue: entry.key), let most = entry.value.limit else { continue }
      guard let limit = file.policy.limits[name] else {
        report(
          "limits.\(name.rawValue) is missing, at most \(most) is allowed", ["limits"], entry, of: name.rawValue,
          depth: [.max, .max])
        continue
      }
      // As strict in a short time and in a long one.
      // GUARD: floor: limits
      guard limit.count > most.count || limit.window < most.window else { continue }
      report(
        "limits.\(name.rawValue) is \(limit), at most \(most) is allowed", ["limits", name.rawValue], entry,
        of: name.rawValue, depth: [Int64(limit.count), -Int64(limit.window)])
    }
  }

  /// Addresses that a file gives a provider; those of a provider that the server knows by name are the server's own.
  mutating func providerHosts() {
    for provider in file.policy.providers {
      for (name, address) in provider.endpoints?.byName ?? [] {
        demand(address, ["providers", provider.name, "endpoints", name], "provider_hosts")
      }
    }
  }

  /// Where people, mailed links and tokens may be led.
  mutating func continueHosts() {
    let app = file.policy.app
    for target in app.continueTargets { demand(target, ["app", "continue"], "continue_hosts") }
    for target in app.openApp.map({ [$0] }) ?? [] { demand(target, ["app", "open_app"], "continue_hosts") }
    for target in app.baseURL.map({ [$0] }) ?? [] { demand(target, ["app", "base_url"], "continue_hosts") }
    for origin in app.origins { demand(origin, ["app", "origins"], "continue_hosts") }
  }

  private mutating func demand(_ address: String, _ path: [String], _ list: String) {
    guard let entry = floor.root.entry(list), !HostPattern.holds(address, entry.value.texts ?? []) else { return }
    report(
      "\(path.joined(separator: ".")) leads to \(quoted(address)), which is not in \(list)", path, entry, of: address)
  }

  /// The rules that bind today, and at every door a password can be set at.
  private var binding: [Rule] {
    file.policy.password.rules.filter { rule in
      [Door.signUp, .setPassword, .resetPassword].allSatisfy(rule.doors.contains)
        && rule.enforcement.mode == .enforce  // GUARD: floor: rules that bind at every way to a password
    }
  }

  private mutating func report(
    _ message: String, _ path: [String], _ entry: Node.Entry, of detail: String = "", depth: [Int64] = []
  ) {
    breaches.append(
      FloorBreach(subject: "\(entry.key) \(detail)", depth: depth, message: message, path: path, entry: entry))
  }
}
