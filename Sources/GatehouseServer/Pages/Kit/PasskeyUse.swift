/// The use of a passkey that a form sends, as the script of passkeys reads it from the form's attributes.
struct PasskeyUse: Sendable {
  /// The call of `navigator.credentials` that the form is for.
  enum Ceremony: String, Sendable { case get, create }

  /// The fields that the script fills in, and the one by which it asks for options.
  enum Field: String, CaseIterable, Sendable {
    /// The name of the ceremony, as the options had it.
    case challenge
    /// The answer of the authenticator, as JSON.
    case answer = "passkey"
    /// The script asks for options, which are answered as JSON.
    case options

    static let names = Set(allCases.map(\.rawValue))
  }

  /// The sentences that the script says.
  struct Told: Sendable {
    /// The person gave up, or took too long.
    let cancelled: String
    /// The authenticator has a passkey of the account.
    var known: String?
    let failed: String
  }

  let ceremony: Ceremony
  /// JSON; nil where the script asks the server for options.
  var options: String?
  /// Fields of the page's main form that count for this one, too, by their names.
  var borrowed: [String] = []
  /// Whether browsers offer passkeys in the field of the address as well.
  var waits = false
  /// Whether the script asks for it by itself, without a dialog, and goes on by the other form where none comes of it.
  var isSilent = false
  /// Whether it is one of the relying party before: the server's options for it are others.
  var isFormer = false
  /// An answer that was good, in a form of which a field was not: it goes along again.
  var kept: Kept?
  let told: Told

  /// An answer of an authenticator, and the name of its ceremony.
  struct Kept: Sendable {
    let challenge, answer: String
  }

  var attributes: HTML {
    let options: HTML = if let options { " data-options=\"\(options)\"" } else { "" }
    let fields: HTML = borrowed.isEmpty ? "" : " data-fields=\"\(borrowed.joined(separator: " "))\""
    let marks = [("waits", waits), ("silent", isSilent), ("former", isFormer), ("kept", kept != nil)]
      .filter { $0.1 }.map { " data-\($0.0)" }.joined()
    let known: HTML = if let known = told.known { " data-known=\"\(known)\"" } else { "" }
    return
      " data-passkey=\"\(ceremony.rawValue)\"\(options)\(fields)\(marks) data-cancelled=\"\(told.cancelled)\" data-failed=\"\(told.failed)\"\(known)"
  }

  /// The fields, empty unless an answer is kept.
  var inputs: HTML {
    HTML(
      [(Field.challenge, kept?.challenge), (.answer, kept?.answer)].map { field, value in
        "\n<input type=\"hidden\" name=\"\(field.rawValue)\" value=\"\(value ?? "")\">"
      })
  }
}
