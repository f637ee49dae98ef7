import GatehouseRuntime

extension Request {
  /// The languages that the caller reads: several fields are one list (RFC 9110, section 5.3). Nil without any. Answers
  /// are made of this text and kept under it.
  var acceptLanguage: String? {
    guard headers.contains("accept-language") else { return nil }
    // GUARD: languages: several fields are one list
    return headers.values(of: "accept-language").joined(separator: ", ")
  }
}
