import Foundation
@testable import GatehousePrimitives

extension FuzzTarget {
  /// Authenticator data: the parts of any bytes are all of them, and no bytes sign a passkey in.
  static let authenticatorData = FuzzTarget(name: "authenticator-data") { bytes in
    if let known, accepts(bytes, clientData: rightClientData, known) { return "a passkey that signed nothing" }
    guard let data = try? PasskeyData(bytes) else { return nil }
    if bytes.count > PasskeyData.limits.size { return "larger than the limit" }
    if let made = data.made {
      if !PasskeyData.idSizes.contains(made.id.count) { return "an id of another length" }
      _ = try? PasskeyKey(cose: made.key, among: PasskeyAlgorithm.allCases)
    }
    if (try? PasskeyData(bytes + [0])) != nil { return "a byte behind that belongs to no part" }
    return nil
  }

  /// Client data: what is taken is for this ceremony, challenge and origin by another reader as well.
  static let clientData = FuzzTarget(name: "client-data") { bytes in
    if let known, accepts(fixedData, clientData: bytes, known) { return "a passkey that signed nothing" }
    let taken: Void? = try? ClientData.check(bytes, of: .get, challenge: challenge, origins: [origin])
    guard taken != nil else { return nil }
    guard let read = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else {
      return "taken, and no object for Foundation"
    }
    let isRight =
      read["type"] as? String == "webauthn.get" && read["origin"] as? String == origin
      && read["challenge"] as? String == Base64URL.encode(challenge) && read["crossOrigin"] as? Bool != true
      && read["topOrigin"] == nil
    return isRight ? nil : "other client data than were asked for"
  }

  private static let challenge = [UInt8](repeating: 7, count: 32)
  private static let origin = "https://example.com"
  private static let rightClientData = Array(
    #"{"type":"webauthn.get","challenge":"\#(Base64URL.encode(challenge))","origin":"\#(origin)"}"#.utf8)
  private static let fixedData = SHA256.digest("example.com") + [5, 0, 0, 0, 0]

  private static let known: PasskeyAssertion.Known? = {
    guard let point = try? P256PrivateKey.generate().publicKey.point, let spki = try? SPKIKey(point: point).spki,
      let key = try? PasskeyKey(spki: spki, algorithm: .es256)
    else { return nil }
    return PasskeyAssertion.Known(id: [1], key: key, signCount: 0, isBackupEligible: false, userHandle: [1])
  }()

  private static func accepts(_ data: [UInt8], clientData: [UInt8], _ known: PasskeyAssertion.Known) -> Bool {
    let answer = PasskeyAssertion.Answer(
      id: [1], clientDataJSON: clientData, authenticatorData: data, signature: Array(data.prefix(72)), userHandle: [1])
    let expected = PasskeyAssertion.Expectation(
      challenge: challenge, origins: [origin], rpIDHash: SHA256.digest("example.com"), isVerificationRequired: true,
      isUserHandleRequired: true, known: known)
    return (try? PasskeyAssertion.verify(answer, expected)) != nil
  }
}
