import GatehousePolicy

extension PolicyReader {
  /// The profile with its fields.
  func profile(_ node: Node?) -> ProfilePolicy {
    guard let node else { return ProfilePolicy() }
    let fields = (node["fields"]?.map ?? []).compactMap(field)
    checkRenames(node["fields"]?.map ?? [])
    return ProfileKeys.profile.read(node, over: ProfilePolicy(fields: fields, position: node.position))
  }

  private func field(_ entry: Node.Entry) -> Field? {
    checkName(entry)
    let node = entry.value
    guard let type = node["type"]?.word(FieldType.self) else { return nil }
    checkKeys(node, type, entry.key)
    let isWhole = !sink.hasErrors(in: entry.range)
    let section = rules.section(node)
    var field = Field(
      name: entry.key, type: type,
      rules: rules.settings(node, at: .field, prefix: entry.key, section: section)
        .filter { $0.kind.fieldTypes.contains(type) },
      trim: node["trim"]?.truth ?? false, multiline: isMultiline(node, type), write: node["write"]?.word() ?? .user,
      visibleTo: node["visible_to"]?.word() ?? .`self`, claim: node["claim"]?.truth ?? false,
      unique: unique(node["unique"]), region: node["region"]?.text, phoneCheck: node["check"]?.word() ?? .valid,
      existing: section.existing ?? .atNextChange, label: node["label"]?.byLanguage,
      atSignUp: node["at_sign_up"]?.truth ?? false, message: section.message, sentence: section.sentence,
      doors: section.doors, position: entry.position)
    field.renamedFrom = node["renamed_from"]?.text
    field.defaultValue = defaultValue(node["default"], field, isWhole)
    field.valueLabels = valueLabels(node["labels"], field, isWhole)
    if type == .enum, node["values"] == nil, isWhole {
      sink.error(
        .missingKey, "\"values\" is missing in profile field \(quoted(entry.key))", at: entry.keyRange,
        notes: [.init("an enum lists its words: values: [admin, member]")])
    }
    rules.checkDoors(
      field.rules, implied: section.doors, at: .field, what: "profile field \(quoted(entry.key))", isWhole: isWhole,
      range: node.entry("doors")?.keyRange ?? entry.keyRange)
    checkClaim(node, entry.key)
    return field
  }

  /// Rule ids begin with the field's name, and these words already begin others.
  private func checkName(_ entry: Node.Entry) {
    let taken = [
      "email", "password", "access", "profile", "email_verified", "phone_verified", "disabled", "tenant", "aal",
    ]
    if taken.contains(entry.key) {
      sink.error(.badFieldName, "a profile field can not be called \(quoted(entry.key))", at: entry.keyRange)
    } else if let owner = ["mfa": "demands for second factors", "passkeys": "refusals of passkeys"][entry.key] {
      // Revisions of before these sections may have such a field; the code does not bind them.
      sink.error(
        .reservedFieldName, "a profile field can not be called \(quoted(entry.key)): \(owner) begin so",
        at: entry.keyRange)
    } else if Field.isReserved(entry.key) {  // GUARD: fields: a reserved name
      sink.error(
        .reservedFieldName,
        "a profile field can not be called \(quoted(entry.key)): records of users have such a member",
        at: entry.keyRange)
    }
  }

  /// A former name that is a field of this policy, or that two fields have, would leave the owner of its values open.
  private func checkRenames(_ fields: [Node.Entry]) {
    var sources: [String: String] = [:]
    for entry in fields {
      guard let node = entry.value["renamed_from"], let source = node.text else { continue }
      let problem: String? =
        if source == entry.key {
          "it is the field's own name"
        } else if fields.contains(where: { $0.key == source }) {
          "the policy still has a field of this name"
        } else if let other = sources[source] {
          "field \(quoted(other)) has this former name already"
        } else {
          nil
        }
      sources[source] = entry.key
      guard let problem else { continue }
      sink.error(
        .badRename, "profile field \(quoted(entry.key)) can not be renamed from \(quoted(source)): \(problem)",
        at: node.range)
    }
  }

  private func checkKeys(_ node: Node, _ type: FieldType, _ name: String) {
    let onlyPhone = ["region", "store", "check"]
    for entry in node.map ?? [] {
      let kind = Rules.kind(entry.key)
      let applies =
        switch entry.key {
        case _ where onlyPhone.contains(entry.key): type == .phone
        case "trim": [.string, .url, .phone, .date].contains(type)
        case "multiline": type == .string
        case "labels": [.enum, .integer].contains(type)
        case "unique": entry.value.truth == false || RuleKind.unique.fieldTypes.contains(type)
        default: kind.map { $0.isImplied || $0.fieldTypes.contains(type) } ?? true
        }
      if !applies {
        sink.error(
          .keyDoesNotApply, "\(quoted(entry.key)) has no meaning for a field of type \(type.rawValue)",
          at: entry.keyRange)
      }
    }
  }

