extension RuleKind {
  /// The domain is not on the list of throw-away mail services.
  public static let denyDisposable = RuleKind(
    "deny_disposable", at: [.email], shape: .flag, asksSource: true, asksList: true,
    meaning: "No throw-away mail service.", strictness: .none, classes: .disposable,
    texts: [
      RuleText(
        .email, "Temporary email addresses are not accepted", "No se aceptan correos temporales",
        "Wegwerf-Adressen werden nicht akzeptiert", "عناوين البريد المؤقتة غير مقبولة",
        sentence: .init(
          "Temporary email addresses are not accepted.", "No se aceptan correos temporales.",
          "Wegwerf-Adressen werden nicht akzeptiert.", "عناوين البريد المؤقتة غير مقبولة."))
    ]
  ) {
    _, judged in
    guard let address = judged.address, let isDisposable = judged.source.isDisposable(address.domain) else {
      return .undecidable("no list of throw-away domains here")
    }
    return isDisposable ? .fail("the domain is on the list") : .pass
  }
}

extension RuleClasses {
  fileprivate static let disposable = RuleClasses { _, context in
    let (local, domain) = context.address
    let other = context.source.isDisposable(domain) == true ? "example.com" : domain
    return [
      Witness(.email("\(local)@\(Witness.disposableDomain)"), "an address of a throw-away mail service"),
      Witness(.email("\(local)@\(other)"), "an address of no throw-away mail service"),
    ]
  } classify: { _, value, context in
    context.seenAddress(value).map { context.source.isDisposable($0.domain) == true ? "throw-away" : "other" }
  }
}
