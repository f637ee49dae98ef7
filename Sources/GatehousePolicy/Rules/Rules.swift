/// Every kind of rule there is. A new kind is one file in this folder and one row here.
public enum Rules {
  /// In reading order: what every value meets first, then e-mail, password, text, numbers and the rest.
  public static let all: [RuleKind] = [
    .type, .required, .syntax, .format, .write, .unknown, .unique,
    .allowedDomains, .plainLocalPart, .deniedDomains, .denyDisposable, .denySubaddress,
    .minLength, .maxLength, .require, .notContaining, .notIn, .minStrength, .notLast, .maxAge,
    .charset, .reserved, .min, .max, .values, .httpsOnly, .allowedRegions,
  ]

  /// The kinds a file may write at a place (on a field: of that type), in the order of `all`.
  public static func writable(at target: RuleTarget, type: FieldType? = nil) -> [RuleKind] {
    all.filter { kind in
      kind.targets.contains(target) && !kind.isImplied && (type.map(kind.fieldTypes.contains) ?? true)
    }
  }

  /// The kind of this name, if there is one.
  public static func kind(_ name: String) -> RuleKind? { all.first { $0.name == name } }
}
