import Testing

@testable import GatehouseClient

@Suite("Phone numbers as they are typed")
struct PhoneTextTests {
  private func field(_ region: String?, type: String = "phone") -> AuthPolicy.Field {
    AuthPolicy.Field(
      name: "phone", label: "Phone", type: type, isRequired: false, choices: [], isWritable: true,
      isAskedAtSignUp: true, region: region)
  }

  @Test(
    "a number grows into the form that people write it in",
    arguments: [
      "785": "785", "7855": "(785) 5", "785555": "(785) 555", "7855550": "(785) 555-0", "7855550123": "(785) 555-0123",
      "785-555-0123": "(785) 555-0123", "785.555.0123": "(785) 555-0123", "(785) 555-0123": "(785) 555-0123",
      "17855550123": "1 (785) 555-0123", "+1 785 555 0123": "+1 (785) 555-0123", "+17855": "+1 (785) 5",
    ])
  func grows(_ typed: String, _ shown: String) {
    #expect(field("US").formatted(typed) == shown)
    #expect(field("CA").formatted(shown) == shown)
  }

  @Test("a number that shrinks at its end loses what stood between the digits, and no digit")
  func shrinks() {
    var text = "(785) 555-0123"
    var digits = "7855550123"
    while !digits.isEmpty && !text.isEmpty {
      text = field("US").formatted(String(text.dropLast()))
      // A mark at the end went with the digit before it.
      if text.filter(\.isNumber).count < digits.count { digits = String(digits.dropLast()) }
      #expect(text.filter(\.isNumber) == digits, "\(text)")
    }
    #expect(digits.isEmpty)
  }

  @Test(
    "other text is left alone",
    arguments: ["", "+49 30 901820", "+", "0123456", "785555012345", "785 555 0123 ext 4", "call me", "٧٨٥٥٥٥", "*67"])
  func others(_ typed: String) {
    #expect(field("US").formatted(typed) == typed)
  }

  @Test("numbers of other regions, and fields of other types, are left alone")
  func elsewhere() {
    #expect(field("DE").formatted("03090182") == "03090182")
    #expect(field(nil).formatted("7855550123") == "7855550123")
    #expect(field("US", type: "string").formatted("7855550123") == "7855550123")
  }
}
