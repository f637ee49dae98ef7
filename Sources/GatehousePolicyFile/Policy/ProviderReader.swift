import GatehousePolicy

extension PolicyReader {
  /// The providers under the names that were meant: one that the server does not know, that has no endpoints and is
  /// near one that it knows is a misspelt name.
  func meant(_ written: [Node.Entry]) -> [Node.Entry] {
    var free = ProviderKeys.known.filter { known in !written.contains { $0.key == known } }
    return written.map { entry in
      guard !ProviderKeys.known.contains(entry.key), entry.value.map != nil, entry.value["endpoints"] == nil,
        let near = Suggestion.nearest(to: entry.key, among: free)
      else { return entry }
      free.removeAll { $0 == near }
      sink.error(
        .missingKey, "\"endpoints\" is missing in provider \(quoted(entry.key))", at: entry.keyRange,
        notes: [.init("did you mean \(quoted(near))?"), .init(Self.knownProviders)])
      return Node.Entry(key: near, keyRange: entry.keyRange, value: entry.value)
    }
  }

  private static let knownProviders =
    "the server knows \(ProviderKeys.known.dropFirst().joined(separator: ", ")) by name"

  /// One provider, with what it needs for its use.
  func provider(_ entry: Node.Entry, _ profile: ProfilePolicy) -> Provider {
    let node = entry.value
    let isWhole = !sink.hasErrors(in: entry.range)
    let silent = Provider(name: entry.key, use: .signIn, position: entry.position)
    var provider = ProviderKeys.settings.read(node, over: silent)
    provider.requireScopes = requireScopes(node["require_scopes"], provider.scopes, isWhole)
    checkPromptFor(node["prompt_for"], profile)
    if isWhole { check(provider, entry) }
    return provider
  }

  private func requireScopes(_ node: Node?, _ scopes: [String], _ isWhole: Bool) -> Provider.RequireScopes {
    guard let node else { return .none }
    guard let members = node.list else { return node.text == "all" ? .all : .none }
    for member in members where isWhole {
      guard let scope = member.text, !scopes.contains(scope) else { continue }
      sink.error(
        .notAChoice, "scope \(quoted(scope)) is required but not asked for", at: member.range,
        notes: Notes.near(scope, scopes))
    }
    return .these(members.compactMap(\.text))
  }

  private func checkPromptFor(_ node: Node?, _ profile: ProfilePolicy) {
    for member in node?.list ?? [] {
      guard let name = member.text, profile.field(name) == nil else { continue }
      references.unknownField(name, at: member.range, among: profile.fields.map(\.name))
    }
  }

  /// Checks the keys of a readable provider against each other.
  private func check(_ provider: Provider, _ entry: Node.Entry) {
    let node = entry.value
    guard provider.name != "password" else {
      for entry in node.map ?? [] where ProviderKeys.provider.key(entry.key) != nil && entry.key != "use" {
        sink.error(.keyDoesNotApply, "\(quoted(entry.key)) has no meaning for password sign-in", at: entry.keyRange)
      }
      if provider.use == .link {
        sink.error(.keyDoesNotApply, "a password can not be linked", at: node["use"]?.range ?? entry.keyRange)
      }
      return
    }
    checkEndpoints(provider, entry)
    checkNonce(provider, entry)
    checkAuthTime(provider, entry)
    if provider.use == .signIn, node["audiences"] == nil, node["client_id"] == nil {
      missing("audiences", entry, "without them a token made for another app would be accepted")
    }
    if provider.flow == .codePKCE {
      if node["client_id"] == nil { missing("client_id", entry, "flow: code_pkce sends it") }
      if node["redirect_uris"] == nil { missing("redirect_uris", entry, "flow: code_pkce returns there") }
    }
    for (key, isWanted) in [("hand_out", provider.handOut != .none), ("keep_warm", provider.keepWarm)]
    where isWanted && provider.tokenStore == .none {
      sink.error(
        .missingKey, "tokens.\(key) needs tokens.store: encrypted",
        at: node["tokens"]?[key]?.range ?? entry.keyRange)
    }
  }

  private func isOpenID(_ provider: Provider) -> Bool {
    ProviderKeys.known.contains(provider.name)
      ? ProviderKeys.openID.contains(provider.name) : provider.endpoints?.issuer != nil || provider.flow == .idToken
  }

