import Foundation
import GatehousePolicy
import GatehousePolicyFile
import GatehouseTesting
import Testing

@Suite("policy fmt")
struct FormatTests {
  private func formatted(_ text: String) throws -> String {
    try PolicyFormat.text(of: Document.parse(Array(text.utf8), name: "acme.yaml"))
  }

  /// Every `#` outside of quotes and block text begins a comment; here, texts are made so that no other stands in them.
  private func comments(_ text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      line.range(of: #"(^|\s)#.*$"#, options: .regularExpression).map {
        line[$0].trimmingCharacters(in: .whitespaces)
      }
    }.sorted()
  }

  @Test(
    "each file keeps its meaning and every comment, and a second pass changes nothing", arguments: PoliciesTests.paths)
  func shipped(path: String) throws {
    let text = String(decoding: try Repository.bytes(path), as: UTF8.self)
    let once = try formatted(text)
    #expect(try formatted(once) == once)
    #expect(try read(once).policy.canonicalJSON == (try read(text)).policy.canonicalJSON)
    #expect(PolicyFile.diff(try read(text), try read(once)).isEmpty)
    #expect(comments(once) == comments(text) && !comments(text).isEmpty)
    let results = PolicyTests.run(try read(once), using: SmallLists())
    #expect(results.map(\.name) == PolicyTests.run(try read(text), using: SmallLists()).map(\.name))
    #expect(results.allSatisfy { $0.passed })
    #expect(once.split(separator: "\n").allSatisfy { $0.unicodeScalars.count <= 120 || $0.contains("password: ") })
  }

  @Test("the policy that init writes is in the layout but for the columns of its comments")
  func initial() throws {
    let once = try formatted(PolicyFile.initial(tenant: "acme", name: "Acme"))
    #expect(try formatted(once) == once)
  }

  @Test(
    "the layout is this",
    arguments: [
      ("a:   1", "a: 1\n"), ("a:\n    b: 1\n    c:   [ 1,2 ]", "a:\n  b: 1\n  c: [1, 2]\n"),
      ("a:\n- 1\n-   2", "a:\n  - 1\n  - 2\n"), ("a:\n  -   b: 1\n      c: 2", "a:\n  - b: 1\n    c: 2\n"),
      ("a: {b: 1,c: 2}   # why", "a: {b: 1, c: 2}  # why\n"), ("a: 1\n\n\n\nb: 2", "a: 1\n\nb: 2\n"),
      ("# top\n\na: 1\n# end", "# top\n\na: 1\n# end\n"),
      ("a:\n      # inside\n      b: 1", "a:\n  # inside\n  b: 1\n"),
      ("a: \"x # y\"", "a: \"x # y\"\n"), ("a: 'it''s'", "a: 'it''s'\n"),
      ("a: {b: 1, # why\n c: 2}", "a:\n  b: 1  # why\n  c: 2\n"),
      ("a: [[[1, # why\n  2], # who\n  3], 4]", "a:\n  # who\n  - - - 1  # why\n      - 2\n    - 3\n  - 4\n"),
      ("a: |\n  one\n  two\n", "a: \"one\\ntwo\\n\"\n"), ("{\"a\": 1}", "\"a\": 1\n"), ("a:\nb: 1", "a:\nb: 1\n"),
    ])
  func layout(text: String, expected: String) throws {
    #expect(try formatted(text) == expected)
    #expect(try formatted(expected) == expected)
  }

  @Test(
    "only a map of settings is accepted", arguments: ["", "# only a comment", "- a", "a: [", "a: &b 1", "\ta: 1"])
  func refused(text: String) {
    #expect(throws: PolicyFormat.Refusal.self) { try formatted(text) }
  }

  @Test("random layouts of random documents keep every word and comment, and settle at once")
  func random() throws {
    var random = SeededGenerator()
    for _ in 0..<500 {
      var writer = Scribble(random: random)
      let text = writer.document()
      random = writer.random
      let document = Document.parse(Array(text.utf8), name: "x")
      try #require(document.diagnostics.isEmpty, "seed \(SeededGenerator.seed): \(text)")
      let once = try formatted(text)
      #expect(comments(once) == writer.comments.sorted(), "seed \(SeededGenerator.seed):\n\(text)\n→\n\(once)")
      let twice = try formatted(once)
      #expect(twice == once, "seed \(SeededGenerator.seed):\n\(text)\n→\n\(once)\n→\n\(twice)")
      #expect(words(once) == words(text), "seed \(SeededGenerator.seed)")
    }
  }

  /// Keys and scalars in order; brackets, blanks, quotes and comments left out.
  private func words(_ text: String) -> [String] {
    func walk(_ node: Node?) -> [String] {
      guard let node else { return [] }
      if let text = node.text { return ["=" + text] }
      if let list = node.list { return ["["] + list.flatMap(walk) + ["]"] }
      return ["{"] + (node.map ?? []).flatMap { [$0.key] + walk($0.value) } + ["}"]
    }
    return walk(Document.parse(Array(text.utf8), name: "x").root)
  }
}

