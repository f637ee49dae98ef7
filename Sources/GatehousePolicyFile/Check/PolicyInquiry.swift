package import Foundation
package import GatehousePolicy

/// A policy file for questions: its changes, its effect on people, the rules of each door. The file need not be one
/// that may be applied; the notes name the reasons against that.
package struct PolicyInquiry: Sendable {
  /// Without its tests.
  package let file: PolicyFile
  /// The reasons against applying the file, and the number of failing tests, each with the command that says more.
  package let notes: [String]
  /// Tests in the file that fail, as far as they can be read.
  package let failingTests: Int

  /// The number of findings that the notes tell.
  private static let mostFindings = 5

  /// Asks about every file of which a policy can be made. Offline.
  /// - Parameters:
  ///   - source: Lists and libraries the rules ask.
  ///   - floor: The operator's bounds, if there are any.
  ///   - senders: Who mails may come from; nil where no server is asked.
  package static func ask(
    _ bytes: [UInt8], name: String, using source: some FactSource, floor: Floor? = nil, senders: AllowedSenders? = nil,
    now: Date
  ) -> Result<PolicyInquiry, PolicyFileRefusal> {
    file(bytes, name: name).map { file in
      let check = PolicyCheck.check(bytes, name: name, using: source, floor: floor, senders: senders, now: now)
      return PolicyInquiry(file: file, notes: notes(check, name), failingTests: check.failingTests)
    }
  }

  /// The file alone. A refusal has every finding, also those about the tests.
  package static func file(_ bytes: [UInt8], name: String) -> Result<PolicyFile, PolicyFileRefusal> {
    let asked = PolicyFile.read(bytes, name: name, as: .question)
    guard case .failure = asked, case .failure(let whole) = PolicyFile.read(bytes, name: name) else { return asked }
    return .failure(whole)
  }

  private static func notes(_ check: PolicyCheck, _ name: String) -> [String] {
    let refusals = check.refusals
    var notes = refusals.prefix(mostFindings).map { finding in
      "\(name) would not be applied: \(finding.message) (line \(finding.range.start.line), \(finding.code.rawValue))"
    }
    if refusals.count > mostFindings {
      notes.append("and \(refusals.count - mostFindings) more: gatehouse policy check \(name)")
    }
    if check.file == nil { notes.append("its tests are not run: gatehouse policy check \(name)") }
    if check.failingTests > 0 {
      let tests = check.failingTests == 1 ? "1 test" : "\(check.failingTests) tests"
      notes.append("\(tests) of \(name) failed: gatehouse policy test \(name)")
    }
    return notes
  }
}
