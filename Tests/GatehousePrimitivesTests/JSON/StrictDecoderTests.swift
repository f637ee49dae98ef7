import Foundation
import Testing

@testable import GatehousePrimitives

private struct SignUp: Codable, Equatable {
  struct Device: Codable, Equatable { var name: String }
  var email: String
  var password: String
  var age: Int?
  var device: Device?
  var tags: [String]?
}

private struct Empty: Codable {}

/// Reads its parts through nested containers.
private struct Flat: Decodable {
  let x: Int
  enum Outer: String, CodingKey { case point }
  enum Inner: String, CodingKey { case x }
  init(from decoder: any Decoder) throws {
    let outer = try decoder.container(keyedBy: Outer.self)
    x = try outer.nestedContainer(keyedBy: Inner.self, forKey: .point).decode(Int.self, forKey: .x)
  }
}

/// One of several, tried in turn.
private enum Scalar: Decodable, Equatable {
  case bool(Bool), integer(Int64), text(String), device(SignUp.Device)
  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? value.decode(Int64.self) {
      self = .integer(integer)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else {
      self = .device(try value.decode(SignUp.Device.self))
    }
  }
}

private enum Colour: String, Decodable { case red, green }

@Suite struct StrictDecoderTests {
  private func problems<T: Decodable>(_ type: T.Type, _ json: String) -> [String] {
    do {
      _ = try StrictDecoder.decode(type, from: json.bytes)
      return []
    } catch { return error.problems.map { $0.pointer + ": " + $0.reason } }
  }

  @Test("a document that fits is read")
  func fits() throws {
    let json = #"{"email":"a@b.c","password":"p","device":{"name":"n"},"tags":["x","y"],"age":null}"#
    let value = try StrictDecoder.decode(SignUp.self, from: json.bytes)
    #expect(value == SignUp(email: "a@b.c", password: "p", device: .init(name: "n"), tags: ["x", "y"]))
  }

