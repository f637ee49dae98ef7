import Foundation
import GatehouseIdentity
import GatehousePrimitives

/// Apple's client secret: a statement signed with the key that Apple gave for download (Sign in with Apple, "Creating a
/// client secret"). The secret store holds a JSON object: `team_id`, `key_id`, and in `private_key` the text of the
/// `.p8` file.
struct AppleSecret: Sendable {
  /// Seconds it is good for; Apple takes up to half a year.
  private static let lifetime: Int64 = 3600
  /// Seconds before its end when another one is made.
  private static let margin: Int64 = 600
  private static let limit = 256

  private struct Made: Sendable {
    var text: Secret<String>
    var expiresAt: Int64
  }

  private let made = LockBox<[[UInt8]: Made]>([:])

  /// The secret for this registration, made now or less than an hour ago.
  func text(
    _ secret: Secret<[UInt8]>, clientID: String, audience: String, now: Int64
  ) throws(ProviderFailure) -> Secret<String> {
    let key = secret.expose { SHA256.digest($0) } + Array("\(clientID) \(audience)".utf8)
    if let known = made.withLock({ $0[key] }), known.expiresAt - now > Self.margin,
      known.expiresAt - now <= Self.lifetime
    {
      return known.text
    }
    let fresh = Made(
      text: try mint(secret, clientID: clientID, audience: audience, now: now), expiresAt: now + Self.lifetime)
    made.withLock { made in
      if made.count >= Self.limit { made = [:] }
      made[key] = fresh
    }
    return fresh.text
  }

  private struct Parts {
    let team: String
    let kid: String
    let key: Secret<[UInt8]>
  }

  private static func read(_ secret: Secret<[UInt8]>) throws(ProviderFailure) -> (Parts, P256PrivateKey) {
    let parts = secret.expose { bytes -> Parts? in
      guard let object = try? JSONParser.parse(bytes), let team = object["team_id"]?.string,
        let kid = object["key_id"]?.string, let pem = object["private_key"]?.string, let der = Self.der(pem)
      else { return nil }
      return Parts(team: team, kid: kid, key: Secret(der))
    }
    guard let parts, let key = try? P256PrivateKey(pkcs8: parts.key) else { throw .misconfigured(form) }
    return (parts, key)
  }

  private static let form = "the secret is not {\"team_id\", \"key_id\", \"private_key\"} with a key for ES256"

  /// Why a text is no such secret; nil where it is one.
  static func problem(_ secret: Secret<[UInt8]>) -> String? {
    do throws(ProviderFailure) {
      _ = try read(secret)
      return nil
    } catch {
      return form
    }
  }

  private func mint(
    _ secret: Secret<[UInt8]>, clientID: String, audience: String, now: Int64
  ) throws(ProviderFailure) -> Secret<String> {
    let (parts, key) = try Self.read(secret)
    var claims = JSONWriter(capacity: 256)
    claims.beginObject()
    for (name, value) in [("iss", parts.team), ("aud", audience), ("sub", clientID)] {
      claims.key(name)
      claims.string(value)
    }
    for (name, value) in [("iat", now), ("exp", now + Self.lifetime)] {
      claims.key(name)
      claims.integer(value)
    }
    claims.endObject()
    guard let text = try? JWT.sign(claims: claims.bytes, type: "JWT", kid: parts.kid, key: key) else {
      throw .misconfigured("the key does not sign")
    }
    return Secret(text)
  }

  /// The bytes between the lines of a PEM file (RFC 7468).
  private static func der(_ pem: String) -> [UInt8]? {
    let lines = pem.split(whereSeparator: \.isNewline)
    guard lines.count > 2, lines.first == "-----BEGIN PRIVATE KEY-----", lines.last == "-----END PRIVATE KEY-----"
    else {
      return nil
    }
    return Data(base64Encoded: lines.dropFirst().dropLast().joined()).map(Array.init)
  }
}
