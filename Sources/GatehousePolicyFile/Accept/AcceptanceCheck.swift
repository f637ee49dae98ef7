import GatehousePolicy

/// Checks an edit of expectations before it is used: it is read and run again, and compared with what was there.
struct AcceptanceCheck {
  let before: PolicyFile
  /// Tests whose expectation was edited, by their index.
  let accepted: Set<Int>
  /// Tests that may go on failing.
  let left: Set<Int>

  /// The text, in the layout of `policy fmt` where the file was in it.
  /// - Throws: what does not hold.
  func checked(_ text: String, wasLaidOut: Bool, _ facts: some FactSource) throws(Acceptance.Refusal) -> String {
    let after = try read(text)
    guard let old = before.document.root, let new = after.document.root,
      withoutExpectations(old).says(theSameAs: withoutExpectations(new)),
      comments(before.document, old) == comments(after.document, new)
    else { throw .init(reason: "more than the values inside expect would change") }
    let subject = PolicyTests.Subject(policy: after.policy, document: nil)
    for (index, test) in after.tests.enumerated() where !left.contains(index) {
      let fails = test.cases.contains { one in
        guard case .decided(_, let differences) = PolicyTests.judge(one, of: test, subject, facts) else { return true }
        return !differences.isEmpty
      }
      if fails { throw .init(reason: "test \(quoted(test.name)) would still fail") }
    }
    guard wasLaidOut else { return text }
    // A line that an edit made too long is broken, as policy fmt does, which proves that the same is said.
    guard let laidOut = try? PolicyFormat.text(of: after.document) else {
      throw .init(reason: "policy fmt would not take the result")
    }
    return laidOut
  }

  private func read(_ text: String) throws(Acceptance.Refusal) -> PolicyFile {
    switch PolicyFile.read(text, name: before.name) {
    case .success(let file) where file.tests.count == before.tests.count: return file
    case .success: throw .init(reason: "tests would be lost")
    case .failure(let refusal):
      let first = refusal.diagnostics.first
      throw .init(reason: "line \(first?.range.start.line ?? 0) would be wrong: \(first?.message ?? "unreadable")")
    }
  }

  /// The tree with nothing but the keys of each expectation that was edited.
  private func withoutExpectations(_ root: Node) -> Node {
    root.replacing("tests") { tests in
      let nodes = (tests.list ?? []).enumerated().map { index, node in
        accepted.contains(index) ? node.replacing("expect", by: { $0.keysAlone }) : node
      }
      return Node(.list(nodes), range: tests.range)
    }
  }

  private func comments(_ document: Document, _ root: Node) -> [String] {
    SourceLines(document).comments(around: root).map(\.text)
  }
}

extension Node {
  /// The map with another value of one key.
  fileprivate func replacing(_ key: String, by change: (Node) -> Node) -> Node {
    guard let map else { return self }
    let entries = map.map { entry in
      guard entry.key.utf8.elementsEqual(key.utf8) else { return entry }
      return Entry(key: entry.key, keyRange: entry.keyRange, value: change(entry.value))
    }
    return Node(.map(entries), range: range)
  }

  fileprivate var keysAlone: Node {
    Node(.list((map ?? []).map { Node(.scalar($0.key, .plain), range: range) }), range: range)
  }
}
