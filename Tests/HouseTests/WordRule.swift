import Foundation

/// A word with its one meaning, and the pattern that shows another meaning of it.
struct WordRule: Sendable {
  /// A part of the repository that the rule reads.
  enum Place: Sendable, Hashable {
    /// Prose of documents, without code spans and code blocks.
    case documents
    /// `docs/cli.md` as a whole, which has every help text.
    case help
    /// Comments of a folder of `Sources`, without code spans.
    case comments(String)
    /// The text of string literals of a folder of `Sources`.
    case strings(String)
    /// Everything in a folder of `Sources`.
    case code(String)
    /// The first line of each documentation comment of a folder of `Sources`.
    case summaries(String)
  }

  let word: String
  let meaning: String
  /// A regular expression; upper and lower case are the same where it begins with `(?i)`.
  let refused: String
  let places: [Place]
  /// Files below the root that may still have the pattern.
  let exceptions: Set<String>
  /// A line that the rule refuses, and one that it accepts.
  let control: (refused: String, accepted: String)

  init(
    _ word: String, _ meaning: String, refuses pattern: String, in places: [Place],
    except exceptions: Set<String> = [], control: (refused: String, accepted: String)
  ) {
    self.word = word
    self.meaning = meaning
    refused = pattern
    self.places = places
    self.exceptions = exceptions
    self.control = control
  }

  static let all = [
    WordRule(
      "what, who, whose, whom", "a question; a docstring begins with the noun that it describes",
      refuses: #"^(?:What|Whom?|Whose)\b"#, in: [.summaries("")],
      control: ("/// What the store keeps.", "/// The value that the store keeps.")),
    WordRule(
      "whoever, whatever, somebody, nobody, anybody, everybody, whom", "none; a sentence names its subject",
      refuses: #"(?i)\b(?:whoever|whatever|somebody|nobody|anybody|everybody|whom)\b"#,
      in: [.documents, .help, .comments("")],
      control: ("// Whoever asks is told.", "// The caller gets `nobody`.")),
    WordRule(
      "trail", "none; the record of events is the audit log", refuses: #"(?i)\btrails?\b"#,
      in: [.documents, .help, .strings("gatehouse"), .strings("GatehouseWire"), .strings("GatehouseAdminWire")],
      control: (#"summary: "Search the audit trail""#, #"summary: "Search the audit log""#)),
    WordRule(
      "segment", "a part of a path; statements of one round trip are a batch", refuses: #"(?i)\bsegments?\b"#,
      in: [.code("GatehousePostgres"), .strings("gatehouse")],
      control: (#"/// "A segment is sent.""#, #"/// "A batch is sent.""#)),
    WordRule(
      "lane", "requests to other servers with one purpose; a group of connections to PostgreSQL has no name",
      refuses: #"(?i)^(?!.*GUARD:).*\blanes?\b"#, in: [.code("GatehousePostgres")],
      control: ("let lanes = 4", "let connections = 4")),
    WordRule(
      "proof", "evidence of authentication; a form of the pages carries a form token",
      refuses: #"\bproof that (?:a|the) form\b|form's proof|\bproof: String\b|\.proof\b|\bfunc proof\("#,
      in: [.code("GatehouseServer")],
      control: ("let proof: String", "let formToken: String  // after a fresh proof")),
    WordRule(
      "location", "the place of a network address; a policy file has source positions",
      refuses: #"\b[lL]ocations?\b"#, in: [.code("GatehousePolicy"), .code("GatehousePolicyFile")],
      except: WordExceptions.locations, control: ("let location: Location", "let position: SourcePosition")),
    WordRule(
      "permit", "the right to hash one password",
      refuses: #"\b(?:let|var) permit\b(?!.*\bpermit\(for:)"#, in: [.code("")],
      control: ("let permit = attempt.id", "let permit = try await services.passwords.permit(for: tenant)")),
  ]
}
