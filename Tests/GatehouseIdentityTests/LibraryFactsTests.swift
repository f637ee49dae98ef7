import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import Testing

@Suite("Facts about telephone numbers")
struct LibraryFactsTests {
  private func facts(_ ranges: String?) throws -> LibraryFacts {
    LibraryFacts(lists: [:], phoneRanges: try ranges.map { try PhoneRanges(Array($0.utf8)) })
  }

  @Test("a range of the operator is asked where the library says possible and not valid")
  func added() throws {
    func isValid(_ number: String, _ ranges: String?) throws -> Bool? {
      try facts(ranges).phone(number, region: "US")?.isValid
    }
    let maryland = "# since 2023\n\n1 227 10 any\r\n"
    #expect(try isValid("+1 227 532 6011", nil) == false)
    #expect(try isValid("+1 227 532 6011", maryland) == true)
    #expect(try isValid("+1 942 555 0123", maryland) == false)
    #expect(try isValid("+1 942 555 0123", maryland + "1 942 9-10 mobile") == true)
    #expect(try isValid("+1 227 532 601", maryland) == false)
    #expect(try isValid("785-532-6011", nil) == true)
  }

  @Test("a possible number decides by its length, and an extension is told")
  func length() throws {
    let fact = try facts(nil).phone("+1 227 532 6011", region: "US")
    #expect(fact?.isPossible == true && fact?.e164 == "+12275326011" && fact?.region == nil)
    #expect(try facts(nil).phone("785-532-6011 x123", region: "US")?.hasExtension == true)
    #expect(try facts(nil).phone("555-0123", region: "US")?.isPossible == false)
  }

  @Test(
    "a file with a wrong line is refused, with its number",
    arguments: [
      "1 227 10", "1 227 10 any more", "+1 227 10 any", "1 22x 10 any", "1 227 10-9 any", "1 227 2 any", "1 227 15 any",
      "1 227 10 pager", "1234 5 10 any", "1,227,10,any",
    ])
  func wrong(line: String) {
    #expect(throws: PhoneRangesError.notARange(line: 2)) { try PhoneRanges(Array("# head\n\(line)\n".utf8)) }
  }

  @Test("a file that is no text, or has no range, is refused")
  func nothing() {
    #expect(throws: PhoneRangesError.notText) { try PhoneRanges([0xFF]) }
    #expect(throws: PhoneRangesError.empty) { try PhoneRanges(Array("# nothing\n".utf8)) }
  }
}
