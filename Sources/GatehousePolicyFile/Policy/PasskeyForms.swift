import GatehousePolicy

/// The kinds of text of `passkeys`.
enum PasskeyForms {
  /// A domain of two labels or more, as browsers compare it.
  static let relyingParty = TextForm(
    "a domain in lower case such as acme.example, without a port", code: .badDomain, lengths: 3...253,
    pattern: "^[a-z0-9-]+(\\.[a-z0-9-]+)+$", accepts: isDomain)

  /// An origin, byte for byte as browsers send it.
  static let origin = TextForm(
    "an origin as browsers send it, such as https://app.acme.example", code: .badURL, lengths: 11...267,
    pattern: "^https://[a-z0-9-]+(\\.[a-z0-9-]+)+(:[1-9][0-9]{0,4})?$",
    accepts: { text in
      guard let url = WrittenURL(text), url.scheme == "https", url.path.isEmpty, isDomain(url.host) else {
        return false
      }
      return url.canonical.utf8.elementsEqual(text.utf8)
    })

  /// An App ID of an Apple platform.
  static let appID = TextForm(
    "an App ID: a team identifier, a full stop and a bundle identifier", code: .badName, lengths: 12...166,
    pattern: "^[A-Z0-9]{10}\\.[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*$",
    accepts: { text in
      let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return parts.count == 2 && AttestKeys.team.holds(parts[0]) && AttestKeys.bundle.holds(parts[1])
    })

  /// An application id of Android.
  static let package = TextForm(
    "an application id such as com.example.app", code: .badName, lengths: 3...255,
    pattern: "^[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z][A-Za-z0-9_]*)+$",
    accepts: { text in
      let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      return parts.count > 1
        && parts.allSatisfy { part in
          part.first.map(isLetter) == true
            && part.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
        }
    })

  /// 32 bytes in hexadecimal, as Android's tools print them.
  static let fingerprint = TextForm(
    "32 bytes in upper-case hexadecimal with colons between them", lengths: 95...95,
    pattern: "^[0-9A-F]{2}(:[0-9A-F]{2}){31}$",
    accepts: { text in
      text.utf8.enumerated().allSatisfy { index, byte in
        index % 3 == 2 ? byte == UInt8(ascii: ":") : isDigit(byte) || (0x41...0x46).contains(byte)
      }
    })

  /// The model of an authenticator, AAGUID.
  static let model = TextForm(
    "a lower-case UUID such as 08987058-cadc-4b81-b6e1-30de50dcbe96", lengths: 36...36,
    pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
    accepts: { text in
      text.utf8.enumerated().allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : isDigit(byte) || (0x61...0x66).contains(byte)
      }
    })

  /// A certificate as PEM (RFC 7468). The frame and the base64 are judged, and the first bytes, which are those of a
  /// sequence; the certificate itself is read by the server alone.
  static let certificate = TextForm(
    "one certificate as PEM: -----BEGIN CERTIFICATE-----, lines of base64, -----END CERTIFICATE-----",
    lengths: 60...8192, pattern: "^-----BEGIN CERTIFICATE-----\\n[A-Za-z0-9+/=\\n]+\\n-----END CERTIFICATE-----\\n*$",
    accepts: { body(of: $0).map(isCertificate) ?? false })

  /// The certificate without lines behind its end.
  static func oneSpelling(_ pem: String) -> String { lines(of: pem).joined(separator: "\n") }

  /// The end of the certificate, which is one of its signature.
  static func shortened(_ pem: String) -> String {
    "…" + String(decoding: (body(of: pem) ?? []).filter { $0 != UInt8(ascii: "=") }.suffix(12), as: UTF8.self)
  }

  private static func lines(of text: String) -> [String] {
    let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    let end = lines.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0
    return lines[..<end].map { String(decoding: $0, as: UTF8.self) }
  }

  /// The base64 between the two marks; nil where one is missing.
  private static func body(of pem: String) -> [UInt8]? {
    let lines = lines(of: pem)
    guard lines.count > 2, lines.first == "-----BEGIN CERTIFICATE-----", lines.last == "-----END CERTIFICATE-----"
    else { return nil }
    let body = lines[1..<(lines.count - 1)]
    return body.contains("") ? nil : body.flatMap { Array($0.utf8) }
  }

  private static func isCertificate(_ base64: [UInt8]) -> Bool {
    let padding = base64.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    return base64.count % 4 == 0 && padding < 3 && base64.starts(with: "MI".utf8)
      && base64.dropLast(padding).allSatisfy { isLetter($0) || isDigit($0) || "+/".utf8.contains($0) }
  }

  /// Two labels or more, and no address of IPv4.
  private static func isDomain(_ text: String) -> Bool {
    let isPlain = text.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
    guard isPlain, DomainPattern(text) != nil else { return false }
    let labels = text.utf8.split(separator: UInt8(ascii: "."))
    return labels.count > 1 && labels.last?.allSatisfy(isDigit) == false
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
