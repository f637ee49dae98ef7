/// The sender of an app's mails.
public struct MailPolicy: Sendable, Hashable {
  /// The sender in `From:`.
  public struct Sender: Sendable, Hashable {
    /// The name that is shown; nil: the app's.
    public var name: String?
    /// In ASCII, where the operator allows it; nil: the server's own.
    public var address: String?

    /// Creates a sender; a part that is left out is the app's or the server's.
    public init(name: String? = nil, address: String? = nil) {
      self.name = name
      self.address = address
    }
  }

  /// The sender of mails.
  public var from: Sender

  /// The default is that of a file that is silent.
  public init(from: Sender = Sender()) { self.from = from }
}
