import GatehousePrimitives

/// The segments of a request's path, as they came.
typealias PathSegments = [ArraySlice<UInt8>]

/// Where an entry is: literal segments, and parameters in braces that stand for one segment each. A slash at the end
/// makes an empty last segment.
struct PathTemplate: Sendable {
  private enum Segment: Sendable {
    case literal([UInt8])
    case parameter(String)
  }

  /// The template as written, `/v1/users/{id}`.
  let text: String
  private let segments: [Segment]

  init(_ text: String) {
    self.text = text
    segments = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { part in
      part.hasPrefix("{") ? .parameter(String(part.dropFirst().dropLast())) : .literal(Array(part.utf8))
    }
  }

  /// How many segments it has.
  var count: Int { segments.count }

  /// The names of the parameters, in order.
  var names: [String] { segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } } }

  /// The values of the parameters when a path is this one; nil when it is another, or when `read` refuses a value.
  func match(_ path: PathSegments, _ read: (ArraySlice<UInt8>) -> String?) -> PathParameters? {
    guard path.count == segments.count else { return nil }
    var values: [(name: String, value: String)] = []
    for (segment, part) in zip(segments, path) {
      switch segment {
      case .literal(let text): guard part.elementsEqual(text) else { return nil }
      case .parameter(let name):
        guard !part.isEmpty, let value = read(part) else { return nil }
        values.append((name, value))
      }
    }
    return PathParameters(all: values)
  }

  /// The path with these values in the place of the parameters.
  func path(with parameters: PathParameters) -> String {
    var values = parameters.all[...]
    let parts = segments.map { segment in
      switch segment {
      case .literal(let bytes): "/" + String(decoding: bytes, as: UTF8.self)
      case .parameter: "/" + (values.popFirst()?.value ?? "")
      }
    }
    return parts.joined()
  }

  /// The segments of a path; nil for one that does not begin at the root.
  static func segments(of path: String) -> PathSegments? {
    let parts = Array(path.utf8).split(separator: 0x2F, omittingEmptySubsequences: false)
    return parts.first?.isEmpty == true ? Array(parts.dropFirst()) : nil
  }

  /// A segment as it is: for paths in which nothing needs a percent sign.
  static func plain(_ part: ArraySlice<UInt8>) -> String? { String(decoding: part, as: UTF8.self) }

  /// A segment's text, its percent signs read once. Nil for what is no text of one line.
  static func decoded(_ part: ArraySlice<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var rest = part
    while let byte = rest.popFirst() {
      guard byte == 0x25 else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    guard !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self),
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return nil }
    return text
  }
}

/// The values of a template's parameters, in its order.
struct PathParameters: Sendable {
  var all: [(name: String, value: String)]

  subscript(_ name: String) -> String? { all.first { $0.name == name }?.value }
}
