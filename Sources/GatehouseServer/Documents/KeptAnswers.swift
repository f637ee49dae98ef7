import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime

/// The cache of public documents: their bytes by what these depend on, and whole answers to plain requests, made of the
/// same bytes. Documents are asked for far more often than they change. An answer is found by the text of its request,
/// before anything is looked up, and is given again until any tenant changes or a day begins (stages of a policy switch
/// themselves on). Bytes are for all other requests, and outlive that: to make them costs ten times as much as to
/// answer. Each loop keeps its own.
struct KeptAnswers: Sendable {
  /// Made once and only read: one reference, however often it is given.
  final class Answer: Sendable {
    let response: Response
    let tenant: String
    let route: String

    init(response: Response, tenant: String, route: String) {
      self.response = response
      self.tenant = tenant
      self.route = route
    }
  }

  /// A document's bytes, and their ETag.
  struct Document: Sendable {
    let body: [UInt8]
    let tag: String

    init(_ body: [UInt8]) {
      self.body = body
      tag = "\"\(Hex.encode(Array(SHA256.digest(body).prefix(16))))\""
    }
  }

  /// The state that an answer depends on besides the request.
  struct Moment: Sendable, Equatable {
    var generation: UInt64
    /// Whether some requests are some tenant's by their host.
    var hasHosts: Bool
    var day: Int64

    /// Taken before the tenant is looked up, so that an answer never seems newer than what it was made of.
    init(_ registry: TenantRegistry, at now: Date) {
      (generation, hasHosts) = registry.edition
      day = now.wholeSeconds / 86_400
    }
  }

  private struct Kept: Sendable {
    var documents: [String: Document] = [:]
    /// That of the answers.
    var moment: Moment?
    var answers: [String: Answer] = [:]
    var documentBytes = 0
    var answerBytes = 0

    mutating func dropAnswers() {
      answers = [:]
      answerBytes = 0
    }

    /// Drops everything where there is no room for so many bytes more. Old revisions and days are never asked for
    /// again.
    mutating func makeRoom(for size: Int, _ bounds: Bounds) {
      // GUARD: kept: bounded in bytes
      if documentBytes + answerBytes + size > bounds.bytes { self = Kept(moment: moment) }
    }
  }

  /// The bounds of the cache. Languages are the caller's: a stranger with many of them must not fill the memory.
  struct Bounds: Sendable {
    var answers = 1024
    var bytes = 16 << 20
  }

  private let bounds: Bounds
  private let kept = LockBox(Kept())

  init(bounds: Bounds = Bounds()) { self.bounds = bounds }

  /// Bytes that are kept: bodies and keys, and for each what its fields and its place take at most. A body counts for
  /// its document, and again for each answer.
  var bytes: Int { kept.withLock { $0.documentBytes + $0.answerBytes } }

  /// The document under a key that names all that it depends on.
  func document(_ key: String, _ render: () throws -> [UInt8]) rethrows -> Document {
    if let found = kept.withLock({ $0.documents[key] }) { return found }
    return keep(Document(try render()), under: key)
  }

  /// The same of bytes that are fetched.
  func fetched(_ key: String, _ fetch: () async throws -> [UInt8]) async rethrows -> Document {
    if let found = kept.withLock({ $0.documents[key] }) { return found }
    return keep(Document(try await fetch()), under: key)
  }

  private func keep(_ made: Document, under key: String) -> Document {
    let size = made.body.count + key.utf8.count + Self.fieldBytes
    guard size <= bounds.bytes else { return made }
    kept.withLock { kept in
      kept.makeRoom(for: size, bounds)
      if kept.documents.updateValue(made, forKey: key) == nil { kept.documentBytes += size }
    }
    return made
  }

  func find(_ request: Request, at moment: Moment) -> Answer? {
    guard let key = KeptAnswers.key(request) else { return nil }
    return kept.withLock { kept in
      // GUARD: kept: for its moment
      kept.moment == moment ? kept.answers[key] : nil
    }
  }

  /// Keeps an answer of status 200, unless the tenant's policy counts requests: then each must be seen. The server's
  /// own limit lets what costs nothing pass.
  func keep(_ response: Response, of route: String, _ tenant: TenantSnapshot, to request: Request, at moment: Moment) {
    guard response.status == 200, let key = KeptAnswers.key(request),
      tenant.policy.limits.byName[.requestsPerIP] == nil,  // GUARD: kept: not where requests of an address are counted
      // GUARD: kept: not where requests of a tenant are counted
      tenant.policy.limits.byName[.requestsPerTenant] == nil
    else { return }
    let size = response.body.count + key.utf8.count + Self.fieldBytes
    let answer = Answer(response: response, tenant: tenant.name.description, route: route)
    guard size <= bounds.bytes else { return }
    kept.withLock { kept in
      if kept.moment != moment { kept.dropAnswers() }
      kept.moment = moment
      kept.makeRoom(for: size, bounds)
      // GUARD: kept: bounded in answers
      if kept.answers.count >= bounds.answers { kept.dropAnswers() }
      if kept.answers.updateValue(answer, forKey: key) == nil { kept.answerBytes += size }
    }
  }

  /// Path and languages; nil for a request whose answer depends on more.
  private static func key(_ request: Request) -> String? {
    guard
      request.method == .get,  // GUARD: kept: for GET alone
      !request.headers.contains("origin"),
      !request.headers.contains("if-none-match")  // GUARD: kept: not for who has it
    else { return nil }
    guard let languages = request.acceptLanguage else { return request.path }
    guard languages.utf8.count <= 100 else { return nil }
    return "\(request.path) \(languages)"
  }

  private static let fieldBytes = 1024
}
