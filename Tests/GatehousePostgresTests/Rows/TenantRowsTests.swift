import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite struct TenantRowsTests {
  @Test("a new tenant has its keys, its first policy and its audit row; its name is taken then")
  func create() async throws {
    try await withStore { ground async throws in
      let name = try #require(TenantName("first"))
      let bundle = try #require(try await ground.directory.bundle(name))
      #expect(bundle.tenant.id == ground.tenant && bundle.tenant.displayName == "The first" && bundle.tenant.enabled)
      #expect(bundle.policy == StoreFixture.revision(1, ground.now))
      #expect(bundle.dataKeys == [SealedDataKey(version: 1, sealed: [1, 2, 3], createdAt: ground.now)])
      #expect(bundle.signingKeys.map(\.kid) == ["k-first"])
      #expect(try await ground.directory.tenant(name) == bundle.tenant)
      #expect(try await ground.store.audit(AuditQuery(event: "tenant_created"), limit: 9).count == 1)
      let again = await refusal {
        try await StoreFixture.create("first", TenantID(UUID()), ground.directory, ground.now)
      }
      #expect(again == .exists)
      let rows = try await ground.everything("SELECT count(*) FROM gatehouse.data_key")
      #expect(try rows.first?[0] == 1)
      #expect(try await ground.directory.bundle(try #require(TenantName("nobody"))) == nil)
    }
  }

  @Test("the loader sees every tenant's newest policy and keys, in the order of names")
  func bundles() async throws {
    try await withStore { ground async throws in
      let other = try await ground.makeTenant("another")
      try await ground.directory.append([
        PolicyApplication(
          tenant: other.id, revision: StoreFixture.revision(2, ground.now), measuredRules: nil,
          audit: entry(.policyApplied, ground.now))
      ])
      let bundles = try await ground.directory.bundles(["first", "another", "gone"].compactMap { TenantName($0) })
      #expect(bundles.map(\.tenant.name.description) == ["another", "first"])
      #expect(bundles.map(\.policy.number) == [2, 1])
      #expect(bundles.map(\.signingKeys.count) == [1, 1] && bundles.map(\.dataKeys.count) == [1, 1])
      #expect(try await ground.directory.tenants() == bundles.map(\.tenant))
    }
  }

  @Test("a tenant's shown name and state change, its name and number do not")
  func update() async throws {
    try await withStore { ground async throws in
      let name = try #require(TenantName("first"))
      var record = try #require(try await ground.directory.tenant(name))
      record.enabled = false
      record.displayName = "Another name"
      try await ground.directory.update(record, audit: entry(.tenantChanged, ground.now))
      #expect(try await ground.directory.tenant(name) == record)
      #expect(try await ground.store.audit(AuditQuery(event: "tenant_changed"), limit: 9).count == 1)
      for statement: SQL in ["UPDATE tenant SET name = 'x'", "UPDATE tenant SET id = gen_random_uuid()"] {
        #expect(await failure { try await ground.app.write(ground.tenant.uuid, statement) }?.sqlState == "42501")
      }
    }
  }

  @Test("a deleted tenant is gone with every row, and no other tenant's row with it")
  func delete() async throws {
    try await withStore { ground async throws in
      let other = try await ground.makeTenant("second")
      for (tenant, store) in [(ground.tenant, ground.store), (other.id, other.store)] {
        try await Isolation.fill(store, tenant, ground.now)
      }
      let before = try await Isolation.counts(ground)
      #expect(before.values.allSatisfy { $0[ground.tenant.uuid] ?? 0 > 0 })
      try await ground.delete(ground.tenant)
      let after = try await Isolation.counts(ground)
      for (table, counts) in after {
        #expect(counts[ground.tenant.uuid] == nil, "\(table)")
        #expect(counts[other.id.uuid] == before[table]?[other.id.uuid], "\(table)")
      }
      #expect(try await ground.directory.tenants().map(\.id) == [other.id])
    }
  }

  @Test(
    "T157 an enabled tenant is erased by no connection of the server, and the function and the trigger each refuse it")
  func enabled() async throws {
    try await withStore { ground async throws in
      try await Isolation.fill(ground.store, ground.tenant, ground.now)
      let before = try await Isolation.counts(ground)
      let record = entry(.tenantDeleted, ground.now)
      #expect(
        await refusal { try await ground.directory.delete(ground.tenant, record: record) }
          == .refused(.tenantIsDisabled))
      let direct: [SQL] = [
        "SELECT gatehouse.erase_tenant()", "DELETE FROM tenant WHERE id = \(ground.tenant.uuid)",
      ]
      for statement in direct {
        let error = await failure { try await ground.app.write(ground.tenant.uuid, statement) }
        guard case .guardFailed("tenant_is_disabled")? = error else {
          Issue.record("\(statement): \(String(describing: error))")
          continue
        }
      }
      #expect(try await Isolation.counts(ground) == before)
    }
  }

  @Test("T157 without the database's rule the same call erases an enabled tenant")
  func enabledControl() async throws {
    try await withStore { ground async throws in
      try await Isolation.fill(ground.store, ground.tenant, ground.now)
      let former = try #require(Migrations.all.first { $0.name == "audit_chain" }?.sql)
      let start = try #require(former.range(of: "CREATE OR REPLACE FUNCTION gatehouse.erase_tenant()"))
      let end = try #require(former[start.lowerBound...].range(of: "END $$;"))
      try await ground.place.run(
        script: former[start.lowerBound..<end.upperBound] + "DROP TRIGGER keep_enabled_tenant ON gatehouse.tenant;")
      try await ground.directory.delete(ground.tenant, record: entry(.tenantDeleted, ground.now))
      #expect(try await ground.directory.tenants().isEmpty)
    }
  }

  @Test("a revision follows the newest one; of 20 that follow it at the same moment one does")
  func revisions() async throws {
    try await withStore { ground async throws in
      let now = ground.now
      for wrong in [1, 3] {
        #expect(
          await refusal {
            try await ground.directory.append([
              PolicyApplication(
                tenant: ground.tenant, revision: StoreFixture.revision(wrong, now), measuredRules: nil,
                audit: entry(.policyApplied, now))
            ])
          } == .refused(.revisionIsCurrent))
      }
      #expect(
        await race(20, failing: .refused(.revisionIsCurrent)) { _ in
          try await ground.directory.append([
            PolicyApplication(
              tenant: ground.tenant, revision: StoreFixture.revision(2, now), measuredRules: nil,
              audit: entry(.policyApplied, now))
          ])
        } == 1)
      #expect(try await ground.store.revisions(limit: 10).map(\.number) == [2, 1])
      #expect(try await ground.store.revisions(limit: 1) == [StoreFixture.revision(2, now)])
      #expect(try await ground.store.revision(1) == StoreFixture.revision(1, now))
      #expect(try await ground.store.revision(3) == nil)
      #expect(try await ground.store.audit(AuditQuery(event: "policy_applied"), limit: 99).count == 1)
    }
  }

  @Test("signing keys are replaced only by a caller that knows their present states")
  func signingKeys() async throws {
    try await withStore { ground async throws in
      let now = ground.now
      func key(_ kid: String, _ state: StoredSigningKey.State) -> StoredSigningKey {
        StoredSigningKey(kid: kid, state: state, sealedPrivateKey: [8], createdAt: now, changedAt: now)
      }
      let wanted = [key("k-first", .retired), key("k2", .active), key("k3", .next)]
      for expecting: [String: StoredSigningKey.State] in [[:], ["k-first": .next], ["k-first": .active, "k2": .next]] {
        #expect(
          await refusal {
            try await ground.store.replace(wanted, expecting: expecting, audit: entry(.keyRotated, now))
          } == .refused(.keyStateIsCurrent))
      }
      #expect(
        await race(10, failing: .refused(.keyStateIsCurrent)) { _ in
          try await ground.store.replace(wanted, expecting: ["k-first": .active], audit: entry(.keyRotated, now))
        } == 1)
      let stored = try await ground.store.signingKeys().sorted { $0.kid < $1.kid }
      #expect(stored == wanted.sorted { $0.kid < $1.kid })
    }
  }

  @Test("a secret is set, replaced, listed by name only, and removed")
  func secrets() async throws {
    try await withStore { ground async throws in
      let note = entry(.secretChanged, ground.now)
      try await ground.store.setSecret("google", sealed: [1], audit: note)
      ground.clock.advance(seconds: 5)
      try await ground.store.setSecret("google", sealed: [2], audit: entry(.secretChanged, ground.now))
      #expect(try await ground.store.secret("google") == [2])
      #expect(try await ground.store.secret("spotify") == nil)
      let list = try await ground.store.secrets()
      #expect(list.map(\.name) == ["google"] && list.map(\.updatedAt) == [ground.now])
      #expect(try await ground.store.removeSecret("google", audit: entry(.secretChanged, ground.now)))
      #expect(try await !ground.store.removeSecret("google", audit: entry(.secretChanged, ground.now)))
      #expect(try await ground.store.secrets().isEmpty)
    }
  }

  @Test("every change of what servers hold of a tenant is told to all of them when it commits", .timeLimit(.minutes(1)))
  func changes() async throws {
    try await withStore { ground async throws in
      var heard = ground.directory.changes().makeAsyncIterator()
      // Listening began: look at everything.
      #expect(await heard.next() == .some(nil))
      let other = try await ground.makeTenant("second")
      #expect(await heard.next()??.description == "second")
      try await ground.directory.append([
        PolicyApplication(
          tenant: ground.tenant, revision: StoreFixture.revision(2, ground.now), measuredRules: nil,
          audit: entry(.policyApplied, ground.now))
      ])
      #expect(await heard.next()??.description == "first")
      // What is refused is not told.
      _ = await refusal {
        try await ground.directory.append([
          PolicyApplication(
            tenant: ground.tenant, revision: StoreFixture.revision(2, ground.now), measuredRules: nil,
            audit: entry(.policyApplied, ground.now))
        ])
      }
      try await other.store.replace([], expecting: ["k-second": .active], audit: entry(.keyRotated, ground.now))
      #expect(await heard.next()??.description == "second")
      var record = try #require(try await ground.directory.tenants().first)
      record.enabled = false
      try await ground.directory.update(record, audit: entry(.tenantChanged, ground.now))
      #expect(await heard.next()??.description == "first")
      try await ground.delete(other.id)
      #expect(await heard.next()??.description == "second", "it was disabled")
      #expect(await heard.next()??.description == "second", "it is gone")
    }
  }
}
