package import Foundation
import GatehouseAdminWire
import GatehouseWire

/// The report to an operator on a watched policy file that is refused, or that differs from the live policy.
///
/// | The file | `isRefused` | `isDrifted` | What to run |
/// |---|---|---|---|
/// | cannot be read | yes | no | `ls -l FILE` |
/// | has a name that is not a tenant's | yes | no | `mv` |
/// | is wrong, or below the floor | yes | no | `policy check` |
/// | fails its own tests | yes | no | `policy test` |
/// | is the policy of another tenant | yes | no | `mv` |
/// | lets in what the live policy refuses | yes | yes | `policy apply --allow-weaker` |
/// | would lock people out | yes | yes | `policy apply --allow-lockout` |
/// | could be applied, and differs from the live policy | no | yes | `policy apply` |
/// | is an older revision than the live one | no | yes | `policy show TENANT > FILE` |
/// | was written before the live revision was applied | no | yes | `policy diff` |
/// | is right, and there is no such tenant | no | yes | `tenant create` |
///
/// A file of a tenant that does not exist is refused by the same rows as any other, and said to be its tenant's first.
package struct PolicyFileTrouble: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case unreadable, misnamed, wrong, failingTests, otherTenant, weaker, lockout, differs, unmade
  }

  /// The revision that is live in the file's place.
  package struct Live: Sendable, Equatable {
    package let revision: Int
    package let author: String
    package let appliedAt: Date
  }

  package let kind: Kind
  /// The tenant that the file's name names; nil where it can be none's.
  package let tenant: TenantName?
  /// The file's name, within bounds and with nothing in it that a terminal acts on.
  package let name: String
  /// One line within bounds: where the first error is, its code, and what it is.
  package let why: String
  /// The code and line of the first error of the text.
  package let code: String?
  package let line: Int?
  /// The command that an operator runs next.
  package let command: String
  /// Nil where there is no such tenant.
  package let live: Live?

  /// Whether the file would not be applied as it stands.
  package var isRefused: Bool { kind != .differs && kind != .unmade }
  /// Whether the file is a policy that could be live and is not.
  package var isDrifted: Bool { [.weaker, .lockout, .differs, .unmade].contains(kind) }

  /// The sentence that `/readyz` shows, in at most 300 bytes.
  package var sentence: String { ((isRefused ? "refused: " : "drifted: ") + why).oneLine(bytes: 300) }

  /// The most bytes of `why`, and of `command`; a line of the log has both.
  package static let mostBytes = 900
}

extension WatchedFile {
  private func trouble(
    _ kind: PolicyFileTrouble.Kind, _ why: String, run command: String, first: PolicyFinding? = nil,
    _ live: PolicyRevision? = nil
  ) -> PolicyFileTrouble {
    PolicyFileTrouble(
      kind: kind, tenant: tenant, name: String(name).oneLine(bytes: 100),
      why: why.oneLine(bytes: PolicyFileTrouble.mostBytes), code: first?.code, line: first?.line,
      command: command.oneLine(bytes: PolicyFileTrouble.mostBytes),
      live: live.map { PolicyFileTrouble.Live(revision: $0.number, author: $0.author, appliedAt: $0.createdAt) })
  }

  /// A file whose name is no tenant's.
  var misnamed: PolicyFileTrouble {
    trouble(
      .misnamed,
      "\(shown): the file's name is not a tenant name: 1 to 63 lower-case letters, digits and dashes, then .yaml",
      run: "mv \(word) \(ShellWord.of(path.dropLast(name.count) + "TENANT.yaml"))")
  }

  /// A file that could make its tenant.
  func unmade(_ tenant: TenantName) -> PolicyFileTrouble {
    trouble(
      .unmade, "there is no tenant \"\(tenant)\"; \(shown) would be its first file",
      run: "gatehouse tenant create \(tenant) --policy \(word)")
  }

  /// A file that could be applied, and differs from the live policy.
  /// - Parameter older: the newest revision of the same text.
  func differing(_ tenant: TenantName, _ live: PolicyRevision, _ older: Int?) -> PolicyFileTrouble {
    if let older {
      return trouble(
        .differs, "\(shown) is revision \(older), and revision \(live.number) is live",
        run: "gatehouse policy show \(tenant) > \(word)", live)
    }
    if let writtenAt, writtenAt < live.createdAt {
      return trouble(
        .differs, "\(shown) differs from the live policy, and was written before revision \(live.number) was applied",
        run: "gatehouse policy diff \(tenant) \(word)", live)
    }
    return trouble(
      .differs,
      "\(shown) differs from the live policy (revision \(live.number)); only edits made while the server runs apply",
      run: "gatehouse policy apply \(tenant) \(word) --reason WHY", live)
  }

  /// A file that is refused.
  /// - Parameter live: nil where there is no such tenant: then this is its first file.
  func trouble(of refusal: OperatorError, _ tenant: TenantName, _ live: PolicyRevision?) -> PolicyFileTrouble {
    let first = refusal.findings.first { $0.severity == "error" }
    let error =
      if let first { "\(shown):\(first.line):\(first.column) \(first.code) \(first.message)" } else {
        refusal.description.split(separator: "\n").prefix(2).map { $0.trimmingPrefix { $0 == " " } }.joined(
          separator: " ")
      }
    let why = live == nil ? "there is no tenant \"\(tenant)\", its first file is refused: \(error)" : error
    let apply = "gatehouse policy apply \(tenant) \(word)"
    let (kind, command): (PolicyFileTrouble.Kind, String) =
      switch refusal.objection {
      case .wrong: (.wrong, "gatehouse policy check \(word)")
      case .failingTests: (.failingTests, "gatehouse policy test \(word)")
      case .otherTenant: (.otherTenant, "mv \(word) \(ShellWord.of(path.dropLast(name.count) + "TENANT.yaml"))")
      case .weaker: (.weaker, "\(apply) \(refusal.consents.words()) --reason WHY")
      case .lockout: (.lockout, "\(apply) \(refusal.consents.words()) --reason WHY")
      case nil: (.unreadable, "ls -l \(word)")
      }
    return trouble(kind, why, run: command, first: first, live)
  }

  /// The path as a word for a shell.
  private var word: String { ShellWord.of(path) }
  /// The path for a person; a long one without its directory.
  private var shown: String { path.utf8.count <= 120 ? path : "…/\(name)" }
}

/// A word of a command that a person copies into a shell.
enum ShellWord {
  static func of(_ text: some StringProtocol) -> String {
    let plain = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || Array("/._-+,:@".utf8).contains(byte)
    }
    return plain && !text.isEmpty
      ? String(text)
      : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}

extension String {
  /// One line of at most so many bytes, with an ellipsis where something was lost. A character that a terminal or a log
  /// reader acts on becomes U+FFFD.
  func oneLine(bytes limit: Int) -> String {
    var line = Substring.UnicodeScalarView()
    var used = 0
    for scalar in unicodeScalars {
      let shown: Unicode.Scalar =
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: "\u{FFFD}"
        default: scalar
        }
      used += shown.utf8.count
      guard used <= limit - 3 else { return String(Substring(line)) + "…" }
      line.append(shown)
    }
    return String(Substring(line))
  }
}
