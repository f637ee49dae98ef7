extension RuleKind {
  /// The text is a URL, day or telephone number, as the field's type says.
  public static let format = RuleKind(
    "format", at: [.field], fieldTypes: [.url, .date, .phone], parameterName: "type", isImplied: true)
}
