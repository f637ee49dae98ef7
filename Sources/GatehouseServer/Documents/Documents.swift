import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// A document that every caller may read and caches may keep: the public half of a policy, and the key set.
enum PublicDocument: String, CaseIterable {
  case policy = "/v1/policy"
  case keys = "/.well-known/jwks.json"

  /// How long caches keep it (RFC 9111 section 5.2).
  var cacheControl: String {
    switch self {
    case .policy: "public, max-age=0, must-revalidate"
    case .keys: "public, max-age=\(Keys.cacheSeconds)"
    }
  }

  /// The request field on which its text depends.
  var vary: String? { self == .policy ? "Accept-Language" : nil }
}

/// The public documents of a tenant.
struct Documents: Surface {
  /// Where the bytes of documents are kept.
  let kept: KeptAnswers

  var isForScripts: Bool { true }

  var entries: [Entry<Call>] {
    PublicDocument.allCases.map { document in
      Entry(.get, document.rawValue, .isPublic) { request, _, call in try answer(document, request, call) }
    }
  }

  private func answer(_ document: PublicDocument, _ request: Request, _ call: Call) throws -> Answer {
    let (tenant, now) = (call.tenant, call.now)
    let language = call.language
    // Stages switch themselves on at midnight UTC, so that a day is part of what the text depends on.
    let day = now.wholeSeconds / 86_400
    let pictures = tenant.pictures.values.map(tenant.url).sorted().joined(separator: " ")
    let kids = tenant.keys.published.map(\.kid).joined(separator: ",")
    let key =
      switch document {
      case .policy:
        "policy \(tenant.name) \(tenant.revision) \(Hex.encode(tenant.digest)) \(language) \(day) \(pictures)"
      case .keys: "keys \(tenant.name) \(kids)"
      }
    let rendered = try kept.document(key) {
      switch document {
      case .policy: try JSONEncoding.encode(PublicPolicy(tenant, language: language, at: now), spelling: .contract)
      case .keys: try JSONEncoding.encode(["keys": tenant.keys.jwks()])
      }
    }
    var answer =
      matches(request.headers.values(of: "if-none-match"), rendered.tag)
      ? Answer(status: 304) : Answer.json(rendered.body)
    answer.headers.set("ETag", rendered.tag)
    answer.headers.set("Cache-Control", document.cacheControl)
    if let vary = document.vary { answer.headers.set("Vary", vary) }
    return answer
  }

  private func matches(_ fields: [String], _ tag: String) -> Bool {
    fields.flatMap { $0.split(separator: ",") }.contains { field in
      let candidate = field.drop { $0 == " " }
      return candidate == "*" || (candidate.hasPrefix("W/") ? candidate.dropFirst(2) : candidate) == tag
    }
  }
}
