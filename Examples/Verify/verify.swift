// Verifies access tokens of one Gatehouse tenant. The signature needs CryptoKit on Apple's systems, and the module
// Crypto of the package swift-crypto elsewhere. Their API is the same.

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// Why a token is no proof. `refused` is answered with 401, or with 403 where the reason is `access`; `unavailable`
/// with 503.
public enum VerificationError: Error, Hashable, Sendable {
  case refused(String)
  case unavailable
}

/// The claims of a token. A backend adds the profile fields that its policy marks with `claim: true`.
public struct Claims: Decodable, Hashable, Sendable {
  /// Issuer, audience, user, session, and `full` or `limited`.
  public let iss, aud, sub, sid, access: String
  /// Seconds since 1970.
  public let exp: Double
}

/// Verifies tokens, and keeps the tenant's public keys for it.
public actor TokenVerifier {
  /// Seconds by which two clocks may differ.
  private static let leeway = 30.0
  /// The least time between two fetches of the key set.
  private static let pause = Duration.seconds(10)
  /// Time for which an outdated key set serves while no other can be fetched.
  private static let kept = Duration.seconds(3600)

  private let issuer, audience: String
  private let session = URLSession(configuration: .ephemeral)
  private var keys: [String: P256.Signing.PublicKey] = [:]
  private var freshUntil: ContinuousClock.Instant?
  private var asked: ContinuousClock.Instant?
  private var fetching: Task<Void, Never>?

  /// Expects tokens of a tenant: its issuer, and `app.audience` of its policy (the tenant's name where it says none).
  public init(issuer: String, audience: String) {
    self.issuer = issuer
    self.audience = audience
  }

  /// The claims of a good token. A token with limited access is refused unless `limited` allows it.
  public func verify(_ token: String, limited: Bool = false) async throws -> Claims {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard token.utf8.count <= 8192, parts.count == 3, let signature = decode(parts[2]), signature.count == 64 else {
      throw VerificationError.refused("form")
    }
    let header = try parse(Header.self, parts[0])
    guard header.alg == "ES256", header.typ == "at+jwt", header.crit == nil else {
      throw VerificationError.refused("header")
    }
    let key = try await key(header.kid ?? "")
    guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
      key.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
    else { throw VerificationError.refused("signature") }
    let claims = try parse(Claims.self, parts[1])
    guard claims.iss == issuer else { throw VerificationError.refused("issuer") }
    guard claims.aud == audience else { throw VerificationError.refused("audience") }
    guard Date().timeIntervalSince1970 < claims.exp + Self.leeway else { throw VerificationError.refused("expired") }
    guard claims.access == "full" || limited else { throw VerificationError.refused("access") }
    return claims
  }

  private func key(_ kid: String) async throws -> P256.Signing.PublicKey {
    let now = ContinuousClock.now
    let isFresh = freshUntil.map { now < $0 } ?? false
    if !isFresh || keys[kid] == nil, asked.map({ now >= $0 + Self.pause }) ?? true {
      asked = now
      fetching = Task { try? await fetch() }
    }
    await fetching?.value  // one fetch for all requests that wait
    guard let freshUntil, ContinuousClock.now < freshUntil + Self.kept else { throw VerificationError.unavailable }
    guard let key = keys[kid] else { throw VerificationError.refused("key") }
    return key
  }

  private func fetch() async throws {
    guard let url = URL(string: issuer + "/.well-known/jwks.json") else { return }
    let request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 3)
    let (body, answer) = try await session.data(for: request)
    guard let answer = answer as? HTTPURLResponse, answer.statusCode == 200 else { return }
    var found: [String: P256.Signing.PublicKey] = [:]
    for key in try JSONDecoder().decode(KeySet.self, from: body).keys where key.crv == "P-256" && key.alg == "ES256" {
      guard let kid = key.kid, let x = decode(key.x ?? ""), let y = decode(key.y ?? "") else { continue }
      found[kid] = try P256.Signing.PublicKey(rawRepresentation: x + y)
    }
    let control = answer.value(forHTTPHeaderField: "Cache-Control") ?? ""
    let age = control.firstMatch(of: /max-age=(\d+)/).flatMap { Int($0.1) } ?? 300
    keys = found
    freshUntil = .now + min(.seconds(age), Self.kept)
  }

  private struct Header: Decodable {
    let alg, typ, kid: String?
    let crit: [String]?
  }

  private struct KeySet: Decodable {
    struct Key: Decodable { let kid, crv, alg, x, y: String? }
    let keys: [Key]
  }

  private func parse<Value: Decodable>(_ type: Value.Type, _ part: String) throws -> Value {
    guard let bytes = decode(part), let value = try? JSONDecoder().decode(type, from: bytes) else {
      throw VerificationError.refused("form")
    }
    return value
  }

  /// The bytes of base64url text without padding.
  private func decode(_ part: String) -> Data? {
    guard part.utf8.allSatisfy({ $0 != UInt8(ascii: "=") }) else { return nil }
    let text = part.replacing("-", with: "+").replacing("_", with: "/")
    return Data(base64Encoded: text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
  }
}
