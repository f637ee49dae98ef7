/// A finding by example: a policy that has it, the same put right, and how one comes from one to the other.
package struct CodeExample: Sendable {
  /// The wrong text.
  enum Wrong: Sendable {
    /// Sections of a policy that is otherwise good.
    case sections(String)
    /// A whole file.
    case file(String)
    /// A file that can not be shown as it is, and what to show for it.
    case bytes([UInt8], shown: String)
  }

  package let code: DiagnosticCode
  let wrong: Wrong
  /// Sections of a policy that is otherwise good, or nil where there is nothing to show.
  let right: String
  /// The remedy, in one or two sentences.
  package let fix: String

  init(_ code: DiagnosticCode, wrong: Wrong, right: String, fix: String) {
    self.code = code
    self.wrong = wrong
    self.right = right
    self.fix = fix
  }

  init(_ code: DiagnosticCode, _ wrong: String, _ right: String, _ fix: String) {
    self.init(code, wrong: .sections(wrong), right: right, fix: fix)
  }

  /// One example of every code, in the order of the codes.
  package static let all =
    text + values + meaning + references + lints + [undecided] + tests + statements + [floor, sender]

  /// The example of a code.
  package static func of(_ code: DiagnosticCode) -> CodeExample? { all.first { $0.code == code } }

  /// A whole file that has the finding.
  package var wrongFile: [UInt8] {
    switch wrong {
    case .sections(let text): Array(CodeExample.file(text).utf8)
    case .file(let text): Array(text.utf8)
    case .bytes(let bytes, _): bytes
    }
  }

  /// A whole file without any finding.
  package var rightFile: [UInt8] { Array(CodeExample.file(right).utf8) }

  /// The sections that stand in every example unless it has its own.
  private static let sections: [(key: String, text: String)] = [
    ("schema", "schema: gatehouse/policy.v1"), ("tenant", "tenant: acme"), ("app", "app: {name: Acme}"),
    ("password", "password: {rules: [{id: min8, min_length: 8}]}"),
    (
      "tests",
      """
      tests:
        - name: an address is needed
          sign_up: {password: Long enough 1}
          expect: {ok: false, violations: [email.required]}
      """
    ),
  ]

  private static func file(_ example: String) -> String {
    let own = example.split(separator: "\n").compactMap { line -> Substring? in
      guard let first = line.first, first.isLetter else { return nil }
      return line.prefix { $0 != ":" }
    }
    let rest = sections.filter { section in !own.contains { $0 == section.key } }.map(\.text)
    // The sections first, so that what an example ends stays its own.
    return (rest + [example]).joined(separator: "\n") + "\n"
  }
}

extension CodeExample {
  /// The code, what it means, the wrong and the right text, and how to fix it, in lines of at most `width` columns.
  package func explanation(width: Int = 100) -> String {
    let kind = code.isLint ? "lint: counts with --strict only" : "error"
    var text = "\(code.rawValue): \(code.title) (\(kind))\n\n"
    text += Paragraph.wrapped(code.explanation, width: width) + "\n"
    text += "\nWrong:\n\n\(CodeExample.shown(wrong))\n"
    text += "\nRight:\n\n\(CodeExample.indented(right))\n"
    text += "\nHow to fix it:\n\n" + Paragraph.wrapped(fix, width: width) + "\n"
    return text
  }

  /// The wrong text as it can be shown.
  package var wrongText: String {
    switch wrong {
    case .sections(let text), .file(let text): text
    case .bytes(_, let shown): shown
    }
  }

  /// The right text.
  package var rightText: String { right }

  private static func shown(_ wrong: Wrong) -> String {
    switch wrong {
    case .sections(let text), .file(let text): indented(text)
    case .bytes(_, let shown): indented(shown)
    }
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var visible = ""
      for scalar in line.unicodeScalars {
        if scalar == "\t" {
          visible += "\\t"
        } else if Characters.problem(scalar) != nil {
          visible += "\\u{\(Characters.hex(scalar))}"
        } else {
          visible.unicodeScalars.append(scalar)
        }
      }
      return visible.isEmpty ? "" : "    " + visible
    }.joined(separator: "\n")
  }
}

/// Prose in lines.
enum Paragraph {
  static func wrapped(_ text: String, width: Int) -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " " + word
    }
    return (lines + [line]).joined(separator: "\n")
  }
}
