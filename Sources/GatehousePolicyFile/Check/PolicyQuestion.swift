// A policy file that is asked about: its changes, the people that it meets, the rules that bind.

extension PolicyCheck {
  /// The number of findings that the notes tell.
  private static let mostFindings = 5

  /// The file without its tests, of every text of which a policy can be made; it need not be one that may be applied.
  /// A refusal has every finding, also those about the tests.
  package func asked() -> Result<PolicyFile, PolicyFileRefusal> {
    if let file { return .success(file.stored(as: file.name)) }
    let asked = PolicyFile.read(document.skipping(PolicyReading.question.skippedSections), as: .question)
    guard case .failure = asked else { return asked }
    return .failure(PolicyFileRefusal(document: document, diagnostics: diagnostics))
  }

  /// The findings that keep the file from being applied, and how many of its tests fail, each with the verb that says
  /// more.
  package var notes: [String] {
    let (name, refusals) = (document.name, refusals)
    var notes = refusals.prefix(Self.mostFindings).map { finding in
      "\(name) would not be applied: \(finding.message) (line \(finding.range.start.line), \(finding.code.rawValue))"
    }
    if refusals.count > Self.mostFindings {
      notes.append("and \(refusals.count - Self.mostFindings) more: gatehouse policy check \(name)")
    }
    if file == nil { notes.append("its tests are not run: gatehouse policy check \(name)") }
    if failingTests > 0 {
      let tests = failingTests == 1 ? "1 test" : "\(failingTests) tests"
      notes.append("\(tests) of \(name) failed: gatehouse policy test \(name)")
    }
    return notes
  }
}
