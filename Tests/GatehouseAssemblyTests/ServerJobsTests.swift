import GatehouseAssembly
import GatehouseServerTesting
import Testing

@Suite("The table of jobs")
struct ServerJobsTests {
  private func table() async throws -> [Job] {
    let server = try await TestServer.start()
    await server.stop()
    return server.table
  }

  @Test("every job is there once, but for those that a setting turns on")
  func names() async throws {
    let optional: Set<Job.Name> = [.watchPolicies, .reload, .tellServiceManager, .exportTraces]
    let names = try await table().map(\.name)
    #expect(names.count == Set(names).count && Set(names) == Set(Job.Name.allCases).subtracting(optional))
  }

  @Test("the kinds of failures that metrics know are these")
  func failures() async throws {
    let kinds = try await table().compactMap(\.failure?.kind) + ServerEvent.Failure.allCases.map(\.rawValue)
    #expect(
      Set(kinds) == [
        "audit_not_sealed", "counts_not_returned", "data_keys_not_counted", "deleted_not_erased", "expired_not_noted",
        "expired_not_pruned",
        "floor_not_followed", "grants_not_revoked",
        "grants_not_warmed", "mail_not_delivered", "mail_postponed", "mail_queue_not_read", "mail_refused",
        "policy_directory_lost",
        "policy_refused", "policy_waiting", "presence_not_written", "proofs_not_filled", "push_digests_not_filled",
        "sealed_not_bound", "server_not_announced",
        "suppressed_not_told", "tenant_not_loaded", "tenants_not_followed", "values_not_moved", "webhook_disabled",
        "webhook_postponed",
        "webhooks_not_delivered",
      ])
  }

  @Test("a job's trouble has one name: the log writes the point where metrics write an underscore")
  func events() async throws {
    for failure in try await table().compactMap(\.failure) {
      #expect("\(failure.event)" == failure.kind.replacing("_not_", with: ".not_"))
    }
  }
}
