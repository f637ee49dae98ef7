/// `RegistrationResponseJSON` of WebAuthn: the answer of `navigator.credentials.create` as `toJSON` writes it, and what
/// an app makes of its platform's.
package struct RegistrationAnswer: StandardCodable {
  package var id: [UInt8]
  /// The bytes of `clientDataJSON`.
  package var clientData: [UInt8]
  package var attestationObject: [UInt8]
  /// Ways to reach the authenticator, for the list of those that are left out next time. Untrusted.
  package var transports: [String]

  package init(id: [UInt8], clientData: [UInt8], attestationObject: [UInt8], transports: [String] = []) {
    self.id = id
    self.clientData = clientData
    self.attestationObject = attestationObject
    self.transports = transports
  }

  package init?(_ json: StandardJSON) {
    guard let id = PasskeyID.id(of: json), let response = json["response"],
      let clientData = response["clientDataJSON"]?.bytes, let object = response["attestationObject"]?.bytes
    else { return nil }
    self.init(
      id: id, clientData: clientData, attestationObject: object,
      transports: (response["transports"]?.items ?? []).compactMap(\.text))
  }

  package var json: StandardJSON {
    PasskeyID.answer(
      id,
      .object([
        "clientDataJSON": .bytes(clientData), "attestationObject": .bytes(attestationObject),
        "transports": .list(transports.map { .text($0) }),
      ]))
  }
}

/// `AuthenticationResponseJSON` of WebAuthn: the answer of `navigator.credentials.get`.
package struct AuthenticationAnswer: StandardCodable {
  package var id: [UInt8]
  /// The bytes of `clientDataJSON`.
  package var clientData: [UInt8]
  package var authenticatorData: [UInt8]
  package var signature: [UInt8]
  package var userHandle: [UInt8]?

  package init(
    id: [UInt8], clientData: [UInt8], authenticatorData: [UInt8], signature: [UInt8], userHandle: [UInt8]?
  ) {
    self.id = id
    self.clientData = clientData
    self.authenticatorData = authenticatorData
    self.signature = signature
    self.userHandle = userHandle
  }

  package init?(_ json: StandardJSON) {
    guard let id = PasskeyID.id(of: json), let response = json["response"],
      let clientData = response["clientDataJSON"]?.bytes, let data = response["authenticatorData"]?.bytes,
      let signature = response["signature"]?.bytes
    else { return nil }
    var handle: [UInt8]?
    switch response["userHandle"] {
    case nil, .null: handle = nil
    case let told?:
      guard let bytes = told.bytes else { return nil }
      handle = bytes
    }
    self.init(id: id, clientData: clientData, authenticatorData: data, signature: signature, userHandle: handle)
  }

  package var json: StandardJSON {
    PasskeyID.answer(
      id,
      .object([
        "clientDataJSON": .bytes(clientData), "authenticatorData": .bytes(authenticatorData),
        "signature": .bytes(signature), "userHandle": userHandle.map { .bytes($0) },
      ]))
  }
}

/// The members that both answers have around their response.
enum PasskeyID {
  /// The credential's id. The standard has it twice; where both are there, they are the same.
  static func id(of json: StandardJSON) -> [UInt8]? {
    guard json["type"].map({ $0.text == "public-key" }) ?? true, let id = (json["rawId"] ?? json["id"])?.bytes,
      json["id"].map({ $0.bytes == id }) ?? true
    else { return nil }
    return id
  }

  static func answer(_ id: [UInt8], _ response: StandardJSON) -> StandardJSON {
    .object([
      "id": .bytes(id), "rawId": .bytes(id), "type": .text("public-key"), "response": response,
      "clientExtensionResults": .members([:]),
    ])
  }
}
