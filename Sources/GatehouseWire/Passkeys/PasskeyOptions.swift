/// A passkey that is named to a client: `PublicKeyCredentialDescriptorJSON`.
package struct NamedPasskey: StandardCodable {
  package var id: [UInt8]
  package var transports: [String]

  package init(id: [UInt8], transports: [String] = []) { (self.id, self.transports) = (id, transports) }

  package init?(_ json: StandardJSON) {
    guard let id = json["id"]?.bytes else { return nil }
    self.init(id: id, transports: (json["transports"]?.items ?? []).compactMap(\.text))
  }

  package var json: StandardJSON {
    .object([
      "type": .text("public-key"), "id": .bytes(id),
      "transports": transports.isEmpty ? nil : .list(transports.map { .text($0) }),
    ])
  }

  static func list(_ json: StandardJSON?) -> [NamedPasskey] { (json?.items ?? []).compactMap { NamedPasskey($0) } }
}

/// `PublicKeyCredentialCreationOptionsJSON` of WebAuthn: what a client makes a passkey from.
package struct CreationOptions: StandardCodable {
  package var rpID: String
  /// The app's name.
  package var rpName: String
  package var userID: [UInt8]
  /// The account's address.
  package var userName: String
  package var displayName: String
  package var challenge: [UInt8]
  /// By their numbers in COSE, the preferred one first.
  package var algorithms: [Int64]
  /// Milliseconds.
  package var timeout: Int64
  /// The passkeys that the account has: their authenticators make no second one.
  package var excluded: [NamedPasskey]
  /// `required` or `preferred`.
  package var verification: String
  /// `none` or `direct`.
  package var attestation: String

  package init(
    rpID: String, rpName: String, userID: [UInt8], userName: String, displayName: String, challenge: [UInt8],
    algorithms: [Int64], timeout: Int64, excluded: [NamedPasskey], verification: String, attestation: String
  ) {
    self.rpID = rpID
    self.rpName = rpName
    self.userID = userID
    self.userName = userName
    self.displayName = displayName
    self.challenge = challenge
    self.algorithms = algorithms
    self.timeout = timeout
    self.excluded = excluded
    self.verification = verification
    self.attestation = attestation
  }

  package init?(_ json: StandardJSON) {
    guard let rpID = json["rp"]?["id"]?.text, let rpName = json["rp"]?["name"]?.text,
      let userID = json["user"]?["id"]?.bytes, let userName = json["user"]?["name"]?.text,
      let challenge = json["challenge"]?.bytes
    else { return nil }
    self.init(
      rpID: rpID, rpName: rpName, userID: userID, userName: userName,
      displayName: json["user"]?["displayName"]?.text ?? userName, challenge: challenge,
      algorithms: (json["pubKeyCredParams"]?.items ?? []).compactMap { $0["alg"]?.integer },
      timeout: json["timeout"]?.integer ?? 0, excluded: NamedPasskey.list(json["excludeCredentials"]),
      verification: json["authenticatorSelection"]?["userVerification"]?.text ?? "preferred",
      attestation: json["attestation"]?.text ?? "none")
  }

  /// A passkey is always one that the authenticator finds by itself (`residentKey`).
  package var json: StandardJSON {
    .object([
      "rp": .object(["id": .text(rpID), "name": .text(rpName)]),
      "user": .object(["id": .bytes(userID), "name": .text(userName), "displayName": .text(displayName)]),
      "challenge": .bytes(challenge),
      "pubKeyCredParams": .list(algorithms.map { .object(["type": .text("public-key"), "alg": .integer($0)]) }),
      "timeout": .integer(timeout), "excludeCredentials": .list(excluded.map(\.json)),
      "authenticatorSelection": .object([
        "residentKey": .text("required"), "requireResidentKey": .boolean(true), "userVerification": .text(verification),
      ]),
      "attestation": .text(attestation),
    ])
  }
}

/// `PublicKeyCredentialRequestOptionsJSON` of WebAuthn: what a client signs in from.
package struct RequestOptions: StandardCodable {
  package var rpID: String
  package var challenge: [UInt8]
  /// Milliseconds.
  package var timeout: Int64
  /// The passkeys that may answer; none for a sign-in, where the person chooses.
  package var allowed: [NamedPasskey]
  /// `required` or `preferred`.
  package var verification: String

  package init(rpID: String, challenge: [UInt8], timeout: Int64, allowed: [NamedPasskey], verification: String) {
    self.rpID = rpID
    self.challenge = challenge
    self.timeout = timeout
    self.allowed = allowed
    self.verification = verification
  }

  package init?(_ json: StandardJSON) {
    guard let rpID = json["rpId"]?.text, let challenge = json["challenge"]?.bytes else { return nil }
    self.init(
      rpID: rpID, challenge: challenge, timeout: json["timeout"]?.integer ?? 0,
      allowed: NamedPasskey.list(json["allowCredentials"]),
      verification: json["userVerification"]?.text ?? "preferred")
  }

  package var json: StandardJSON {
    .object([
      "rpId": .text(rpID), "challenge": .bytes(challenge), "timeout": .integer(timeout),
      "allowCredentials": .list(allowed.map(\.json)), "userVerification": .text(verification),
    ])
  }
}

/// The members of `PublicKeyCredential.signalAllAcceptedCredentials` and `signalCurrentUserDetails` (WebAuthn Level 3
/// section 5.1.10): what a person's passkey manager should show.
package struct PasskeySignal: StandardCodable {
  package var rpID: String
  /// The `user.id` of the account's passkeys.
  package var userID: [UInt8]
  /// The ids of all passkeys of the account at this relying party; a manager hides the others.
  package var accepted: [[UInt8]]
  /// The account's name of now.
  package var userName: String

  package init(rpID: String, userID: [UInt8], accepted: [[UInt8]], userName: String) {
    self.rpID = rpID
    self.userID = userID
    self.accepted = accepted
    self.userName = userName
  }

  package init?(_ json: StandardJSON) {
    guard let rpID = json["rpId"]?.text, let userID = json["userId"]?.bytes, let name = json["name"]?.text else {
      return nil
    }
    self.init(
      rpID: rpID, userID: userID, accepted: (json["allAcceptedCredentialIds"]?.items ?? []).compactMap(\.bytes),
      userName: name)
  }

  package var json: StandardJSON {
    .object([
      "rpId": .text(rpID), "userId": .bytes(userID), "allAcceptedCredentialIds": .list(accepted.map { .bytes($0) }),
      "name": .text(userName), "displayName": .text(userName),
    ])
  }
}
