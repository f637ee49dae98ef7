import GatehousePolicy

/// The faults that a form can see without the server: inputs that are empty, rules that a value breaks, passwords that
/// differ. One sentence for each input, in the order of the inputs.
struct FormFaults {
  private var found: [(input: String, code: AuthError.Code?, row: ChecklistRow?)] = []

  /// The inputs that must not be empty, and the rows about those that are filled in.
  init(needed: [(input: String, text: String)] = [], rows: [ChecklistRow] = []) {
    let broken = rows.filter { $0.mark == .unmet }
    for (input, text) in needed where TypedText.trimmed(text).isEmpty {
      // The policy's words come before the client's.
      let row = broken.first { $0.input == input }
      add((input, row == nil ? .missing : nil, row))
    }
    for row in broken { add((row.input, nil, row)) }
  }

  /// Compares the two inputs of a new password.
  mutating func compare(_ password: String, _ confirmation: String, asksTwice: Bool) {
    guard asksTwice || !confirmation.isEmpty, password != confirmation else { return }
    add(("confirmation", .passwordsDiffer, nil))
  }

  private mutating func add(_ fault: (input: String, code: AuthError.Code?, row: ChecklistRow?)) {
    if !found.contains(where: { $0.input == fault.input }) { found.append(fault) }
  }

  /// The error that says all of it; nil where nothing is wrong.
  func error(_ client: AuthClient) -> AuthError? {
    let violations = found.map { fault -> AuthError.Violation in
      if let row = fault.row {
        return .init(input: fault.input, rule: row.rule, message: row.text, sentence: row.sentence)
      }
      let code = fault.code ?? .missing
      return .init(input: fault.input, rule: code.rawValue, message: client.ownSentence(of: code))
    }
    guard let first = violations.first else { return nil }
    let isOne = violations.count == 1
    let code = isOne ? found.first?.code ?? .validationFailed : .validationFailed
    return AuthError(
      code == .missing ? .validationFailed : code,
      message: isOne ? first.sentence : client.ownSentence(of: .validationFailed), violations: violations)
  }
}

extension AuthClient {
  /// The app's sentence for a code, or the client's own.
  func ownSentence(of code: AuthError.Code) -> String {
    configuration.sentences[code] ?? Sentences.text(code, languages: configuration.languages)
  }
}
