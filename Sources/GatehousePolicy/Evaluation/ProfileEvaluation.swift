extension Evaluation {
  /// The profile at doors where one can enter: every field where an account is made, the given ones where it is
  /// changed.
  mutating func judgeProfile() {
    switch door {
    case .signUp, .updateProfile, .federatedSignUp, .adminCreate, .adminUpdate, .invite, .import: break
    case .signIn, .setPassword, .resetPassword, .changeEmail, .link: return
    }
    decision.normalised.profile.reserveCapacity(policy.profile.fields.count)
    for field in policy.profile.fields { judge(field) }
    judgeUnknownFields()
  }

  private mutating func judge(_ field: Field) {
    var given = facts.profile[field.name]
    if given != nil {
      guard mayWrite(field) else {
        book(field.writeRule, .fail("not the writer's to set"), pointer: field.pointer)
        trace(field.typeRule, .notReached, "not the writer's to set")
        return skip(field.rules, "not the writer's to set")
      }
      trace(field.writeRule, .pass)
    } else if let provided = facts.provider?.profile[field.name], provided != .null, field.write != .admin {
      given = provided
    }
    guard given != nil || createsAccount else { return }
    switch field.typed(given ?? .null) {
    case .wrongType:
      book(field.typeRule, .fail("another type"), pointer: field.pointer)
      skip(field.rules, "the type is wrong")
    case .none:
      if given != nil { trace(field.typeRule, .pass) }
      judgeAbsent(field)
    case .some(let value):
      // GUARD: text: what is not seen is refused
      if let flaw = field.flaw(of: value) {
        book(field.typeRule, .fail(flaw.why, as: flaw), pointer: field.pointer)
        return skip(field.rules, flaw.why)
      }
      trace(field.typeRule, .pass)
      judgePresent(field, value)
    }
  }

  private mutating func judgeAbsent(_ field: Field) {
    if let value = field.defaultValue {
      decision.normalised.profile[field.name] = value
      return skip(field.rules, "the default is taken")
    }
    let required = field.rules.first { $0.isRequired && $0.doors.contains(door) }
    if let required {
      if door == .federatedSignUp || door == .invite, !isOff(required) {
        trace(required, .notReached, "becomes a next step")
        if required.enforcement.mode(at: instant) == .enforce { owed.append(field.name) }
      } else {
        book(required, .fail("no value"), pointer: field.pointer)
      }
    }
    if !createsAccount { decision.normalised.profile[field.name] = .null }
    skip(field.rules.lazy.filter { !$0.isRequired }, "no value")
  }

  private mutating func judgePresent(_ field: Field, _ value: FieldValue) {
    // Text that shows nothing is a value only of strings, and no bound applies to it: a form sends it for "nothing".
    if field.type == .string, value.isAbsent, !requires(field) {
      decision.normalised.profile[field.name] = ""
      return skip(field.rules, "empty")
    }
    var judged = Judged(instant: instant, source: source)
    judged.value = value
    judged.ignoresMarks = field.ignoresMarks
    if case .string(let text) = value {
      judged.text = text
      judged.length = Text.length(text)
    }
    for rule in field.rules where rule.isRequired && rule.doors.contains(door) {
      // GUARD: text: what shows nothing is no value
      let isEmpty = value.isAbsent
      guard book(rule, isEmpty ? .fail("empty") : .pass, pointer: field.pointer), !isEmpty else {
        return skip(field.rules.lazy.filter { !$0.isRequired }, "no value")
      }
    }
    switch field.formatted(judged.text, using: source) {
    case .notNeeded: break
    case .good(let text, let region, let doubt):
      if let doubt {
        trace(field.formatRule, .warn, doubt.why)
        warn(field.formatRule, pointer: field.pointer, as: doubt)
      } else {
        trace(field.formatRule, .pass)
      }
      judged.value = .string(text)
      judged.text = text
      judged.length = Text.length(text)
      judged.phoneRegion = region
    case .bad(let flaw): return judgeFormat(field, .fail(flaw?.why ?? "not of the form", as: flaw))
    case .unknown: return judgeFormat(field, .undecidable("no parser here"))
    }
    decision.normalised.profile[field.name] = judged.value
    for rule in field.rules where !rule.isRequired && rule.doors.contains(door) {
      guard !isOff(rule) else {
        trace(rule, .off)
        continue
      }
      book(rule, rule.kind.judge(rule, judged), pointer: field.pointer)
    }
    judgeUnique(field)
  }

  private mutating func judgeFormat(_ field: Field, _ outcome: Outcome) {
    book(field.formatRule, outcome, pointer: field.pointer)
    skip(field.rules.lazy.filter { !$0.isRequired }, "the format is wrong")
  }

  private mutating func judgeUnique(_ field: Field) {
    guard field.unique != nil else { return }
    let outcome: Outcome = facts.taken.contains(field.name) ? .fail("taken") : .deferred("the store decides")
    book(field.uniqueRule, outcome, pointer: field.pointer)
  }

  /// The number of unknown fields that an answer names.
  static var maxUnknownFields: Int { 20 }

  private mutating func judgeUnknownFields() {
    guard policy.profile.unknownFields == .reject else { return }
    let fields = policy.profile.fields
    let unknown = facts.profile.keys.filter { name in !fields.contains { $0.name == name } }
    guard !unknown.isEmpty else { return }
    // Enough to find one's mistake; an answer must not grow with what a stranger sends.
    for name in unknown.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }).prefix(Self.maxUnknownFields) {
      let rule = Rule(
        id: name + ".unknown", kind: .unknown, target: .field, position: policy.profile.position)
      book(rule, .fail("no such field"), pointer: Pointer.profile(name))
    }
  }

  private func requires(_ field: Field) -> Bool {
    field.rules.contains { $0.isRequired && $0.doors.contains(door) && !isOff($0) }
  }

  private func mayWrite(_ field: Field) -> Bool {
    guard facts.writer == .user else { return true }
    switch field.write {
    case .user: return true
    case .admin: return false
    case .userAtSignUp:
      if createsAccount { return true }
      switch facts.stored?.profile[field.name] {
      case .unsupported: return false
      case let value: return value?.isAbsent ?? true
      }
    }
  }
}
