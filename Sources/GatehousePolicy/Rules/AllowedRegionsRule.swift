extension RuleKind {
  /// The number belongs to one of these regions (ISO 3166).
  public static let allowedRegions = RuleKind(
    "allowed_regions", at: [.field], fieldTypes: [.phone], shape: .texts, parameterName: "regions"
  ) { rule, judged in
    guard case .texts(let regions) = rule.parameter, let region = judged.phoneRegion else {
      return .undecidable("the region of the number is not known")
    }
    return regions.contains { Text.same($0, region) } ? .pass : .fail("a number of another region")
  }
}