  @Test("T118 every unknown name is reported, at every depth, with what may have been meant")
  func unknown() {
    let found = problems(
      SignUp.self, #"{"email":"a","password":"p","agee":1,"device":{"name":"n","x/y":1},"zzz":null}"#)
    #expect(found == ["/device/x~1y: unknown key", "/agee: unknown key; did you mean \"age\"?", "/zzz: unknown key"])
  }

  @Test(
    "T043 names that only the server sets are unknown",
    arguments: ["email_verified", "phone_verified", "aal", "tenant", "roles", "disabled"])
  func massAssignment(name: String) {
    #expect(problems(SignUp.self, #"{"email":"a","password":"p","\#(name)":true}"#) == ["/\(name): unknown key"])
  }

  @Test(
    "missing names and wrong types are problems with their pointers",
    arguments: [
      (#"{"password":"p"}"#, "/email: missing"),
      (#"{"emial":"a","password":"p"}"#, "/email: missing; is \"emial\" meant for it?"),
      (#"{"email":1,"password":"p"}"#, "/email: must be a string, not a number"),
      (#"{"email":null,"password":"p"}"#, "/email: must be a string, not null"),
      (#"{"email":["a"],"password":"p"}"#, "/email: must be a string, not an array"),
      (#"{"email":"a","password":"p","age":"1"}"#, "/age: must be a whole number, not a string"),
      (#"{"email":"a","password":"p","age":1.0}"#, "/age: must be a whole number in range"),
      (#"{"email":"a","password":"p","age":9223372036854775808}"#, "/age: must be a whole number in range"),
      (#"{"email":"a","password":"p","device":[]}"#, "/device: must be an object, not an array"),
      (#"{"email":"a","password":"p","tags":["x",1]}"#, "/tags/1: must be a string, not a number"),
      (#"{"email":"a","password":"p","tags":{}}"#, "/tags: must be an array, not an object"),
      ("[]", ": must be an object, not an array"), ("null", ": must be an object, not null"),
    ])
  func wrong(json: String, problem: String) {
    #expect(problems(SignUp.self, json) == [problem])
  }

  @Test("a type without members takes an empty object and nothing else")
  func empty() {
    #expect(problems(Empty.self, "{}") == [])
    #expect(problems(Empty.self, #"{"a":1}"#) == ["/a: unknown key"])
    #expect(problems(Empty.self, "[]") == [])
    for other in ["1", "null", #""a""#, "[1]"] { #expect(problems(Empty.self, other).count == 1) }
  }

  @Test("names inside nested containers are checked too")
  func nested() {
    #expect(problems(Flat.self, #"{"point":{"x":1}}"#) == [])
    #expect(problems(Flat.self, #"{"point":{"x":1,"z":2}}"#) == ["/point/z: unknown key"])
  }

  @Test("a type that tries one form after the other leaves no false findings, and hides no true ones")
  func attempts() throws {
    #expect(
      try StrictDecoder.decode([Scalar].self, from: #"[true,1,"a",{"name":"n"}]"#.bytes)
        == [.bool(true), .integer(1), .text("a"), .device(.init(name: "n"))])
    #expect(problems([Scalar].self, #"[{"name":"n","x":1}]"#) == ["/0/x: unknown key"])
  }

  @Test("dictionaries, enumerations, UUIDs and raw values are read; refused values are not repeated")
  func others() throws {
    #expect(try StrictDecoder.decode([String: Int].self, from: #"{"b":1,"a":2}"#.bytes) == ["a": 2, "b": 1])
    #expect(problems([Colour].self, #"["red","blue-secret"]"#) == ["/1: not an allowed value"])
    #expect(problems(UUID.self, #""x""#) == [": not an allowed value"])
    let raw = try StrictDecoder.decode([String: JSONValue].self, from: #"{"a":[1,{"b":null}]}"#.bytes)
    #expect(raw["a"] == .array([.integer(1), .object(["b": .null])]))
  }

  @Test(
    "whole numbers keep to their type",
    arguments: [("255", true), ("256", false), ("-1", false), ("1e2", false), ("1.0", false)])
  func range(text: String, fits: Bool) {
    #expect(problems(UInt8.self, text).isEmpty == fits)
  }

  @Test("the largest UInt64 is read, infinity is not")
  func extremes() throws {
    #expect(try StrictDecoder.decode(UInt64.self, from: "18446744073709551615".bytes) == .max)
    #expect(problems(UInt64.self, "18446744073709551616").count == 1)
    #expect(problems(Double.self, "1e400").count == 1)
    #expect(try StrictDecoder.decode(Double.self, from: "1.5e3".bytes) == 1500)
  }
}

@Suite struct JSONEncodingTests {
  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoding.encode(value), as: UTF8.self)
  }

  @Test("members stand in the order of their declaration, nil is left out")
  func order() throws {
    let value = SignUp(email: "a", password: "p", age: nil, device: .init(name: "n"), tags: [])
    #expect(try text(value) == #"{"email":"a","password":"p","device":{"name":"n"},"tags":[]}"#)
  }

  @Test("dictionaries are sorted by bytes, also inside others")
  func dictionaries() throws {
    let many = Dictionary(uniqueKeysWithValues: (0..<50).map { ("k\($0)", $0) })
    let sorted = many.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    #expect(try JSONEncoding.value(many).object?.members.map(\.key) == sorted)
    #expect(try text([["z": 1, "a": 2]]) == #"[{"a":2,"z":1}]"#)
    #expect(try text([2: "b", 10: "a"]) == #"{"10":"a","2":"b"}"#)
  }

  @Test("strings are escaped as RFC 8259 demands and no further")
  func escapes() throws {
    #expect(
      try text("\"\\/\u{0}\u{1F}\n\r\t\u{7F}é😀\u{2028}") == "\"\\\"\\\\/\\u0000\\u001f\\n\\r\\t\u{7F}é😀\u{2028}\"")
  }

  @Test("numbers are written so that they are read again alike; infinity is an error")
  func numbers() throws {
    #expect(try text([0.5, 1.0, -2.25]) == "[0.5,1,-2.25]")
    #expect(try text(UInt64.max) == "18446744073709551615")
    #expect(try text(Int64.min) == "-9223372036854775808")
    #expect(throws: EncodingError.self) { try JSONEncoding.encode(Double.infinity) }
  }

  @Test("an empty type is an empty object, a raw value is written as it is")
  func others() throws {
    #expect(try text(Empty()) == "{}")
    #expect(try text(["a": JSONValue.array([.null, .number("1e400")])]) == #"{"a":[null,1e400]}"#)
    #expect(try text(Optional<Int>.none) == "null")
  }

  /// Nests by hand, as types may, and then writes on.
  private struct Nesting: Encodable {
    enum Key: String, CodingKey { case first, second, third, fourth, x }
    var late: Late?
    enum Late { case member, nested }

    func encode(to encoder: any Encoder) throws {
      var whole = encoder.container(keyedBy: Key.self)
      var first = whole.nestedContainer(keyedBy: Key.self, forKey: .first)
      try first.encode(1, forKey: .x)
      var second = whole.nestedUnkeyedContainer(forKey: .second)
      var inner = second.nestedContainer(keyedBy: Key.self)
      try inner.encodeNil(forKey: .x)
      _ = second.nestedUnkeyedContainer()
      try "s".encode(to: second.superEncoder())
      try second.encode(second.count)
      try [true].encode(to: whole.superEncoder(forKey: .third))
      try whole.encode(0.5, forKey: .fourth)
      switch late {
      case .member: try first.encode(2, forKey: .second)
      case .nested: try "s".encode(to: first.superEncoder(forKey: .second))
      case nil: break
      }
      // The same object, not one inside.
      try ["k": "v"].encode(to: whole.superEncoder())
    }
  }

  @Test("what a type nests by hand stands in its place; written to late, it is an error and no broken text")
  func nesting() throws {
    #expect(
      try text(["n": Nesting()])
        == #"{"n":{"first":{"x":1},"second":[{"x":null},[],"s",3],"third":[true],"fourth":0.5,"k":"v"}}"#)
    for late in [Nesting.Late.member, .nested] {
      #expect(throws: EncodingError.self) { try JSONEncoding.encode(Nesting(late: late)) }
    }
  }

  @Test("every integer is written whole")
  func integers() throws {
    #expect(try text([Int8.min]) == "[-128]")
    #expect(try text(["a": UInt8.max]) == #"{"a":255}"#)
    #expect(try text([[Int16(-1)], [2]]) == "[[-1],[2]]")
    #expect(try text(Int128.max) == "170141183460469231731687303715884105727")
  }

  @Test("dictionaries that are sorted hold what was in them, whatever it looks like")
  func sortedMembers() throws {
    let deep: [String: [String: [String]]] = ["b,": ["}": ["{\"", ","], ",": []], "a\"": [:], "": ["z": ["]"]]]
    #expect(try text(deep) == #"{"":{"z":["]"]},"a\"":{},"b,":{",":[],"}":["{\"",","]}}"#)
    let value = try JSONEncoding.value(deep)
    #expect(value["b,"]?["}"]?.array?.map(\.string) == ["{\"", ","])
  }

  @Test("the writer sets its commas")
  func writer() {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("a")
    writer.beginArray()
    writer.integer(1)
    writer.bool(false)
    writer.null()
    writer.beginObject()
    writer.endObject()
    writer.endArray()
    writer.key("b")
    writer.string("x")
    writer.endObject()
    #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"a":[1,false,null,{}],"b":"x"}"#)
  }
}

@Suite struct FormParserTests {
  @Test("a form is an object of strings in its order")
  func fields() throws {
    let form = try FormParser.parse("email=a%40b.c&password=x+y%2B&empty=&%C3%A9=%F0%9F%98%80".bytes)
    #expect(
      form
        == .object(["email": .string("a@b.c"), "password": .string("x y+"), "empty": .string(""), "é": .string("😀")]))
    #expect(try FormParser.parse([]) == .object([:]))
  }

  @Test(
    "T118 broken and ambiguous forms are refused",
    arguments: [
      "a=1&a=2", "a=1&%61=2", "a", "=1", "&", "a=1&", "&a=1", "a=1&&b=2", "a=%", "a=%4", "a=%4g", "a=%00", "a=%FF",
      "a=%C0%AF", "a=%ED%A0%80", "a=b c", "a=\u{1F}", "a=é", "a=1\n",
    ])
  func refused(text: String) {
    #expect(throws: JSONProblem.self) { try FormParser.parse(text.bytes) }
  }

  @Test("one dot nests when asked, and never twice the same")
  func nesting() throws {
    let form = try FormParser.parse("email=a&profile.name=n&profile.age=1".bytes, nesting: true)
    #expect(form == .object(["email": .string("a"), "profile": .object(["name": .string("n"), "age": .string("1")])]))
    for bad in ["p=1&p.a=2", "p.a=1&p=2", "p.a=1&p.a=2"] {
      #expect(throws: JSONProblem.self) { try FormParser.parse(bad.bytes, nesting: true) }
    }
    #expect(try FormParser.parse("p.a=1".bytes) == .object(["p.a": .string("1")]))
  }

  @Test("a form has limits of size and number")
  func limits() {
    let many = (0..<201).map { "k\($0)=" }.joined(separator: "&")
    #expect(throws: JSONProblem.self) { try FormParser.parse(many.bytes) }
    #expect(throws: JSONProblem.self) { try FormParser.parse([UInt8](repeating: 0x61, count: 65537)) }
  }
}
