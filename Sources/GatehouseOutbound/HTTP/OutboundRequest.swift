import GatehousePrimitives

/// On whose behalf a request goes: circuits and places at a host are kept apart by it.
package struct OutboundPurpose: Sendable, Hashable {
  /// The purpose of a request. Each kind has places of its own: none can take another's.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case webhook, webhookTest, provider, breachList, host, edge, traces
  }

  package let kind: Kind
  /// The owner: a tenant, an endpoint, a provider. Never secret.
  package let owner: String

  package init(_ kind: Kind, owner: String = "") {
    self.kind = kind
    self.owner = owner
  }
}

/// One request to a third party's server. Nothing is added to it but Host, lengths and the server's own name.
package struct OutboundRequest: Sendable {
  package enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
  }

  package let purpose: OutboundPurpose
  package let method: Method
  package let url: OutboundURL
  package private(set) var headers: [(name: String, value: String)]
  package let body: [UInt8]
  /// If given, the only hosts the request may go to, in lower case.
  package let allowedHosts: [String]?
  /// From the call to the last byte of the answer, waiting for a place included.
  package let timeout: Duration
  /// The longest answer that is read, in bytes.
  package let bodyLimit: Int

  /// Throws `OutboundError.invalidRequest` for header fields that are not a token and a line of printable ASCII, for
  /// those that are the client's own, and for a body over 256 KiB. The time-out is kept within 30 s, the answer within
  /// 1 MiB.
  package init(
    _ method: Method, _ url: OutboundURL, purpose: OutboundPurpose, headers: [(name: String, value: String)] = [],
    body: [UInt8] = [], allowedHosts: [String]? = nil, timeout: Duration = .seconds(3), bodyLimit: Int = 65_536
  ) throws(OutboundError) {
    guard body.count <= 262_144, headers.count <= 32, headers.allSatisfy({ Self.isField($0.name, $0.value) }) else {
      throw .invalidRequest
    }
    self.purpose = purpose
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.allowedHosts = allowedHosts
    self.timeout = min(max(timeout, .milliseconds(1)), .seconds(30))
    self.bodyLimit = min(max(bodyLimit, 0), 1_048_576)
  }

  /// The same request, as one below a place in a trace.
  func within(_ place: TraceParent, _ state: TraceState?) -> OutboundRequest {
    var request = self
    request.headers.append(("traceparent", place.field))
    if let state = state?.field { request.headers.append(("tracestate", state)) }
    return request
  }

  /// Whether the request may go to its host at all.
  var isHostAllowed: Bool { allowedHosts?.contains { $0.utf8.elementsEqual(url.host.utf8) } ?? true }

  /// RFC 9110 section 5: a token, and visible characters with spaces between. An empty value means "remove" to curl.
  private static func isField(_ name: String, _ value: String) -> Bool {
    let isToken =
      !name.isEmpty && name.utf8.allSatisfy { $0.isASCIIAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    let isLine = !value.isEmpty && value.utf8.count <= 8192 && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    return isToken && isLine && !own.contains(name.lowercased())
  }

  private static let own: Set<String> = [
    "host", "content-length", "transfer-encoding", "connection", "expect", "upgrade", "te", "trailer",
    "accept-encoding", "user-agent", "proxy-authorization",
  ]
}

/// The answer of a third party's server, of any status; nothing of it is to be trusted.
package struct OutboundResponse: Sendable {
  package let status: Int
  /// At most 64 fields as they came; bytes outside printable ASCII are spaces.
  package let headers: [(name: String, value: String)]
  /// The body as received: no content coding was requested and none is undone.
  package let body: [UInt8]

  /// The first field of this name, compared without case.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased().utf8.elementsEqual(name.lowercased().utf8) }?.value
  }

  package var isSuccess: Bool { (200...299).contains(status) }

  /// `Retry-After` in seconds where it is given so (RFC 9110 section 10.2.3), at most an hour.
  package var retryAfter: Int? {
    guard let text = header("retry-after"), (1...9).contains(text.utf8.count), let seconds = Int(text), seconds >= 0
    else { return nil }
    return min(seconds, 3600)
  }
}
