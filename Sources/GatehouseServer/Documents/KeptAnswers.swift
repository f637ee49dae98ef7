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
    init(_ services: Services) {
      (generation, hasHosts) = services.registry.edition
      day = services.clock.now.wholeSeconds / 86_400
    }
  }

  private struct Kept: Sendable {
    var moment: Moment
    var answers: [String: Answer] = [:]
  }

  private let kept = LockBox<Kept?>(nil)

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
    kept.withLock { kept in
      // Languages are the caller's: a stranger with many of them must not fill the memory.
      if kept?.moment != moment || kept.map({ $0.answers.count >= 1024 }) == true { kept = Kept(moment: moment) }
      kept?.answers[key] = Answer(response: response, tenant: tenant.name.description, route: route)
    }
  }

  /// Path and languages; nil for a request whose answer depends on more.
  private static func key(_ request: Request) -> String? {
    guard
      request.method == .get,  // GUARD: kept: for GET alone
      !request.headers.contains("origin"),
      !request.headers.contains("if-none-match")  // GUARD: kept: not for who has it
    else { return nil }
    guard let languages = request.headers.bytes(of: "accept-language") else { return request.path }
    guard languages.count <= 100 else { return nil }
    return "\(request.path) \(request.headers.values(of: "accept-language").joined(separator: ","))"
  }
}
