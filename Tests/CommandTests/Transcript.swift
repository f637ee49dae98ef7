import Foundation
import Testing

/// A session with the built binary as a text file:
/// ```
/// # prose
/// database                  a database of its own, migrated (`database bare`: without roles and schema)
/// file gatehouse.yaml       a file in the directory the commands run in; its lines follow, indented by four blanks
/// env GATEHOUSE_LISTEN=x    for the commands below it
/// $ gatehouse config check  runs with an empty environment otherwise, standard input closed
/// < yes                     a line of its standard input
/// | text                    a line of standard output
/// ! text                    a line of standard error
/// = 2                       its exit code; 0 where there is none
/// as KID kid                from here on $KID is the member kid of the JSON object that the command above printed
/// ```
/// A line `| …` or `! …` stands for any number of lines, and `…` inside a line for any text. `$DIR` in the text is the
/// directory, `$DATABASE` the database's name.
struct Transcript: CustomTestStringConvertible, Sendable {
  struct Step: Sendable {
    let line: Int
    let words: [String]
    let environment: [String: String]
    var input = ""
    var output: [String] = []
    var errors: [String] = []
    var exit: Int32 = 0
    /// A name for a member of what it printed.
    var capture: (name: String, member: String)?
  }

  let name: String
  var steps: [Step] = []
  var files: [(name: String, content: String)] = []
  /// The one it wants; `nil` where it wants none.
  var database: DatabaseKind?

  enum DatabaseKind: String, Sendable { case migrated, bare }

  var testDescription: String { name }

  static var folder: URL { URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Transcripts") }

  static var all: [Transcript] {
    get throws {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      return try names.filter { $0.hasSuffix(".txt") }.sorted().map { name in
        try Transcript(name: name, text: String(contentsOf: folder.appending(path: name), encoding: .utf8))
      }
    }
  }

  init(name: String, text: String) throws {
    self.name = name
    var environment: [String: String] = [:]
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      let rest = line.count > 2 ? String(line.dropFirst(2)) : ""
      switch line.prefix(2) {
      case "", "# ", "#": continue
      case "$ ": steps.append(Step(line: index + 1, words: ShellWords.split(rest), environment: environment))
      case "  ": files[files.count - 1].content += line.dropFirst(4) + "\n"
      case "da": database = line == "database bare" ? .bare : .migrated
      case "fi": files.append((String(line.dropFirst("file ".count)), ""))
      case "en":
        let pair = line.dropFirst("env ".count).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        environment[String(pair[0])] = String(pair[1])
      case "< ": steps[steps.count - 1].input += rest + "\n"
      case "| ", "|": steps[steps.count - 1].output.append(rest)
      case "! ", "!": steps[steps.count - 1].errors.append(rest)
      case "as":
        let parts = line.split(separator: " ")
        guard parts.count == 3 else { throw Malformed(place: "\(name):\(index + 1)") }
        steps[steps.count - 1].capture = (String(parts[1]), String(parts[2]))
      case "= ": steps[steps.count - 1].exit = try #require(Int32(rest))
      default: throw Malformed(place: "\(name):\(index + 1)")
      }
    }
  }

  struct Malformed: Error { let place: String }
}

/// Splits a line as a shell would: blanks, single and double quotation marks; stops at a pipe or redirection.
enum ShellWords {
  static func split(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var mark: Character?
    for character in line {
      if let open = mark {
        if character == open { mark = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        mark = character
        word = word ?? ""
      } else if character == " " {
        if let finished = word { words.append(finished) }
        word = nil
      } else if "|><".contains(character) {
        break
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }
}
