package import GatehousePolicy

/// The edit that makes the failing tests of a file expect what its policy now says. Only values inside `expect` change:
/// every other byte stays, comments and layout included.
package struct Acceptance: Sendable {
  /// A test and what is said of it.
  package struct Test: Sendable, Equatable {
    package let name: String
    package let line: Int
    /// The difference in words; of a test that is left alone: why.
    package let words: String
    /// Whether the test would let through what it demanded to be refused.
    package let isWeaker: Bool
  }

  /// Tests whose expectation changes, in the order of the file.
  package let accepted: [Test]
  /// Failing tests that no edit of their values makes pass.
  package let left: [Test]
  /// The whole text after the edit.
  package let text: String

  /// The result would not have been what is promised, and why. Nothing of it may be used.
  package struct Refusal: Error, Equatable {
    package let reason: String
  }

  /// - Parameter bytes: What the file was read from.
  package init(_ bytes: [UInt8], of file: PolicyFile, using facts: some FactSource) throws(Refusal) {
    let source = EditableText(file.document, bytes: bytes)
    let subject = PolicyTests.Subject(policy: file.policy, document: nil)
    let listRules = Set(file.policy.password.rules.filter(\.kind.asksList).map(\.id))
    var (accepted, left): ([Int: Test], [Int: Test]) = ([:], [:])
    var edits: [TextEdit] = []
    for (index, test) in file.tests.enumerated() {
      let judgements = test.cases.map { PolicyTests.judge($0, of: test, subject, facts) }
      guard judgements.contains(where: { !$0.holds }) else { continue }
      do throws(Unacceptable) {
        let new = try AcceptedTest(test, judgements, listRules: listRules)
        edits += try ExpectationEdits(new.changes, in: test.expectNode, source).edits
        accepted[index] = Test(test, new.sentences.joined(separator: "; "), isWeaker: new.isWeaker)
      } catch {
        left[index] = Test(test, error.reason, isWeaker: false)
      }
    }
    guard let edited = source.text(with: edits) else { throw Refusal(reason: "two edits overlap") }
    let check = AcceptanceCheck(before: file, accepted: Set(accepted.keys), left: Set(left.keys))
    text = try accepted.isEmpty ? edited : check.checked(edited, wasLaidOut: file.isLaidOut(bytes), facts)
    self.accepted = accepted.sorted { $0.key < $1.key }.map(\.value)
    self.left = left.sorted { $0.key < $1.key }.map(\.value)
  }
}

extension Acceptance.Test {
  fileprivate init(_ test: PolicyFileTest, _ words: String, isWeaker: Bool) {
    self.init(name: test.name, line: test.range.start.line, words: words, isWeaker: isWeaker)
  }
}

extension PolicyTests.Judgement {
  fileprivate var holds: Bool {
    if case .decided(_, let differences) = self { differences.isEmpty } else { false }
  }
}

extension PolicyFile {
  /// Whether `policy fmt` would leave the file as it is.
  fileprivate func isLaidOut(_ bytes: [UInt8]) -> Bool {
    (try? PolicyFormat.text(of: document)).map { $0.utf8.elementsEqual(bytes) } ?? false
  }
}
