import GatehousePrimitives
package import GatehouseRuntime
package import GatehouseServer
import GatehouseWire

/// Holds every test to the API's description: a refusal with a code that its route does not declare reaches no test. In
/// its place there is an answer that no test expects.
package final class UndeclaredCodes: Sendable {
  private static let declared = Dictionary(
    uniqueKeysWithValues: Routes.all.map { ("\($0.method.rawValue) \($0.path)", Set($0.codes)) })

  /// By the names of their requests.
  private let found = LockBox<[String: String]>([:])

  package init() {}

  /// Looks at the record of a request.
  package func judge(_ record: RequestRecord) {
    let route = "\(record.method) \(record.route)"
    // A method that the path has not is refused before a route is known.
    guard let code = record.code, code != .methodNotAllowed, let declared = Self.declared[route],
      !declared.contains(code)
    else { return }
    found.withLock { $0[record.requestID] = "\(route) answered \(code.rawValue), which it does not declare" }
  }

  /// The answer to a request that was judged.
  package func judged(_ response: Response) -> Response {
    guard let id = response.requestID, let what = found.withLock({ $0.removeValue(forKey: id) }) else {
      return response
    }
    return Response(status: 599, body: Array(what.utf8))
  }
}
