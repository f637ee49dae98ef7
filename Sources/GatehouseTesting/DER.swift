import Foundation

/// Writes DER (X.690), as far as test certificates need it.
enum DER {
  static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    switch content.count {
    case ..<128: [tag, UInt8(content.count)] + content
    case ..<256: [tag, 0x81, UInt8(content.count)] + content
    default: [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 255)] + content
    }
  }

  static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(0x30, parts.flatMap { $0 }) }

  static func octets(_ bytes: [UInt8]) -> [UInt8] { value(0x04, bytes) }

  static func bits(_ bytes: [UInt8]) -> [UInt8] { value(0x03, [0] + bytes) }

  /// A number that is not negative, most significant byte first.
  static func integer(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array(bytes.drop { $0 == 0 })
    return value(0x02, (digits.first.map { $0 >= 0x80 } ?? true ? [0] : []) + digits)
  }

  static func identifier(_ text: String) -> [UInt8] {
    let numbers = text.split(separator: ".").compactMap { Int($0) }
    let arcs = [numbers[0] * 40 + numbers[1]] + numbers.dropFirst(2)
    return value(0x06, arcs.flatMap(base128))
  }

  private static func base128(_ number: Int) -> [UInt8] {
    var bytes = [UInt8(number & 127)]
    var rest = number >> 7
    while rest > 0 {
      bytes.insert(UInt8(rest & 127) | 0x80, at: 0)
      rest >>= 7
    }
    return bytes
  }

  static func time(_ date: Date) -> [UInt8] {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
    let digits = [parts.month, parts.day, parts.hour, parts.minute, parts.second].map { part in
      let number = String(part ?? 0)
      return number.utf8.count < 2 ? "0" + number : number
    }
    return value(0x18, Array("\(parts.year ?? 0)\(digits.joined())Z".utf8))
  }
}

/// Writes CBOR (RFC 8949) in its shortest form.
package enum CBORText {
  /// The head of a value: its kind (0 unsigned … 5 map) and its number or length.
  package static func head(_ kind: UInt8, _ number: Int) -> [UInt8] {
    let major = kind << 5
    return switch number {
    case ..<24: [major | UInt8(number)]
    case ..<256: [major | 24, UInt8(number)]
    default: [major | 25, UInt8(number >> 8), UInt8(number & 255)]
    }
  }

  package static func bytes(_ bytes: [UInt8]) -> [UInt8] { head(2, bytes.count) + bytes }

  package static func text(_ text: String) -> [UInt8] { head(3, text.utf8.count) + Array(text.utf8) }

  /// A number of any sign that fits into 17 bits.
  package static func integer(_ number: Int) -> [UInt8] { number < 0 ? head(1, -1 - number) : head(0, number) }

  package static func boolean(_ value: Bool) -> [UInt8] { [value ? 0xF5 : 0xF4] }

  /// A map with numbers for keys, as COSE has them.
  package static func numbered(_ members: [(Int, [UInt8])]) -> [UInt8] {
    head(5, members.count) + members.flatMap { integer($0.0) + $0.1 }
  }

  package static func array(_ items: [[UInt8]]) -> [UInt8] { head(4, items.count) + items.flatMap { $0 } }

  package static func map(_ members: [(String, [UInt8])]) -> [UInt8] {
    head(5, members.count) + members.flatMap { text($0.0) + $0.1 }
  }
}
