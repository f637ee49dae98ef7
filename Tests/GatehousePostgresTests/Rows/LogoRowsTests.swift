import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

func sampleLogo(_ content: [UInt8], _ now: Date, as type: PictureType = .svg, for use: PictureUse = .logo)
  -> TenantPicture
{
  TenantPicture(use: use, type: type, size: content.count, sha256: SHA256.digest(content), setAt: now)
}

@Suite struct LogoRowsTests {
  private func set(
    _ content: [UInt8], _ ground: StoreFixture, as type: PictureType = .svg, for use: PictureUse = .logo
  ) async throws -> TenantPicture {
    let logo = sampleLogo(content, ground.now, as: type, for: use)
    try await ground.store.setPicture(logo, content: content, audit: entry(.tenantChanged, ground.now))
    return logo
  }

  private func bundled(_ ground: StoreFixture, for use: PictureUse = .logo) async throws -> TenantPicture? {
    try await ground.directory.bundle(try #require(TenantName("first")))?.pictures.first { $0.use == use }
  }

  @Test("a logo is set, replaced as a whole, read by its hash alone, and removed, each with its audit row")
  func life() async throws {
    try await withStore { ground async throws in
      #expect(try await bundled(ground) == nil)
      let first = try await set([1, 2, 3], ground)
      #expect(try await bundled(ground) == first)
      #expect(try await ground.store.picture(sha256: first.sha256) == [1, 2, 3])
      ground.clock.advance(seconds: 5)
      let second = try await set([4], ground, as: .png)
      #expect(try await bundled(ground) == second)
      #expect(try await ground.store.picture(sha256: first.sha256) == nil)
      #expect(try await ground.store.picture(sha256: second.sha256) == [4])
      try await ground.store.removePicture(.logo, audit: entry(.tenantChanged, ground.now))
      #expect(try await bundled(ground) == nil)
      #expect(try await ground.store.picture(sha256: second.sha256) == nil)
      #expect(try await ground.store.audit(AuditQuery(event: "tenant_changed"), limit: 9).count == 3)
    }
  }

  @Test("each use has a picture of its own, which goes alone, and whose change is another mark")
  func uses() async throws {
    try await withStore { ground async throws in
      let name = try #require(TenantName("first"))
      let uses: [PictureUse] = [.logo, .logoDark, .ground, .provider("google"), .provider("apple")]
      var marks: Set<[UInt8]> = []
      for (number, use) in uses.enumerated() {
        _ = try await set([UInt8(number)], ground, for: use)
        marks.insert(try #require(try await ground.directory.marks()[name]))
      }
      #expect(marks.count == uses.count)
      try await ground.store.removePicture(.logoDark, audit: entry(.tenantChanged, ground.now))
      #expect(try await bundled(ground, for: .logoDark) == nil)
      for use in uses where use != .logoDark { #expect(try await bundled(ground, for: use)?.use == use) }
    }
  }

  @Test("a server of the release before reads and removes the logo alone, by the table's former name")
  func former() async throws {
    try await withStore { ground async throws in
      let logo = try await set([1], ground)
      _ = try await set([2], ground, for: .logoDark)
      let seen: SQL = "SELECT sha256 FROM tenant_logo"
      #expect(try await ground.jobs.read(nil, seen).map { row -> [UInt8] in try row[0] } == [logo.sha256])
      _ = try await ground.app.write(ground.tenant.uuid, "DELETE FROM tenant_logo")
      #expect(try await bundled(ground) == nil)
      #expect(try await bundled(ground, for: .logoDark) != nil)
    }
  }

  @Test("each tenant has its own, and each change of it has another mark")
  func apart() async throws {
    try await withStore { ground async throws in
      let name = try #require(TenantName("first"))
      let other = try await ground.makeTenant("second")
      var marks = [try await ground.directory.marks()[name]]
      let logo = try await set([1], ground)
      #expect(try await other.store.picture(sha256: logo.sha256) == nil)
      #expect(
        try await ground.directory.bundles([name, try #require(TenantName("second"))]).map { $0.pictures.first?.size }
          == [1, nil])
      marks.append(try await ground.directory.marks()[name])
      _ = try await set([2], ground)
      marks.append(try await ground.directory.marks()[name])
      #expect(Set(marks).count == 3 && !marks.contains(nil))
    }
  }

  @Test("a change is told to all servers when it commits", .timeLimit(.minutes(1)))
  func told() async throws {
    try await withStore { ground async throws in
      var heard = ground.directory.changes().makeAsyncIterator()
      #expect(await heard.next() == .some(nil))
      _ = try await set([1], ground)
      #expect(await heard.next()??.description == "first")
      try await ground.store.removePicture(.logo, audit: entry(.tenantChanged, ground.now))
      #expect(await heard.next()??.description == "first")
    }
  }

  @Test("the table takes no content that is too large, of another kind, or not what its size and hash say")
  func bounds() async throws {
    try await withStore { ground async throws in
      let largest = [UInt8](repeating: 1, count: 32_768)
      _ = try await set(largest, ground)
      func refused(_ logo: TenantPicture, _ content: [UInt8]) async -> Bool {
        do {
          try await ground.store.setPicture(logo, content: content, audit: entry(.tenantChanged, ground.now))
          return false
        } catch { return true }
      }
      #expect(await refused(sampleLogo(largest + [1], ground.now), largest + [1]))
      #expect(await refused(sampleLogo([], ground.now), []))
      #expect(await refused(sampleLogo([1], ground.now), [2]))
      #expect(await refused(sampleLogo([1, 2], ground.now), [1]))
      #expect(try await bundled(ground)?.size == 32_768)
    }
  }

  @Test("the role of the jobs sees that there is a logo, and not its content")
  func jobs() async throws {
    try await withStore { ground async throws in
      _ = try await set([1], ground)
      #expect(try await ground.jobs.read(nil, "SELECT size FROM tenant_picture").count == 1)
      let refused = await failure { try await ground.jobs.read(nil, "SELECT content FROM tenant_picture") }
      #expect(refused?.sqlState == "42501")
    }
  }
}
