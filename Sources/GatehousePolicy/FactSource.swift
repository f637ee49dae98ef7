/// Facts that need a library or a list. Each is asked only when a rule of this policy at this door asks, at most once
/// per rule. Nil means "can not be known here": a reached rule that depends on it denies.
public protocol FactSource: Sendable {
  /// Whether `password` (cleaned) is on the list of this name, `common` or `breached`.
  func isListed(_ password: String, list: String) -> Bool?
  /// Estimated strength, 0 to 4, with `inputs` (address, names) counted as known to an attacker.
  func strength(of password: String, inputs: [String]) -> Int?
  /// Whether `password` is one of the account's last so many.
  func isReused(_ password: String, last: Int) -> Bool?
  /// Whether `domain` (ASCII, lower case) belongs to a throw-away mail service.
  func isDisposable(_ domain: String) -> Bool?
  /// The facts about `raw`, cleaned, as a telephone number; national numbers are read as of `region`.
  func phone(_ raw: String, region: String) -> PhoneFact?
  /// The ASCII form (IDNA 2008) of a domain; nil also when it is no domain.
  func asciiDomain(_ domain: String) -> String?
}

extension FactSource {
  /// Not known.
  public func isReused(_ password: String, last: Int) -> Bool? { nil }
  /// Not known.
  public func isDisposable(_ domain: String) -> Bool? { nil }
}

/// The facts of a library about a telephone number.
public struct PhoneFact: Sendable, Hashable {
  /// `+17855550123`; nil when the text is no number.
  public var e164: String?
  /// ISO 3166 region it belongs to, when it is one region's.
  public var region: String?
  /// Whether its length is possible in its region.
  public var isPossible: Bool
  /// Whether the number lies in an assigned range.
  public var isValid: Bool
  /// Whether the text has an extension behind the number. E.164 has none, so `e164` leaves it out.
  public var hasExtension: Bool

  /// `nil` for `e164` says: no number.
  public init(
    e164: String?, region: String? = nil, isPossible: Bool = false, isValid: Bool = false, hasExtension: Bool = false
  ) {
    self.e164 = e164
    self.region = region
    self.isPossible = isPossible
    self.isValid = isValid
    self.hasExtension = hasExtension
  }
}

/// Knows nothing: rules that need a library are undecidable, and show as `checkedOnSubmit` in a form.
public struct NoFacts: FactSource {
  /// There is nothing to set.
  public init() {}
  /// Not known.
  public func isListed(_ password: String, list: String) -> Bool? { nil }
  /// Not known.
  public func strength(of password: String, inputs: [String]) -> Int? { nil }
  /// Not known.
  public func phone(_ raw: String, region: String) -> PhoneFact? { nil }
  /// Not known.
  public func asciiDomain(_ domain: String) -> String? { nil }
}
