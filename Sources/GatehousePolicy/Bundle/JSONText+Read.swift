import Foundation

extension JSONText: Decodable {
  /// Reads JSON; nil where the bytes are none. Members of an object come in the order of their names' bytes.
  package init?(_ bytes: some Sequence<UInt8>) {
    guard let value = try? JSONDecoder().decode(JSONText.self, from: Data(bytes)) else { return nil }
    self = value
  }

  /// Throws for a number with a fraction, and for one beyond 64 bits.
  package init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: Name.self) {
      let members = try container.allKeys.map { ($0.stringValue, try container.decode(JSONText.self, forKey: $0)) }
      self = .object(members.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) })
      return
    }
    if var container = try? decoder.unkeyedContainer() {
      var members: [JSONText] = []
      while !container.isAtEnd { members.append(try container.decode(JSONText.self)) }
      self = .array(members)
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .boolean(flag)
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else {
      self = .integer(try container.decode(Int64.self))
    }
  }

  private struct Name: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