  /// A label of what is no value of the field would be shown nowhere.
  private func valueLabels(_ node: Node?, _ field: Field, _ isWhole: Bool) -> [String: Texts] {
    var labels: [String: Texts] = [:]
    for entry in node?.map ?? [] {
      labels[entry.key] = entry.value.byLanguage
      let value = field.type == .integer ? TypedText.integer(entry.key).map(FieldValue.integer) : .string(entry.key)
      if isWhole, let problem = Values.problem(value ?? .string(entry.key), field) {
        sink.error(
          .keyDoesNotApply, "\(quoted(entry.key)) is no value of field \(quoted(field.name)): \(problem)",
          at: entry.keyRange)
      }
    }
    return labels
  }

  private func isMultiline(_ node: Node, _ type: FieldType) -> Bool {
    // GUARD: stored: text keeps its lines
    node["multiline"]?.truth ?? (type == .string && language < .oneLine)
  }

  private func unique(_ node: Node?) -> Field.Unique? {
    node?.truth == false ? nil : node?.word()
  }

  /// T073: what a tenant puts into tokens can never take the place of what the server says there.
  private func checkClaim(_ node: Node, _ name: String) {
    guard node["claim"]?.truth == true else { return }
    let range = node.entry("claim")?.keyRange ?? node.range
    if PolicyReader.reservedClaims.contains(name.lowercased()) {
      sink.error(
        .reservedClaim, "profile field \(quoted(name)) can not be a claim: tokens already use this name", at: range)
    }
    // GUARD: fields: a hidden field is no claim
    if node["visible_to"]?.word() == Field.Visibility.admin {
      sink.error(
        .hiddenClaim,
        "profile field \(quoted(name)) can not be a claim: the person's app reads the token, and "
          + "only administrators see the field", at: range)
    }
  }

  /// Registered claims of RFC 7519, 8693, 9068 and OpenID Connect that carry meaning for a verifier, and our own.
  static let reservedClaims: Set<String> = [
    "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "sid", "nonce", "auth_time", "amr", "acr", "azp", "act", "may_act",
    "scope", "scp", "client_id", "cnf", "typ", "alg", "kid", "at_hash", "c_hash", "s_hash", "events", "toe", "txn",
    "roles", "groups", "entitlements", "tenant", "access", "pol", "policy", "aal", "email", "email_verified",
    "phone_number", "phone_number_verified", "phone_verified", "disabled", "sub_jwk", "vc", "vp",
  ]

  private func defaultValue(_ node: Node?, _ field: Field, _ isWhole: Bool) -> FieldValue? {
    guard let node else { return nil }
    let value = FieldValue(node, type: field.type)
    if isWhole, let problem = Values.problem(value, field) {
      sink.error(
        .badDefault, "the default \(quoted(node.text ?? "")) of field \(quoted(field.name)) is refused: \(problem)",
        at: node.range)
    }
    return value
  }
}

/// Values of fields as a file writes them.
enum Values {
  /// Why a field could not hold a value; nil where it could, as far as no library is needed.
  static func problem(_ value: FieldValue, _ field: Field) -> String? {
    switch (field.type, value) {
    case (.integer, .integer(let number)): return bounds(number, field)
    case (.boolean, .boolean): return nil
    case (.enum, .string(let text)): return member(text, field)
    case (.string, .string(let text)): return length(text, field)
    case (.url, .string), (.date, .string), (.phone, .string): return nil
    default: return "it is not of type \(field.type.rawValue)"
    }
  }

  private static func bounds(_ number: Int64, _ field: Field) -> String? {
    for rule in field.rules {
      if let bound = rule.least, number < bound { return "it is less than \(bound)" }
      if let bound = rule.most, number > bound { return "it is more than \(bound)" }
    }
    return nil
  }

  private static func member(_ text: String, _ field: Field) -> String? {
    for words in field.rules.compactMap(\.values) {
      if !words.contains(where: { $0.utf8.elementsEqual(text.utf8) }) {
        return "it is not one of \(words.joined(separator: ", "))"
      }
    }
    return nil
  }

  private static func length(_ text: String, _ field: Field) -> String? {
    let count = Int64(text.unicodeScalars.count)
    for rule in field.rules {
      if let bound = rule.shortest, count < bound { return "it is shorter than \(bound)" }
      if let bound = rule.longest, count > bound { return "it is longer than \(bound)" }
      if case .characters(let set) = rule.parameter, !set.holds(text) { return "it has characters outside \(set.text)" }
    }
    return nil
  }
}

extension FieldValue {
  /// A value as a request would carry it, typed by the field and never by the look of the text: `42` for a field of
  /// strings is text. `null` is null.
  init(_ node: Node, type: FieldType?) {
    switch node.content {
    case .list: self = .unsupported("array")
    case .map: self = .unsupported("object")
    case .scalar(let text, let style):
      if style == .plain, text == "null" || text.isEmpty {
        self = .null
      } else if type == .integer, let number = node.integer {
        self = .integer(number)
      } else if type == .boolean, let flag = node.truth {
        self = .boolean(flag)
      } else {
        self = .string(text)
      }
    }
  }
}
