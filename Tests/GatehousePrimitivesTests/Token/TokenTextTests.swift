import GatehousePrimitives
import Testing

@Suite("A token in what a mail program makes of a link")
struct TokenTextTests {
  private static let token = "gh_eu_" + String(repeating: "Ab_-9", count: 8) + "xyA"

  @Test(
    "quotes, brackets, blanks, full stops and quoted-printable around it are no part of it",
    arguments: [
      "T", "<T>", "\"T\"", "'T'", " T ", "T.", "T,", "T)", "3DT", "=3DT", "\u{201c}T\u{201d}", "\u{a0}T\u{200b}", "T_",
      "T__",
      "T*", "T>;", "(T)", "T\n", "token=T", "T&amp", "T%20", "\u{ab}T\u{bb}",
    ])
  func around(given: String) {
    #expect(OpaqueToken.text(in: given.replacing("T", with: Self.token), kind: .emailChangeUndo) == Self.token)
  }

  @Test("the line ends of quoted-printable within it are taken out", arguments: ["=\r\n", "=\n", "\r\n", "\n"])
  func within(softBreak: String) {
    let (head, tail) = (Self.token.prefix(20), Self.token.dropFirst(20))
    #expect(OpaqueToken.text(in: head + softBreak + tail, kind: .emailChangeUndo) == Self.token)
  }

  @Test(
    "a text without a whole token of the kind has none",
    arguments: [
      "", "T1", "TT", String(token.dropLast()), String(token.dropFirst()), "gh_eu_", "gh_pr_" + token.dropFirst(6),
      token.uppercased(), "gh_eu_ " + token.dropFirst(6),
    ])
  func none(given: String) {
    let text = given.replacing("T1", with: Self.token + "1").replacing("TT", with: Self.token + Self.token)
    #expect(OpaqueToken.text(in: text, kind: .emailChangeUndo) == nil)
  }
}
