/// The data that an authenticator signs about itself (WebAuthn section 6.1), as far as App Attest uses it.
struct AuthenticatorData: Sendable, Equatable {
  /// A credential that was made just now: only in an attestation.
  struct Credential: Sendable, Equatable {
    /// Which kind of authenticator made it: 16 bytes.
    let kind: [UInt8]
    let id: [UInt8]
  }

  /// SHA-256 of the name of the party that the credential is for.
  let partyHash: [UInt8]
  let counter: UInt32

  private static let fixedSize = 37
  private static let kindSize = 16

  /// Reads the fixed part; `nil` when there are fewer bytes.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= AuthenticatorData.fixedSize else { return nil }
    partyHash = Array(bytes[..<32])
    counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Reads the credential behind the fixed part; `nil` when it is not whole.
  static func credential(of bytes: [UInt8]) -> Credential? {
    let kindEnd = fixedSize + kindSize
    guard bytes.count >= kindEnd + 2 else { return nil }
    let size = Int(bytes[kindEnd]) << 8 | Int(bytes[kindEnd + 1])
    let start = kindEnd + 2
    guard bytes.count - start >= size else { return nil }
    return Credential(kind: Array(bytes[fixedSize..<kindEnd]), id: Array(bytes[start..<(start + size)]))
  }
}
