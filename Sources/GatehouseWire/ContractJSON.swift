package import Foundation

/// The contract's JSON by Foundation's coders, which phones have. A type declares `expiresIn` and `requestID`; JSON has
/// `expires_in` and `request_id`. Keys of dictionaries stay as they are.
package enum ContractJSON {
  /// The value of `type` in `data`. Members that the type does not know are skipped.
  package static func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .custom { path in Name(declared(path.last?.stringValue ?? "")) }
    return try decoder.decode(type, from: data)
  }

  /// The JSON text of `value`, with its members sorted by name.
  package static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.keyEncodingStrategy = .custom { path in Name(spelled(path.last?.stringValue ?? "")) }
    return try encoder.encode(value)
  }

  /// The one rule for names: `request_id` for `requestID`. A name without capitals stays as it is.
  package static func spelled(_ name: String) -> String {
    var name = name
    let spelled: String? = name.withUTF8 { bytes in
      guard bytes.contains(where: isCapital) else { return nil }
      // SAFETY: each byte becomes two at most.
      return String(unsafeUninitializedCapacity: 2 * bytes.count) { result in
        var count = 0
        var isAfterSmall = false
        for byte in bytes {
          if isCapital(byte), isAfterSmall {
            result[count] = UInt8(ascii: "_")
            count += 1
          }
          isAfterSmall = !isCapital(byte)
          result[count] = isCapital(byte) ? byte | 0x20 : byte
          count += 1
        }
        return count
      }
    }
    return spelled ?? name
  }

  private static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

  /// `requestID` for `request_id`.
  package static func declared(_ name: String) -> String {
    let words = name.split(separator: "_").map(String.init)
    return (words.prefix(1) + words.dropFirst().map { abbreviations.contains($0) ? $0.uppercased() : $0.capitalized })
      .joined()
  }

  /// Words that names write in capitals.
  private static let abbreviations: Set = ["id", "svg", "uri", "url"]

  private struct Name: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }
}
