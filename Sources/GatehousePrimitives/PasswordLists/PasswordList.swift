/// A list of passwords that must not be used, as hashes: it tells whether a password is on it, nothing else.
/// `config/lists` has two of them and says how to make more.
///
/// The file, in bytes: `GHPL` ‖ format (1) ‖ width of an entry (8 to 32) ‖ number of entries (4, big-endian) ‖ entries,
/// each the first bytes of SHA-256 of the password's NFC in UTF-8, in ascending order without repetition. With the
/// shipped width of 10 bytes and a million entries, a password off the list is taken for one on it once in 10^18.
package struct PasswordList: Sendable {
  private static let headerSize = 10

  private let bytes: [UInt8]
  private let width: Int
  /// How many passwords are on it.
  package let count: Int

  /// Reads the contents of a list file; every property of the format is checked.
  package init(_ bytes: [UInt8]) throws(PasswordListError) {
    guard bytes.count >= PasswordList.headerSize, bytes.starts(with: "GHPL".utf8), bytes[4] == 1 else {
      throw .notAList
    }
    width = Int(bytes[5])
    count = bytes[6..<10].reduce(0) { $0 << 8 | Int($1) }
    // Four bytes of count times 32 can not overflow.
    guard (8...32).contains(width), bytes.count == PasswordList.headerSize + count * width else { throw .wrongLength }
    self.bytes = bytes
    for index in 0..<max(count - 1, 0) where !precedes(entry(index), entry(index + 1)) {
      throw .notSorted(entry: index + 1)
    }
  }

  /// Whether the whole password is on the list, as it is or in lower case. A longer password that contains a listed one
  /// is not (NIST SP 800-63B-4 section 3.1.1.2).
  package func contains(_ password: String) -> Bool {
    guard password.utf8.count <= 4 * Password.maximumBytes else { return false }
    let normalised = nfc(password)
    return has(normalised) || has(nfc(normalised.lowercased()))
  }

  private func has(_ text: String) -> Bool {
    let wanted = SHA256.digest(text)[..<width]
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if precedes(entry(middle), wanted) { low = middle + 1 } else { high = middle }
    }
    return low < count && entry(low).elementsEqual(wanted)
  }

  private func entry(_ index: Int) -> ArraySlice<UInt8> {
    bytes[(PasswordList.headerSize + index * width)..<(PasswordList.headerSize + (index + 1) * width)]
  }

  private func precedes(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    one.lexicographicallyPrecedes(other)
  }
}

/// Why a file is not a password list.
package enum PasswordListError: Error, Equatable, Sendable {
  /// It does not begin as one, or is of another format.
  case notAList
  /// It is cut off or longer than it says, or its entries have an odd width.
  case wrongLength
  /// This entry is not greater than the one before; counted from zero.
  case notSorted(entry: Int)
}
