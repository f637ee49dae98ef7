import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// What anybody may read and caches may keep: the public half of a policy, the key set, the API's description.
struct Documents: Sendable {
  enum Document: String, Sendable, CaseIterable {
    case policy = "v1/policy"
    case keys = ".well-known/jwks.json"

    var route: String { "/" + rawValue }
  }

  /// Rendered bytes by what they depend on; replaced when a tenant's revision or keys change.
  private let cache = LockBox<[String: Rendered]>([:])
  private let description = LockBox<[UInt8]?>(nil)

  private struct Rendered: Sendable {
    var body: [UInt8]
    var tag: String
  }

  func find(_ path: [ArraySlice<UInt8>]) -> Document? {
    let text = path.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
    return Document.allCases.first { $0.rawValue.utf8.elementsEqual(text.utf8) }
  }

  func answer(
    _ document: Document, _ request: Request, _ tenant: TenantSnapshot, _ languages: [String], at now: Date
  ) throws -> Response {
    let language = Languages.choose(from: tenant.policy.app.locales, preferring: languages)
    // Stages switch themselves on at midnight UTC, so that a day is part of what the text depends on.
    let day = now.wholeSeconds / 86_400
    let kids = tenant.keys.published.map(\.kid).joined(separator: ",")
    let key =
      switch document {
      case .policy: "policy \(tenant.name) \(tenant.revision) \(Hex.encode(tenant.digest)) \(language) \(day)"
      case .keys: "keys \(tenant.name) \(kids)"
      }
    let rendered = try rendered(key) {
      switch document {
      case .policy: try JSONEncoding.encode(PublicPolicy(tenant, language: language, at: now))
      case .keys: try JSONEncoding.encode(["keys": tenant.keys.jwks])
      }
    }
    var response =
      matches(request.headers.values(of: "if-none-match"), rendered.tag)
      ? Response(status: 304) : Response.json(rendered.body)
    response.headers.set("ETag", rendered.tag)
    response.headers.set(
      "Cache-Control",
      document == .policy ? "public, max-age=0, must-revalidate" : "public, max-age=\(Keys.cacheSeconds)")
    if document == .policy { response.headers.set("Vary", "Accept-Language") }
    return response
  }

  func openAPI(_ publicURL: String) -> Response {
    let bytes = description.withLock { kept in
      if let kept { return kept }
      let made = OpenAPI.document(publicURL).bytes
      kept = made
      return made
    }
    var response = Response.json(bytes)
    response.headers.set("Cache-Control", "public, max-age=300")
    return response
  }

  private func rendered(_ key: String, _ render: () throws -> [UInt8]) throws -> Rendered {
    if let kept = cache.withLock({ $0[key] }) { return kept }
    let body = try render()
    let made = Rendered(body: body, tag: "\"\(Hex.encode(Array(SHA256.digest(body).prefix(16))))\"")
    cache.withLock { cache in
      // Old revisions and days are never asked for again.
      if cache.count > 4096 { cache.removeAll() }
      cache[key] = made
    }
    return made
  }

  private func matches(_ fields: [String], _ tag: String) -> Bool {
    fields.flatMap { $0.split(separator: ",") }.contains { field in
      let candidate = field.drop { $0 == " " }
      return candidate == "*" || (candidate.hasPrefix("W/") ? candidate.dropFirst(2) : candidate) == tag
    }
  }
}
