/// A challenge for App Attest, where the policy has `attest:`.
public enum AttestChallengeEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .post, "/v1/attest/challenge", 200, "Get a challenge for App Attest",
    refuses: [.notFound])

  /// What it takes.
  public typealias Input = Nothing

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// For one use: one registration, or one request.
    public var challenge: String
    /// Seconds until it is of no use.
    public var expiresIn: Int

    /// The whole of it.
    public init(challenge: String, expiresIn: Int) {
      self.challenge = challenge
      self.expiresIn = expiresIn
    }

    enum CodingKeys: String, CodingKey {
      case challenge
      case expiresIn = "expires_in"
    }
  }
}

/// Registers a key of a device that Apple attests.
public enum RegisterAttestKeyEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .post, "/v1/attest/keys", 204, "Register a key of App Attest",
    refuses: [.notFound, .attestInvalid])

  /// What it takes. Bytes are in Base64 of either alphabet, with padding or without.
  public struct Input: Codable, Hashable, Sendable {
    /// The key's name, as `DCAppAttestService.generateKey` gives it.
    public var keyID: String
    /// What `attestKey` gave for the SHA-256 of the challenge's text.
    public var attestation: String
    /// The challenge.
    public var challenge: String

    /// The whole of it.
    public init(keyID: String, attestation: String, challenge: String) {
      self.keyID = keyID
      self.attestation = attestation
      self.challenge = challenge
    }

    enum CodingKeys: String, CodingKey {
      case attestation, challenge
      case keyID = "key_id"
    }
  }

  /// What it answers.
  public typealias Output = Nothing
}
