import CPhoneNumber

/// A telephone number as libphonenumber reads it.
package struct PhoneNumber: Sendable, Equatable {
  /// International form: `+17855550123`, without an extension.
  package let e164: String
  /// The region it belongs to, ISO 3166 alpha-2, such as `US`; `001` for numbers of no region. Nil where the range is
  /// not known and several regions share the country code.
  package let region: String?
  /// `1` of `+17855550123`.
  package let countryCode: String
  /// `7855550123` of `+17855550123`.
  package let national: String
  /// Whether it has as many digits as numbers of its country.
  package let isPossible: Bool
  /// Whether it lies in a range that the library knows.
  package let isValid: Bool
  /// Whether the text has an extension behind the number.
  package let hasExtension: Bool

  /// Reads a number as people write it in `region` (two capital letters), or with `+` and its country code.
  /// `nil` for what is no number, over 64 bytes, or holds a control character.
  package init?(_ text: String, region: String) {
    guard text.utf8.count <= 64, text.utf8.allSatisfy({ $0 >= 0x20 }), PhoneNumber.isRegionCode(region) else {
      return nil
    }
    var found = phone_number()
    // SAFETY: both inputs end with NUL; the texts of `found` end with NUL on success.
    guard phone_number_read(text, region, &found) else { return nil }
    e164 = PhoneNumber.text(of: found.e164)
    let home = PhoneNumber.text(of: found.region)
    self.region = home.isEmpty ? nil : home
    countryCode = String(found.country_code)
    national = PhoneNumber.text(of: found.national)
    isPossible = found.is_possible
    isValid = found.is_valid
    hasExtension = found.has_extension
  }

  /// Whether libphonenumber knows this region.
  package static func knows(region: String) -> Bool { isRegionCode(region) && phone_number_knows_region(region) }

  /// The file of the library, whose name ends with the version; nil where it is not known.
  package static var libraryFile: String? {
    var path = [CChar](repeating: 0, count: 4096)
    // SAFETY: the output has the capacity given and ends with NUL on success.
    guard phone_number_library(&path, path.count) else { return nil }
    return String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func isRegionCode(_ text: String) -> Bool {
    text.utf8.count == 2 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  }

  /// The text of an array of characters that C declares.
  private static func text(of characters: some BitwiseCopyable) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
