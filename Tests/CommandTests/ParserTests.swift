import Testing

@testable import gatehouse

@Suite("Reading a command line")
struct ParserTests {
  static let limit = Flag("limit", .integer(1...500), "rows")
  static let set = Flag("set", .text(), "a value", repeats: true)
  static let command = Command(
    "user", "list", summary: "List", arguments: [Argument("TENANT", "the tenant"), Argument("WORD", "words", .any)],
    flags: [limit, set], examples: [], mutating: true, prints: true
  ) { _ in .ok }
  static let parser = Parser(commands: [command], nouns: [Noun(name: "user", summary: "people")])

  func values(_ words: String...) throws -> Parser.Values {
    guard case .run(_, let values) = try Self.parser.parse(["user", "list"] + words) else { throw NotRun() }
    return values
  }
  struct NotRun: Error {}

  func problems(_ words: [String]) -> [String] {
    do {
      _ = try Self.parser.parse(words)
      return []
    } catch {
      #expect(error.exit == .usage)
      return error.messages
    }
  }

  @Test("a value stands after a blank or an equals sign, anywhere among the arguments")
  func values() throws {
    let one = try values("--limit", "5", "dd-ride")
    let other = try values("dd-ride", "--limit=5")
    #expect(one.flags == ["limit": ["5"]] && other.flags == one.flags && other.arguments == one.arguments)
    #expect(try values("t", "--set=a=b").flags["set"] == ["a=b"])
    #expect(try values("t", "--set=--x").flags["set"] == ["--x"])
  }

  @Test("after two dashes everything is an argument")
  func dashes() throws {
    #expect(try values("t", "--", "--limit", "-x").arguments["WORD"] == ["--limit", "-x"])
    #expect(try values("t", "-").arguments["WORD"] == ["-"])
  }

  @Test("only a flag that may be repeated is")
  func repeated() throws {
    #expect(try values("t", "--set", "a", "--set", "b").flags["set"] == ["a", "b"])
    #expect(problems(["user", "list", "t", "--limit", "1", "--limit", "1"]) == ["--limit is given twice"])
    #expect(problems(["user", "list", "t", "--yes", "--yes"]) == ["--yes is given twice"])
  }

  @Test("a flag never swallows the next flag")
  func swallowing() {
    #expect(problems(["user", "list", "t", "--limit", "--yes"]) == ["--limit needs a value: --limit N"])
    #expect(problems(["user", "list", "t", "--limit"]) == ["--limit needs a value: --limit N"])
    #expect(problems(["user", "list", "t", "--yes=true"]) == ["--yes takes no value"])
  }

  @Test(
    "a number out of bounds or not a number is refused",
    arguments: ["0", "501", "-1", "+5", "5x", "", "٣", "99999999999999999999"])
  func numbers(_ text: String) {
    let range = "a whole number from 1 to 500"
    #expect(problems(["user", "list", "t", "--limit=\(text)"]) == ["--limit: \"\(text)\" is not \(range)"])
  }

  @Test("every problem is reported at once")
  func together() {
    let found = problems(["user", "list", "--limt", "5", "--output", "xml", "-v"])
    #expect(found.count == 4)
    #expect(found[0] == "user list has no flag \"--limt\"; did you mean \"--limit\"?")
    #expect(found[1] == "--output: \"xml\" is not one of table, json, ndjson, csv")
    #expect(found[3] == "TENANT is missing: the tenant")
  }

  @Test("a mistyped noun or verb is corrected")
  func suggestions() {
    #expect(problems(["usr"]) == ["there is no command \"usr\"; did you mean \"user\"?"])
    #expect(problems(["user", "lsit"]) == ["user has no verb \"lsit\"; did you mean \"list\"?"])
    #expect(problems(["user"]) == ["user needs a verb: list"])
    #expect(problems(["zzzzzz"]) == ["there is no command \"zzzzzz\""])
    #expect(problems(["--limit", "user"]).count == 1)
  }

  @Test("control characters in a word cannot reach the terminal")
  func controls() {
    #expect(problems(["\u{1B}[2J"]) == ["there is no command \"\\u{1b}[2J\""])
  }

  @Test("help wins over whatever else is wrong")
  func help() throws {
    guard case .help(["user", "list"]) = try Self.parser.parse(["user", "list", "--limit", "x", "-h"]) else {
      Issue.record("no help")
      return
    }
  }
}
