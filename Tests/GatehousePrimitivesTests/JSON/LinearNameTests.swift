import GatehousePrimitives
import GatehouseTesting
import Testing

/// Names of a document cost as many comparisons as there are names, whatever they are: counted, not timed.
@Suite("Comparisons of names: JSON and forms", .enabled(if: Comparisons.areNoted))
struct LinearNameTests {
  private struct Narrow: Decodable { var one: String? }

  private static func object(_ count: Int) -> [UInt8] {
    Array("{\((0..<count).map { #""name\#($0)":"v""# }.joined(separator: ","))}".utf8)
  }

  private static func expectLinear(_ counts: [Int], _ work: (Int) throws -> Void) rethrows {
    for count in counts {
      let once = try Comparisons.count { try work(count) }
      let fourTimes = try Comparisons.count { try work(4 * count) }
      #expect(Comparisons.areLinear(once, fourTimes), "\(count): \(once), \(4 * count): \(fourTimes)")
    }
  }

  @Test("T125 a JSON object decodes into a dictionary with comparisons in proportion to its members")
  func dictionary() throws {
    try Self.expectLinear([16, 64]) { count in
      let read = try StrictDecoder.decode([String: String].self, from: Self.object(count))
      #expect(read.count == count)
    }
    let limits = JSONParser.Limits(size: .max, members: .max)
    try Self.expectLinear([2000]) { count in
      let read = try StrictDecoder.decode([String: String].self, from: Self.object(count), limits: limits)
      #expect(read.count == count)
    }
  }

  @Test("T125 unknown names of a JSON object are reported with comparisons in proportion to its members")
  func unknown() {
    Self.expectLinear([16, 64]) { count in
      #expect(throws: JSONProblems.self) { try StrictDecoder.decode(Narrow.self, from: Self.object(count)) }
    }
  }

  @Test("T125 an object that is built and changed name by name takes comparisons in proportion to its members")
  func built() {
    Self.expectLinear([64, 500]) { count in
      var object = JSONObject()
      for number in 0..<count { object["name\(number)"] = .integer(Int64(number)) }
      for number in 0..<count { object["name\(number)"] = .null }
      #expect(object.members.count == count && object["name\(count - 1)"] == .null)
    }
  }

  @Test("T125 a form is read with comparisons in proportion to its fields, also where each begins an object of its own")
  func form() throws {
    for field in ["name%=v", "profile.name%=v", "name%.inner=v"] {
      try Self.expectLinear([16, 50]) { count in
        let text = (0..<count).map { field.replacing("%", with: "\($0)") }.joined(separator: "&")
        _ = try FormParser.parse(Array(text.utf8), nesting: true)
      }
    }
    let many = Array((0...200).map { "n\($0)=" }.joined(separator: "&").utf8)
    #expect(throws: JSONProblem.self, "more fields than the limit") { try FormParser.parse(many) }
  }

  @Test("names of a large object are told apart by their bytes: a look-up of another spelling finds nothing")
  func spelling() throws {
    var object = JSONObject()
    for number in 0..<20 { object["\u{E9}\(number)"] = .integer(Int64(number)) }
    #expect(object["\u{E9}7"] == .integer(7) && object["e\u{301}7"] == nil)
    object["\u{E9}3"] = nil
    #expect(object["\u{E9}3"] == nil && object["\u{E9}19"] == .integer(19) && object.members.count == 19)
    object["e\u{301}7"] = .null
    #expect(object["\u{E9}7"] == .integer(7) && object["e\u{301}7"] == .null)
  }
}

@Suite("Members of a JSON object")
struct MemberLimitTests {
  private static func members(_ count: Int) -> String {
    "{\((0..<count).map { #""name\#($0)":\#($0)"# }.joined(separator: ","))}"
  }

  @Test("T124 an object with more than 256 members is refused with its pointer", arguments: ["/a", ""])
  func bounded(pointer: String) throws {
    func text(_ count: Int) -> [UInt8] {
      Array((pointer.isEmpty ? Self.members(count) : #"{"a":\#(Self.members(count))}"#).utf8)
    }
    let most = try JSONParser.parse(text(256))
    #expect((pointer.isEmpty ? most : most["a"])?.object?.members.count == 256)
    let refusal = #expect(throws: JSONProblem.self) { try JSONParser.parse(text(257)) }
    #expect(refusal?.pointer == pointer && refusal?.reason.hasPrefix("more than 256 members") == true)
  }

  @Test("T124 the bound is a parameter, and what this server stored has none")
  func parameter() throws {
    let few = JSONParser.Limits(members: 2)
    #expect(throws: JSONProblem.self) { try JSONParser.parse(Array(Self.members(3).utf8), limits: few) }
    #expect(try JSONParser.parse(Array(Self.members(2).utf8), limits: few).object?.members.count == 2)
    #expect(try JSONParser.parse(Array(Self.members(5000).utf8), limits: .stored)["name4999"] == .integer(4999))
  }
}
