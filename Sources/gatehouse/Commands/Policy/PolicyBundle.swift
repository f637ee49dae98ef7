import GatehousePolicy
import GatehousePolicyFile

/// `gatehouse policy bundle`: offline, without a database.
enum PolicyBundle {
  private static let file = Argument(PolicyInput.files.name, "a policy file; - is standard input", completes: .file)
  private static let out = Flag("out", .file, "the file that the bundle is written to (default standard output)")

  static let command = Command(
    "policy", "bundle", summary: "Write what a policy judges by as JSON, for the tests of an app",
    notes: [
      "FakeServer of the Swift client takes the bundle and judges by it as a server does.",
      "It has no administrators, limits, senders of mail, exceptions, attest keys, or ids and secrets at providers.",
      "The same policy gives the same bytes.",
    ],
    arguments: [file], flags: [out],
    examples: [
      Example("gatehouse policy bundle policies/dd-ride.yaml", "see what is in it"),
      Example(
        "gatehouse policy bundle policies/dd-ride.yaml --out dd-ride.bundle.json", "for the resources of a test target"),
      Example("gatehouse policy bundle - < policies/vibes.yaml", "of standard input, such as policy show prints"),
    ],
    exits: [
      .no: "the file is wrong, or a test in it fails; everything is printed and nothing is written",
      .notFound: "the file does not exist", .unavailable: "the bundle cannot be written",
    ], mutating: true, settings: .lists, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let (checks, unread) = try PolicyInput.check(invocation, try PolicyInput.facts(invocation))
    if let unread { throw unread }
    guard let check = checks.first, check.isGood(), let policy = check.file?.policy else {
      let colours = invocation.terminal.colour.error ? Rendering.Colours.ansi : .none
      invocation.terminal.note(String(checks.map { $0.text(colours: colours) }.joined(separator: "\n").dropLast()))
      return .no
    }
    let text = String(decoding: policy.bundle, as: UTF8.self)
    guard let path = invocation[out] else {
      try invocation.terminal.data(text)
      return .ok
    }
    guard !invocation.isDryRun else {
      invocation.terminal.note("\(Visible.line(path)) would be written")
      return .ok
    }
    try ReplacedFile.write(text, to: path, isNew: true)
    invocation.terminal.note("\(Visible.line(path)) is written")
    return .ok
  }
}
