import GatehousePolicyFile

/// `gatehouse policy fmt`: offline, without a database.
enum PolicyFmt {
  private static let check = Flag("check", .onOff, "change nothing; name the files that are not in this layout")

  static let command = Command(
    "policy", "fmt", summary: "Put policy files into the one layout; comments, order and words stay",
    notes: ["Values and comments are compared before and after; a file that would differ is not written."],
    arguments: [PolicyInput.files], flags: [check],
    examples: [
      Example("gatehouse policy fmt policies/dd-ride.yaml", "rewrite one file"),
      Example("gatehouse policy fmt --check policies/messai.yaml policies/vibes.yaml", "in a pipeline, before a merge"),
      Example("gatehouse policy fmt - < policies/vibes.yaml", "from standard input to standard output, for an editor"),
    ],
    exits: [
      .no: "with --check, a file is not in this layout; or a file is not YAML",
      .notFound: "a file does not exist; the others are done",
      .unavailable: "a file cannot be written",
    ], mutating: true, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    var exit = Exit.ok
    let unread = try PolicyInput.each(invocation) { path, bytes throws(Failure) in
      let document = Document.parse(bytes, name: path)
      guard let text = try formatted(document, invocation.terminal) else {
        exit = .no
        return
      }
      let isSame = bytes.elementsEqual(text.utf8)
      if invocation.has(check) || invocation.isDryRun {
        guard !isSame else { return }
        try invocation.terminal.data(Visible.line(path) + "\n")
        if invocation.has(check) { exit = .no }
      } else if path == "-" {
        try invocation.terminal.data(text)
      } else if !isSame {
        try ReplacedFile.write(text, to: path)
        invocation.terminal.note("\(Visible.line(path)) is rewritten")
      }
    }
    if let unread { throw unread }
    return exit
  }

  private static func formatted(_ document: Document, _ terminal: Terminal) throws(Failure) -> String? {
    do throws(PolicyFormat.Refusal) { return try PolicyFormat.text(of: document) } catch {
      switch error {
      case .unreadable(let findings):
        let colours: Rendering.Colours = terminal.colour.error ? .ansi : .none
        let rendering = Rendering(name: document.name, lines: document.lines, colours: colours)
        terminal.note(
          findings.isEmpty
            ? "\(Visible.line(document.name)) is not a map of settings" : String(rendering.text(findings).dropLast()))
      case .unsafe:
        terminal.note("\(Visible.line(document.name)) is left as it is: the layout would have changed its meaning")
      }
      return nil
    }
  }
}
