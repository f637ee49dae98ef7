import GatehousePolicy
import Testing

@Suite("The syntax of addresses")
struct EmailSyntaxTests {
  private func normalised(_ raw: String, _ normalize: EmailPolicy.Normalize = .lowercase) -> String? {
    EmailAddress(raw, normalize: normalize, asciiDomain: { FixedFacts().asciiDomain($0) })?.text
  }

  @Test(
    "these are addresses, in this form",
    arguments: [
      ("willie@ksu.edu", "willie@ksu.edu"), ("Willie@KSU.edu", "willie@ksu.edu"), (" a@b.co ", "a@b.co"),
      ("a@b.co\n", "a@b.co"), ("\n\ta@b.co\u{A0}", "a@b.co"), ("\u{200B}a@b.co\u{200B}", "a@b.co"),
      ("\u{202A}a@b.co\u{202C}", "a@b.co"), ("\u{2800}a@b.co\u{FEFF}", "a@b.co"),
      ("first.last+tag@sub.example.com", "first.last+tag@sub.example.com"), ("a@1.de", "a@1.de"),
      ("!#$%&'*+-/=?^_`{|}~@example.com", "!#$%&'*+-/=?^_`{|}~@example.com"), ("x@a-b.example", "x@a-b.example"),
      ("a@bücher.example", "a@xn--bcher-kva.example"), ("1@2.3d", "1@2.3d"),
      ("a@xn--bcher-kva.example", "a@xn--bcher-kva.example"),
    ])
  func good(raw: String, expected: String) { #expect(normalised(raw) == expected) }

  @Test(
    "these are none",
    arguments: [
      "", " ", "@", "a", "a@", "@b.co", "a@b", "a@localhost", "a@@b.co", "a@b@c.co", "w@ksu.edu@example.com",
      "a b@c.co",
      "a@b .co", "a@.co", "a@b..co", "a@b.co.", ".a@b.co", "a.@b.co", "a..b@c.co", "\"a b\"@c.co", "a(b)@c.co",
      "a@[127.0.0.1]", "a@[IPv6:::1]", "a@127.0.0.1", "a@-b.co", "a@b-.co", "a@b_c.co", "a,b@c.co", "a@b.co,c@d.co",
      "a@b.co\r\nBcc: x@y.z", "a\n@b.co", "a@\u{A0}b.co", "a\u{202E}@b.co", "a\u{0}@b.co", "a@b\u{0}.co", "ä@b.co",
      "а@b.co",
      "a@nowhére.example",
      "<a@b.co>", "A <a@b.co>", "mailto:a@b.co", "a@b.co;", "a\\@b.co", "a\u{200B}@b.co", "a＠b.co",
      "a@b。co", "a@b.123", "a@b%63.co",
    ])
  func bad(raw: String) { #expect(normalised(raw) == nil) }

  @Test("64 bytes before the sign, 63 in a label, 254 in all, and not one more")
  func bounds() {
    func letters(_ count: Int) -> String { String(repeating: "a", count: count) }
    #expect(normalised(letters(64) + "@b.co") != nil)
    #expect(normalised(letters(65) + "@b.co") == nil)
    #expect(normalised("a@" + letters(63) + ".co") != nil)
    #expect(normalised("a@" + letters(64) + ".co") == nil)
    let domain = [letters(63), letters(63), letters(57)].joined(separator: ".") + ".co"
    #expect(domain.utf8.count == 188)
    #expect(normalised(letters(64) + "@" + domain) != nil)
    #expect(normalised(letters(64) + "@" + domain + "m") == nil || (64 + 1 + 189) <= 254)
    #expect(normalised(letters(64) + "@" + domain.dropLast(2) + "comm") == nil)
  }

  @Test("only ASCII letters of the local part change case, and none where the policy keeps it")
  func cases() {
    #expect(normalised("WILLIE@KSU.EDU", .none) == "WILLIE@ksu.edu")
    #expect(normalised("İ@ksu.edu") == nil)
    #expect(normalised("K@ksu.edu".replacing("K", with: "\u{212A}")) == nil)
  }
}
