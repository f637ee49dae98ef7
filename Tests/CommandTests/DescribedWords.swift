import GatehousePrimitives

/// The words of an OpenAPI document: operations, and every name and constant word of what they take and answer.
enum DescribedWords {
  /// Its groups: one for each operation, one for each schema.
  static func groups(of document: JSONValue) -> [(title: String, words: [String])] {
    let named = [("paths", ""), ("webhooks", "webhook ")].flatMap { section, prefix in
      members(document[section]).flatMap { path, item in
        members(item).filter { $0.key != "parameters" }.map { method, operation in
          let name = operation["operationId"]?.string ?? ""
          return (prefix + "\(method.uppercased()) \(path) \(name)", words(operation))
        }
      }
    }
    let schemas = members(document["components"]?["schemas"]).map { ("schema \($0.key)", words($0.value)) }
    return (named + schemas).map { (title: $0.0, words: $0.1) }.sorted { $0.title < $1.title }
  }

  private static func members(_ value: JSONValue?) -> [(key: String, value: JSONValue)] {
    (value?.object?.members ?? []).map { ($0.key, $0.value) }
  }

  private static func words(_ operation: JSONValue) -> [String] {
    let parameters = (operation["parameters"]?.array ?? []).map { parameter in
      "\(parameter["in"]?.string ?? "") \(parameter["name"]?.string ?? "")"
    }
    let answers = members(operation["responses"]).flatMap { status, answer in
      ["answer \(status)"] + bodies(answer, "answer \(status)")
        + members(answer["headers"]).map { "answer \(status) header \($0.key)" }
    }
    return parameters + bodies(operation["requestBody"], "body") + answers + schema(operation, "")
  }

  private static func bodies(_ holder: JSONValue?, _ name: String) -> [String] {
    members(holder?["content"]).flatMap { type, content in
      ["\(name) \(type)"] + schema(content["schema"] ?? .null, name)
    }
  }

  /// The members below a schema, and the words that they may be.
  private static func schema(_ schema: JSONValue, _ path: String) -> [String] {
    let allowed = (schema["enum"]?.array ?? [schema["const"]].compactMap(\.self)).map {
      "\(path) = \($0.string ?? String(decoding: $0.bytes, as: UTF8.self))"
    }
    let properties = members(schema["properties"]).flatMap { name, value in
      ["\(path).\(name)"] + self.schema(value, "\(path).\(name)")
    }
    let items = schema["items"].map { self.schema($0, path + "[]") } ?? []
    let more = schema["additionalProperties"].map { self.schema($0, path + "{}") } ?? []
    let options = ["oneOf", "anyOf", "allOf"].flatMap { schema[$0]?.array ?? [] }.flatMap { self.schema($0, path) }
    return Array(Set(allowed + properties + items + more + options))
  }
}
