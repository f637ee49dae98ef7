extension RuleKind {
  /// The URL begins with https.
  public static let httpsOnly = RuleKind("https_only", at: [.field], fieldTypes: [.url]) { _, judged in
    URLText.isURL(judged.text, httpsOnly: true) ? .pass : .fail("not https")
  }
}
