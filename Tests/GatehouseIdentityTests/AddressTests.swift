import Foundation
import GatehouseIdentity
import GatehousePolicy
import Testing

@Suite("Addresses over all of Unicode")
struct AddressTests {
  private static let scalars = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init)
  private let facts = LibraryFacts(lists: [:])

  private func canonical(_ raw: String) -> String? {
    EmailAddress(raw, normalize: .lowercase) { facts.asciiDomain($0) }?.text
  }

  @Test("no two code points in the name of a mailbox are one, but for the two cases of the 26 letters")
  func local() throws {
    var sources: [String: [Unicode.Scalar]] = [:]
    for scalar in Self.scalars {
      guard let canonical = canonical("a\(scalar)b@example.com") else { continue }
      sources[canonical, default: []].append(scalar)
    }
    // Only what RFC 5322 calls atext, the dot included, names a mailbox at all.
    #expect(sources.values.joined().count == 26 * 2 + 10 + 19 + 1)
    for (canonical, scalars) in sources where scalars.count > 1 {
      #expect(scalars.count == 2 && scalars.allSatisfy { $0.properties.isASCIIHexDigit || $0.isASCII }, "\(canonical)")
      #expect(Set(scalars.map { $0.value | 0x20 }).count == 1, "\(canonical)")
    }
    // The look-alikes that case mappings of one locale or another bring together.
    for odd in ["\u{130}", "\u{131}", "\u{17F}", "\u{212A}", "\u{FF41}", "\u{DF}", "i\u{307}"] {
      #expect(canonical("\(odd)lker@example.com") == nil, "\(odd)")
    }
    #expect(canonical("ILKER@EXAMPLE.COM") == "ilker@example.com")
  }

  @Test("whatever code point a domain is written with, its canonical form is its own canonical form, and plain ASCII")
  func domain() throws {
    var accepted = 0
    for scalar in Self.scalars where scalar.value > 0x7F {
      guard let once = canonical("a@x\(scalar)y.com") else { continue }
      accepted += 1
      if !once.utf8.allSatisfy({ $0 < 0x80 }) || canonical(once) != once {
        Issue.record("U+\(String(scalar.value, radix: 16)) \(once)")
      }
    }
    #expect(accepted > 100_000)
  }
}
