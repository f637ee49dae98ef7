import GatehousePrimitives

/// A field of a log line beside its event. There is no case for free text: no address, name, token or body can get into
/// a log by mistake. Texts from outside pass a filter, and become `invalid` where they do not fit it.
enum LogField: Sendable {
  /// Letters, digits, dot, dash, underscore, at most 64.
  case requestID(String)
  /// The place of a request in a trace: hexadecimal digits.
  case traceID(TraceID)
  case spanID(SpanID)
  /// The tenant's id: lower-case letters, digits and dashes, at most 63.
  case tenant(String)
  /// The address of a client, where `log.clients` asks for it.
  case client(NetworkAddress)
  /// The name of an admin token: as a tenant's.
  case token(String)
  /// The template of the route (`/t/{tenant}/v1/sign-up`), never the path that was asked for.
  case route(String)
  /// `GET`, or `other`.
  case method(String)
  /// The stable code of the answer.
  case code(String)
  case status(Int)
  /// Printed as `ms` with three digits after the point.
  case microseconds(Int)
  case revision(Int)
  /// A named number.
  case count(StaticString, Int)
  /// A named word out of the source.
  case word(StaticString, StaticString)
  /// The id of a mail in the outbox: as a request's.
  case mail(String)
  /// The program's own words about a fault: types and codes of errors, a report on a policy file, why a mail server
  /// took no mail. Nothing of a request, and no address of a person.
  case note(String)
  /// Keys of settings.
  case settings([String])
  /// An address the server listens on.
  case address(StaticString, Address)

  var key: String {
    switch self {
    case .requestID: "request_id"
    case .traceID: "trace_id"
    case .spanID: "span_id"
    case .tenant: "tenant"
    case .client: "client"
    case .token: "token"
    case .route: "route"
    case .method: "method"
    case .code: "code"
    case .note: "note"
    case .settings: "settings"
    case .mail: "mail"
    case .status: "status"
    case .microseconds: "ms"
    case .revision: "revision"
    case .count(let name, _), .word(let name, _), .address(let name, _): "\(name)"
    }
  }

  /// The value as text, and whether JSON shows it without quotation marks.
  var value: (text: String, isNumber: Bool) {
    switch self {
    case .requestID(let text), .mail(let text): (Self.filtered(text, limit: 64, Self.isRequestID), false)
    case .traceID(let id): (id.text, false)
    case .spanID(let id): (id.text, false)
    case .tenant(let text), .token(let text): (Self.filtered(text, limit: 63, Self.isTenant), false)
    case .route(let text), .code(let text), .method(let text): (Self.filtered(text, limit: 100, Self.isTemplate), false)
    case .note(let text): (String(text.prefix(4000)), false)
    case .settings([]): ("none", false)
    case .settings(let keys): (keys.map { Self.filtered($0, limit: 64, Self.isTemplate) }.joined(separator: " "), false)
    case .word(_, let text): ("\(text)", false)
    case .status(let number), .revision(let number), .count(_, let number): (String(number), true)
    case .client(let address): (address.text, false)
    case .microseconds(let number): (Self.milliseconds(number), true)
    case .address(_, let address): (address.description, false)
    }
  }

  private static func filtered(_ text: String, limit: Int, _ fits: (UInt8) -> Bool) -> String {
    !text.isEmpty && text.utf8.count <= limit && text.utf8.allSatisfy(fits) ? text : "invalid"
  }

  private static func isTenant(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
  }

  private static func isRequestID(_ byte: UInt8) -> Bool {
    isTenant(byte) || (0x41...0x5A).contains(byte) || byte == 0x2E || byte == 0x5F
  }

  private static func isTemplate(_ byte: UInt8) -> Bool {
    isRequestID(byte) || [0x2F, 0x7B, 0x7D, 0x28, 0x29].contains(byte)
  }

  private static func milliseconds(_ microseconds: Int) -> String {
    let bounded = max(0, microseconds)
    let fraction = String(bounded % 1000)
    return "\(bounded / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}

/// How much an event matters.
enum LogLevel: String, Sendable, CaseIterable, Comparable {
  case debug, info, warning, error

  static func < (one: LogLevel, other: LogLevel) -> Bool { one.rank < other.rank }

  private var rank: Int {
    switch self {
    case .debug: 0
    case .info: 1
    case .warning: 2
    case .error: 3
    }
  }
}
