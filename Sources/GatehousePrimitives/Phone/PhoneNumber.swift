import CPhoneNumber

/// A telephone number that libphonenumber calls valid.
package struct PhoneNumber: Sendable, Equatable {
  /// International form: `+17855550123`.
  package let e164: String
  /// The region it belongs to, ISO 3166 alpha-2, such as `US`; `001` for numbers of no region.
  package let region: String

  /// Reads a number as people write it in `region` (two capital letters), or with `+` and its country code.
  /// `nil` for what is no valid number, over 64 bytes, or holds a control character.
  package init?(_ text: String, region: String) {
    guard text.utf8.count <= 64, text.utf8.allSatisfy({ $0 >= 0x20 }), PhoneNumber.isRegionCode(region) else {
      return nil
    }
    var e164 = [CChar](repeating: 0, count: 32)
    var home = [CChar](repeating: 0, count: 8)
    // SAFETY: both inputs end with NUL, both outputs have the capacity given and are ended with NUL on success.
    guard phone_number_e164(text, region, &e164, e164.count, &home, home.count) else { return nil }
    self.e164 = PhoneNumber.text(e164)
    self.region = PhoneNumber.text(home)
  }

  /// Whether libphonenumber knows this region.
  package static func knows(region: String) -> Bool { isRegionCode(region) && phone_number_knows_region(region) }

  private static func isRegionCode(_ text: String) -> Bool {
    text.utf8.count == 2 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