/// Writes a document as a hurried author would: odd indentation, blank lines, comments anywhere.
private struct Scribble {
  var random: SeededGenerator
  var comments: [String] = []
  private var count = 0

  init(random: SeededGenerator) { self.random = random }

  mutating func document() -> String {
    var text = lines(0)
    text += block(indent: 0, depth: 0)
    return text + lines(0)
  }

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  private mutating func name() -> String {
    count += 1
    return "k\(count)"
  }

  private mutating func scalar() -> String {
    count += 1
    let plain = ["v\(count)", "\(count)", "true", "two words", "a-b.c", "x'y"]
    let quoted = ["\"v, \(count)\"", "'it''s \(count)'", "\"[\(count)]\"", "\"\""]
    return (chance(70) ? plain : quoted).randomElement(using: &random) ?? "v"
  }

  private mutating func comment() -> String {
    count += 1
    let text =
      ["# c\(count)", "#c\(count)", "# c\(count): {x, y}", "# 'c\(count)"].randomElement(using: &random) ?? "#"
    comments.append(text)
    return text
  }

  /// Comments on lines of their own, and blank lines.
  private mutating func lines(_ indent: Int) -> String {
    var text = ""
    while chance(18) {
      let odd = max(0, indent + Int.random(in: -2...3, using: &random))
      text += chance(50) ? "\n" : String(repeating: " ", count: odd) + comment() + "\n"
    }
    return text
  }

  private mutating func end() -> String {
    if chance(20) { return String(repeating: " ", count: Int.random(in: 1...6, using: &random)) + comment() + "\n" }
    return (chance(10) ? "  " : "") + "\n"
  }

  private mutating func block(indent: Int, depth: Int) -> String {
    let pad = String(repeating: " ", count: indent)
    var text = ""
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      text += lines(indent)
      text += pad + name() + ":"
      switch Int.random(in: 0..<10, using: &random) {
      case 0...3: text += String(repeating: " ", count: Int.random(in: 1...3, using: &random)) + scalar() + end()
      case 4...5: text += " " + flow(depth: 0, indent: indent) + end()
      case 6...7 where depth < 4:
        text += end() + block(indent: indent + Int.random(in: 1...4, using: &random), depth: depth + 1)
      case 8 where depth < 4:
        text += end() + list(indent: indent + [0, 2, 3].randomElement(using: &random)!, depth: depth + 1)
      default: text += " " + scalar() + end()
      }
    }
    return text
  }

  private mutating func list(indent: Int, depth: Int) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      text += lines(indent) + String(repeating: " ", count: indent) + "-"
      let gap = Int.random(in: 1...3, using: &random)
      if chance(40), depth < 4 {
        // A map that begins beside the dash: its first key stands there, the others below it.
        let column = indent + 1 + gap
        text += String(repeating: " ", count: gap) + name() + ": " + scalar() + end()
        if chance(60) { text += block(indent: column, depth: depth + 1) }
      } else {
        text += String(repeating: " ", count: gap) + (chance(70) ? scalar() : flow(depth: 0, indent: indent)) + end()
      }
    }
    return text
  }

  private mutating func flow(depth: Int, indent: Int) -> String {
    let isMap = chance(50)
    var members: [String] = []
    for _ in 0..<Int.random(in: 0...(chance(10) ? 30 : 4), using: &random) {
      let value = depth < 2 && chance(25) ? flow(depth: depth + 1, indent: indent) : scalar()
      members.append(isMap ? name() + ": " + value : value)
    }
    // Within brackets a comment may end any line, as long as the next is indented.
    let broken = chance(25)
    var text = isMap ? "{" : "["
    for (index, member) in members.enumerated() {
      text += member + (index == members.count - 1 ? "" : ",")
      if broken, index < members.count - 1 {
        text += (chance(40) ? "  " + comment() : "") + "\n" + String(repeating: " ", count: indent + 2)
      } else if index < members.count - 1 {
        text += chance(80) ? " " : "  "
      }
    }
    return text + (isMap ? "}" : "]")
  }
}
