/// The people of `users:`, and the tests that start from one.
struct TestUsers {
  private let users: [[UInt8]: Node]
  private let names: [String]
  private let references: References

  init(_ node: Node?, references: References) {
    let entries = node?.map ?? []
    users = Dictionary(entries.map { (Array($0.key.utf8), $0.value) }, uniquingKeysWith: { first, _ in first })
    names = entries.map(\.key)
    self.references = references
  }

  /// Reports every `as:` of a test that names no user, once.
  func check(_ test: Node) {
    for reference in Self.references(of: test) {
      noteComparison()
      guard let name = reference.text, users[Array(name.utf8)] == nil else { continue }
      references.unknownUser(name, at: reference.range, among: names)
    }
  }

  /// A part of a test with the values of the user that its `as:` names. The part's own values win, key by key and
  /// profile field by field; `null` leaves a value out.
  /// - Parameter key: `given`, or the door.
  func merged(_ part: Node?, at key: String) -> Node? {
    guard let part, TestKeys.startFromUser.contains(key), let name = part["as"]?.text,
      let user = users[Array(name.utf8)]
    else { return part }
    return Self.merged(part, over: user, taking: TestKeys.keys(of: key))
  }

  /// The nodes that name a user in a test: the value of `as:`, or the members of `each` that take its place.
  static func references(of test: Node) -> [Node] {
    TestKeys.startFromUser.compactMap { test[$0]?["as"] }.flatMap { reference in
      reference.text == "$each" ? test["each"]?.list ?? [] : [reference]
    }
  }

  private static func merged(_ own: Node, over user: Node, taking keys: [String]?) -> Node {
    guard let stated = own.map, let values = user.map else { return own }
    let all = stated.map { entry -> Node.Entry in
      guard entry.key == "profile", let under = user["profile"] else { return entry }
      let profile = merged(entry.value, over: under, taking: nil)
      return Node.Entry(key: entry.key, keyRange: entry.keyRange, value: profile)
    }
    let rest = values.filter { value in (keys?.contains(value.key) ?? true) && own.entry(value.key) == nil }
    return Node(.map(all + rest), range: own.range)
  }
}

extension Node {
  /// `null`, or nothing behind a key: no value.
  var isNull: Bool { isMissing || plain == "null" }
}
