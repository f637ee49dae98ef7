/// A challenge for App Attest, where the policy has `attest:`.
package enum AttestChallengeEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/attest/challenge", 200, "Get a challenge for App Attest",
    refuses: [.notFound])

  package typealias Input = Nothing

  package struct Output: Codable, Hashable, Sendable {
    /// For one use: one registration, or one request.
    package var challenge: String
    /// Seconds until it is of no use.
    package var expiresIn: Int

    package init(challenge: String, expiresIn: Int) { (self.challenge, self.expiresIn) = (challenge, expiresIn) }
  }
}

/// Registers a key of a device that Apple attests.
package enum RegisterAttestKeyEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/attest/keys", 204, "Register a key of App Attest",
    refuses: [.notFound, .attestInvalid])

  /// The attestation of a key. Bytes are in Base64 of either alphabet, with padding or without.
  package struct Input: Codable, Hashable, Sendable {
    /// The answer of `attestKey` for the SHA-256 of the challenge's text.
    package var attestation: String
    /// The challenge.
    package var challenge: String
    /// The key's name, as `DCAppAttestService.generateKey` gives it.
    package var keyID: String

    package init(attestation: String, challenge: String, keyID: String) {
      self.attestation = attestation
      self.challenge = challenge
      self.keyID = keyID
    }
  }

  package typealias Output = Nothing
}
