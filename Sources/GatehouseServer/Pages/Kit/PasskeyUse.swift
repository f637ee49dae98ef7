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
  /// Boxes of the page's other form that count for this one, too.
  var boxes: [String] = []
  /// Whether browsers offer passkeys in the field of the address as well.
  var waits = false
  let told: Told

  var attributes: HTML {
    let options: HTML = if let options { " data-options=\"\(options)\"" } else { "" }
    let boxes: HTML = boxes.isEmpty ? "" : " data-boxes=\"\(boxes.joined(separator: " "))\""
    let waits: HTML = waits ? " data-waits" : ""
    let known: HTML = if let known = told.known { " data-known=\"\(known)\"" } else { "" }
    return
      " data-passkey=\"\(ceremony.rawValue)\"\(options)\(boxes)\(waits) data-cancelled=\"\(told.cancelled)\" data-failed=\"\(told.failed)\"\(known)"
  }

  /// The fields, empty.
  static let inputs = HTML(
    [Field.challenge, .answer].map { "\n<input type=\"hidden\" name=\"\($0.rawValue)\" value=\"\">" })
}
