/// How an app's mails present themselves.
public struct MailPolicy: Sendable, Hashable {
  /// What stands in `From:`.
  public struct Sender: Sendable, Hashable {
    /// The name that is shown; nil: the app's.
    public var name: String?
    /// In ASCII, where the operator allows it; nil: the server's own.
    public var address: String?

    /// What is left out is the app's or the server's.
    public init(name: String? = nil, address: String? = nil) {
      self.name = name
      self.address = address
    }
  }

  /// Who mails come from.
  public var from: Sender

  /// The default is that of a file that is silent.
  public init(from: Sender = Sender()) { self.from = from }
}
