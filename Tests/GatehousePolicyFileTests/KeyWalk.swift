import GatehousePolicy
@testable import GatehousePolicyFile

/// A walk through every key of the language: each is changed in a policy, by values that its shape makes, until one
/// reads and means something else.
struct KeyWalk {
  struct Place {
    /// As `PolicyVocabulary` writes it, names and places of lists as `*`.
    let word: String
    let isTrust: Bool
    let direction: Direction
    let shape: Shape
    /// The keys and places that lead there, names being those of the policy.
    let path: [String]
    let isRequired: Bool
    /// Keys that may not stand beside it.
    let rivals: [String]

    var isMap: Bool {
      switch shape {
      case .map, .dictionary: true
      default: false
      }
    }

    /// Whether one of these lines names the key. A map, and what is compared as a whole, has lines of other subjects;
    /// the line of a section whose difference has no sentence is no answer.
    func isNamed(by changes: [PolicyChange]) -> Bool {
      let lines = changes.filter { !$0.sentence.hasSuffix("changed in a way that cannot be described") }
      switch direction {
      case .decided, .keys: return !lines.isEmpty
      default: break
      }
      let isOfField = path.starts(with: ["profile", "fields"])
      let subject = (isOfField ? path.dropFirst(2) : path[...]).joined(separator: ".")
      return lines.contains { line in
        // A map that one side lacks is shown as a whole, with its keys.
        line.subject == subject
          || (subject.hasPrefix("\(line.subject).") && line.sentence.contains("\"\(path.last ?? "")\":"))
      }
    }
  }

  /// The keys that were changed.
  private(set) var changed: Set<String> = []
  /// Those whose change is one of the bundle.
  private(set) var bundled: Set<String> = []
  /// What was marked otherwise than its key says.
  private(set) var wrong: [String] = []
  /// What was changed without a line of `policy diff` that names it.
  private(set) var unnamed: [String] = []

  /// Every key that a policy's meaning may hang on.
  static let keys = places(.map(PolicyKeys.file), in: nil)

  init(_ text: String) throws {
    let old = try read(text)
    guard let root = old.document.root.map(JSONText.init) else { return }
    for place in Self.places(.map(PolicyKeys.file), in: root) {
      for value in Self.values(place.shape) + (place.isRequired ? [] : [nil]) {
        let written = root.setting(value, at: place.path[...], without: place.rivals).text()
        guard case .success(let new) = PolicyFile.read(written, name: "new.yaml"),
          new.policy.canonicalJSON != old.policy.canonicalJSON
        else { continue }
        changed.insert(place.word)
        if Self.bundle(new.policy) != Self.bundle(old.policy) { bundled.insert(place.word) }
        let changes = PolicyFile.diff(old, new)
        let said = "\(place.word) = \(value?.text() ?? "nothing")"
        if changes.contains(where: \.isTrust) != place.isTrust { wrong.append(said) }
        if !place.isNamed(by: changes) { unnamed.append(said) }
        break
      }
    }
  }

  /// The bundle without the order of keys in the file, which a change may move.
  private static func bundle(_ policy: Policy) -> [UInt8] {
    var policy = policy
    policy.providers.sort { $0.name < $1.name }
    policy.identifiers.email.rules.sort { $0.id < $1.id }
    for index in policy.profile.fields.indices { policy.profile.fields[index].rules.sort { $0.id < $1.id } }
    policy.profile.fields.sort { $0.name < $1.name }
    return policy.bundle
  }

  /// The keys below a shape; of each name that the policy has in a dictionary.
  private static func places(
    _ shape: Shape, in policy: JSONText?, word: String = "", path: [String] = [], isTrust: Bool = false
  ) -> [Place] {
    switch shape {
    case .map(let map):
      return map.keys.filter { $0.isAvailable && !["users", "tests", "tests_at", "always"].contains(word + $0.name) }
        .flatMap {
          key -> [Place] in
          let (word, trust) = (word.isEmpty ? key.name : "\(word).\(key.name)", isTrust || key.isTrust)
          let rivals = map.exactlyOne.contains(key.name) ? map.exactlyOne.filter { $0 != key.name } : []
          let place = Place(
            word: word, isTrust: trust, direction: key.direction, shape: key.shape, path: path + [key.name],
            isRequired: key.isRequired, rivals: rivals)
          // A key that holds some that are trust is walked by these.
          let own = !trust && TrustPaths.holdsTrust(key.shape) ? [] : [place]
          return own
            + places(key.shape, in: policy?.member(key.name), word: word, path: path + [key.name], isTrust: trust)
        }
    case .dictionary(let dictionary):
      let names = policy?.names ?? ["x"]
      return names.flatMap {
        places(dictionary.value, in: policy?.member($0), word: word + ".*", path: path + [$0], isTrust: isTrust)
      }
    case .list(let member, _):
      return places(member, in: policy?.member("0"), word: word + ".*", path: path + ["0"], isTrust: isTrust)
    case .either(let shapes):
      return shapes.flatMap { places($0, in: policy, word: word, path: path, isTrust: isTrust) }
    default: return []
    }
  }

