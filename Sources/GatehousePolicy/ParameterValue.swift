/// One parameter of a rule as an answer shows it: `8`, `"uppercase"`, `["ksu.edu"]`.
public enum ParameterValue: Sendable, Hashable {
  case integer(Int64)
  case string(String)
  case strings([String])
  case boolean(Bool)
}

extension ParameterValue: Codable {
  /// Reads one JSON value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let flag = try? container.decode(Bool.self) {
      self = .boolean(flag)
    } else if let number = try? container.decode(Int64.self) {
      self = .integer(number)
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else {
      self = .strings(try container.decode([String].self))
    }
  }

  /// Writes one JSON value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .integer(let number): try container.encode(number)
    case .string(let text): try container.encode(text)
    case .strings(let texts): try container.encode(texts)
    case .boolean(let flag): try container.encode(flag)
    }
  }
}

extension Parameter {
  /// The value that an answer shows; nil for a flag, which has nothing to show.
  public var value: ParameterValue? {
    switch self {
    case .flag: nil
    case .integer(let number): .integer(number)
    case .text(let text): .string(text)
    case .texts(let texts): .strings(texts)
    case .domains(let domains): .strings(domains.map(\.description))
    case .characters(let set): .string(set.text)
    case .duration(let seconds): .integer(seconds)
    }
  }
}

extension Rule {
  /// `{"min": 8}`; empty for rules without a parameter.
  public var params: [String: ParameterValue] {
    guard !kind.parameterName.isEmpty, let value = parameter.value else { return [:] }
    return [kind.parameterName: value]
  }
}

extension RuleKind {
  /// The parameter that `params` of an answer describe, so that a client can rebuild the rule; nil when they do not
  /// fit.
  public func parameter(from params: [String: ParameterValue]) -> Parameter? {
    guard let value = params[parameterName] else {
      return parameterName.isEmpty ? .flag(true) : nil
    }
    if case .duration = shape {
      guard case .integer(let seconds) = value, seconds >= 0 else { return nil }
      return .duration(seconds)
    }
    if isImplied {
      guard case .string(let text) = value else { return nil }
      return .text(text)
    }
    switch value {
    case .integer(let number): return shape.parameter(from: [String(number)])
    case .string(let text): return shape.parameter(from: [text])
    case .strings(let texts): return shape.parameter(from: texts)
    case .boolean(let flag): return shape.parameter(from: [flag ? "true" : "false"])
    }
  }
}
