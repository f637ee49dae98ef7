extension RuleKind {
  /// The URL begins with https.
  public static let httpsOnly = RuleKind(
    "https_only", at: [.field], fieldTypes: [.url], shape: .flag,
    meaning: "An https address.", strictness: .none, classes: .scheme,
    texts: [
      RuleText(
        .field, "Use an https address", "Usa una dirección https", "Verwenden Sie eine https-Adresse",
        "استخدم عنوان https",
        sentence: .init(
          "{field} must be an https address.", "El campo «{field}» debe ser una dirección https.",
          "Das Feld „{field}“ muss eine https-Adresse enthalten.", "يجب أن يكون «{field}» عنوان https."))
    ]
  ) {
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