  private static let texts = [
    "acme", "role", "username", "nick", "listed", "other", "email_verified", "password.listed", "https://evil.example",
    "https://evil.example/x", "evil://x", "a@evil.example", "evil.example", "#123456", "CA", "de", "com.evil.app",
    "9876543210", "a-z", "logo.png", "9876543210.com.evil.app", "d548826e-79b4-db40-a3d8-11116f7e8349",
    [String](repeating: "0E", count: 32).joined(separator: ":"),
    "-----BEGIN CERTIFICATE-----\nMIIEvilCCAX6gAwIBAgI\n-----END CERTIFICATE-----",
  ]

  /// Values that a shape takes, some of them new to the policy.
  private static func values(_ shape: Shape) -> [JSONText?] {
    switch shape {
    case .choice(let words): words.map { .string($0) }
    case .boolean: [.boolean(true), .boolean(false)]
    case .integer(let range): [1, 2, 9, 20, 64, 90].filter(range.contains).map { .integer($0) }
    case .duration(let range):
      [7, 20, 77, 90, 420, 4200, 100_000, 300_000, 40_000_000].filter(range.contains).map { .string(Seconds.text($0)) }
    case .limit: [.string("7/1m"), .string("7/2m")]
    case .date: [.string("2031-01-01")]
    case .text(let form): (texts + form.words + form.named).filter(form.holds).map { .string($0) }
    case .list(let member, let count):
      lists(values(member).compactMap { $0 }, count)
    case .map(let map): maps(map)
    case .dictionary(let dictionary):
      texts.filter(dictionary.names.holds).prefix(3).flatMap { name in
        values(dictionary.value).compactMap { $0 }.prefix(4).map { .object([(name, $0)]) }
      }
    case .either(let shapes): shapes.flatMap(values)
    case .secret: [.object([("secret", .string("other"))])]
    case .any: [.string("x"), .boolean(true), .integer(1)]
    }
  }

  /// Each value alone, all of them, none.
  private static func lists(_ values: [JSONText], _ count: ClosedRange<Int>) -> [JSONText?] {
    values.map { .array([$0]) } + [values, []].filter { count.contains($0.count) }.map { .array($0) }
  }

  private static func maps(_ map: MapShape) -> [JSONText?] {
    let needed = map.keys.filter { $0.isRequired || $0.name == map.exactlyOne.first }
    return (0..<4).map { turn in
      .object(
        needed.compactMap { key in
          let values = values(key.shape).compactMap { $0 }
          return values.isEmpty ? nil : (key.name, values[turn % values.count])
        })
    }
  }
}

extension JSONText {
  fileprivate init(_ node: Node) {
    switch node.content {
    case .map(let entries): self = .object(entries.map { ($0.key, JSONText($0.value)) })
    case .list(let nodes): self = .array(nodes.map(JSONText.init))
    case .scalar(let text, _):
      self = node.truth.map { .boolean($0) } ?? node.integer.map { .integer($0) } ?? .string(text)
    }
  }

  fileprivate var names: [String]? {
    guard case .object(let members) = self else { return nil }
    return members.map(\.0)
  }

  fileprivate func member(_ name: String) -> JSONText? {
    switch self {
    case .object(let members): members.first { $0.0 == name }?.1
    case .array(let members): name == "0" ? members.first : nil
    default: nil
    }
  }

  /// With another value at a path; nil takes it away. Maps on the way there are made.
  fileprivate func setting(_ value: JSONText?, at path: ArraySlice<String>, without rivals: [String]) -> JSONText {
    guard let name = path.first else { return value ?? .null }
    let rest = path.dropFirst()
    let inner = rest.isEmpty ? value : (member(name) ?? .object([])).setting(value, at: rest, without: rivals)
    if case .array(let members) = self {
      return .array([inner].compactMap(\.self) + members.dropFirst())
    }
    guard case .object(let members) = self else {
      return JSONText.object([]).setting(value, at: path, without: rivals)
    }
    let kept = members.filter { $0.0 != name && !(rest.isEmpty && rivals.contains($0.0)) }
    return .object(kept + (inner.map { [(name, $0)] } ?? []))
  }
}
