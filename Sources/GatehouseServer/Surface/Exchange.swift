import GatehouseIdentity
import GatehouseRuntime

/// A request on its way through a listener, and what is known of it so far: for the answer to an error, and for the
/// record.
struct Exchange: Sendable {
  let request: Request
  /// The name of the request.
  let id: String
  let clock: RequestClock
  /// Languages the caller reads, best first.
  let languages: [String]
  var tenant: TenantSnapshot?
  /// The relative way from the request's path to the tenant's own, once the tenant is known.
  var root = ""
  /// The counts to return to a user whose credential was right.
  var tries: RightTries?
  /// The methods allowed at the path, once it is known.
  var allowed: String?
  /// The common properties of all entries at the path, and the chosen entry.
  var traits: Traits = []
  var record: RequestRecord
  /// The request in its trace; nil where it belongs to none.
  let trace: RequestTrace?

  init(_ request: Request, id: String, clock: RequestClock, languages: [String], trace: RequestTrace? = nil) {
    self.trace = trace
    self.request = request
    self.id = id
    self.clock = clock
    self.languages = languages
    let method = if case .other = request.method { "other" } else { request.method.description }
    record = RequestRecord(
      requestID: id, method: method, route: RequestRecord.noRoute, status: 0, violated: [], warned: [], microseconds: 0)
    record.trace = trace?.place
  }
}
