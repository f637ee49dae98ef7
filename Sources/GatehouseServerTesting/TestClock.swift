package import Foundation
package import GatehouseIdentity
import GatehousePrimitives

/// A clock that stands still until a test moves it; the server and its database read the same one.
package final class TestClock: Sendable {
  private let moment: LockBox<Date>

  /// Stands at this moment; whole seconds keep what the API shows and what is stored alike.
  package init(_ start: Date = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))) {
    moment = LockBox(start)
  }

  package var now: Date { moment.withLock { $0 } }

  package func advance(seconds: Double) { moment.withLock { $0 = $0.addingTimeInterval(seconds) } }

  package func set(_ date: Date) { moment.withLock { $0 = date } }

  package var clock: Clock { Clock { self.now } }
}
