package import GatehousePolicy

/// One policy file, read: the policy, its tests, and the text they came from.
package struct PolicyFile: Sendable {
  /// How the file is called in messages.
  package let name: String
  package let document: Document
  package let policy: Policy
  /// In the order of the file.
  package let tests: [PolicyFileTest]
  /// The statements of `always`, in the order of the file.
  package let statements: [Statement]

  /// Reads a policy file. Everything wrong with it is reported at once; a file with any error gives no policy.
  /// Total: no clock, no I/O, time linear in the text.
  /// - Parameter reading: a stored revision has the meaning of its language and no tests, and is refused for what the
  ///   first servers refused alone.
  package static func read(
    _ bytes: [UInt8], name: String, as reading: PolicyReading = .candidate
  ) -> Result<PolicyFile, PolicyFileRefusal> {
    read(Document.parse(bytes, name: name, skipping: reading.skippedSections), as: reading)
  }

  /// Reads a text that is parsed already.
  static func read(_ document: Document, as reading: PolicyReading) -> Result<PolicyFile, PolicyFileRefusal> {
    guard let root = document.root, !document.diagnostics.contains(where: reading.refuses) else {
      return .failure(PolicyFileRefusal(document: document, diagnostics: document.diagnostics))
    }
    let sink = Diagnostics()
    let meant = ShapeChecker(into: sink).check(root, PolicyKeys.file)
    // GUARD: policy file: lists over their bound are walked no further
    guard !sink.hasTooMany else {
      return .failure(PolicyFileRefusal(document: document, diagnostics: sink.sorted))
    }
    var policy = PolicyReader(meant, into: sink, language: reading.language).policy()
    policy.app = policy.app.spelled()
    WebAddresses.check(meant["app"], into: sink)
    let tests = TestReader(policy: policy, root: meant, into: sink).tests()
    let statements = StatementReader(policy: policy, root: meant, into: sink).statements()
    // GUARD: stored: damage is refused
    guard !sink.found.contains(where: reading.refuses) else {
      return .failure(PolicyFileRefusal(document: document, diagnostics: sink.sorted))
    }
    return .success(
      PolicyFile(name: document.name, document: document, policy: policy, tests: tests, statements: statements))
  }

  /// Reads a policy file from its text.
  package static func read(
    _ text: String, name: String, as reading: PolicyReading = .candidate
  ) -> Result<PolicyFile, PolicyFileRefusal> {
    read(Array(text.utf8), name: name, as: reading)
  }

  /// The file as a stored revision of the current language is read: without its tests, under another name.
  package func stored(as name: String) -> PolicyFile {
    PolicyFile(
      name: name, document: document.skipping(PolicyReading.stored(.current).skippedSections).called(name),
      policy: policy, tests: [], statements: [])
  }

  /// The same file under another name.
  package func called(_ name: String) -> PolicyFile {
    PolicyFile(name: name, document: document.called(name), policy: policy, tests: tests, statements: statements)
  }

  /// The text of a policy file, for a verb that stores it or sends it on. Bytes that are no text, or too many, are
  /// refused with the findings of `read`; no byte is replaced.
  package static func text(of bytes: [UInt8], name: String) -> Result<String, PolicyFileRefusal> {
    // GUARD: policy file: only what is UTF-8
    guard bytes.count <= Document.maximumBytes, let text = String(validating: bytes, as: UTF8.self) else {
      let document = Document.parse(bytes, name: name)
      return .failure(PolicyFileRefusal(document: document, diagnostics: document.diagnostics))
    }
    return .success(text)
  }

  /// JSON Schema (2020-12) of policy files, made from the table the reader uses.
  package static func schema() -> [UInt8] {
    JSONSchema.document(
      PolicyKeys.file, id: "https://gatehouse.dev/schema/policy.v1.schema.json", title: "Gatehouse policy")
  }

  /// Findings about this file as text, with its lines and carets.
  package func text(_ diagnostics: [Diagnostic], colours: Rendering.Colours = .none) -> String {
    Rendering(name: name, lines: document.lines, colours: colours).text(diagnostics)
  }
}

/// Why a file gives no policy: every error, in the order of the text.
package struct PolicyFileRefusal: Error, Sendable {
  package let document: Document
  package let diagnostics: [Diagnostic]

  /// All errors as text, with lines and carets.
  package func text(colours: Rendering.Colours = .none) -> String {
    Rendering(name: document.name, lines: document.lines, colours: colours).text(diagnostics)
  }

  /// All errors as values for JSON.
  package var records: [DiagnosticRecord] { diagnostics.map { DiagnosticRecord($0, file: document.name) } }
}
