package import Foundation
import GatehousePrimitives

/// A host name that leads to one tenant: `auth.example.com`, with a port where that is not the scheme's own. Lower
/// case, ASCII (another script as IDNA writes it), compared byte for byte.
package struct HostName: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// Nil unless the text is such a name: at least two labels of letters, digits and inner hyphens, at most 253 bytes,
  /// no address; a port without leading zeroes, and none that an origin has without saying so.
  package init?(_ text: String) {
    let parts = text.utf8.split(separator: 0x3A, omittingEmptySubsequences: false)
    guard let name = parts.first, parts.count <= 2, HostName.isName(Array(name)) else { return nil }
    if parts.count == 2 {
      guard (1...5).contains(parts[1].count), parts[1].first != 0x30,
        parts[1].allSatisfy({ (0x30...0x39).contains($0) }),
        let port = UInt16(String(decoding: parts[1], as: UTF8.self)),
        // GUARD: host: no second name by a port that is the default
        !WebOrigin.ports.values.contains(port)
      else { return nil }
    }
    description = text
  }

  /// The name that a text means as a host of `https`, in any spelling.
  package init?(spelled text: String) {
    guard let origin = WebOrigin("https://" + text) else { return nil }
    self.init(origin.authority)
  }

  private static func isName(_ bytes: [UInt8]) -> Bool {
    let labels = bytes.split(separator: 0x2E, omittingEmptySubsequences: false)
    guard bytes.count <= 253, labels.count >= 2, let last = labels.last,
      !last.allSatisfy({ (0x30...0x39).contains($0) })
    else { return false }
    return labels.allSatisfy { label in
      (1...63).contains(label.count) && label.first != 0x2D && label.last != 0x2D
        && label.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }
  }
}

/// A tenant's claim of a host as stored.
package struct TenantHost: Sendable, Equatable {
  package var host: HostName
  /// The answer of `/.well-known/gatehouse-host` there, and the content of the TXT record of a claim that waits.
  package var proof: String
  package var addedAt: Date
  /// Nil while the claim waits for an operator of all tenants, or for the TXT record.
  package var allowedAt: Date?
  /// When the claim goes, unless it is verified by then.
  package var expiresAt: Date
  /// Nil until the host proved that it leads here; it counts for nothing before.
  package var verifiedAt: Date?
  /// Whether the host is another tenant's verified one.
  package var isTaken: Bool

  package init(
    host: HostName, proof: String, addedAt: Date, allowedAt: Date?, expiresAt: Date, verifiedAt: Date? = nil,
    isTaken: Bool = false
  ) {
    self.host = host
    self.proof = proof
    self.addedAt = addedAt
    self.allowedAt = allowedAt
    self.expiresAt = expiresAt
    self.verifiedAt = verifiedAt
    self.isTaken = isTaken
  }

  /// Where a host shows that it leads to this installation.
  package static let proofPath = "/.well-known/gatehouse-host"
  /// How many claims of one host are answered there.
  static let mostProofs = 16
  /// How long a claim may stay without being verified, in seconds.
  static let claimLife: TimeInterval = 7 * 86_400
}

extension HostName {
  /// Where DNS holds the proof of a claim: the name without its port, below a label of its own.
  package var recordName: String { "_gatehouse." + description.prefix { $0 != ":" } }
}
