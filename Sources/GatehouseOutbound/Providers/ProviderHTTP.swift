import Foundation
package import GatehouseIdentity
import GatehousePolicy
package import GatehousePrimitives

/// Identity providers over the outbound client: only hosts that the description names, https, no redirect, 3 s, 64 KB,
/// a circuit for each tenant and host.
package final class ProviderHTTP: ProviderClient {
  let http: OutboundHTTP
  let clock: Clock
  private let apple = AppleSecret()
  private let keySets = SharedDocument<VerificationKeys>()
  private let metadata = SharedDocument<Provider.Endpoints>()

  package init(_ http: OutboundHTTP, clock: Clock) {
    self.http = http
    self.clock = clock
  }

  package func description(of registration: ProviderRegistration) throws(ProviderFailure) -> ProviderDescription {
    try IdentityProviders.describe(registration.provider)
  }

  package func problem(of secret: Secret<[UInt8]>, at registration: ProviderRegistration) -> String? {
    guard (try? description(of: registration))?.clientSecret == .appleJWT else { return nil }
    return AppleSecret.problem(secret)
  }

  package func keys(
    at registration: ProviderRegistration, isKeyMissing: Bool
  ) async throws(ProviderFailure) -> VerificationKeys {
    let description = try description(of: registration)
    guard let address = try await endpoints(description).jwks else { throw .misconfigured("endpoints.jwks") }
    return try await keySets.get(address, isOutdated: isKeyMissing, at: clock.now) { () throws(ProviderFailure) in
      let keys = VerificationKeys(jwks: try await self.document(address, description))
      guard !keys.isEmpty else { throw .garbage("no usable key") }
      return keys
    }
  }

  package func authorizationURL(
    _ request: ProviderAuthorization, at registration: ProviderRegistration
  ) async throws(ProviderFailure) -> String {
    let description = try description(of: registration)
    guard let client = registration.clientID else { throw .misconfigured("client_id") }
    guard let address = try await endpoints(description).authorization, let url = try? http.url(address) else {
      throw .misconfigured("endpoints.authorization")
    }
    let policy = registration.provider
    let scopes = request.scopes ?? (policy.scopes.isEmpty ? description.usualScopes : policy.scopes)
    var form: [(String, String)] = [
      ("response_type", "code"), ("client_id", client), ("redirect_uri", request.redirectURI),
      ("state", request.state),
      // GUARD: pkce: challenge
      ("code_challenge", request.challenge),
      ("code_challenge_method", "S256"),
    ]
    if !scopes.isEmpty { form.append(("scope", scopes.joined(separator: description.scopeSeparator))) }
    if description.isOpenIDConnect, let nonce = request.nonce { form.append(("nonce", nonce)) }
    var more = description.parameters
    if policy.tokenStore == .encrypted { more.merge(description.offlineParameters) { $1 } }
    if request.isFresh, description.sendsAuthTime {
      // OpenID Connect Core section 3.1.2.1. With `consent`, which grants that are kept ask for, both are shown.
      more["prompt"] = (["login"] + [more["prompt"]].compactMap(\.self)).joined(separator: " ")
      more["max_age"] = "0"
    }
    form += more.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let text = url.description
    return text + (text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + URLForm.encode(form)
  }

  package func exchange(
    _ code: ProviderCode, at registration: ProviderRegistration
  ) async throws(ProviderFailure) -> ProviderGrant {
    try await grant(
      [
        ("grant_type", "authorization_code"), ("code", code.code.expose { $0 }), ("redirect_uri", code.redirectURI),
        // GUARD: pkce: verifier
        ("code_verifier", code.verifier.expose { $0 }),
      ], registration)
  }

  package func refresh(
    _ token: Secret<String>, at registration: ProviderRegistration
  ) async throws(ProviderFailure) -> ProviderGrant {
    try await grant([("grant_type", "refresh_token"), ("refresh_token", token.expose { $0 })], registration)
  }

  package func user(
    _ accessToken: Secret<String>, at registration: ProviderRegistration
  ) async throws(ProviderFailure) -> ProviderUser {
    let description = try description(of: registration)
    guard let address = try await endpoints(description).userinfo else { throw .misconfigured("endpoints.userinfo") }
    let answer = try await send(
      .get, address, description, owner: registration.tenant.uuid.text,
      headers: [("Accept", "application/json"), ("Authorization", "Bearer " + accessToken.expose { $0 })])
    return try UserInfoAnswer.user(answer, description, now: clock.now)
  }

  package func revoke(
    _ grant: GrantedTokens, at registration: ProviderRegistration
  ) async throws(ProviderFailure) -> Bool {
    let description = try description(of: registration)
    guard description.revocation != .none, let address = try await endpoints(description).revocation else {
      return false
    }
    guard description.revocation == .standard else { return try await revokeAtGitHub(grant, address, registration) }
    let (token, hint) = grant.refreshToken.map { ($0, "refresh_token") } ?? (grant.accessToken, "access_token")
    let (headers, form) = try authentication(
      [("token", token.expose { $0 }), ("token_type_hint", hint)], description, registration)
    let answer = try await send(
      .post, address, description, owner: registration.tenant.uuid.text, headers: headers,
      body: URLForm.encode(form))
    // RFC 7009 section 2.2 has 200 for a token that is not known; some say so instead.
    let code = (try? JSONParser.parse(answer.body))?["error"]?.string
    if answer.status == 400, code == "invalid_token" || code == "unsupported_token_type" { return true }
    try TokenAnswer.accept(answer, now: clock.now)
    return true
  }

  // MARK: What requests share

  private func revokeAtGitHub(
    _ grant: GrantedTokens, _ address: String, _ registration: ProviderRegistration
  ) async throws(ProviderFailure) -> Bool {
    let description = try description(of: registration)
    guard let client = registration.clientID, let secret = registration.secret else { throw registration.lack }
    var body = JSONWriter(capacity: 128)
    body.beginObject()
    body.key("access_token")
    grant.accessToken.expose { body.string($0) }
    body.endObject()
    let answer = try await send(
      .delete, address.replacing("{client_id}", with: URLForm.escaped(client)), description,
      owner: registration.tenant.uuid.text,
      headers: [
        ("Accept", "application/vnd.github+json"), ("Content-Type", "application/json"),
        ("Authorization", Self.basic(client, secret, escaped: false)),
      ], body: String(decoding: body.bytes, as: UTF8.self))
    // 404 and 422: not a token of ours, or not any more.
    if answer.status == 404 || answer.status == 422 { return true }
    try TokenAnswer.accept(answer, now: clock.now)
    return true
  }

  func grant(
    _ form: [(String, String)], _ registration: ProviderRegistration
  ) async throws(ProviderFailure) -> ProviderGrant {
    let description = try description(of: registration)
    guard let address = try await endpoints(description).token else { throw .misconfigured("endpoints.token") }
    let (headers, form) = try authentication(form, description, registration)
    let answer = try await send(
      .post, address, description, owner: registration.tenant.uuid.text, headers: headers,
      body: URLForm.encode(form))
    return try TokenAnswer.grant(answer, separator: description.scopeSeparator, now: clock.now)
  }

  /// A form with what proves that it is this client's. A policy without a secret means a public client.
  private func authentication(
    _ form: [(String, String)], _ description: ProviderDescription, _ registration: ProviderRegistration
  ) throws(ProviderFailure) -> (headers: [(name: String, value: String)], form: [(String, String)]) {
    guard let client = registration.clientID else { throw .misconfigured("client_id") }
    var headers = [("Accept", "application/json"), ("Content-Type", "application/x-www-form-urlencoded")]
    guard description.clientSecret != .none, registration.provider.clientSecret != nil else {
      return (headers, form + [("client_id", client)])
    }
    guard let secret = registration.secret else { throw registration.lack }
    switch description.clientSecret {
    case .none: return (headers, form + [("client_id", client)])
    case .basic:
      headers.append(("Authorization", Self.basic(client, secret, escaped: true)))
      return (headers, form)
    case .post:
      let text = secret.expose { String(decoding: $0, as: UTF8.self) }
      return (headers, form + [("client_id", client), ("client_secret", text)])
    case .appleJWT:
      let made = try apple.text(
        secret, clientID: client, audience: description.issuers.first ?? "", now: clock.now.wholeSeconds)
      return (headers, form + [("client_id", client), ("client_secret", made.expose { $0 })])
    }
  }

  /// RFC 6749 section 2.3.1 has both parts escaped as in a form; RFC 7617 has not.
  private static func basic(_ client: String, _ secret: Secret<[UInt8]>, escaped: Bool) -> String {
    let text = secret.expose { String(decoding: $0, as: UTF8.self) }
    let pair = escaped ? "\(URLForm.escaped(client)):\(URLForm.escaped(text))" : "\(client):\(text)"
    return "Basic " + Data(pair.utf8).base64EncodedString()
  }

  /// The provider's addresses, discovered where they have to be.
  func endpoints(_ description: ProviderDescription) async throws(ProviderFailure) -> Provider.Endpoints {
    let known = description.endpoints
    let isComplete = known.authorization != nil && known.token != nil && known.jwks != nil
    guard description.isOpenIDConnect, !isComplete, let issuer = known.issuer else { return known }
    let hosts = description.hosts
    let found = try await metadata.get("\(issuer) \(hosts.joined(separator: " "))", at: clock.now) {
      () throws(ProviderFailure) in
      let document = try await self.document(ProviderMetadata.address(of: issuer), description)
      return try ProviderMetadata.endpoints(document, issuer: issuer, hosts: hosts) { try? self.http.url($0) }
    }
    return Provider.Endpoints(
      issuer: issuer, authorization: known.authorization ?? found.authorization, token: known.token ?? found.token,
      userinfo: known.userinfo ?? found.userinfo, jwks: known.jwks ?? found.jwks,
      revocation: known.revocation ?? found.revocation)
  }

  private func document(_ address: String, _ description: ProviderDescription) async throws(ProviderFailure)
    -> JSONValue
  {
    let answer = try await send(.get, address, description, owner: "", headers: [("Accept", "application/json")])
    guard answer.isSuccess else { return try TokenAnswer.checked(answer, clock.now) }
    guard let body = try? JSONParser.parse(answer.body), body.object != nil else { throw .garbage("no JSON object") }
    return body
  }

  func send(
    _ method: OutboundRequest.Method, _ address: String, _ description: ProviderDescription, owner: String,
    headers: [(name: String, value: String)], body: String = ""
  ) async throws(ProviderFailure) -> OutboundResponse {
    let url: OutboundURL
    do throws(OutboundURL.Problem) { url = try http.url(address) } catch {
      throw .misconfigured(error == .address ? "an address that is not public" : "a malformed address")
    }
    // GUARD: provider: https
    guard url.isSecure else { throw .misconfigured("an address without https") }
    do throws(OutboundError) {
      let request = try OutboundRequest(
        method, url, purpose: OutboundPurpose(.provider, owner: owner), headers: headers, body: Array(body.utf8),
        allowedHosts: description.hosts)
      return try await http.send(request)
    } catch {
      throw ProviderFailure(error)
    }
  }
}

extension ProviderFailure {
  fileprivate init(_ error: OutboundError) {
    switch error {
    case .circuitOpen(let wait): self = .unavailable(retryAfter: Int(min(wait.components.seconds, 3599)) + 1)
    case .busy: self = .unavailable(retryAfter: 1)
    case .unresolved, .unreachable, .notTrusted, .tls, .timedOut, .cancelled: self = .unavailable(retryAfter: nil)
    case .tooLarge, .malformed: self = .garbage(error.description)
    case .invalidRequest, .hostNotAllowed, .addressNotAllowed: self = .misconfigured(error.description)
    }
  }
}

/// Writes forms (WHATWG URL section 5.2), with `%20` for a space, which every server reads.
enum URLForm {
  static func encode(_ fields: [(String, String)]) -> String {
    fields.map { "\(escaped($0.0))=\(escaped($0.1))" }.joined(separator: "&")
  }

  /// RFC 3986 section 2.3: what is left as it is.
  static func escaped(_ text: String) -> String {
    var output: [UInt8] = []
    for byte in text.utf8 {
      if byte.isASCIIAlphanumeric || "-._~".utf8.contains(byte) {
        output.append(byte)
      } else {
        output += Array("%\(Hex.encode([byte]).uppercased())".utf8)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
