extension RuleKind {
  /// The number belongs to one of these regions (ISO 3166).
  public static let allowedRegions = RuleKind(
    "allowed_regions", at: [.field], fieldTypes: [.phone], shape: .texts, parameterName: "regions")
}
