/// The facts that strangers may learn.
public struct Privacy: Sendable, Hashable {
  /// Whether answers tell a taken address from a free one.
  public enum AccountExists: String, Sendable, Hashable, CaseIterable {
    /// Sign-up and change of address say that an address is taken.
    case reveal
    /// They answer alike for taken and free addresses.
    case hide
  }

  /// Whether answers tell a taken address from a free one.
  public var accountExists: AccountExists

  /// Hidden where the file is silent.
  public init(accountExists: AccountExists = .hide) { self.accountExists = accountExists }
}