  /// A nonce belongs to an ID token that an app hands over: to a provider that signs in, by OpenID Connect, and not in
  /// browsers alone.
  private func checkNonce(_ provider: Provider, _ entry: Node.Entry) {
    guard let written = entry.value.map?.first(where: { $0.key == "nonce" }) else { return }
    let takesTokens =
      provider.use == .signIn && isOpenID(provider) && (provider.flow != .codePKCE || !provider.audiences.isEmpty)
    guard !takesTokens else { return }
    sink.error(
      .keyDoesNotApply, "\(quoted("nonce")) has no meaning for provider \(quoted(entry.key))", at: written.keyRange,
      notes: [.init("only a provider with use: sign_in whose ID tokens an app hands over has one")])
  }

  /// A new sign-in is what some OpenID providers can be asked for, and none of those that are known by name: Google
  /// takes no such request, Apple promises none, the others make no ID tokens.
  private func checkAuthTime(_ provider: Provider, _ entry: Node.Entry) {
    guard let written = entry.value.map?.first(where: { $0.key == "require_auth_time" }) else { return }
    guard provider.use != .signIn || provider.endpoints?.issuer == nil || !isOpenID(provider) else { return }
    sink.error(
      .keyDoesNotApply, "\(quoted("require_auth_time")) has no meaning for provider \(quoted(entry.key))",
      at: written.keyRange,
      notes: [.init("only a provider with use: sign_in and endpoints: {issuer: …} can be asked for it")])
  }

  /// Refuses a provider without a preset that does not name all its endpoints. Without this check the first person who
  /// is sent there would find the mistake.
  private func checkEndpoints(_ provider: Provider, _ entry: Node.Entry) {
    let isKnown = ProviderKeys.known.contains(provider.name)
    guard let written = entry.value["endpoints"]?.map else {
      guard !isKnown, entry.value["endpoints"] == nil else { return }
      return missing("endpoints", entry, Self.knownProviders)
    }
    let needed = isOpenID(provider) ? ["issuer"] : ["authorization", "token", "userinfo"]
    let absent = needed.filter { key in !written.contains { $0.key == key } }
    guard !absent.isEmpty else { return }
    let position = entry.value.map?.first { $0.key == "endpoints" }?.keyRange ?? entry.keyRange
    sink.error(
      .missingKey, "endpoints of provider \(quoted(entry.key)) lack \(absent.map(quoted).joined(separator: ", "))",
      at: position,
      notes: [
        .init(
          isKnown
            ? "a provider with endpoints: takes all of its addresses from the file"
            : "OpenID Connect needs issuer, OAuth 2.0 authorization, token and userinfo")
      ])
  }

  private func missing(_ key: String, _ entry: Node.Entry, _ why: String) {
    sink.error(
      .missingKey, "\(quoted(key)) is missing in provider \(quoted(entry.key))", at: entry.keyRange,
      notes: [.init(why)])
  }

  /// The requirements of full access.
  func requirements(_ node: Node?, _ policy: Policy) -> [Requirement] {
    (node?.list ?? []).compactMap { member in
      let written = member["need"] ?? member
      guard let need = written.text.flatMap(Requirement.Need.init) else { return nil }
      check(need, written, policy)
      let stage = member.map == nil ? .enforced : rules.enforcement(member)
      return Requirement(need, enforcement: stage, position: member.position)
    }
  }

  private func check(_ need: Requirement.Need, _ node: Node, _ policy: Policy) {
    switch need {
    case .emailVerified: break
    case .phoneVerified:
      sink.error(.notAvailable, "\(quoted(need.text)) is not available in this version", at: node.range)
    case .mfa:
      sink.error(
        .notAvailable, "\(quoted(need.text)) is not available in this version", at: node.range,
        notes: [.init("write mfa: {factors: [totp], required_if: [{id: all}]}, which demands one of all users")])
    case .linked(let name):
      guard policy.provider(name) == nil || name == "password" else { return }
      let names = policy.providers.map(\.name).filter { $0 != "password" }
      references.unknownProvider(name, "no provider \(quoted(name)) to link", at: node.range, among: names)
    case .profile(let name):
      guard policy.profile.field(name) == nil else { return }
      references.unknownField(name, at: node.range, among: policy.profile.fields.map(\.name))
    }
  }
}
