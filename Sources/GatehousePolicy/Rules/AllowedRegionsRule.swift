extension RuleKind {
  /// The number belongs to one of these regions (ISO 3166).
  public static let allowedRegions = RuleKind(
    "allowed_regions", at: [.field], fieldTypes: [.phone], shape: .regions, parameterName: "regions",
    meaning: "The number belongs to one of these regions.", strictness: .fewerWordsAreStricter, classes: .regions,
    texts: [
      RuleText(
        .field, "Use a number from {regions}", "Usa un número de {regions}", "Verwenden Sie eine Nummer aus {regions}",
        "استخدم رقمًا من {regions}",
        sentence: .init(
          "{field} must be a number from one of these regions: {regions}.",
          "El campo «{field}» debe ser un número de una de estas regiones: {regions}.",
          "Das Feld „{field}“ muss eine Nummer aus einer dieser Regionen enthalten: {regions}.",
          "يجب أن يكون «{field}» رقمًا من إحدى هذه المناطق: {regions}.",
          one: .init(
            "{field} must be a number from {regions}.", "El campo «{field}» debe ser un número de {regions}.",
            "Das Feld „{field}“ muss eine Nummer aus {regions} enthalten.", "يجب أن يكون «{field}» رقمًا من {regions}."))
      )
    ]
  ) { rule, judged in
    guard case .texts(let regions) = rule.parameter, let region = judged.phoneRegion else {
      return .undecidable("the region of the number is not known")
    }
    return regions.contains { Text.same($0, region) } ? .pass : .fail("a number of another region")
  }
}

extension Rule {
  /// The regions that it admits; nil for a rule of another kind.
  package var regions: [String]? { texts(of: .allowedRegions) }
}

extension RuleClasses {
  /// Each region of the list, another, and none.
  fileprivate static let regions = RuleClasses { rule, _ in
    guard case .texts(let regions) = rule.parameter else { return [] }
    let listed = regions.map { Witness(.field(.string(PhoneExamples.number(of: $0))), "a number of \($0)") }
    let other = ["US", "DE", "MX"] + PhoneExamples.numbers.keys.sorted()
    let another = other.first { !regions.contains($0) }.map { PhoneExamples.number(of: $0) }
    return listed + (another.map { [Witness(.field(.string($0)), "a number of another region")] } ?? [])
      + [Witness(.field(.string(PhoneExamples.ofNoRegion)), "a number of no region")]
  } classify: { rule, value, context in
    guard case .texts(let regions) = rule.parameter, case .field(let given) = value, let seen = context.seen(given)
    else { return nil }
    guard let region = seen.region else { return "no region" }
    return regions.contains(region) ? region : "another region"
  }
}
