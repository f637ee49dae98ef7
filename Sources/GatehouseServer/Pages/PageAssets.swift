import GatehouseIdentity
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// The files that pages refer to. The name of each holds a hash of its content, so that caches keep it for good and a
/// page of a moment ago finds what it names or nothing.
struct PageAssets: Surface {
  let services: Services
  /// Where the content of files is kept, so that a picture costs no query.
  let kept: KeptAnswers

  var entries: [Entry<Call>] {
    [
      Entry(.get, "/ui/\(PageScript.path)") { _, _, _ in PageScript.answer },
      Entry(.get, "/ui/\(PasskeyScript.file.path)") { _, _, _ in PasskeyScript.answer },
      Entry(.get, "\(TenantSnapshot.assetsPath)/{file}", .isPublic) { _, parameters, call in
        try await picture(parameters["file"] ?? "", call)
      },
    ]
  }

  /// A page that says so: the address may have been typed.
  func refuse(_ error: any Error, _ exchange: inout Exchange) -> Answer {
    exchange.refusedPage(by: error)
  }

  /// The way from a page at this path, below its tenant, to the tenant's own path: `../` for each segment but one.
  static func root(from path: PathSegments) -> String { String(repeating: "../", count: max(0, path.count - 1)) }

  private func picture(_ file: String, _ call: Call) async throws -> Answer {
    let present = call.tenant.pictures.values
    // GUARD: logo: the tenant's present ones alone
    let found = present.first { $0.fileName.utf8.elementsEqual(file.utf8) }
    guard let picture = found else { throw Refusal(.notFound) }
    let content = try await kept.fetched("logo \(picture.fileName)") {
      guard let content = try await services.store.open(call.tenant.id).picture(sha256: picture.sha256) else {
        throw Refusal(.notFound)
      }
      return content
    }
    var answer = Answer(status: 200, Answer.Body(type: picture.type.rawValue, bytes: content.body))
    answer.headers.set("Cache-Control", "public, max-age=31536000, immutable")
    // Opened by itself a drawing is a document: it runs nothing and fetches nothing.
    answer.headers.set(
      "Content-Security-Policy",
      "sandbox; default-src 'none'; style-src 'unsafe-inline'")  // GUARD: logo: a drawing that is opened runs nothing
    // Web apps of other origins show it too, by the address in the public policy.
    answer.headers.set("Cross-Origin-Resource-Policy", "cross-origin")
    return answer
  }
}
