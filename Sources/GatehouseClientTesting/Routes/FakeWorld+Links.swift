public import Foundation
import GatehousePolicy
import GatehouseWire

/// Accounts at providers.
extension FakeWorld {
  /// The identity in an ID token of `FakeServer.idToken`.
  struct Identity: Codable {
    var provider: String
    var subject: String
    var email: String
    var nonce: String?
  }

  func identity(_ provider: String, _ idToken: String, _ nonce: String?) throws -> Identity {
    guard let data = Data(base64Encoded: idToken), let identity = try? JSONDecoder().decode(Identity.self, from: data),
      identity.provider == provider, identity.nonce == nonce
    else {
      if settings.acceptsEverything {
        return Identity(provider: provider, subject: provider, email: "\(provider)@example.com")
      }
      throw FakeProblem("provider_token_invalid", provider: provider)
    }
    return identity
  }

  mutating func startLink(_ input: StartLinkEndpoint.Input, _ arrival: FakeArrival) throws -> AuthorizationStart {
    let account = try caller(arrival).account
    try demand(input.provider)
    let state = secret("state")
    flows[state] = FakeFlow(
      provider: input.provider, account: account.id, redirect: input.redirectURI,
      expiresAt: arrival.now.addingTimeInterval(600))
    return AuthorizationStart(
      authorizationURL: "https://\(input.provider).example/authorize?state=\(state)", expiresIn: 600)
  }

  mutating func completeLink(_ input: CompleteLinkEndpoint.Input, _ arrival: FakeArrival) throws -> MeAnswer {
    var account = try caller(arrival).account
    try demand(input.provider)
    let subject: String
    if let idToken = input.idToken {
      subject = try identity(input.provider, idToken, input.nonce).subject
    } else {
      subject = try self.subject(input, account, arrival.now)
    }
    let provider = policy.provider(input.provider)
    let isExclusive = provider.map { $0.use == .signIn || $0.oneAccountPerUser } ?? true
    let isTaken = accounts.values.contains { $0.id != account.id && $0.subjects[input.provider] == subject }
    guard !isTaken || !isExclusive else { throw FakeProblem("provider_account_taken", provider: input.provider) }
    account.links.removeAll { $0.provider == input.provider }
    account.links.append(
      Link(provider: input.provider, scopes: provider?.scopes ?? ["read"], linkedAt: Timestamp(arrival.now)))
    account.subjects[input.provider] = subject
    account.further.removeAll { $0 == "link:\(input.provider)" }
    account.updatedAt = arrival.now
    accounts[account.id] = account
    return me(of: account, in: try caller(arrival).session, arrival.languages)
  }

  /// The provider's account that a callback speaks of. Its state is good for one use.
  private mutating func subject(_ input: CompleteLinkEndpoint.Input, _ account: FakeUser, _ now: Date) throws
    -> String
  {
    let items = input.callbackURL.flatMap { URLComponents(string: $0)?.queryItems } ?? []
    let value = { (name: String) in items.first { $0.name == name }?.value }
    if settings.acceptsEverything { return value("code") ?? account.id }
    guard let state = value("state"), let flow = flows.removeValue(forKey: state), flow.account == account.id,
      flow.provider == input.provider
    else { throw FakeProblem("code_invalid") }
    guard flow.expiresAt > now else { throw FakeProblem("code_expired") }
    guard value("error") == nil else { throw FakeProblem("provider_denied", provider: flow.provider) }
    guard let code = value("code") else { throw FakeProblem("code_invalid") }
    return code
  }

  mutating func unlink(_ input: UnlinkEndpoint.Input, _ arrival: FakeArrival) throws -> Nothing {
    var account = try provenCaller(arrival, password: input.password).account
    guard account.links.contains(where: { $0.provider == input.provider }) else {
      throw FakeProblem("provider_not_linked", provider: input.provider)
    }
    account.links.removeAll { $0.provider == input.provider }
    account.subjects[input.provider] = nil
    account.updatedAt = arrival.now
    accounts[account.id] = account
    return Nothing()
  }

  mutating func providerToken(_ input: ProviderTokenEndpoint.Input, _ arrival: FakeArrival) throws
    -> ProviderTokenEndpoint.Output
  {
    let account = try caller(arrival).account
    guard let link = account.links.first(where: { $0.provider == input.provider }) else {
      throw FakeProblem("provider_not_linked", provider: input.provider)
    }
    guard link.isBroken != true else { throw FakeProblem("provider_link_broken", provider: input.provider) }
    return ProviderTokenEndpoint.Output(accessToken: secret("provider"), expiresIn: 3600, scopes: link.scopes)
  }
}

extension FakeServer {
  /// An ID token that this server takes, as the provider's own SDK would give it to the app.
  public func idToken(_ provider: String, subject: String, email: String, nonce: String? = nil) -> String {
    let identity = FakeWorld.Identity(provider: provider, subject: subject, email: email, nonce: nonce)
    return (try? JSONEncoder().encode(identity))?.base64EncodedString() ?? ""
  }

  /// The address that a provider sends a person back to after consent to the page at `url`. `subject` names the account
  /// there; nil is a refusal. Returns nil for a page that has no address to go back to.
  public func callback(from url: URL, as subject: String? = "subject") -> URL? {
    let state = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == "state" }?.value
    let redirect = withWorld { world in state.flatMap { world.flows[$0]?.redirect } } ?? "app://callback"
    var address = URLComponents(string: redirect)
    let outcome = subject.map { URLQueryItem(name: "code", value: $0) }
    address?.queryItems = [
      URLQueryItem(name: "state", value: state), outcome ?? URLQueryItem(name: "error", value: "access_denied"),
    ]
    return address?.url
  }
}
