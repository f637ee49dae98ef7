import GatehouseWire
import Testing

@Suite("The line that names a policy's revision")
struct RevisionMarkTests {
  private static let mark = RevisionMark(tenant: "dd-ride", revision: 18)

  @Test("is taken off again, and leaves the text as it was", arguments: ["", "a: 1\n", "a: 1\r\nb: é\n\n", "# x\n"])
  func roundTrip(text: String) {
    for end in ["", "\n", "\r\n", " \n\n"] {
      let split = RevisionMark.split(text + Self.mark.line + end)
      #expect(split.text == text && split.mark == Self.mark)
    }
  }

  @Test(
    "is no line of another kind, or in another place",
    arguments: [
      "", "\n", "a: 1\n", "# gatehouse: revision 0 of acme\n", "# gatehouse: revision -1 of acme\n",
      "# gatehouse: revision of acme", "# gatehouse: revision 99999999999999999999 of acme\n",
      "# gatehouse: revision 1 of acme and more\n", "# gatehouse: revision 1 of acme\na: 1\n",
      "a: 1 # gatehouse: revision 1 of acme\n", "#gatehouse: revision 1 of acme\n",
    ])
  func other(text: String) {
    let split = RevisionMark.split(text)
    #expect(split.text == text && split.mark == nil)
  }
}
