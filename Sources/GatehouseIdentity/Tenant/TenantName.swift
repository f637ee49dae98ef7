package import Foundation

/// A tenant's number: a UUID that never changes and never leaves the database's walls.
package struct TenantID: UUIDIdentifier {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// A tenant's name in paths, files and commands: `dd-ride`. Lower-case ASCII letters, digits and inner hyphens, 1 to 63
/// bytes (a DNS label, RFC 1035 section 2.3.1), so that it can become a host name.
package struct TenantName: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// Nil unless the text is such a name.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard (1...63).contains(bytes.count), bytes.first != 0x2D, bytes.last != 0x2D else { return nil }
    let allowed = bytes.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    guard allowed else { return nil }
    description = text
  }
}
