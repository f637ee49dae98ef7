// The worker that keeps links warm where a policy says so: a token is fresh before an app asks for it, and a link that
// broke is noticed.

import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

package struct WarmGrants: Sendable {
  /// Seconds before its end at which a token is refreshed: more than two rounds, so that a provider may be away for
  /// one.
  private static let margin = 300
  /// Grants of one provider in one round, one after another: background work never crowds out people.
  package static let batch = 50
  /// Providers that are asked at once.
  private static let atOnce = 8
  /// Answers that make no sense after which a provider is left alone until the next round.
  private static let patience = 3

  private let services: Services
  private let batch: Int
  private let report: @Sendable (any Error, TenantSnapshot) -> Void

  /// `report` hears of faults here; failures of providers are in the audit log, or pass.
  package init(
    _ services: Services, batch: Int = batch,
    report: @escaping @Sendable (any Error, TenantSnapshot) -> Void = { _, _ in }
  ) {
    self.services = services
    self.batch = batch
    self.report = report
  }

  /// One round over all tenants. True when there may be more to do at once.
  package func runOnce() async -> Bool {
    let wanted = services.registry.all.flatMap { tenant in
      // GUARD: grant: kept warm only where the policy says so
      let warm = tenant.policy.providers.filter(\.keepWarm)
      return warm.map { (tenant, $0) }
    }
    return await withTaskGroup(of: Bool.self) { group in
      var isMore = false
      for (index, (tenant, provider)) in wanted.enumerated() {
        if index >= Self.atOnce, await group.next() == true { isMore = true }
        group.addTask {
          do {
            return try await warm(provider, of: tenant)
          } catch {
            report(error, tenant)
            return false
          }
        }
      }
      for await more in group where more { isMore = true }
      return isMore
    }
  }

  private func warm(_ provider: Provider, of tenant: TenantSnapshot) async throws -> Bool {
    let store = services.store.open(tenant.id)
    let due = try await store.grantsToWarm(at: provider.name, margin: Self.margin, limit: batch)
    guard !due.isEmpty else { return false }
    let registration = try await tenant.registration(provider, services)
    var failures = 0
    for id in due {
      guard !Task.isCancelled else { return false }
      guard let user = try await store.user(id: id) else { continue }
      switch await refresh(user, registration, tenant) {
      case .done: break
      case .wait: return false
      case .failed:
        failures += 1
        if failures >= Self.patience { return false }
      }
    }
    return due.count >= batch
  }

  private enum Outcome { case done, wait, failed }

  /// The same refresh that an app's request would make, and never beside one.
  private func refresh(
    _ user: StoredUser, _ registration: ProviderRegistration, _ tenant: TenantSnapshot
  ) async -> Outcome {
    let name = registration.provider.name
    guard let link = user.links.first(where: { $0.provider == name && $0.state == .linked }) else { return .done }
    let now = services.clock.now
    let call = Call(
      tenant: tenant, requestID: services.clock.makeID().text, address: nil, languages: [], now: now)
    let refresh = GrantRefresh(
      user: user, link: link, registration: registration, call: call, actor: .system("warm_grants"),
      services: services)
    do {
      return try await refresh.run(margin: TimeInterval(Self.margin)).patience == nil ? .done : .wait
    } catch let refusal as Refusal {
      return switch refusal.code {
      case .providerLinkBroken, .providerNotLinked: .done
      case .providerUnavailable: .wait
      default: .failed
      }
    } catch {
      report(error, tenant)
      return .done
    }
  }
}
