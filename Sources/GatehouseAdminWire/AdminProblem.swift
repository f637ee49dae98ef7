import GatehousePolicy
package import GatehouseWire

/// A refusal of the admin API: `application/problem+json` (RFC 9457).
package struct AdminProblem: Codable, Hashable, Sendable, Error {
  /// A URI that names the kind of problem.
  package var type: String
  /// The code's text.
  package var title: String
  /// The HTTP status.
  package var status: Int
  /// The stable reason. A newer server may answer one that this version does not know.
  package var code: ProblemCode
  /// For the operator: what exactly is wrong. May have several lines.
  package var detail: String?
  /// The remedy, on one line.
  package var hint: String?
  /// With `forbidden`: the scope that the token lacks, as `policy:write`.
  package var scope: String?
  /// With `revision_stale`: the live revision.
  package var revision: Int?
  /// Findings about a policy file, with lines and columns.
  package var findings: [PolicyFinding]?
  /// Each violated rule of a tenant's policy.
  package var errors: [ProblemError]?
  /// Finds this request in the server's log.
  package var requestID: String
  /// With 429 and 503: seconds to wait, as in the `Retry-After` header.
  package var retryAfter: Int?

  /// A refusal for this reason.
  package init(_ code: ErrorCode, requestID: String, detail: String? = nil, hint: String? = nil) {
    let entry = code.entry
    type = "urn:gatehouse:problem:\(code.rawValue)"
    title = entry.title.en
    status = entry.status
    self.code = ProblemCode(code)
    self.requestID = requestID
    self.detail = detail
    self.hint = hint
  }
}
