import Foundation
import GatehouseWire
import Testing

@Suite("The JSON of WebAuthn in the contract")
struct PasskeyJSONTests {
  /// As browsers write it, with members that no type here reads.
  private static let registration = #"""
    {"authenticatorAttachment":"platform","clientExtensionResults":{"credProps":{"rk":true}},"id":"AQID","rawId":"AQID",
    "response":{"attestationObject":"-_8","authenticatorData":"AA","clientDataJSON":"e30","publicKey":"AA",
    "publicKeyAlgorithm":-7,"transports":["internal","hybrid"]},"type":"public-key"}
    """#
  private static let authentication = #"""
    {"clientExtensionResults":{},"id":"AQID","rawId":"AQID","response":{"authenticatorData":"AA","clientDataJSON":"e30",
    "signature":"_w","userHandle":"BQ"},"type":"public-key"}
    """#

  private func read<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
    try ContractJSON.decode(type, from: Data(text.utf8))
  }

  @Test("an answer to a registration is read by its own names")
  func registered() throws {
    let answer = try read(RegistrationAnswer.self, Self.registration)
    #expect(
      answer
        == RegistrationAnswer(
          id: [1, 2, 3], clientData: Array("{}".utf8), attestationObject: [0xFB, 0xFF],
          transports: ["internal", "hybrid"]))
  }

  @Test("an answer to a sign-in is read by its own names")
  func authenticated() throws {
    let answer = try read(AuthenticationAnswer.self, Self.authentication)
    #expect(
      answer
        == AuthenticationAnswer(
          id: [1, 2, 3], clientData: Array("{}".utf8), authenticatorData: [0], signature: [0xFF], userHandle: [5]))
  }

  @Test("what the standard lets out may be left out")
  func least() throws {
    let answer = try read(
      AuthenticationAnswer.self,
      #"{"id":"AQID","response":{"authenticatorData":"AA","clientDataJSON":"e30","signature":"_w","userHandle":null}}"#)
    #expect(answer.userHandle == nil && answer.id == [1, 2, 3])
  }

  @Test(
    "padding, the other alphabet, another id, another type and a missing part are refused",
    arguments: [
      ("-_8", "-_8="), ("-_8", "+/8"), ("-_8", "-_9"), ("-_8", "-_8 "), (#""rawId":"AQID""#, #""rawId":"AQIE""#),
      ("public-key", "password"), (#""attestationObject":"-_8","#, ""), (#""clientDataJSON":"e30","#, ""),
      (#""id":"AQID","rawId":"AQID","#, ""), (#""clientDataJSON":"e30""#, #""clientDataJSON":{}"#),
    ])
  func refused(part: String, change: String) {
    let text = Self.registration.replacingOccurrences(of: part, with: change)
    #expect(text != Self.registration)
    #expect(throws: DecodingError.self) { try read(RegistrationAnswer.self, text) }
  }

  @Test("a user handle that is no base64url is refused")
  func badHandle() {
    let text = Self.authentication.replacingOccurrences(of: #""BQ""#, with: #""B""#)
    #expect(throws: DecodingError.self) { try read(AuthenticationAnswer.self, text) }
  }

  private static let creation = CreationOptions(
    rpID: "example.com", rpName: "DD Ride", userID: [1], userName: "a@example.com", displayName: "Ann", challenge: [2],
    algorithms: [-7, -8, -257], timeout: 300_000, excluded: [NamedPasskey(id: [3], transports: ["usb"])],
    verification: "required", attestation: "none")

  @Test("options for a registration have the names of the standard")
  func creationNames() throws {
    let text = String(decoding: try ContractJSON.encode(Self.creation), as: UTF8.self)
    #expect(
      text == #"{"attestation":"none","authenticatorSelection":{"requireResidentKey":true,"residentKey":"required","#
        + #""userVerification":"required"},"challenge":"Ag","excludeCredentials":[{"id":"Aw","transports":["usb"],"#
        + #""type":"public-key"}],"pubKeyCredParams":[{"alg":-7,"type":"public-key"},{"alg":-8,"type":"public-key"},"#
        + #"{"alg":-257,"type":"public-key"}],"rp":{"id":"example.com","name":"DD Ride"},"timeout":300000,"#
        + #""user":{"displayName":"Ann","id":"AQ","name":"a@example.com"}}"#)
  }

  @Test("what is written is read as the same value")
  func roundTrip() throws {
    let request = RequestOptions(
      rpID: "example.com", challenge: [2], timeout: 300_000, allowed: [NamedPasskey(id: [3])], verification: "preferred"
    )
    #expect(try ContractJSON.decode(CreationOptions.self, from: ContractJSON.encode(Self.creation)) == Self.creation)
    #expect(try ContractJSON.decode(RequestOptions.self, from: ContractJSON.encode(request)) == request)
    let answer = try read(RegistrationAnswer.self, Self.registration)
    #expect(try ContractJSON.decode(RegistrationAnswer.self, from: ContractJSON.encode(answer)) == answer)
    let used = try read(AuthenticationAnswer.self, Self.authentication)
    #expect(try ContractJSON.decode(AuthenticationAnswer.self, from: ContractJSON.encode(used)) == used)
  }

  @Test("bytes of every length and value have one text", arguments: 0..<70)
  func bytes(_ count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count) }
    #expect(Base64Text.bytes(Base64Text.text(of: bytes)) == bytes)
  }
}
