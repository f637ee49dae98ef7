/// The rule that a passkey's answer breaks: for the audit and a log, never for a client.
package enum PasskeyProblem: String, Error, Sendable, CaseIterable {
  /// Larger than the bound, in any of its parts.
  case tooLarge = "too_large"
  /// The client data is no JSON object with the members of WebAuthn.
  case badClientData = "bad_client_data"
  /// A registration in place of an assertion, or the other way round.
  case otherType = "other_type"
  case otherChallenge = "other_challenge"
  case otherOrigin = "other_origin"
  /// Made in a page inside another site's page.
  case crossOrigin = "cross_origin"
  /// The attestation object is not of its form.
  case badAttestationObject = "bad_attestation_object"
  /// The authenticator's data are not of their form, or have something behind them.
  case badAuthenticatorData = "bad_authenticator_data"
  /// The credential is for another relying party.
  case otherParty = "other_party"
  case userNotPresent = "user_not_present"
  case userNotVerified = "user_not_verified"
  /// Backed up, and not eligible for it.
  case backedUpUneligible = "backed_up_uneligible"
  /// Eligible for backup once, and no longer.
  case backupEligibilityLost = "backup_eligibility_lost"
  /// An algorithm that was not offered.
  case otherAlgorithm = "other_algorithm"
  /// A key that is not of the form of its algorithm, weak, or not on its curve.
  case badKey = "bad_key"
  /// A credential id that is empty or longer than 1023 bytes.
  case badCredentialID = "bad_credential_id"
  /// The answer names another credential than the one that was meant, or that was made.
  case otherCredential = "other_credential"
  /// The credential's user is another one, or is not told where nothing else tells it.
  case otherUser = "other_user"
  case badSignature = "bad_signature"
  /// A kind of attestation that vouches for nothing here: none, the key's own, or a format that is not read.
  case attestationFormat = "attestation_format"
  /// The statement is not of the form of its format.
  case badAttestation = "bad_attestation"
  /// No root of ours vouches for the certificate.
  case attestationUntrusted = "attestation_untrusted"
  /// A certificate is not valid at this time.
  case attestationNotValidNow = "attestation_not_valid_now"
  /// The certificate is not of the profile of its format.
  case attestationProfile = "attestation_profile"
  case attestationSignature = "attestation_signature"
  /// The certificate is about other data.
  case attestationNonce = "attestation_nonce"
  /// The certificate is about another key.
  case attestationKey = "attestation_key"
  /// The certificate names another model, or the format allows none and one is named.
  case attestationModel = "attestation_model"
  /// The model is not among those that are allowed.
  case modelNotAllowed = "model_not_allowed"
}
