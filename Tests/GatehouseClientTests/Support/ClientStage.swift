import Foundation
import GatehouseClientTesting
import GatehousePolicy
import Testing

@testable import GatehouseClient

/// A client's surroundings: a server, a clock that pauses of up to half a minute pass on, a store, and what was logged.
struct ClientStage {
  static let email = "ada@example.com"
  static let password = "correct horse"
  /// Where the hosted pages send a person back to.
  static let target = URL(string: "ada://signed-in") ?? URL(filePath: "/")

  let clock: ManualClock
  let server: FakeServer
  let store = MoodyStore()
  let log = Book<AuthLogEntry>()

  init(
    policy: FakePolicy = .standard, skipping: Duration = .seconds(30),
    _ set: (inout FakeServerSettings) -> Void = { _ in }
  ) {
    clock = ManualClock(skipping: skipping)
    var settings = FakeServerSettings()
    set(&settings)
    server = FakeServer(policy: policy, clock: clock, settings: settings)
  }

  func configuration(_ account: String = "main") -> AuthConfiguration {
    var configuration = server.configuration(store: store, account: account)
    configuration.log = { [log] in log.add($0) }
    return configuration
  }

  /// A client, as each start of the app makes one.
  func client(_ account: String = "main") -> AuthClient { AuthClient(configuration(account)) }

  /// A client whose person signed in, with nothing under way.
  func signedIn(_ email: String = email, _ account: String = "main") async throws -> AuthClient {
    server.addAccount(email: email, password: Self.password)
    let client = client(account)
    _ = try await client.signIn(email: email, password: Self.password)
    await client.settle()
    return client
  }

  /// Lets half a minute pass where a task sleeps longer than the clock skips.
  func wake() { if clock.sleeping > 0 { clock.advance(by: .seconds(31)) } }

  /// A client that found the stored session, with nothing under way.
  func restarted(_ account: String = "main") async -> AuthClient {
    let client = client(account)
    _ = await client.restored()
    await client.settle()
    return client
  }
}

extension FakePolicy {
  /// Passwords will have twenty characters, from a day on.
  static let warning: FakePolicy = {
    var warning = FakePolicy.standard
    warning.policy.password.rules.append(
      Rule(
        id: "password.min20", kind: .minLength, target: .password, parameter: .integer(20),
        enforcement: Enforcement(.warn, from: Day("2031-03-01"))))
    return warning
  }()
}

extension AuthClient {
  /// Waits until the client has nothing under way but sleep.
  func settle() async {
    await until { await !keeper.isBusy }
  }

  /// Whether the state is that of a session.
  var hasSession: Bool { state.user != nil }
}

extension SessionKeeper {
  var isBusy: Bool {
    refreshing != nil || joining != nil || isRevoking || isReloading || pushing != nil || !redeeming.isEmpty
  }
}

/// Waits until something holds that other tasks bring about. After half a minute the test fails, and goes on.
func until(
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  _ holds: () async -> Bool
) async {
  let end = ContinuousClock.now + .seconds(30)
  while !(await holds()) {
    guard ContinuousClock.now < end else {
      Issue.record("what was waited for did not come about within half a minute", sourceLocation: sourceLocation)
      return
    }
    await Task.yield()
  }
}

/// The error of a call that has to fail.
func failure<Value>(
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws(AuthError) -> Value
) async -> AuthError? {
  do throws(AuthError) {
    _ = try await body()
    return nil
  } catch {
    return error
  }
}

/// Things in the order in which they came.
final class Book<Entry: Sendable>: Sendable {
  private let entries = Locked<[Entry]>([])
  var all: [Entry] { entries.withLock { $0 } }
  func add(_ entry: Entry) { entries.withLock { $0.append(entry) } }
}

/// A store in memory that a test makes fail.
final class MoodyStore: SecureStore {
  enum Mood: Sendable { case well, unavailable, notEntitled, full, damaged }

  private let mood_ = Locked(Mood.well)
  private let next = Locked<(@Sendable () -> Void)?>(nil)
  private let base = MemoryStore()

  var mood: Mood {
    get { mood_.withLock { $0 } }
    set { mood_.withLock { $0 = newValue } }
  }

  /// Done once, behind the next update.
  var onUpdate: (@Sendable () -> Void)? {
    get { next.withLock { $0 } }
    set { next.withLock { $0 = newValue } }
  }

  func read(_ key: String) throws(StoreError) -> Data? {
    switch mood {
    case .unavailable: throw .unavailable
    case .notEntitled: throw .notEntitled
    case .damaged: throw .damaged
    case .well, .full: return try base.read(key)
    }
  }

  func update(_ key: String, _ change: @Sendable (Data?) -> Data?) throws(StoreError) -> Data? {
    guard mood == .well || mood == .damaged else { throw .unavailable }
    let stored = try base.update(key, change)
    let then = next.withLock { next in
      defer { next = nil }
      return next
    }
    then?()
    return stored
  }
}
