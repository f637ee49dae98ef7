/// The parameter of a rule: `8` of `min_length: 8`, the domains of `allowed_domains: […]`.
public enum Parameter: Sendable, Hashable {
  case flag(Bool)
  case integer(Int64)
  case text(String)
  case texts([String])
  case domains([DomainPattern])
  case characters(Charset)
  /// A span of time in seconds.
  case duration(Int64)
}

extension Parameter: CustomStringConvertible {
  /// The same text for the same parameter, in every version: what was measured by a rule is known by it.
  public var description: String {
    switch self {
    case .flag(let flag): flag ? "true" : "false"
    case .integer(let number), .duration(let number): String(number)
    case .text(let text): text
    case .texts(let texts): texts.joined(separator: "\u{1F}")
    case .domains(let domains): domains.map(\.description).joined(separator: "\u{1F}")
    case .characters(let characters): characters.text
    }
  }
}

/// The shape of a rule's parameter. The reader of policy files, the JSON Schema and the editor help follow it.
public enum ParameterShape: Sendable, Hashable {
  /// `true` or `false`; `false` means there is no rule.
  case flag
  case integer(ClosedRange<Int64>)
  /// One of these words.
  case word([String])
  /// A list of at least one text, without repeats.
  case texts
  /// A list of regions (ISO 3166), `US`.
  case regions
  /// A list of `email` and names of profile fields.
  case subjects
  /// A list of domains, `ksu.edu` or `*.ksu.edu`.
  case domains
  /// A set of characters, `a-zA-Z0-9_.`.
  case characters
  /// A span with a unit: `90d`.
  case duration

  /// Whether the file writes a list.
  public var isList: Bool {
    switch self {
    case .texts, .regions, .subjects, .domains: true
    case .flag, .integer, .word, .characters, .duration: false
    }
  }

  /// The parameter written as `scalars` (one for shapes that are no list); nil when it does not fit.
  public func parameter(from scalars: [String]) -> Parameter? {
    if isList {
      guard !scalars.isEmpty, Set(scalars.map { Array($0.utf8) }).count == scalars.count else { return nil }
    } else {
      guard scalars.count == 1 else { return nil }
    }
    let first = scalars[0]
    switch self {
    case .flag: return first == "true" ? .flag(true) : first == "false" ? .flag(false) : nil
    case .integer(let range):
      guard let number = Int64(first), range.contains(number), first.utf8.first != UInt8(ascii: "+") else { return nil }
      return .integer(number)
    case .word(let words): return words.contains(first) ? .text(first) : nil
    case .texts, .regions, .subjects: return scalars.contains("") ? nil : .texts(scalars)
    case .domains:
      let domains = scalars.compactMap(DomainPattern.init)
      return domains.count == scalars.count ? .domains(domains) : nil
    case .characters: return Charset(first).map(Parameter.characters)
    case .duration: return Seconds.parse(first).map(Parameter.duration)
    }
  }

  /// The values that are accepted, for messages: `a whole number from 1 to 1024`.
  public var expected: String {
    switch self {
    case .flag: "true or false"
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .word(let words): "one of \(words.joined(separator: ", "))"
    case .texts: "a list of texts without repeats"
    case .regions: "a list of regions, as US"
    case .subjects: "a list of email and names of profile fields"
    case .domains: "a list of domains, as ksu.edu or \"*.ksu.edu\""
    case .characters: "a set of characters, as \"a-zA-Z0-9_.\", or letters"
    case .duration: "a span with a unit, as 15m, 24h or 30d"
    }
  }
}

/// Spans of time as policy files write them.
public enum Seconds {
  /// `30s`, `15m`, `24h`, `30d`: digits and one unit, at most ten years; nil for anything else.
  public static func parse(_ text: String) -> Int64? {
    guard let unit = text.utf8.last, let number = digits(text.utf8.dropLast()) else { return nil }
    let factor: Int64
    switch unit {
    case UInt8(ascii: "s"): factor = 1
    case UInt8(ascii: "m"): factor = 60
    case UInt8(ascii: "h"): factor = 3600
    case UInt8(ascii: "d"): factor = 86_400
    default: return nil
    }
    let seconds = number * factor
    return seconds <= 3650 * 86_400 ? seconds : nil
  }

  /// The shortest exact spelling: `90s` stays, `3600` is `1h`.
  public static func text(_ seconds: Int64) -> String {
    for (unit, factor): (String, Int64) in [("d", 86_400), ("h", 3600), ("m", 60)]
    where seconds > 0 && seconds.isMultiple(of: factor) {
      return "\(seconds / factor)\(unit)"
    }
    return "\(seconds)s"
  }

  static func digits(_ bytes: some Collection<UInt8>) -> Int64? {
    guard (1...9).contains(bytes.count) else { return nil }
    var value: Int64 = 0
    for byte in bytes {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return value
  }
}
