import GatehousePolicyFile

/// `gatehouse policy promote`: offline, without a database.
enum PolicyPromote {
  private static let file = Argument("FILE", "a policy file", completes: .file)
  private static let rule = Argument("RULE", "a rule that only warns, such as password.min8")
  private static let write = Flag("write", .onOff, "change the file instead of printing the edit")

  static let command = Command(
    "policy", "promote", summary: "Make a rule that warns enforce from now on: the edit of its file",
    notes: ["Prints the lines that change. Nothing is applied: check, test, diff, impact and apply follow as always."],
    arguments: [file, rule], flags: [write],
    examples: [
      Example("gatehouse policy promote policies/messai.yaml password.min8", "see the edit"),
      Example("gatehouse policy promote policies/messai.yaml password.min8 --write", "make it"),
      Example(
        "gatehouse policy promote policies/dd-ride.yaml password.not_personal --dry-run --write", "what it would do"),
    ],
    exits: [
      .no: "the file is wrong, the rule binds already, or the edit is one to make by hand",
      .notFound: "no such file or rule", .unavailable: "the file cannot be written",
    ], mutating: true, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let path = try invocation.argument(file.name)
    let id = try invocation.argument(rule.name)
    let policy: PolicyFile
    switch PolicyFile.read(try PolicyInput.bytes(path), name: path) {
    case .success(let read): policy = read
    case .failure(let refusal): throw Failure(.no, refusal.text())
    }
    let edit = try promotion(of: id, in: policy)
    for line in edit.lines {
      try invocation.terminal.data("\(Visible.line(path)):\(line.number)\n- \(line.before)\n")
      if let after = line.after { try invocation.terminal.data("+ \(after)\n") }
    }
    guard invocation.has(write), !invocation.isDryRun else { return .ok }
    try ReplacedFile.write(edit.text, to: path)
    invocation.terminal.note("\(Visible.line(path)) is rewritten; its tests may have to say what holds now")
    return .ok
  }

  private static func promotion(of id: String, in file: PolicyFile) throws(Failure) -> Promotion {
    do throws(Promotion.Refusal) { return try Promotion(of: id, in: file) } catch {
      switch error {
      case .unknown:
        let meant = Suggestion.nearest(to: id, among: RuleExplanation.ids(of: file.policy)).map {
          "; did you mean \(Quoted($0))?"
        }
        throw Failure(.notFound, "the policy has no rule \(Quoted(id))" + (meant ?? ""))
      case .enforced: throw Failure(.no, "\(id) does not warn: there is nothing to promote")
      case .byHand: throw Failure(.no, "\(id) takes its stage from its section; edit the file by hand")
      }
    }
  }
}
