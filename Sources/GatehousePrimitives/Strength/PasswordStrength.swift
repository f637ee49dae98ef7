import CZxcvbn

/// How hard a password is to guess, by zxcvbn (Wheeler, USENIX Security 2016). Usable from many threads: the library
/// keeps its dictionary in constant memory and has no other state.
package enum PasswordStrength {
  /// Bytes of a password that are looked at; more only makes it stronger, and the work grows faster than the length.
  private static let consideredBytes = 100

  /// 0 (guessed at once) to 4 (very hard): under 10^3, 10^6, 10^8, 10^10 guesses, or more.
  /// - Parameter words: what an attacker knows (address, name, the app's name); at most 32, and 64 bytes of each.
  package static func score(_ password: String, words: [String] = []) -> Int {
    let bits = entropy(password, words: words)
    // The binary logarithms of the numbers of guesses.
    let thresholds = [9.965784284662087, 19.931568569324174, 26.5754247590989, 33.21928094887362]
    return thresholds.count { bits >= $0 }
  }

  private static func entropy(_ password: String, words: [String]) -> Double {
    let text = terminated(password, upTo: consideredBytes)
    let known = words.prefix(32).map { terminated($0.lowercased(), upTo: 64) }.filter { $0.count > 1 }
    // One block for all words keeps the pointers valid without a nest of closures.
    var offsets: [Int] = []
    var block: [CChar] = []
    for word in known {
      offsets.append(block.count)
      block += word
    }
    return block.withUnsafeBufferPointer { block in
      var pointers: [UnsafePointer<CChar>?] = offsets.map { offset in block.baseAddress.map { $0 + offset } }
      pointers.append(nil)
      // SAFETY: the password and every word end with NUL, the list of words ends with nil; all outlive the call, which
      // keeps none of them.
      return ZxcvbnMatch(text, &pointers, nil)
    }
  }

  /// A C string of at most so many bytes. A NUL inside would hide the rest, so it becomes a space.
  private static func terminated(_ text: String, upTo limit: Int) -> [CChar] {
    text.utf8.prefix(limit).map { $0 == 0 ? 0x20 : CChar(bitPattern: $0) } + [0]
  }
}
