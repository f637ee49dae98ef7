import Foundation

/// Base64url without padding (RFC 4648 section 5), which is the only form of bytes in WebAuthn's JSON.
package enum Base64Text {
  package static func text(of bytes: [UInt8]) -> String {
    String(
      Data(bytes).base64EncodedString().compactMap { character in
        switch character {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: character
        }
      })
  }

  /// The bytes of a text; nil for padding, the other alphabet, blanks, and last bits that are not zero.
  package static func bytes(_ text: String) -> [UInt8]? {
    guard text.utf8.allSatisfy(isOfAlphabet) else { return nil }
    let standard = text.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    guard let data = Data(base64Encoded: standard + padding) else { return nil }
    let bytes = Array(data)
    return Base64Text.text(of: bytes) == text ? bytes : nil
  }

  private static func isOfAlphabet(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }
}
