import GatehouseIdentity
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// The paths at the root of a host that are no tenant's: one row each. On a tenant's own host its paths stand at the
/// root as well, behind these. A document whose well-known name is inserted before a tenant's path (RFC 8414 section
/// 3.1) is a row here.
struct RootPaths: Surface {
  /// The facts of a request that are known before its tenant.
  struct Context: Sendable {
    /// The tenant's own host at which the request came in; nil at the host of all tenants.
    let host: HostTarget?
  }

  /// How long caches keep a document (RFC 9111 section 5.2).
  static let cacheControl = "public, max-age=300"

  private let description: APIDescription
  /// Whether the rows are those of a tenant's own host.
  private let isOwnHost: Bool

  init(_ description: APIDescription, isOwnHost: Bool) {
    self.description = description
    self.isOwnHost = isOwnHost
  }

  var isForScripts: Bool { true }

  var entries: [Entry<Context>] {
    let everywhere = [Entry<Context>(.get, "/openapi.json") { _, _, _ in description.answer }]
    let atOwnHost = [
      Entry<Context>(.get, TenantHost.proofPath) { _, _, context in
        let proofs = (context.host?.proofs ?? []).joined(separator: "\n")
        return Answer(status: 200, Answer.Body(type: "text/plain", bytes: Array(proofs.utf8)))
      }
    ]
    return everywhere + (isOwnHost ? atOwnHost + associations : [])
  }

  private var associations: [Entry<Context>] {
    AssociationDocument.allCases.map { document in
      Entry(.get, document.rawValue) { request, _, context in
        try document.answer(context.host?.tenant, at: request.host)
      }
    }
  }

  func refuse(_ error: any Error, _ exchange: inout Exchange) -> Answer {
    .problem(exchange.refused(by: error), exchange)
  }
}

/// The bytes of the API's description, made when they are asked for first.
final class APIDescription: Sendable {
  private let publicURL: String
  private let made = LockBox<[UInt8]?>(nil)

  init(_ publicURL: String) { self.publicURL = publicURL }

  var answer: Answer {
    let bytes = made.withLock { made in
      if let made { return made }
      let bytes = OpenAPI.document(publicURL).bytes
      made = bytes
      return bytes
    }
    var answer = Answer.json(bytes)
    answer.headers.set("Cache-Control", RootPaths.cacheControl)
    return answer
  }
}
