/// The account of the ceremony by the browser or the operating system (WebAuthn section 5.8.1): bytes of JSON, of which
/// the SHA-256 is signed.
struct ClientData: Sendable {
  /// The two ceremonies, by their words.
  enum Ceremony: String, Sendable {
    case create = "webauthn.create"
    case get = "webauthn.get"
  }

  /// The most bytes that are read.
  static let mostBytes = 4 * 1024

  /// Judges the client data of a ceremony. Members without a meaning here are no matter; one that is there twice is.
  static func check(
    _ json: [UInt8], of ceremony: Ceremony, challenge: [UInt8], origins: [String]
  ) throws(PasskeyProblem) {
    // GUARD: passkey: client data are bounded
    guard json.count <= mostBytes else { throw .tooLarge }
    guard let data = try? JSONParser.parse(json, limits: .init(size: mostBytes, depth: 4, members: 32)),
      let type = data["type"]?.string, let answered = data["challenge"]?.string.flatMap({ Base64URL.decode($0) }),
      let origin = data["origin"]?.string
    else { throw .badClientData }
    // GUARD: passkey: the ceremony
    guard isSame(type, ceremony.rawValue) else { throw .otherType }
    // GUARD: passkey: the challenge
    guard ConstantTime.equal(answered, challenge) else { throw .otherChallenge }
    // GUARD: passkey: the origin
    guard origins.contains(where: { isSame($0, origin) }) else { throw .otherOrigin }
    switch data["crossOrigin"] {
    case nil, .bool(false): break
    case .bool(true):
      // GUARD: passkey: not within another site
      throw .crossOrigin
    default: throw .badClientData
    }
    // GUARD: passkey: no site around it
    guard data["topOrigin"] == nil else { throw .crossOrigin }
  }

  /// Whether two texts have the same bytes: equal texts of Swift may have others.
  private static func isSame(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }
}
