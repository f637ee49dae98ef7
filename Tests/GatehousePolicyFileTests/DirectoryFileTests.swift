import GatehousePolicy
import Testing

@testable import GatehousePolicyFile

@Suite("directory: in a policy file")
struct DirectoryFileTests {
  /// A file whose fields others see, but for `secret`.
  private static let base =
    ReadingTests.base + """
      privacy: {account_exists: reveal}
      profile:
        fields:
          username: {type: string, unique: ignore_case, trim: true, visible_to: users}
          displayName: {type: string, visible_to: users}
          secret: {type: string, unique: true}
          photo: {type: url, visible_to: users}

      """

  private func directory(_ text: String) throws -> DirectoryPolicy? {
    try read(Self.base + "directory: \(text)\n").policy.directory
  }

  @Test("a file that is silent lets no user look others up, and stored revisions are silent")
  func silent() throws {
    #expect(try read(Self.base).policy.directory == nil)
    let stored = try PolicyFile.read(ReadingTests.base, name: "acme revision 1", as: .stored(.first)).get()
    #expect(stored.policy.directory == nil)
  }

  @Test("ways, fields and limit are read")
  func keys() throws {
    let all = try #require(try directory("{find_by: [email, username, prefix], prefix_of: [displayName], limit: 5/1m}"))
    #expect(all.findBy == [.email, .username, .prefix] && all.prefixOf == ["displayName"])
    #expect(all.limit == Limit("5/1m"))
    #expect(try directory("{find_by: [email]}")?.limit == Limit("30/1m"))
  }

  @Test(
    "what no lookup can mean is refused, with what is needed",
    arguments: [
      ("{}", "find_by"), ("{find_by: []}", "1 to 3"), ("{find_by: [phone]}", "email, username, prefix"),
      ("{find_by: [email, email]}", "twice"), ("{findby: [email]}", "did you mean \"find_by\""),
      ("{find_by: [prefix]}", "write prefix_of: [username, displayName]"),
      ("{find_by: [email], prefix_of: [displayName]}", "without prefix in find_by"),
      ("{find_by: [prefix], prefix_of: [nick]}", "no profile field \"nick\""),
      ("{find_by: [prefix], prefix_of: [secret]}", "needs visible_to: users"),
      ("{find_by: [prefix], prefix_of: [photo]}", "needs type: string"),
      ("{find_by: [email], limit: 121/1m}", "at most 2 lookups a second"), ("{find_by: [email], limit: 0/1m}", "P0121"),
      ("{find_by: [email], limit: 30}", "P0121"),
    ])
  func refused(text: String, words: String) {
    let found = findings(Self.base + "directory: \(text)\n")
    #expect(found.contains(words), "\(found)")
  }

  @Test(
    "a username is a field of that name which one account alone has and others see",
    arguments: [
      ("unique: ignore_case, trim: true, visible_to: users", ""), ("unique: true, visible_to: users", ""),
      ("visible_to: users", "needs unique:"), ("unique: true", "needs visible_to: users"),
    ])
  func username(keys: String, words: String) {
    let file =
      ReadingTests.base + "profile: {fields: {username: {type: string, \(keys)}}}\ndirectory: {find_by: [username]}\n"
    let found = findings(file)
    #expect(words.isEmpty ? !found.contains("P0224") : found.contains(words), "\(found)")
  }

  @Test("a file without a field username is not found by it")
  func noUsername() {
    #expect(
      findings(ReadingTests.base + "directory: {find_by: [username]}\n").contains("no profile field \"username\""))
  }

  @Test("a limit at the bound is taken", arguments: ["120/1m", "2/1s", "1/1h"])
  func bound(limit: String) throws {
    #expect(try directory("{find_by: [email], limit: \(limit)}")?.limit.description == limit)
  }

  @Test(
    "what lets users find more is weaker, and back is stricter",
    arguments: [
      ("", "{find_by: [email]}", "directory"),
      ("{find_by: [email]}", "{find_by: [email, username]}", "directory.find_by"),
      ("{find_by: [email], limit: 5/1m}", "{find_by: [email], limit: 6/1m}", "directory.limit"),
      ("{find_by: [email]}", "{find_by: [email], limit: 60/1m}", "directory.limit"),
      (
        "{find_by: [prefix], prefix_of: [username]}", "{find_by: [prefix], prefix_of: [displayName, username]}",
        "directory.prefix_of"
      ),
    ])
  func difference(before: String, after: String, subject: String) throws {
    func file(_ text: String) throws -> PolicyFile {
      try read(Self.base + (text.isEmpty ? "" : "directory: \(text)\n"))
    }
    let there = try PolicyFile.diff(file(before), file(after))
    #expect(there.map(\.subject) == [subject] && there.map(\.relation) == [.weaker], "\(there)")
    #expect(try PolicyFile.diff(file(after), file(before)).map(\.relation) == [.stricter])
  }

  @Test("the order of ways and fields means nothing, and the default limit written out is no change")
  func sameMeaning() throws {
    let one = try read(Self.base + "directory: {find_by: [email, prefix], prefix_of: [displayName, username]}\n")
    let two = try read(
      Self.base + "directory: {find_by: [prefix, email], prefix_of: [username, displayName], limit: 30/1m}\n")
    #expect(PolicyFile.diff(one, two).isEmpty && one.policy.canonicalJSON == two.policy.canonicalJSON)
  }

  @Test("the map of doors says who finds whom")
  func doors() throws {
    let file = try read(Self.base + "directory: {find_by: [email, prefix], prefix_of: [displayName], limit: 5/1m}\n")
    let text = DoorMatrix(file.policy).text("acme.yaml")
    #expect(text.hasSuffix("users find each other by email, by prefix of displayName, at most 5/1m for each of them\n"))
    #expect(!DoorMatrix(try read(Self.base).policy).text("acme.yaml").contains("find each other"))
  }

  @Test(
    "a prefix is 2 to 64 code points without white space before it",
    arguments: [
      ("al", "al"), ("  al ", "al "), ("a", nil), ("  a", nil), ("", nil), ("王明", "王明"), ("e\u{301}", nil),
      (String(repeating: "a", count: 64), String(repeating: "a", count: 64)), (String(repeating: "a", count: 65), nil),
    ])
  func prefix(text: String, expected: String?) {
    #expect(Policy.namePrefix(text) == expected)
  }
}
