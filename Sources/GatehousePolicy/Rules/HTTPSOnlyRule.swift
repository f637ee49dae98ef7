extension RuleKind {
  /// The URL begins with https.
  public static let httpsOnly = RuleKind("https_only", at: [.field], fieldTypes: [.url], classes: .scheme) {
    _, judged in
    URLText.isURL(judged.text, httpsOnly: true) ? .pass : .fail("not https")
  }
}

extension RuleClasses {
  fileprivate static let scheme = RuleClasses { _, context in
    let rest = context.text(of: .field).drop { $0 != ":" }
    return [
      Witness(.field(.string("https" + rest)), "an https address"),
      Witness(.field(.string("http" + rest)), "an http address"),
    ]
  } classify: { _, value, context in
    context.seenText(value).map { $0.lowercased().hasPrefix("https:") ? "https" : "http" }
  }
}
