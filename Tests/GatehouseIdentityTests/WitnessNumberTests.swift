import GatehouseIdentity
import GatehousePolicy
import Testing

/// The examples of telephone numbers that proofs use, read by the library that production uses.
@Suite("Example numbers")
struct WitnessNumberTests {
  private static func numbers(of regions: [String]) -> [(region: String, text: String)] {
    let rule = Rule(id: "f.allowed_regions", kind: .allowedRegions, target: .field, parameter: .texts(regions))
    let context = WitnessContext(field: Field(name: "f", type: .phone, rules: [rule], region: "US"))
    return zip(regions, rule.kind.witnesses(of: rule, in: context)).compactMap { region, witness in
      guard case .field(.string(let text)) = witness.value else { return nil }
      return (region, text)
    }
  }

  @Test("the number of a region is a valid one of it")
  func valid() {
    let regions = [
      "AR", "AT", "AU", "BE", "BR", "CA", "CH", "CL", "CN", "CO", "DE", "DK", "ES", "FI", "FR", "GB", "IE", "IN", "IT",
      "JP", "MX", "NL", "NO", "NZ", "PL", "PR", "PT", "SE", "US", "ZA",
    ]
    let numbers = Self.numbers(of: regions)
    #expect(numbers.count == regions.count)
    for (region, text) in numbers {
      let fact = LibraryFacts(lists: [:]).phone(text, region: "US")
      #expect(fact == PhoneFact(e164: text, region: region, isPossible: true, isValid: true), "\(region) \(text)")
    }
  }

  @Test("a made-up number is one to the source of a proof alone")
  func madeUp() throws {
    let text = try #require(Self.numbers(of: ["XK"]).first?.text)
    #expect(LibraryFacts(lists: [:]).phone(text, region: "US")?.e164 == nil)
    #expect(WitnessFacts(LibraryFacts(lists: [:])).phone(text, region: "US")?.region == "XK")
  }
}
