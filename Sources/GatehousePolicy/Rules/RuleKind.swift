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
  /// Asks for a list of the operator's, which may not be there.
  package let asksList: Bool
  /// The kind in one line, for the help of an editor and the JSON Schema.
  package let meaning: String
  /// The effect of a rule of this kind on stored people, where neither the rule nor its section names one.
  public let ownExisting: Existing?
  let judge: Judge
  let strictness: Strictness
  let classes: RuleClasses
  let texts: [RuleText]
  private let ownDoors: DoorSet?

  /// The parts that decide on a rule have no default: a kind without one does not compile.
  init(
    _ name: String, at targets: Set<RuleTarget>, fieldTypes: Set<FieldType> = [], shape: ParameterShape,
    parameterName: String = "", isImplied: Bool = false, asksSource: Bool = false, asksList: Bool = false,
    doors: DoorSet? = nil, existing: Existing? = nil, meaning: String, strictness: Strictness, classes: RuleClasses,
    texts: [RuleText], judge: @escaping Judge
  ) {
    self.name = name
    self.targets = targets
    self.fieldTypes = fieldTypes
    self.shape = shape
    self.parameterName = parameterName
    self.isImplied = isImplied
    self.asksSource = asksSource
    self.asksList = asksList
    self.meaning = meaning
    self.strictness = strictness
    self.texts = texts
    ownExisting = existing
    self.classes = classes
    self.judge = judge
    ownDoors = doors
  }

  /// The judge of a kind that the evaluator judges where it reads the value, before the rules that see the value.
  static let judgedBeforeRules: Judge = { _, _ in .pass }

  /// Where a rule of this kind binds unless it says otherwise.
  public func defaultDoors(at target: RuleTarget) -> DoorSet { ownDoors ?? target.doors }

  /// By name.
  public static func == (a: RuleKind, b: RuleKind) -> Bool { a === b || a.name == b.name }
  /// By name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
  /// The name.
  public var description: String { name }
}

// What a rule of one kind says, for the property in the file of the kind; nil for a rule of another kind.
extension Rule {
  func integer(of kind: RuleKind) -> Int64? {
    guard self.kind == kind, case .integer(let number) = parameter else { return nil }
    return number
  }

  func texts(of kind: RuleKind) -> [String]? {
    guard self.kind == kind, case .texts(let texts) = parameter else { return nil }
    return texts
  }

  func domains(of kind: RuleKind) -> [DomainPattern]? {
    guard self.kind == kind, case .domains(let domains) = parameter else { return nil }
    return domains
  }
}
