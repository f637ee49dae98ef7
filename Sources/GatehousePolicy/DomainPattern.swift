/// A domain of an allow or deny list: exact (`ksu.edu`), or every subdomain at any depth but not itself (`*.ksu.edu`).
public struct DomainPattern: Sendable, Hashable, CustomStringConvertible {
  /// Lower case, without the `*.`. May be non-ASCII; it is then compared in its ASCII form (IDNA).
  public let domain: String
  /// Written `*.domain`.
  public let subdomainsOnly: Bool
  let isASCII: Bool

  /// Nil when `text` is no domain: empty labels, over 253 bytes, characters no host name has, a misplaced `*`.
  public init?(_ text: String) {
    subdomainsOnly = text.hasPrefix("*.")
    let name = (subdomainsOnly ? String(text.dropFirst(2)) : text).lowercased()
    isASCII = name.utf8.allSatisfy { $0 < 0x80 }
    guard isASCII ? EmailAddress.isDomain(name, minLabels: 1) : DomainPattern.mayBeInternational(name) else {
      return nil
    }
    domain = name
  }

  /// The pattern as a policy file writes it.
  public var description: String { subdomainsOnly ? "*." + domain : domain }

  private static func mayBeInternational(_ name: String) -> Bool {
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard name.utf8.count <= 253 else { return false }
    return labels.allSatisfy { label in
      !label.isEmpty && label.utf8.allSatisfy { $0 >= 0x80 || EmailAddress.isLabelByte($0) }
    }
  }
}
