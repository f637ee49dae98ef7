import CYAML

/// The next event of libyaml, copied out of its memory.
enum Event {
  case documentStart(hasDirective: Bool)
  case alias(String)
  case scalar(String, Node.Style, Properties)
  case listStart(Properties, isFlow: Bool)
  case mapStart(Properties, isFlow: Bool)
  case end
  case streamEnd
  case other

  /// The anchor and tag of a value, which are refused.
  struct Properties {
    let anchor: String?
    let tag: String?
  }
}

/// libyaml's event parser over one text. Owns the parser and the bytes it reads.
final class EventParser {
  // SAFETY: `parser` is allocated and initialised once and freed in deinit; `input` is a copy that lives as long, as
  // libyaml keeps its address.
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let input: UnsafeMutableBufferPointer<UInt8>
  private let ready: Bool

  init(_ bytes: [UInt8]) {
    parser = .allocate(capacity: 1)
    input = .allocate(capacity: max(1, bytes.count))
    _ = input.initialize(from: bytes)
    ready = yaml_parser_initialize(parser) == 1
    guard ready else { return }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
  }

  deinit {
    if ready { yaml_parser_delete(parser) }
    parser.deallocate()
    input.deallocate()
  }

  /// The next event with its place; a `YAMLFailure` is final.
  func next() throws(YAMLFailure) -> (event: Event, range: SourceRange) {
    guard ready else { throw YAMLFailure(problem: "out of memory", mark: SourceRange.top.start) }
    var raw = yaml_event_t()
    guard yaml_parser_parse(parser, &raw) == 1 else { throw failure() }
    defer { yaml_event_delete(&raw) }
    return (EventParser.copy(raw), SourceRange(Mark(raw.start_mark), Mark(raw.end_mark)))
  }

  private func failure() -> YAMLFailure {
    let problem = parser.pointee.problem.map { String(cString: $0) } ?? "unreadable"
    let context = parser.pointee.context.map { String(cString: $0) + ", " } ?? ""
    return YAMLFailure(problem: context + problem, mark: Mark(parser.pointee.problem_mark))
  }

  private static func copy(_ raw: yaml_event_t) -> Event {
    switch raw.type {
    case YAML_DOCUMENT_START_EVENT:
      let start = raw.data.document_start
      return .documentStart(
        hasDirective: start.version_directive != nil || start.tag_directives.start != start.tag_directives.end)
    case YAML_ALIAS_EVENT:
      return .alias(text(raw.data.alias.anchor) ?? "")
    case YAML_SCALAR_EVENT:
      let scalar = raw.data.scalar
      // SAFETY: libyaml promises `length` bytes at `value` until the event is deleted; they are copied here.
      let value = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      return .scalar(value, style(scalar.style), .init(anchor: text(scalar.anchor), tag: text(scalar.tag)))
    case YAML_SEQUENCE_START_EVENT:
      let start = raw.data.sequence_start
      return .listStart(
        .init(anchor: text(start.anchor), tag: text(start.tag)), isFlow: start.style == YAML_FLOW_SEQUENCE_STYLE)
    case YAML_MAPPING_START_EVENT:
      let start = raw.data.mapping_start
      return .mapStart(
        .init(anchor: text(start.anchor), tag: text(start.tag)), isFlow: start.style == YAML_FLOW_MAPPING_STYLE)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .end
    case YAML_STREAM_END_EVENT: return .streamEnd
    default: return .other
    }
  }

  private static func style(_ style: yaml_scalar_style_t) -> Node.Style {
    switch style {
    case YAML_PLAIN_SCALAR_STYLE: .plain
    case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: .block
    default: .quoted
    }
  }

  private static func text(_ bytes: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    // SAFETY: libyaml ends names with a zero byte and keeps them until the event is deleted.
    bytes.map { String(decodingCString: $0, as: UTF8.self) }
  }
}

/// libyaml's reason for giving up.
struct YAMLFailure: Error {
  let problem: String
  let mark: Mark
}

extension Mark {
  /// libyaml counts from 0.
  fileprivate init(_ mark: yaml_mark_t) {
    self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }
}
