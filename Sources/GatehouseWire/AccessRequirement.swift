/// One step to full access, as a person reads it.
package struct AccessRequirement: Codable, Hashable, Sendable {
  /// The word in `next`, such as `verify_email` or `link:spotify`.
  package var need: String
  /// The text for the person, `Please connect your Spotify account`.
  package var message: String

  /// A step.
  package init(need: String, message: String) { (self.need, self.message) = (need, message) }
}
