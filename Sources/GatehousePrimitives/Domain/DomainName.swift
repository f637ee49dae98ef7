import CIDN2

/// Names of domains.
package enum DomainName {
  /// The ASCII form of a domain name: IDNA 2008 with the mapping of UTS #46 (non-transitional), lower case. `nil` for
  /// names that are not registrable: bad labels, empty labels (so no dot at either end), a label over 63 bytes or all
  /// over 253, characters other than letters, digits and hyphens.
  package static func ascii(_ text: String) -> String? {
    guard (1...1024).contains(text.utf8.count), !text.utf8.contains(0) else { return nil }
    let input = Array(text.utf8) + [0]
    var output: UnsafeMutablePointer<UInt8>?
    // Not IDN2_USE_STD3_ASCII_RULES: this version then drops what it should refuse (`a@b.c` became `ab.c`). The check
    // of the outcome below is that rule.
    let flags = Int32(IDN2_NFC_INPUT.rawValue | IDN2_NONTRANSITIONAL.rawValue)
    // SAFETY: the input ends with NUL; the library allocates the output, which is freed below.
    guard idn2_lookup_u8(input, &output, flags) == IDN2_OK.rawValue, let output else { return nil }
    defer { idn2_free(output) }
    let name = String(cString: output).lowercased()
    return isHostName(Array(name.utf8)) ? name : nil
  }

  /// RFC 1123 section 2.1 and RFC 1035 section 2.3.4.
  private static func isHostName(_ name: [UInt8]) -> Bool {
    guard name.count <= 253 else { return false }
    return name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
      (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
        && label.allSatisfy { byte in
          (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || byte == UInt8(ascii: "-")
        }
    }
  }
}
