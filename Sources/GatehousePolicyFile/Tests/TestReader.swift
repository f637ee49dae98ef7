import GatehousePolicy

/// Reads the tests of a file into cases that only have to be run.
struct TestReader {
  let policy: Policy
  let sink: Diagnostics
  private let root: Node
  private let inputs: TestInputs
  private let users: TestUsers
  private let defaultDay: Day?
  private let expectations: ExpectationReader

  /// - Parameter root: The file, for `users` and `tests_at`.
  init(policy: Policy, root: Node, into sink: Diagnostics) {
    self.policy = policy
    self.sink = sink
    self.root = root
    let references = References(sink: sink, root: root)
    users = TestUsers(root["users"], references: references)
    defaultDay = root["tests_at"]?.day
    inputs = TestInputs(policy: policy, references: references, nonFields: NonFields(policy, root, references))
    expectations = ExpectationReader(policy: policy, references: references)
  }

  func tests() -> [PolicyFileTest] {
    var names: [[UInt8]: Int] = [:]
    return (root["tests"]?.list ?? []).compactMap { node in
      guard node.map != nil else { return nil }
      if let name = node["name"] {
        let bytes = Array((name.text ?? "").utf8)
        if let line = names[bytes] {
          sink.error(
            .duplicateTestName, "a test is already called \(quoted(name.text ?? ""))", at: name.range,
            notes: [.init("on line \(line)", line: line)])
        }
        names[bytes] = name.line
      }
      return test(node)
    }
  }

  private func test(_ node: Node) -> PolicyFileTest? {
    guard let name = node["name"]?.text, let expect = node["expect"] else { return nil }
    let members: [Node?] = node["each"]?.list ?? [nil]
    guard let (door, body) = door(node) else { return nil }
    users.check(node)
    func part(_ part: Node?, at key: String, _ member: Node?) -> Node? {
      users.merged(part?.replacingEach(member), at: key)
    }
    let first = members.first ?? nil
    checkAttested(door, node)
    checkOpen(door, part(body, at: door, first), part(node["given"], at: "given", first), node)
    let cases = members.compactMap { member -> PolicyFileTest.Case? in
      let given = part(node["given"], at: "given", member)
      guard let facts = inputs.facts(at: door, body: part(body, at: door, member), given: given) else { return nil }
      return PolicyFileTest.Case(
        member: member.map(\.shown), door: facts.door, facts: facts.facts,
        taken: inputs.taken(node["taken"]?.replacingEach(member)), passwordAge: given?["password_age"]?.seconds,
        mfaAsked: given?["mfa_asked"]?.seconds,
        lastPasswords: [given?["password"]?.text ?? ""] + (given?["previous_passwords"]?.texts ?? []),
        isAttested: node["attested"]?.truth ?? true,
        expect: expectations.read(expect.replacingEach(member)))
    }
    checkEach(node, [body, node["given"], node["taken"], expect])
    return PolicyFileTest(
      name: name, at: node["at"]?.day ?? defaultDay, cases: cases, range: node["name"]?.range ?? node.range,
      expectNode: expect)
  }

  /// `each` is of use where `$each` stands, and only there.
  private func checkEach(_ node: Node, _ parts: [Node?]) {
    let uses = parts.contains { $0?.mentionsEach ?? false }
    guard uses != (node["each"] != nil) else { return }
    sink.error(
      about: node.range, code: .unusedEach,
      uses ? "$each is used, but the test has no each:" : "each: is given, but $each is not used",
      at: node.entry("each")?.keyRange ?? parts[0]?.range ?? node.range)
  }

  /// Where no policy can demand an attested app, it makes no difference whether it is one.
  private func checkAttested(_ door: String, _ node: Node) {
    let doors = ["sign_up", "sign_in", "sign_up_with"]
    guard let entry = node.entry("attested"), !doors.contains(door) else { return }
    sink.error(
      .keyDoesNotApply, "attested: has no meaning at \(door)", at: entry.keyRange,
      notes: [.init("it has at: \(doors.joined(separator: ", "))")])
  }

  /// No request passes a door that the policy closes, so no outcome there shows anything.
  private func checkOpen(_ name: String, _ body: Node?, _ given: Node?, _ node: Node) {
    func hasPassword(_ part: Node?) -> Bool { part?["password"].map { !$0.isNull } ?? false }
    let withPassword = hasPassword(body) || (name == "sign_in" && hasPassword(given))
    let withPasskey = name == "sign_up" && body?["passkey"]?.truth == true
    if withPasskey, !policy.uses(passkeysFor: .signUp) {
      return sink.error(
        about: node.range, root.entry("passkeys")?.range, code: .closedDoor, "sign_up is closed to a passkey",
        at: node.entry(name)?.keyRange ?? node.range, notes: [.init("passkeys.use does not name sign_up")])
    }
    guard let door = Door(rawValue: name),
      // GUARD: password door: a test at a closed door
      policy.isClosed(door, withPassword: withPassword, withPasskey: withPasskey)
    else { return }
    sink.error(
      about: node.range, root.entry("providers")?.range, code: .closedDoor,
      "\(name) is closed\(DoorSet.passwordOnly.contains(door) ? "" : " to a password")",
      at: node.entry(name)?.keyRange ?? node.entry("given")?.keyRange ?? node.range,
      notes: [.init(policy.passwordClosure, line: policy.providersPosition.line)])
  }

  /// The one door of a test; `given` alone is a sign-in.
  private func door(_ node: Node) -> (String, Node?)? {
    let found = TestKeys.doors.compactMap { key in node.entry(key.name) }
    guard let first = found.first else {
      if node["given"] != nil { return ("sign_in", nil) }
      sink.error(
        about: node.range, code: .noDoor, "this test has no door", at: node["name"]?.range ?? node.range,
        notes: [.init("one of: \(TestKeys.doors.map(\.name).joined(separator: ", "))")])
      return nil
    }
    if found.count > 1 {
      sink.error(
        .twoDoors, "a test goes through one door; this one has \(first.key) and \(found[1].key)", at: found[1].keyRange)
    }
    let atCreation = ["sign_up", "sign_up_with", "admin_create", "invite", "import"]
    if atCreation.contains(first.key), let given = node.entry("given") {
      sink.error(
        .keyDoesNotApply, "given: has no meaning at \(first.key), where no account is stored yet", at: given.keyRange)
    }
    return (first.key, first.value)
  }
}

extension Node {
  /// Whether `$each` stands anywhere in it.
  var mentionsEach: Bool {
    switch content {
    case .scalar(let text, _): text == "$each"
    case .list(let nodes): nodes.contains(where: \.mentionsEach)
    case .map(let entries): entries.contains { $0.value.mentionsEach }
    }
  }

  /// A copy with `member` wherever `$each` stands as a whole value.
  func replacingEach(_ member: Node?) -> Node {
    guard let member else { return self }
    switch content {
    case .scalar(let text, _): return text == "$each" ? member : self
    case .list(let nodes): return Node(.list(nodes.map { $0.replacingEach(member) }), range: range)
    case .map(let entries):
      let replaced = entries.map {
        Entry(key: $0.key, keyRange: $0.keyRange, value: $0.value.replacingEach(member))
      }
      return Node(.map(replaced), range: range)
    }
  }

  /// A short form for reports.
  var shown: String {
    switch content {
    case .scalar(let text, _): quoted(text)
    case .list(let nodes): "[" + nodes.map(\.shown).joined(separator: ", ") + "]"
    case .map(let entries): "{" + entries.map { "\($0.key): \($0.value.shown)" }.joined(separator: ", ") + "}"
    }
  }
}
