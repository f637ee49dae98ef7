import GatehousePolicy
import GatehouseWire

/// Profile values as JSON has them, and as an operator typed them.
enum TypedProfile {
  static func values(_ profile: [String: FieldValue]?, _ words: [String]?, _ policy: Policy) throws
    -> [String: FieldValue]
  {
    var values = profile ?? [:]
    for word in words ?? [] {
      let (name, value) = try typed(word, policy)
      values[name] = value
    }
    return values
  }

  /// `name=value`, read by the type of the policy's field; `name=` clears it.
  private static func typed(_ word: String, _ policy: Policy) throws -> (String, FieldValue) {
    guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
      throw Refusal(.malformedRequest, detail: "\"\(word)\" is not FIELD=VALUE, such as role=admin")
    }
    let name = String(word[..<equals])
    let text = String(word[word.index(after: equals)...])
    switch policy.profile.fields.first(where: { $0.name == name })?.type {
    case _ where text.isEmpty: return (name, .null)
    case .integer:
      guard let number = TypedText.integer(text) else {
        throw Refusal(.malformedRequest, detail: "\(name) takes a whole number, not \"\(text)\"")
      }
      return (name, .integer(number))
    case .boolean:
      guard text == "true" || text == "false" else {
        throw Refusal(.malformedRequest, detail: "\(name) takes true or false")
      }
      return (name, .boolean(text == "true"))
    default: return (name, .string(text))
    }
  }
}
