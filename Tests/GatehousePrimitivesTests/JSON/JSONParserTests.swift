import Foundation
import GatehouseTesting
import Testing

@testable import GatehousePrimitives

/// A file of the corpus.
struct CorpusFile: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]
  var testDescription: String { name }

  static func all(_ folder: String) -> [CorpusFile] {
    guard let base = Bundle.module.url(forResource: "Corpus/JSON/\(folder)", withExtension: nil),
      let names = try? FileManager.default.contentsOfDirectory(atPath: base.path)
    else { return [] }
    return names.sorted().compactMap { name in
      (try? Data(contentsOf: base.appendingPathComponent(name))).map { CorpusFile(name: name, bytes: Array($0)) }
    }
  }
}

@Suite struct JSONParserTests {
  @Test("the corpus is there")
  func corpus() {
    #expect(CorpusFile.all("accept").count >= 21)
    #expect(CorpusFile.all("refuse").count >= 82)
  }

  @Test("T118 every document of the refuse folder is refused", arguments: CorpusFile.all("refuse"))
  func refused(file: CorpusFile) {
    #expect(throws: JSONProblem.self) { try JSONParser.parse(file.bytes) }
  }

  @Test(
    "every document of the accept folder is read, written and read again alike", arguments: CorpusFile.all("accept"))
  func accepted(file: CorpusFile) throws {
    let value = try JSONParser.parse(file.bytes)
    #expect(try JSONParser.parse(value.bytes) == value)
  }

  @Test("every beginning of a document is refused without a trap", arguments: CorpusFile.all("accept"))
  func cut(file: CorpusFile) {
    for count in file.bytes.indices { _ = try? JSONParser.parse(Array(file.bytes[..<count])) }
    #expect(throws: JSONProblem.self) { try JSONParser.parse(Array(#"{"a":[1,"b"]"#.utf8)) }
  }

  @Test(
    "numbers are integers when they fit and keep their text when not",
    arguments: [
      ("0", JSONValue.integer(0)), ("-1", .integer(-1)), ("9223372036854775807", .integer(.max)),
      ("-9223372036854775808", .integer(.min)), ("9223372036854775808", .number("9223372036854775808")),
      ("1.0", .number("1.0")), ("1e400", .number("1e400")), ("1E5", .number("1E5")),
    ])
  func numbers(text: String, value: JSONValue) throws {
    #expect(try JSONParser.parse(text.bytes) == value)
  }

  @Test(
    "a problem points at its value",
    arguments: [
      (#"{"a":[1,{"b/c~d":tru}]}"#, "/a/1/b~1c~0d"), (#"{"a":1,"a":2}"#, "/a"), ("[1,2,x]", "/2"), ("1 1", ""),
    ])
  func pointers(text: String, pointer: String) {
    let error = #expect(throws: JSONProblem.self) { try JSONParser.parse(text.bytes) }
    #expect(error?.pointer == pointer)
  }

  @Test("T118 a document over the size limit is refused, one of that size is read")
  func size() {
    let text = "\"" + String(repeating: "a", count: 64 * 1024 - 2) + "\""
    #expect(throws: Never.self) { try JSONParser.parse(text.bytes) }
    #expect(throws: JSONProblem.self) { try JSONParser.parse(text.bytes + [0x20]) }
  }

  @Test("names are found by their bytes: canonically equal is not the same")
  func names() throws {
    let value = try JSONParser.parse("{\"\u{212A}ey\":1}".bytes)  // KELVIN SIGN, canonically a K
    #expect(value["Key"] == nil && value["\u{212A}ey"] == .integer(1))
  }

  @Test("any value survives writing and reading")
  func roundTrip() throws {
    var generator = SeededGenerator()
    for _ in 0..<500 {
      let value = JSONParserTests.anyValue(depth: 0, &generator)
      #expect(try JSONParser.parse(value.bytes) == value)
    }
  }

  @Test("random bytes and damaged documents trap nothing, and what is read is read again alike")
  func damage() throws {
    var generator = SeededGenerator()
    for _ in 0..<2000 {
      var bytes = JSONParserTests.anyValue(depth: 0, &generator).bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      if let value = try? JSONParser.parse(bytes) { #expect(try JSONParser.parse(value.bytes) == value) }
    }
  }

  static func anyValue(depth: Int, _ generator: inout SeededGenerator) -> JSONValue {
    func text() -> String {
      let scalars = (0..<Int.random(in: 0...12, using: &generator)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 1...(Bool.random(using: &generator) ? 0x7F : 0x10FFFF), using: &generator))
      }
      return String(String.UnicodeScalarView(scalars))
    }
    switch Int.random(in: 0...(depth < 5 ? 7 : 5), using: &generator) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &generator))
    case 2: return .integer(Int64.random(in: .min ... .max, using: &generator))
    case 3:
      return .number("\(Int.random(in: 0...9, using: &generator)).5e\(Int.random(in: -999...999, using: &generator))")
    case 4, 5: return .string(text())
    case 6:
      return .array((0..<Int.random(in: 0...5, using: &generator)).map { _ in anyValue(depth: depth + 1, &generator) })
    default:
      var object = JSONObject()
      for index in 0..<Int.random(in: 0...20, using: &generator) {
        object["\(index)" + text()] = anyValue(depth: depth + 1, &generator)
      }
      return .object(object)
    }
  }
}
