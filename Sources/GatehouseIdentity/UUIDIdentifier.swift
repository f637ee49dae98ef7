package import Foundation
import GatehousePrimitives

/// The number of one kind of row. Numbers of two kinds are two types, so that none stands in the place of another.
package protocol UUIDIdentifier: Hashable, Sendable, Codable {
  var uuid: UUID { get }
  init(_ uuid: UUID)
}

extension UUIDIdentifier {
  /// The lower-case text form that tokens and answers carry.
  package var text: String { uuid.text }

  /// Reads the text form; nil for anything else.
  package init?(text: String) {
    guard let uuid = UUID(text: text) else { return nil }
    self.init(uuid)
  }
}
