import GatehousePrimitives
import Testing

@Suite("The reader of query strings")
struct QueryReaderTests {
  private func read(_ query: String?) -> String? {
    (try? QueryReader.read(query, ["token", "lang"])).map { object in
      object.members.map { "\($0.key)=\($0.value.string ?? "")" }.joined(separator: " ")
    }
  }

  @Test(
    "strangers are ignored in every form, and known names are read",
    arguments: [
      ("token=a&utm_source=x", "token=a"), ("fbclid=y&token=a", "token=a"), ("utm=1&utm=2&token=a", "token=a"),
      ("x&token=a", "token=a"), ("%zz=1&token=a", "token=a"), ("x=%zz&token=a", "token=a"), ("&&token=a&", "token=a"),
      ("utm=1&amp;token=a", "token=a"), ("%74oken=a", "token=a"), ("token=a&lang=es", "token=a lang=es"), ("=&x", ""),
      ("TOKEN=a", ""), ("", ""), ("token=", "token="), ("mc_eid=\u{20ac}&token=a", "token=a"),
    ])
  func strangers(query: String, read: String) { #expect(self.read(query) == read) }

  @Test(
    "a known name that is given twice or is not well encoded is refused",
    arguments: ["token=a&token=b", "token=a&token=a", "token=a&%74oken=b", "token=%zz", "token=%00", "token=a%FF"])
  func refused(query: String) { #expect(read(query) == nil) }

  @Test("no query has no values, and one beyond the limits is refused")
  func limits() {
    #expect(read(nil) == "")
    #expect(read(String(repeating: "x=1&", count: 199) + "token=a") == "token=a")
    #expect(read(String(repeating: "x=1&", count: 200) + "token=a") == nil)
    #expect(read("x=" + String(repeating: "y", count: 65_536)) == nil)
  }
}
