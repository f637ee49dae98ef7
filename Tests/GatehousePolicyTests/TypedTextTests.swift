import Foundation
import Testing

@testable import GatehousePolicy

/// Every code point that shows nothing by Unicode's properties, and some of those that do.
enum CodePointTable {
  static let all: [Unicode.Scalar] = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init)
  static let invisible = all.filter {
    $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint
      || [0x2800, 0x1D159, 0xFFFC].contains($0.value)
  }
  static let digits = all.filter { $0.properties.numericType == .decimal }
  static let joiners = all.filter {
    [.dashPunctuation, .spaceSeparator].contains($0.properties.generalCategory)
      || $0.properties.isDefaultIgnorableCodePoint
  }
}

@Suite("Typed text")
struct TypedTextTests {
  private func email(_ raw: String) -> String? {
    EmailAddress(raw, normalize: .lowercase, asciiDomain: { _ in nil })?.text
  }

  @Test("what shows nothing is cut off at both ends of whatever names a person, and stays inside")
  func ends() {
    #expect(CodePointTable.invisible.count > 4000)
    for scalar in CodePointTable.invisible {
      let (blank, hex) = (String(scalar), String(scalar.value, radix: 16))
      #expect(TypedText.trimmed(blank + "Nova" + blank + blank) == "Nova", "U+\(hex)")
      #expect(TypedText.trimmed(blank + blank) == "" && !TypedText.isShown(blank), "U+\(hex)")
      #expect(Text.same(TypedText.trimmed("No" + blank + "va"), "No" + blank + "va"), "U+\(hex)")
      #expect(email(blank + "willie@ksu.edu" + blank) == "willie@ksu.edu", "U+\(hex)")
      #expect(email("wil" + blank + "lie@ksu.edu") == nil, "U+\(hex)")
    }
  }

  @Test(
    "what belongs to the last character stays",
    arguments: [
      "Zoe \u{2764}\u{FE0F}", "\u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}", "葛\u{E0100}",
    ])
  func selectors(text: String) {
    #expect(Text.same(TypedText.trimmed(" " + text + "\u{200B} "), text))
    #expect(TypedText.trimmed("A1\u{FE0F}") == "A1")
  }

  @Test("text without anything at its ends is the same to the byte, in any script")
  func honest() {
    for text in ["", "a", "می\u{200C}خواهم", "क\u{94D}\u{200D}ष", "Đặng", "กำ้", "\u{1F468}\u{200D}\u{1F469}"] {
      #expect(Text.same(TypedText.trimmed(text), text))
      #expect(Flaw.of(text, multiline: false) == nil, "\(text)")
    }
  }

  @Test("a code is read by the value of its digits, with dashes and blanks before, after and inside")
  func codes() {
    for joiner in CodePointTable.joiners {
      let text = String(joiner)
      #expect(TypedText.code(in: text + "949" + text + "080" + text, digits: 6) == "949080", "\(joiner)")
    }
    for digit in CodePointTable.digits {
      let value = Int(digit.properties.numericValue ?? -1)
      #expect(TypedText.code(in: "94908" + String(digit), digits: 6) == "94908\(value)", "\(digit)")
    }
  }

  @Test(
    "a sentence with one code is that code",
    arguments: [
      ("DD Ride code: 123456", "123456"), ("١٢٣٤٥٦", "123456"), ("123456.", "123456"), ("949080\n", "949080"),
      ("\u{202A}949080\u{202C}", "949080"), ("Your code is 949 080. It ends in 10 minutes.", "949080"),
      ("G-123456", "123456"), ("10 123456", "123456"), ("123456, again 123456", "123456"), ("１２３４５６", "123456"),
      ("123456 or 654321", nil), ("1234567", nil), ("12345", nil), ("", nil), ("-----", nil), ("12345a", nil),
      ("123\n456", nil), ("²²²²²²", nil), ("+1 785 555 0123", nil),
    ] as [(String, String?)])
  func sentences(text: String, code: String?) { #expect(TypedText.code(in: text, digits: 6) == code) }

  @Test("a text too long for a message holds no code")
  func long() {
    #expect(TypedText.code(in: String(repeating: "x", count: 1018) + "123456", digits: 6) == "123456")
    #expect(TypedText.code(in: String(repeating: "x", count: 1019) + "123456", digits: 6) == nil)
  }

  @Test("a telephone number is cleaned before, after and inside")
  func phones() {
    for joiner in CodePointTable.joiners {
      let text = String(joiner)
      #expect(PhoneText.unitedStates(text + "785" + text + "5550123" + text) == "+17855550123", "\(joiner)")
    }
    for digit in CodePointTable.digits {
      let value = Int(digit.properties.numericValue ?? -1)
      #expect(PhoneText.unitedStates("785555012" + String(digit)) == "+1785555012\(value)", "\(digit)")
    }
    #expect(PhoneText.unitedStates("\u{202D}+1 (785) 555-0123\u{202C}") == "+17855550123")
    #expect(PhoneText.unitedStates("＋１（７８５）５５５．０１２３") == "+17855550123")
  }

  @Test(
    "an extension is seen, and what is none is not",
    arguments: [
      ("785-532-6011 x123", true), ("785-532-6011 ext. 5", true), ("785-532-6011;ext=5", true),
      ("(785) 532-6011 extension 12", true), ("785-532-6011 #7", true), ("785-532-6011,,5", true),
      ("785-532-6011", false), ("x123", false), ("785-532-6011 xyz", false), ("532-6011 x1", false),
    ])
  func extensions(text: String, isExtended: Bool) { #expect(PhoneText.hasExtension(text) == isExtended) }

  @Test(
    "a whole number is read by the value of its digits",
    arguments: [
      ("3", 3), (" 1 000\u{A0}", 1000), ("٤", 4), ("\u{2212}3", -3), ("", nil), ("3a", nil), ("3-", nil), ("1.5", nil),
    ] as [(String, Int64?)])
  func integers(text: String, number: Int64?) { #expect(TypedText.integer(text) == number) }

  @Test("every blank of a password is U+0020, and nothing is cut off")
  func passwords() {
    for scalar in CodePointTable.all where scalar.properties.generalCategory == .spaceSeparator {
      #expect(TypedText.password(" a" + String(scalar) + "b ") == " a b ", "\(scalar)")
    }
    #expect(Text.same(TypedText.password("\u{200B}cafe\u{301}ﬁ"), "\u{200B}caf\u{E9}ﬁ"))
  }

  @Test("the work of the cleaner is linear in its input")
  func linear() {
    let text = String(repeating: "\u{200B}", count: 300_000)
    #expect(TypedText.trimmed(text + "a" + text) == "a")
    #expect(email(text + "a@b.co" + text) == "a@b.co")
    #expect(PhoneText.unitedStates(text + "7855550123" + text) == "+17855550123")
  }
}
