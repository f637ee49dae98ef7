/// One flag of a command, typed: `invocation[flag]` gives its value. A command lists its flags once; help, completion
/// and the man page are made from that list.
struct Flag<Value: Sendable>: AnyFlag {
  let name: String
  let kind: Kind<Value>
  let summary: String
  let repeats: Bool
  let refuse: @Sendable (String) -> String?

  /// - Parameters:
  ///   - repeats: the flag may stand more than once; read all with `invocation.all(flag)`.
  ///   - refuse: says why a value that fits its kind is still refused on the command line (a password in a URL).
  init(
    _ name: String, _ kind: Kind<Value>, _ summary: String, repeats: Bool = false,
    refuse: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.name = name
    self.kind = kind
    self.summary = summary
    self.repeats = repeats
    self.refuse = refuse
  }

  var placeholder: String { kind.isSwitch ? "" : kind.placeholder }
  var takesValue: Bool { !kind.isSwitch }
  var choices: [String] { kind.isSwitch ? [] : kind.choices }
  var completes: Completes { kind.completes }

  func problem(with text: String) -> String? {
    guard kind.parse(text) == nil else { return refuse(text) }
    return kind.unknown.map { "\(Quoted(text)) \($0(text))" } ?? "\(Quoted(text)) is not \(kind.expects)"
  }
}

/// A flag without its type, as tables of flags hold it.
protocol AnyFlag: Sendable {
  /// Without the two dashes.
  var name: String { get }
  /// Empty for a switch.
  var placeholder: String { get }
  var summary: String { get }
  var takesValue: Bool { get }
  var repeats: Bool { get }
  var choices: [String] { get }
  var completes: Completes { get }
  /// The fault of this text as a value, or `nil`.
  func problem(with text: String) -> String?
}

extension AnyFlag {
  /// The flag in help texts: `--limit N`.
  var shown: String { takesValue ? "--\(name) \(placeholder)" : "--\(name)" }
}

/// A positional argument.
struct Argument: Sendable {
  enum Count: Sendable { case one, optional, any, some }
  /// In capitals, as help shows it: `TENANT`.
  let name: String
  let summary: String
  let count: Count
  let completes: Completes

  init(_ name: String, _ summary: String, _ count: Count = .one, completes: Completes = .nothing) {
    self.name = name
    self.summary = summary
    self.count = count
    self.completes = completes
  }

  var shown: String {
    switch count {
    case .one: name
    case .optional: "[\(name)]"
    case .any: "[\(name)…]"
    case .some: "\(name)…"
    }
  }
}

/// Text from outside inside a message: in quotation marks, controls made visible, long text cut.
struct Quoted: CustomStringConvertible {
  let text: String
  init(_ text: some StringProtocol) { self.text = String(text) }
  var description: String { "\"" + Visible.line(text.count > 120 ? text.prefix(119) + "…" : text) + "\"" }
}
