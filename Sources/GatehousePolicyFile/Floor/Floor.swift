import GatehousePolicy

/// The operator's own bounds, which no tenant's policy may weaken: one file for all of them.
package struct Floor: Sendable {
  /// A lifetime that may not be longer.
  struct Lifetime: Sendable {
    let section: String
    let key: String
    let range: ClosedRange<Int64>
    let summary: String
    /// The path of the setting in a policy.
    let path: [String]
    let value: @Sendable (Policy) -> Int64
  }

  static let lifetimes: [Lifetime] = [
    Lifetime(
      section: "sessions", key: "access_token_ttl", range: 10...86_400, summary: "The longest life of an access token.",
      path: ["sessions", "access_token_ttl"], value: { $0.sessions.accessTokenTTL }),
    Lifetime(
      section: "sessions", key: "refresh_idle_ttl", range: 60...Bounds.tenYears,
      summary: "The longest time a session may lie unused.", path: ["sessions", "refresh_idle_ttl"],
      value: { $0.sessions.refreshIdleTTL }),
    Lifetime(
      section: "sessions", key: "refresh_max_ttl", range: 60...Bounds.tenYears,
      summary: "The longest life of a session.", path: ["sessions", "refresh_max_ttl"],
      value: { $0.sessions.refreshMaxTTL }),
    Lifetime(
      section: "sessions", key: "page_idle_ttl", range: 60...Bounds.cookie,
      summary: "The longest time a browser at the hosted pages may be unused.", path: ["sessions", "page_idle_ttl"],
      value: { $0.sessions.pageIdleTTL }),
    Lifetime(
      section: "sessions", key: "page_max_ttl", range: 60...Bounds.cookie,
      summary: "The longest time a browser at the hosted pages stays signed in.", path: ["sessions", "page_max_ttl"],
      value: { $0.sessions.pageMaxTTL }),
    Lifetime(
      section: "sessions", key: "reuse_grace", range: 0...30,
      summary: "The longest time a spent refresh token may still answer.", path: ["sessions", "reuse_grace"],
      value: { $0.sessions.reuseGrace }),
    Lifetime(
      section: "verification", key: "link_ttl", range: 60...Bounds.tenYears, summary: "The longest life of a link.",
      path: ["verification", "email", "link_ttl"], value: { $0.verification.email.linkTTL }),
    Lifetime(
      section: "verification", key: "code_ttl", range: 60...Bounds.tenYears, summary: "The longest life of a code.",
      path: ["verification", "email", "code_ttl"], value: { $0.verification.email.codeTTL }),
  ]

  /// How the file is called in messages.
  let name: String
  let root: Node

  /// Reads a floor file. Everything wrong with it is reported at once.
  package static func read(_ bytes: [UInt8], name: String) -> Result<Floor, PolicyFileRefusal> {
    let document = Document.parse(bytes, name: name)
    guard let root = document.root, document.diagnostics.isEmpty else {
      return .failure(PolicyFileRefusal(document: document, diagnostics: document.diagnostics))
    }
    let sink = Diagnostics()
    ShapeChecker(into: sink).check(root, FloorKeys.file)
    guard !sink.hasErrors else {
      return .failure(PolicyFileRefusal(document: document, diagnostics: sink.sorted))
    }
    return .success(Floor(name: name, root: root))
  }

  /// Reports where a policy is below the floor, with both lines.
  package func judge(_ file: PolicyFile, into sink: Diagnostics) {
    guard let policy = file.document.root else { return }
    let judge = FloorJudge(floor: self, file: file, root: policy, sink: sink)
    judge.password()
    judge.lifetimes()
    judge.limits()
    judge.providerHosts()
    judge.continueHosts()
  }
}

/// One comparison of a policy with the floor.
private struct FloorJudge {
  let floor: Floor
  let file: PolicyFile
  let root: Node
  let sink: Diagnostics

  func password() {
    let section = floor.root["password"]
    if let entry = section?.entry("min_length"), let least = entry.value.integer {
      let bounds = binding.compactMap(\.shortest)
      let bound = bounds.max() ?? 0
      // GUARD: floor: length of passwords
      if bound < least {
        let now = bounds.isEmpty ? "no rule on their length binds" : "the shortest has \(bound)"
        report("passwords need \(least) characters at least: \(now)", ["password"], entry)
      }
    }
    if let entry = section?.entry("not_in") {
      let lists = Set(binding.compactMap(\.refusedList))
      // GUARD: floor: lists of passwords
      for list in entry.value.texts ?? [] where !lists.contains(list) {
        report("passwords on the list \(quoted(list)) must be refused", ["password"], entry)
      }
    }
  }

  func lifetimes() {
    for lifetime in Floor.lifetimes {
      guard let entry = floor.root[lifetime.section]?.entry(lifetime.key), let most = entry.value.seconds else {
        continue
      }
      let value = lifetime.value(file.policy)
      // GUARD: floor: lifetimes
      guard value > most else { continue }
      let name = lifetime.path.joined(separator: ".")
      report("\(name) is \(Seconds.text(value)), at most \(Seconds.text(most)) is allowed", lifetime.path, entry)
    }
  }

  func limits() {
    for entry in floor.root["limits"]?.map ?? [] {
      guard let name = Limits.Name(rawValue: entry.key), let most = entry.value.limit else { continue }
      guard let limit = file.policy.limits[name] else {
        report("limits.\(name.rawValue) is missing, at most \(most) is allowed", ["limits"], entry)
        continue
      }
      // As strict in a short time and in a long one.
      // GUARD: floor: limits
      guard limit.count > most.count || limit.window < most.window else { continue }
      report("limits.\(name.rawValue) is \(limit), at most \(most) is allowed", ["limits", name.rawValue], entry)
    }
  }

  /// Addresses that a file gives a provider; those of a provider that the server knows by name are the server's own.
  func providerHosts() {
    for provider in file.policy.providers {
      for (name, address) in provider.endpoints?.byName ?? [] {
        guard let address else { continue }
        demand(address, ["providers", provider.name, "endpoints", name], "provider_hosts")
      }
    }
  }

  /// Where people, mailed links and tokens may be led.
  func continueHosts() {
    let app = file.policy.app
    for target in app.continueTargets { demand(target, ["app", "continue"], "continue_hosts") }
    for target in app.openApp.map({ [$0] }) ?? [] { demand(target, ["app", "open_app"], "continue_hosts") }
    for target in app.baseURL.map({ [$0] }) ?? [] { demand(target, ["app", "base_url"], "continue_hosts") }
    for origin in app.origins { demand(origin, ["app", "origins"], "continue_hosts") }
  }

  private func demand(_ address: String, _ path: [String], _ list: String) {
    guard let entry = floor.root.entry(list), !HostPattern.holds(address, entry.value.texts ?? []) else { return }
    report("\(path.joined(separator: ".")) leads to \(quoted(address)), which is not in \(list)", path, entry)
  }

  /// The rules that bind today, and at every door a password can be set at.
  private var binding: [Rule] {
    file.policy.password.rules.filter { rule in
      [Door.signUp, .setPassword, .resetPassword].allSatisfy(rule.doors.contains)
        && rule.enforcement.mode == .enforce  // GUARD: floor: rules that bind at every way to a password
    }
  }

  private func report(_ message: String, _ path: [String], _ entry: Node.Entry) {
    let line = entry.keyRange.start.line
    sink.error(
      .belowFloor, message, at: range(path), notes: [.init("the floor: \(floor.name):\(line): \(entry.key)")])
  }

  /// The place of the setting in the policy, or where it would be.
  private func range(_ path: [String]) -> SourceRange {
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
