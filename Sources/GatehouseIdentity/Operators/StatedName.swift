/// A name that an operator gives as their own, which nothing proves: one person of several with one login or token.
package struct StatedName: Sendable, Equatable {
  /// The most bytes of a name.
  package static let most = 64
  /// The field of a request to the admin API that holds it, percent-encoded.
  package static let header = "Gatehouse-As"
  package let text: String

  /// Nil unless the text is a name: one line of at most 64 bytes, not empty, without space around it. Characters that
  /// are not shown or that reorder others are refused, and so are those that divide an actor's parts.
  package init?(_ text: String) {
    guard (1...Self.most).contains(text.utf8.count), !text.hasPrefix(" "), !text.hasSuffix(" "),
      text.unicodeScalars.allSatisfy(Self.isPlain)  // GUARD: stated name: nothing that hides, reorders or ends a part
    else { return nil }
    self.text = text
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    case .spaceSeparator: scalar == " "
    default: !"(),;:".unicodeScalars.contains(scalar)
    }
  }

  /// The words of a refusal for a text that is no name.
  package static let expects =
    "a name of at most \(most) bytes in one line, without brackets, commas, colons and semicolons"
}
