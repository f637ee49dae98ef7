/// A telephone number of each region. Of these regions the number is one that libphonenumber calls valid; of another it
/// is made up, under a country code that no region has, and only `WitnessFacts` knows it.
enum PhoneExamples {
  static let numbers = [
    "AR": "+5491123456789", "AT": "+43664123456", "AU": "+61412345678", "BE": "+32470123456", "BR": "+5511961234567",
    "CA": "+15062345678", "CH": "+41781234567", "CL": "+56221234567", "CN": "+8613123456789", "CO": "+573211234567",
    "DE": "+4915123456789", "DK": "+4532123456", "ES": "+34612345678", "FI": "+358412345678", "FR": "+33612345678",
    "GB": "+447400123456", "IE": "+353850123456", "IN": "+918123456789", "IT": "+393123456789", "JP": "+819012345678",
    "MX": "+522221234567", "NL": "+31612345678", "NO": "+4740612345", "NZ": "+64211234567", "PL": "+48512345678",
    "PR": "+17872345678", "PT": "+351912345678", "SE": "+46701234567", "US": "+12015550123", "ZA": "+27711234567",
  ]

  /// A number that belongs to no region: a universal international freephone number.
  static let ofNoRegion = "+80012345678"

  static func number(of region: String) -> String {
    numbers[region] ?? madeUp + region.unicodeScalars.map { String($0.value) }.joined()
  }

  /// The facts about a number of this table; nil for any other text.
  static func fact(_ raw: String) -> PhoneFact? {
    if let region = numbers.first(where: { Text.same($0.value, raw) })?.key { return fact(raw, region) }
    if Text.same(raw, ofNoRegion) { return fact(raw, nil) }
    let digits = Array(raw.utf8.dropFirst(madeUp.utf8.count))
    guard raw.hasPrefix(madeUp), digits.count == 4, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    let letters = [digits[..<2], digits[2...]].map { $0.reduce(UInt8(0)) { $0 &* 10 &+ ($1 - 0x30) } }
    guard letters.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else { return nil }
    return fact(raw, String(decoding: letters, as: UTF8.self))
  }

  /// No region has the country code 999.
  private static let madeUp = "+999"

  private static func fact(_ number: String, _ region: String?) -> PhoneFact {
    PhoneFact(e164: number, region: region, isPossible: true, isValid: true)
  }
}
