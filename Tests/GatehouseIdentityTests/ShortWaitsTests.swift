import GatehousePrimitives
import Testing

@testable import GatehouseIdentity

@Suite("Short waits that a server serves")
struct ShortWaitsTests {
  /// Waits until it is told to go on, once.
  private final class Door: Sendable {
    private let waiting = LockBox<[CheckedContinuation<Void, Never>]>([])
    private let isOpen = LockBox(false)

    func pass() async {
      await withCheckedContinuation { continuation in
        if isOpen.withLock({ $0 }) { return continuation.resume() }
        waiting.withLock { $0.append(continuation) }
      }
    }

    func open() {
      isOpen.withLock { $0 = true }
      let all = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      for one in all { one.resume() }
    }
  }

  @Test("a tenant's guessers use up its own share: one more is refused at once, another tenant's is served")
  func bounded() async {
    let waits = ShortWaits()
    let door = Door()
    let (tenant, other) = (TenantID(.random()), TenantID(.random()))
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<ShortWaits.mostOfTenant {
        group.addTask { await waits.serve(1, of: tenant) { _ in await door.pass() } }
      }
      while waits.count < ShortWaits.mostOfTenant { await Task.yield() }
      #expect(await waits.serve(1, of: tenant) { _ in } == false)
      #expect(await waits.serve(1, of: other) { _ in })
      door.open()
      for await isServed in group { #expect(isServed) }
    }
    #expect(waits.count == 0)
  }

  @Test("a wait of no time, or of more than two seconds, is refused at once", arguments: [-1, 0, 3, 900])
  func long(_ seconds: Int) async {
    #expect(await ShortWaits().serve(seconds, of: TenantID(.random())) { _ in } == false)
  }

  @Test("it waits for as long as it was asked", arguments: [1, 2])
  func asked(_ seconds: Int) async {
    let waited = LockBox(Duration.zero)
    #expect(
      await ShortWaits().serve(seconds, of: TenantID(.random())) { duration in waited.withLock { $0 = duration } })
    #expect(waited.withLock { $0 } == .seconds(seconds))
  }
}
