/// A list of domains: an answer to "is this one on it, or below one that is?". `config/lists` has one.
///
/// The file is UTF-8 text with one domain a line. A line that begins with `#`, and an empty one, says nothing. Case,
/// and letters beyond ASCII (IDNA 2008), are normalised.
package struct DomainList: Sendable {
  /// Names in the form of `DomainName.ascii`.
  private let names: Set<String>

  /// Reads the contents of a list file; every line is checked.
  package init(_ bytes: [UInt8]) throws(DomainListError) {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
    var names: Set<String> = []
    for (index, line) in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      let word = DomainList.trimmed(line)
      if word.isEmpty || word.first == UInt8(ascii: "#") { continue }
      // One label alone is a whole top-level domain: no such line is meant.
      guard let name = DomainName.ascii(String(Substring(word))), name.utf8.contains(UInt8(ascii: ".")) else {
        throw .notADomain(line: index + 1)
      }
      names.insert(name)
    }
    guard !names.isEmpty else { throw .empty }
    self.names = names
  }

  /// Without spaces, tabs and a carriage return at both ends.
  private static func trimmed(_ line: Substring.UTF8View) -> Substring.UTF8View {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
    guard let first = line.firstIndex(where: { !isBlank($0) }), let last = line.lastIndex(where: { !isBlank($0) })
    else {
      return line[line.endIndex...]
    }
    return line[first...last]
  }

  /// How many domains are on it.
  package var count: Int { names.count }

  /// Whether the domain (ASCII, lower case) is on the list, or a subdomain of one that is.
  package func contains(_ domain: String) -> Bool {
    guard domain.utf8.count <= 253 else { return false }
    var rest = Substring(domain)
    while !names.contains(String(rest)) {
      // GUARD: list: subdomains of a disposable domain
      guard let dot = rest.firstIndex(of: ".") else { return false }
      rest = rest[rest.index(after: dot)...]
    }
    return true
  }
}

/// Why a file is not a list of domains.
package enum DomainListError: Error, Equatable, Sendable, CustomStringConvertible {
  /// It is not UTF-8.
  case notText
  /// This line, counted from 1, is not a domain of two labels or more.
  case notADomain(line: Int)
  /// No line has a domain.
  case empty

  package var description: String {
    switch self {
    case .notText: "it is not UTF-8 text"
    case .notADomain(let line): "line \(line) is not one domain such as example.com"
    case .empty: "it has no domain"
    }
  }
}
