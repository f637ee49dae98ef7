/// The data that an authenticator signs about itself (WebAuthn section 6.1): the fixed part, as far as App Attest and
/// passkeys use it.
struct AuthenticatorData: Sendable, Equatable {
  /// The acts and properties of the authenticator. Bits without a name are reserved and say nothing.
  struct Flags: OptionSet, Sendable {
    let rawValue: UInt8

    static let userPresent = Flags(rawValue: 1 << 0)
    static let userVerified = Flags(rawValue: 1 << 2)
    static let backupEligible = Flags(rawValue: 1 << 3)
    static let backedUp = Flags(rawValue: 1 << 4)
    static let attested = Flags(rawValue: 1 << 6)
    static let extended = Flags(rawValue: 1 << 7)
  }

  /// A credential that was made just now: only in an attestation.
  struct Credential: Sendable, Equatable {
    /// Which kind of authenticator made it: 16 bytes.
    let kind: [UInt8]
    let id: [UInt8]
    /// The offset of what stands behind the id.
    let end: Int
  }

  /// SHA-256 of the name of the party that the credential is for.
  let partyHash: [UInt8]
  let flags: Flags
  let counter: UInt32

  static let fixedSize = 37
  private static let kindSize = 16

  /// Reads the fixed part; `nil` when there are fewer bytes.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= AuthenticatorData.fixedSize else { return nil }
    partyHash = Array(bytes[..<32])
    flags = Flags(rawValue: bytes[32])
    counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Reads the credential behind the fixed part; `nil` when it is not whole. Whether there is one is not asked of the
  /// flags: assertions of App Attest set theirs and have none.
  static func credential(of bytes: [UInt8]) -> Credential? {
    let kindEnd = fixedSize + kindSize
    guard bytes.count >= kindEnd + 2 else { return nil }
    let size = Int(bytes[kindEnd]) << 8 | Int(bytes[kindEnd + 1])
    let start = kindEnd + 2
    guard bytes.count - start >= size else { return nil }
    return Credential(
      kind: Array(bytes[fixedSize..<kindEnd]), id: Array(bytes[start..<(start + size)]), end: start + size)
  }
}
