extension RuleKind {
  /// The address is at one of these domains.
  public static let allowedDomains = RuleKind(
    "allowed_domains", at: [.email], shape: .domains, parameterName: "domains",
    meaning: "The domain is one of these.", strictness: .allowedDomains, classes: .domains,
    texts: [
      RuleText(
        .email, "Use an email address at {domains}", "Usa un correo de {domains}",
        "Verwenden Sie eine E-Mail-Adresse von {domains}", "استخدم بريدًا إلكترونيًا من {domains}",
        sentence: .init(
          "Email must be at one of these domains: {domains}.",
          "El correo debe ser de uno de estos dominios: {domains}.",
          "Die E-Mail-Adresse muss zu einer dieser Domains gehören: {domains}.",
          "يجب أن يكون البريد الإلكتروني من أحد هذه النطاقات: {domains}.",
          one: .init(
            "Email must be an address at {domains}.", "El correo debe ser de {domains}.",
            "Die E-Mail-Adresse muss zu {domains} gehören.", "يجب أن يكون البريد الإلكتروني من {domains}.")))
    ]
  ) { rule, judged in
    judged.isAtDomain(of: rule, unknown: false) ? .pass : .fail("the domain is not one of those allowed")
  }
}

extension Rule {
  /// The domains that it admits; nil for a rule of another kind.
  package var allowedDomains: [DomainPattern]? { domains(of: .allowedDomains) }
}
