public import Foundation
import GatehouseClient
import GatehouseWire

/// The way back from the hosted pages.
extension FakeWorld {
  /// A code of the pages for an app.
  struct AuthorizationCode: Sendable {
    var account: String
    var challenge: String
    var expiresAt: Date
  }

  /// Exactly one of a refresh token and a code.
  mutating func token(_ input: TokenEndpoint.Input, _ arrival: FakeArrival) throws -> SessionAnswer {
    guard let code = input.code else {
      guard input.codeVerifier == nil, input.device == nil else { throw FakeProblem("malformed_request") }
      return try refresh(input, arrival)
    }
    guard input.refreshToken == nil, input.include == nil, let verifier = input.codeVerifier,
      (43...128).contains(verifier.utf8.count)
    else { throw FakeProblem("malformed_request") }
    return try redeem(code, verifier, input.device, arrival)
  }

  private mutating func redeem(_ code: String, _ verifier: String, _ device: Device?, _ arrival: FakeArrival) throws
    -> SessionAnswer
  {
    guard let found = authorizationCodes[code], found.challenge == PKCE.challenge(of: verifier),
      found.expiresAt > arrival.now, let account = accounts[found.account]
    else { throw FakeProblem("code_invalid") }
    authorizationCodes[code] = nil
    guard !account.isDisabled else { throw FakeProblem("account_disabled") }
    let decision = admit(account, password: nil, at: arrival.now).decision
    // The pages asked for a factor.
    return open(
      account, device: device, factor: account.apps.last?.id ?? account.passkeys.last?.id, at: arrival.now, decision,
      arrival.languages)
  }

  /// A code for the person of this address; nil where there is none.
  fileprivate mutating func authorizationCode(for email: String, _ challenge: String, at now: Date) -> String? {
    guard let account = account(email: email) ?? (settings.acceptsEverything ? makeAnyone(email, at: now) : nil) else {
      return nil
    }
    let code = secret("gh_hb")
    authorizationCodes[code] = AuthorizationCode(
      account: account.id, challenge: challenge, expiresAt: now.addingTimeInterval(60))
    return code
  }
}

extension FakeServer {
  /// The address that the hosted pages send a person back to who signed in at `url` with this address; nil for one who
  /// went back without signing in. Returns nil for a page that the server does not have, and for an unknown address.
  ///
  ///     let flow = try await client.hostedSignIn(returnTo: address)
  ///     let back = server.hostedReturn(from: flow.url, as: "ada@example.com")
  public func hostedReturn(from url: URL, as email: String?) -> URL? {
    guard let page = URLComponents(url: url, resolvingAgainstBaseURL: false), page.path.hasSuffix("/ui/sign-in") else {
      return nil
    }
    let asked = Dictionary(
      (page.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
    guard let target = asked["continue"], let state = asked["state"], let challenge = asked["code_challenge"],
      asked["code_challenge_method"] == "S256", var address = URLComponents(string: target)
    else { return nil }
    let now = clock.now
    let code = email.flatMap { email in withWorld { $0.authorizationCode(for: email, challenge, at: now) } }
    guard code != nil || email == nil else { return nil }
    let outcome = code.map { URLQueryItem(name: "code", value: $0) }
    address.queryItems =
      (address.queryItems ?? []) + [
        outcome ?? URLQueryItem(name: "error", value: "access_denied"), URLQueryItem(name: "state", value: state),
        URLQueryItem(name: "iss", value: String(url.absoluteString.prefix { $0 != "?" }.dropLast("/ui/sign-in".count))),
      ]
    return address.url
  }
}
