/// The life of accounts.
public struct AccountsPolicy: Sendable, Hashable {
  /// Seconds within which a deletion can be undone; 0: a deleted account is erased at once.
  public var undoDeletion: Int64

  /// The defaults are those of a file that is silent.
  public init(undoDeletion: Int64 = 0) { self.undoDeletion = undoDeletion }
}
