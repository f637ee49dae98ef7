/// What strangers may learn.
public struct Privacy: Sendable, Hashable {
  public enum AccountExists: String, Sendable, Hashable, CaseIterable {
    /// Sign-up and change of address say that an address is taken.
    case reveal
    /// They answer alike for taken and free addresses.
    case hide
  }

  public var accountExists: AccountExists

  public init(accountExists: AccountExists = .hide) { self.accountExists = accountExists }
}
