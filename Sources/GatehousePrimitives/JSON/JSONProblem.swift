/// One thing that is wrong with a document. Never holds a value from it, only names of members.
package struct JSONProblem: Error, Equatable, Sendable {
  /// Where, as a JSON pointer (RFC 6901); empty for the whole document.
  package let pointer: String
  /// The fault, in English, for developers.
  package let reason: String

  package init(pointer: String, reason: String) {
    self.pointer = pointer
    self.reason = reason
  }
}

/// Everything that is wrong with a document, at least one thing.
package struct JSONProblems: Error, Equatable, Sendable {
  /// In the order they were found.
  package let problems: [JSONProblem]

  package init(_ problems: [JSONProblem]) { self.problems = problems }
}

/// A way into a document.
struct JSONPath: Sendable {
  enum Step: Sendable {
    case key(String)
    case index(Int)
  }

  var steps: [Step] = []

  func appending(_ step: Step) -> JSONPath { JSONPath(steps: steps + [step]) }

  /// RFC 6901: `~` is written `~0`, `/` is written `~1`.
  var pointer: String {
    var text = ""
    for step in steps {
      text += "/"
      switch step {
      case .index(let index): text += String(index)
      case .key(let key):
        for scalar in key.unicodeScalars {
          switch scalar {
          case "~": text += "~0"
          case "/": text += "~1"
          default: text.unicodeScalars.append(scalar)
          }
        }
      }
    }
    return text
  }
}
