import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime

/// Whole answers to plain requests for public documents. They are asked for far more often than they change: what was
/// answered once is given again, until any tenant changes or a day begins (stages of a policy switch themselves on). Each loop keeps
/// its own.
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

  /// What an answer depends on besides the request.
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
    var moment: Moment
    var answers: [String: Answer] = [:]
    var bytes = 0
  }

  /// What is kept at most. Languages are the caller's: a stranger with many of them must not fill the memory.
  struct Bounds: Sendable {
    var answers = 1024
    var bytes = 4 << 20
  }

  private let bounds: Bounds
  private let kept = LockBox<Kept?>(nil)

  init(bounds: Bounds = Bounds()) { self.bounds = bounds }

  /// Bytes that are kept: bodies and keys, and for each answer what its fields and its place take at most.
  var bytes: Int { kept.withLock { $0?.bytes ?? 0 } }

  func find(_ request: Request, at moment: Moment) -> Answer? {
    guard let key = KeptAnswers.key(request) else { return nil }
    return kept.withLock { kept in
      // GUARD: kept: for its moment
      kept?.moment == moment ? kept?.answers[key] : nil
    }
  }

  /// Keeps an answer of status 200, unless the tenant's policy counts requests: then each must be seen. The server's
  /// own limit lets what costs nothing pass.
  func keep(_ response: Response, of route: String, _ tenant: TenantSnapshot, to request: Request, at moment: Moment) {
    var response = response
    guard response.status == 200, let key = KeptAnswers.key(request),
      tenant.policy.limits.byName[.requestsPerIP] == nil,  // GUARD: kept: not where requests of an address are counted
      // GUARD: kept: not where requests of a tenant are counted
      tenant.policy.limits.byName[.requestsPerTenant] == nil
    else { return }
    // Its own bytes: the document's are counted as in use by every loop that sends them.
    response.body = response.body.withUnsafeBufferPointer { Array($0) }
    let size = response.body.count + key.utf8.count + Self.fieldBytes
    let answer = Answer(response: response, tenant: tenant.name.description, route: route)
    guard size <= bounds.bytes else { return }
    kept.withLock { kept in
      var next = kept ?? Kept(moment: moment)
      // So that what is kept is changed in its place, and not copied.
      kept = nil
      if next.moment != moment { next = Kept(moment: moment) }
      // GUARD: kept: bounded in bytes
      if next.bytes + size > bounds.bytes { next = Kept(moment: moment) }
      // GUARD: kept: bounded in answers
      if next.answers.count >= bounds.answers { next = Kept(moment: moment) }
      if next.answers.updateValue(answer, forKey: key) == nil { next.bytes += size }
      kept = next
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
