import GatehousePolicy

/// The lists and libraries of a server, in miniature. Every question has an answer, so that no rule refuses because a
/// library is missing here.
struct FakeFacts: FactSource {
  /// Passwords that are on every list.
  static let listed: Set<String> = [
    "password", "password1", "passw0rd", "123456", "12345678", "123456789", "1234567890", "qwerty", "qwerty123",
    "iloveyou", "letmein", "abc123", "111111", "welcome", "monkey", "dragon",
  ]
  /// Domains of throw-away mail.
  static let disposable: Set<String> = ["mailinator.com", "guerrillamail.com", "10minutemail.com", "yopmail.com"]
  /// The country codes of regions that numbers are told apart by.
  static let countries: KeyValuePairs = [
    "US": "1", "GB": "44", "DE": "49", "FR": "33", "ES": "34", "IT": "39", "MX": "52", "BR": "55", "IN": "91",
    "JP": "81", "AU": "61", "EG": "20",
  ]

  func isListed(_ password: String, list: String) -> Bool? { Self.listed.contains(password.lowercased()) }

  /// By length and variety alone; 0 for a listed password and for one that is part of the inputs.
  func strength(of password: String, inputs: [String]) -> Int? {
    let lower = password.lowercased()
    guard !Self.listed.contains(lower), !inputs.contains(where: { $0.lowercased().contains(lower) }) else { return 0 }
    return min(4, Set(password).count / 3)
  }

  func isDisposable(_ domain: String) -> Bool? { Self.disposable.contains(domain) }

  /// A number with a country code, or one of its region: seven to fifteen digits.
  func phone(_ raw: String, region: String) -> PhoneFact? {
    if region == "US", let number = PhoneText.unitedStates(raw) { return fact(number) }
    let kept = TypedText.phone(raw).filter { !" ().-/".contains($0) }
    let digits = kept.drop { $0 == "+" }
    guard (7...15).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return PhoneFact(e164: nil)
    }
    if kept.hasPrefix("+") { return fact("+" + digits) }
    guard let code = Self.countries.first(where: { $0.key == region })?.value else { return PhoneFact(e164: nil) }
    return fact("+" + code + digits.drop { $0 == "0" })
  }

  private func fact(_ number: String) -> PhoneFact {
    let region = Self.countries.first { number.dropFirst().hasPrefix($0.value) }?.key
    return PhoneFact(e164: number, region: region, isPossible: true, isValid: true)
  }

  /// ASCII names only: a name in another script is no domain here.
  func asciiDomain(_ domain: String) -> String? { domain.utf8.allSatisfy { $0 < 0x80 } ? domain : nil }
}
