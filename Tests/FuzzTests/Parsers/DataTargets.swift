@testable import GatehousePrimitives

extension FuzzTarget {
  /// JSON: what was read is read the same when it is written out, within six times its size, and no type can be decoded
  /// from it in a way that traps.
  static let json = FuzzTarget(name: "json") { bytes in
    guard let value = try? JSONParser.parse(bytes) else { return nil }
    var writer = JSONWriter(capacity: bytes.count)
    writer.value(value)
    if writer.bytes.count > bytes.count * 6 + 16 { return "written six times as large" }
    guard let again = try? JSONParser.parse(writer.bytes, limits: .init(size: .max)) else {
      return "cannot be read when it is written out"
    }
    if again != value { return "another value when it is written out" }
    _ = try? StrictDecoder.decode(Everything.self, from: value)
    _ = try? StrictDecoder.decode([String: [Int]].self, from: value)
    return nil
  }

  /// Forms and query strings: the same fields when they are encoded anew, no name twice.
  static let form = FuzzTarget(name: "form") { bytes in
    if let nested = try? FormParser.parse(bytes, nesting: true), nested.object == nil { return "not an object" }
    if let read = try? QueryReader.read(bytes, ["token", "state"]), read.members.count > 2 { return "unasked names" }
    guard let form = try? FormParser.parse(bytes), let members = form.object?.members else { return nil }
    if members.count > FormParser.Limits().fields { return "more fields than the limit" }
    var anew: [UInt8] = []
    for member in members {
      guard case .string(let value) = member.value else { return "a field that is no text" }
      if !anew.isEmpty { anew.append(UInt8(ascii: "&")) }
      anew += encoded(member.key) + [UInt8(ascii: "=")] + encoded(value)
    }
    let again = try? FormParser.parse(anew, limits: .init(size: .max))
    return again == form ? nil : "other fields when they are encoded anew"
  }

  private static func encoded(_ text: String) -> [UInt8] {
    text.utf8.flatMap { byte in
      let hex = String(byte, radix: 16)
      return Array("%\(hex.utf8.count == 1 ? "0" : "")\(hex)".utf8)
    }
  }

  private struct Everything: Decodable {
    struct Inner: Decodable {
      let text: String?
      let number: Double?
    }
    let id: Int?
    let small: Int8?
    let large: UInt64?
    let name: String?
    let isOn: Bool?
    let list: [Inner]?
    let more: [String: Inner]?
  }
}
