public import Foundation

/// The facts of another source, and the place of a new password among the account's last ones.
public struct PasswordHistoryFacts: FactSource {
  private let base: any FactSource
  private let position: @Sendable (String) -> Int?

  /// - Parameter place: That of the password that is judged: 0 for the account's present one, 1 for the one before; nil
  ///   for none.
  public init(_ base: any FactSource, position: Int?) {
    self.base = base
    self.position = { _ in position }
  }

  /// - Parameter passwords: The account's last ones, the present one first.
  public init(_ base: any FactSource, passwords: [String]) {
    self.base = base
    let known = passwords.map { TypedText.password($0) }
    position = { password in known.firstIndex { Text.same($0, password) } }
  }

  /// Whether the password is one of the last so many that are known.
  public func isReused(_ password: String, last: Int) -> Bool? { position(password).map { $0 < last } ?? false }
  /// The answer of the other source.
  public func isListed(_ password: String, list: String) -> Bool? { base.isListed(password, list: list) }
  /// The answer of the other source.
  public func strength(of password: String, inputs: [String]) -> Int? { base.strength(of: password, inputs: inputs) }
  /// The answer of the other source.
  public func isDisposable(_ domain: String) -> Bool? { base.isDisposable(domain) }
  /// The answer of the other source.
  public func phone(_ raw: String, region: String) -> PhoneFact? { base.phone(raw, region: region) }
  /// The answer of the other source.
  public func asciiDomain(_ domain: String) -> String? { base.asciiDomain(domain) }
}

extension Policy {
  /// The number of a person's last passwords, the present one included, that the rules ask for; 0 where none asks. A
  /// rule that only warns counts, so that the passwords are known when it binds.
  public func passwordsRemembered(at instant: Date) -> Int {
    largest { $0.enforcement.mode(at: instant) != .off }
  }

  /// The number of them that a new password at a door must differ from.
  public func passwordsCompared(at door: Door, at instant: Date) -> Int {
    largest { $0.enforcement.mode(at: instant) == .enforce && $0.doors.contains(door) }
  }

  /// Whether a rule asks for a person's last passwords, now or from a date on.
  public var remembersPasswords: Bool { largest { $0.enforcement.mode != .off } > 0 }

  private func largest(_ isAsked: (Rule) -> Bool) -> Int {
    password.rules.reduce(0) { most, rule in
      guard let count = rule.remembered, isAsked(rule) else { return most }
      return max(most, Int(count))
    }
  }
}
