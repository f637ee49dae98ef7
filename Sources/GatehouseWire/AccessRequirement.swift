/// One step to full access, as a person reads it.
public struct AccessRequirement: Codable, Hashable, Sendable {
  /// The word in `next`, such as `verify_email` or `link:spotify`.
  public var need: String
  /// What it asks for, `Please connect your Spotify account`.
  public var message: String

  /// A step.
  public init(need: String, message: String) {
    self.need = need
    self.message = message
  }
}
