extension RuleKind {
  /// The address is at none of these domains.
  public static let deniedDomains = RuleKind(
    "denied_domains", at: [.email], shape: .domains, parameterName: "domains",
    meaning: "The domain is none of these.", strictness: .deniedDomains, classes: .domains,
    texts: [
      RuleText(
        .email, "This email provider is not accepted", "No se acepta este proveedor de correo",
        "Dieser E-Mail-Anbieter wird nicht akzeptiert", "مزوّد البريد الإلكتروني هذا غير مقبول",
        sentence: .init(
          "This email provider is not accepted.", "No se acepta este proveedor de correo.",
          "Dieser E-Mail-Anbieter wird nicht akzeptiert.", "مزوّد البريد الإلكتروني هذا غير مقبول."))
    ]
  ) { rule, judged in
    judged.isAtDomain(of: rule, unknown: true) ? .fail("the domain is one of those denied") : .pass
  }
}

extension Rule {
  /// The domains that it refuses; nil for a rule of another kind.
  package var deniedDomains: [DomainPattern]? { domains(of: .deniedDomains) }
}
