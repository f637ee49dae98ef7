import GatehousePolicy

/// The keys of `sessions`.
enum SessionKeys {
  static let sessions = SettingTable<Sessions>(
    "sessions",
    [
      .duration(
        "access_token_ttl", \.accessTokenTTL, 10...86_400, .lessIsStricter, trust: false,
        "How long an access token lives.", floor: "The longest life of an access token."),
      .duration(
        "refresh_idle_ttl", \.refreshIdleTTL, 60...Bounds.tenYears, .lessIsStricter, trust: false,
        "A session unused this long ends.", floor: "The longest time a session may lie unused."),
      .duration(
        "refresh_max_ttl", \.refreshMaxTTL, 60...Bounds.tenYears, .lessIsStricter, trust: false,
        "A session ends this long after sign-in.", floor: "The longest life of a session."),
      .duration(
        "page_idle_ttl", \.pageIdleTTL, 60...Bounds.cookie, .lessIsStricter, trust: false,
        "A browser at the hosted pages that is unused this long is signed out; 24h by default.",
        floor: "The longest time a browser at the hosted pages may be unused."),
      .duration(
        "page_max_ttl", \.pageMaxTTL, 60...Bounds.cookie, .lessIsStricter, trust: false,
        "A browser at the hosted pages is signed out this long after its sign-in; 30d by default.",
        floor: "The longest time a browser at the hosted pages stays signed in."),
      .duration(
        "reuse_grace", \.reuseGrace, 0...30, .lessIsStricter, trust: false,
        "How long the previous refresh token still answers.",
        floor: "The longest time a spent refresh token may still answer."),
      .integer(
        "max_per_user", \.maxPerUser, 1...1000, .lessIsStricter, trust: false,
        "Sessions per person; the oldest is ended."),
      .boolean(
        "new_device_notice", \.newDeviceNotice, .onIsStricter, trust: false,
        "A sign-in on a device not seen before is told by mail."),
      .boolean(
        "page_shared_computer", \.pageSharedComputer, .onIsStricter, trust: false,
        "People who sign in on the hosted pages may say that others use the computer, too: they are signed out when the browser closes, and after an hour; false by default."
      ),
    ])
}

extension PolicyReader {
  /// The lifetimes of sessions. A whole life that is not stated is no shorter than the idle time.
  func sessions(_ node: Node?) -> Sessions {
    var sessions = SessionKeys.sessions.read(node, over: Sessions())
    guard let node else { return sessions }
    if node["refresh_max_ttl"]?.seconds == nil {
      sessions.refreshMaxTTL = max(sessions.refreshMaxTTL, sessions.refreshIdleTTL)
    }
    if node["page_max_ttl"]?.seconds == nil { sessions.pageMaxTTL = max(sessions.pageMaxTTL, sessions.pageIdleTTL) }
    guard !sink.hasErrors(in: node.range) else { return sessions }
    if sessions.accessTokenTTL > sessions.refreshIdleTTL {
      lifetimes(node, "access_token_ttl", sessions.accessTokenTTL, "refresh_idle_ttl", sessions.refreshIdleTTL)
    }
    if sessions.refreshIdleTTL > sessions.refreshMaxTTL {
      lifetimes(node, "refresh_idle_ttl", sessions.refreshIdleTTL, "refresh_max_ttl", sessions.refreshMaxTTL)
    }
    if sessions.pageIdleTTL > sessions.pageMaxTTL {
      lifetimes(node, "page_idle_ttl", sessions.pageIdleTTL, "page_max_ttl", sessions.pageMaxTTL)
    }
    return sessions
  }

  private func lifetimes(_ node: Node, _ short: String, _ shorter: Int64, _ long: String, _ longer: Int64) {
    sink.error(
      .lifetimesDisagree,
      "\(short) (\(Seconds.text(shorter))) is longer than \(long) (\(Seconds.text(longer)))",
      at: node[short]?.range ?? node[long]?.range ?? node.range)
  }
}
