import CSodium

/// argon2id (RFC 9106) in PHC form: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`, base64 without padding.
package struct Argon2id: PasswordHashScheme {
  /// The cost of new hashes.
  let cost: PasswordCost

  package var name: String { "argon2id" }

  /// The parts of a stored hash.
  struct Stored: Equatable {
    let cost: PasswordCost
    let salt: [UInt8]
    let hash: [UInt8]
  }

  package func recognises(_ stored: String) -> Bool { Argon2id.parse(stored) != nil }

  package func needsRehash(_ stored: String) -> Bool {
    guard let parsed = Argon2id.parse(stored) else { return true }
    // GUARD: hash: another cost is made anew
    return parsed.cost != cost || parsed.hash.count != 32
  }

  package func work(of stored: String) -> UInt64 { Argon2id.parse(stored)?.cost.work ?? 0 }

  package func verifies(_ password: [UInt8], against stored: String, counting work: inout UInt64) -> Bool {
    guard let parsed = Argon2id.parse(stored),
      let computed = Argon2id.compute(
        password, salt: parsed.salt, cost: parsed.cost, length: parsed.hash.count, counting: &work)
    else { return false }
    return ConstantTime.equal(computed, parsed.hash)
  }

  /// A new hash of `password` under a new random salt.
  /// - Throws: `CryptoError.libraryFailure` when there is no memory.
  func hash(_ password: Password, counting work: inout UInt64) throws(CryptoError) -> String {
    let salt = SecureRandom.bytes(16)
    let hash = password.bytes.expose { Argon2id.compute($0, salt: salt, cost: cost, length: 32, counting: &work) }
    guard let hash else { throw .libraryFailure }
    return text(salt: salt, hash: hash)
  }

  func text(salt: [UInt8], hash: [UInt8]) -> String {
    let encoded = [salt, hash].map { String(decoding: Base64.standard.encode($0), as: UTF8.self) }
    return "$argon2id$v=19$m=\(cost.memory),t=\(cost.passes),p=1$\(encoded[0])$\(encoded[1])"
  }

  /// Reads the PHC form; `nil` for anything but exactly what we could have written, within bounds: libsodium has one
  /// lane and salts of 16 bytes.
  static func parse(_ stored: String) -> Stored? {
    let text = Array(stored.utf8)
    guard text.count <= 256 else { return nil }
    let parts = text.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
    guard parts.count == 6, parts[0].isEmpty, parts[1].elementsEqual("argon2id".utf8),
      parts[2].elementsEqual("v=19".utf8)
    else { return nil }
    let parameters = parts[3].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard parameters.count == 3, let memory = number(parameters[0], name: "m"),
      PasswordCost.memoryBounds.contains(memory), let passes = number(parameters[1], name: "t"),
      PasswordCost.passBounds.contains(passes), number(parameters[2], name: "p") == 1
    else { return nil }
    guard let salt = Base64.standard.decode(parts[4]), salt.count == 16, let hash = Base64.standard.decode(parts[5]),
      (16...64).contains(hash.count)
    else { return nil }
    return Stored(cost: PasswordCost(memory: memory, passes: passes), salt: salt, hash: hash)
  }

  /// `name=decimal` without sign, leading zero or overflow.
  private static func number(_ text: ArraySlice<UInt8>, name: String) -> UInt32? {
    let digits = text.dropFirst(name.utf8.count + 1)
    guard text.starts(with: (name + "=").utf8), (1...7).contains(digits.count), digits.first != UInt8(ascii: "0") else {
      return nil
    }
    var value: UInt32 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + UInt32(digit - UInt8(ascii: "0"))
    }
    return value
  }

  private static let isReady = password_hash_prepare() == 0

  /// The raw hash, or `nil` when there is no memory.
  static func compute(
    _ password: [UInt8], salt: [UInt8], cost: PasswordCost, length: Int, counting work: inout UInt64
  ) -> [UInt8]? {
    guard isReady, salt.count == 16, length >= 16 else { return nil }
    work += cost.work
    var output = [UInt8](repeating: 0, count: length)
    // SAFETY: every array is alive for the call with the count given, the salt has the 16 bytes that are read.
    let status = password_hash_argon2id(&output, length, password, password.count, salt, cost.passes, cost.memory)
    return status == 0 ? output : nil
  }
}
