/// A step that the person may take and that nothing waits for. The set is open: a later server may know more.
public struct AuthOffer: RawRepresentable, Sendable, Hashable {
  /// The server's word.
  public var rawValue: String
  /// An offer.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A passkey may be added: `AuthClient.upgradeToPasskey()`.
  public static let addPasskey = AuthOffer(rawValue: "add_passkey")

  private static let known: Set<AuthOffer> = [.addPasskey]

  /// The offers of these words. A word that this version does not know is none.
  static func list(_ words: [String]?) -> [AuthOffer] { (words ?? []).map(AuthOffer.init).filter(known.contains) }
}

extension AuthClient {
  /// The steps that the policy offers the person, as of the server's last answer; none while the session is locked.
  public var offers: [AuthOffer] { keeper.board.offers }
}
