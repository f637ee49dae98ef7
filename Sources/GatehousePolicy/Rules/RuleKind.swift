/// A kind of rule: its name in the file, where it may stand, what its parameter looks like, how it is judged.
/// Two kinds are the same when their names are.
public final class RuleKind: Sendable, Hashable, CustomStringConvertible {
  /// The name in a policy file: `min_length`.
  public let name: String
  /// Where it may stand.
  public let targets: Set<RuleTarget>
  /// Field types it may stand on; empty where it is no rule of fields.
  public let fieldTypes: Set<FieldType>
  /// The shape of its parameter.
  public let shape: ParameterShape
  /// The parameter's name in `params` of an answer: `min` of `{"min": 8}`.
  public let parameterName: String
  /// Implied by the section or field it guards; the file never writes it as a rule.
  public let isImplied: Bool
  /// Needs a list, a library or the store: a form cannot check it while the person types.
  public let asksSource: Bool
  /// The effect of a rule of this kind on stored people, where neither the rule nor its section names one.
  public let ownExisting: Existing?
  let judge: Judge
  let classes: RuleClasses
  private let ownDoors: DoorSet?

  init(
    _ name: String, at targets: Set<RuleTarget>, fieldTypes: Set<FieldType> = [], shape: ParameterShape = .flag,
    parameterName: String = "", isImplied: Bool = false, asksSource: Bool = false, doors: DoorSet? = nil,
    existing: Existing? = nil, classes: RuleClasses, judge: @escaping Judge = { _, _ in .pass }
  ) {
    self.name = name
    self.targets = targets
    self.fieldTypes = fieldTypes
    self.shape = shape
    self.parameterName = parameterName
    self.isImplied = isImplied
    self.asksSource = asksSource
    ownExisting = existing
    self.classes = classes
    self.judge = judge
    ownDoors = doors
  }

  /// Where a rule of this kind binds unless it says otherwise.
  public func defaultDoors(at target: RuleTarget) -> DoorSet { ownDoors ?? target.doors }

  /// By name.
  public static func == (a: RuleKind, b: RuleKind) -> Bool { a === b || a.name == b.name }
  /// By name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
  /// The name.
  public var description: String { name }
}
