import Synchronization

/// The one JSON document of a run with `--output json`: the data, the messages and the failure of one command line.
final class Answer: Sendable {
  private struct Collected {
    /// The shape of the data: that of the first document, else the command's words with dots between.
    var kind = "error"
    var documents: [(kind: String, key: String, value: Cell)] = []
    var fields: [Cell.Field] = []
    var text = ""
    var messages: [String] = []
    /// How many items were written out already.
    var streamed = 0
  }

  private let collected = Mutex(Collected())

  /// Whether these words ask for it. They need not be a command line that the parser takes: its faults are an answer
  /// too.
  static func isWanted(_ words: [String]) -> Bool {
    let words = words.prefix { $0 != "--" }
    return words.contains("--output=json") || zip(words, words.dropFirst()).contains { $0 == ("--output", "json") }
  }

  /// The command that answers.
  func begin(_ command: Command) { collected.withLock { $0.kind = command.words.joined(separator: ".") } }

  /// Adds data that has a shape of its own.
  func add(kind: String, key: String, value: Cell) {
    collected.withLock { $0.documents.append((kind, key, value)) }
  }

  /// Adds values to the item of a command that prints no shape of its own.
  func add(_ fields: [Cell.Field]) { collected.withLock { $0.fields += fields } }

  /// Adds text that a person would read on standard output.
  func add(text: String) { collected.withLock { $0.text += text } }

  /// Adds a message of standard error.
  func add(message: String) { collected.withLock { $0.messages.append(message) } }

  /// The next piece of a document whose items are written as they come: what stands before the item, and the item.
  func next(_ item: String) -> String {
    collected.withLock { collected in
      collected.streamed += 1
      return (collected.streamed == 1 ? Self.head(collected.kind) + ",\"items\":[" : ",") + item
    }
  }

  /// The text to write at the end: all of the document, or the end of one whose items were written as they came.
  func rest(_ failure: Failure?) -> String {
    let collected = collected.withLock { $0 }
    var text = collected.streamed > 0 ? "]" : Self.head(Self.kind(collected, failure)) + Self.data(collected, failure)
    if !collected.messages.isEmpty {
      text += ",\"messages\":" + JSONOutput.cell(.list(collected.messages.map(Cell.text)))
    }
    if let failure { text += ",\"error\":" + JSONOutput.cell(failure.cell) }
    return text + "}\n"
  }

  private static func head(_ kind: String) -> String {
    "{\"version\":\(JSONOutput.version),\"kind\":\(JSONOutput.string(kind))"
  }

  private static func kind(_ collected: Collected, _ failure: Failure?) -> String {
    if let first = collected.documents.first { return first.kind }
    return failure != nil && collected.fields.isEmpty && collected.text.isEmpty ? "error" : collected.kind
  }

  private static func data(_ collected: Collected, _ failure: Failure?) -> String {
    var (key, value) = ("item", Cell.none)
    switch collected.documents.count {
    case 0:
      var fields = collected.fields
      if fields.isEmpty, !collected.text.isEmpty { fields = [Cell.Field(key: "text", value: .text(collected.text))] }
      if fields.isEmpty, failure != nil { return "" }
      value = .object(fields)
    case 1: (key, value) = (collected.documents[0].key, collected.documents[0].value)
    default:
      key = "items"
      value = .list(collected.documents.flatMap { if case .list(let items) = $0.value { items } else { [$0.value] } })
    }
    return ",\"\(key)\":" + JSONOutput.cell(value)
  }
}

extension Failure {
  /// The failure as `error` of an answer.
  fileprivate var cell: Cell {
    var fields = [
      Cell.Field(key: "exit", value: .integer(Int(exit.rawValue))), Cell.Field(key: "reason", value: .text(exit.word)),
    ]
    if let code { fields.append(Cell.Field(key: "code", value: .text(code))) }
    fields.append(Cell.Field(key: "messages", value: .list(messages.map(Cell.text))))
    if let hint { fields.append(Cell.Field(key: "hint", value: .text(hint))) }
    return .object(fields)
  }
}
