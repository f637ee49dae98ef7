public import Foundation
public import GatehouseClient

/// A server in memory: an `HTTPTransport` that answers as the real one does, for one tenant.
///
/// It keeps accounts, sessions, mails and links, rotates refresh tokens, and counts time on the clock that it is given.
/// Its access tokens are no JWT: a backend of the app cannot verify them. `weather` makes the network between client
/// and server fail.
///
/// It judges by the policy that it is handed, with the engine of the real server. Without one, `FakePolicy.standard`
/// stands.
///
///     let clock = ManualClock()
///     let server = FakeServer(policy: try FakePolicy(contentsOf: file), clock: clock)
///     let client = AuthClient(server.configuration())
///     _ = try await client.signUp(email: "ada@example.com", password: "correct horse")
public final class FakeServer: HTTPTransport, @unchecked Sendable {
  /// The server's clock, and that of the network before it.
  public let clock: any AuthClock
  private let lock = NSLock()
  // Read and written under the lock alone.
  private var world = FakeWorld()

  /// A server without accounts.
  public init(
    policy: FakePolicy = .standard, clock: any AuthClock = ManualClock(),
    settings: FakeServerSettings = FakeServerSettings()
  ) {
    self.clock = clock
    (world.rules, world.settings) = (policy, settings)
  }

  /// The policy that requests are judged by. Another one binds from the next request on, as one that is applied does.
  public var policy: FakePolicy {
    get { withWorld { $0.rules } }
    set { withWorld { $0.rules = newValue } }
  }

  /// How the server and the network before it are set.
  public var settings: FakeServerSettings {
    get { withWorld { $0.settings } }
    set { withWorld { $0.settings = newValue } }
  }

  /// A configuration whose client talks to this server, on the server's clock.
  public func configuration(store: any SecureStore = MemoryStore(), account: String = "main") -> AuthConfiguration {
    let address = URL(string: "https://auth.example.com") ?? URL(fileURLWithPath: "/")
    return AuthConfiguration(
      server: address, account: account, store: store, transport: self, clock: clock, languages: ["en"],
      cacheFolder: nil)
  }

  /// Carries a request through the weather to the server, and the answer back.
  public func send(_ call: HTTPCall, deadline: Duration) async throws -> HTTPAnswer {
    let (weather, latency) = withWorld { world in
      (world.takeWeather(for: call.url.path), world.settings.latency)
    }
    try await pass(latency, within: deadline)
    try Task.checkCancellation()
    return try await carry(call, through: weather, within: deadline - latency)
  }

  private func carry(_ call: HTTPCall, through weather: FakeWeather?, within deadline: Duration) async throws
    -> HTTPAnswer
  {
    switch weather {
    case nil: return deliver(call)
    case .dropRequest: throw TransportError(reason: "-1004")
    case .dropAnswer:
      _ = deliver(call)
      throw TransportError(reason: "-1005")
    case .duplicate:
      _ = deliver(call)
      return deliver(call)
    case .slowRequest(let delay):
      if delay >= deadline { deliverLater(call, delay) }
      try await pass(delay, within: deadline)
      return deliver(call)
    case .slowAnswer(let delay):
      let answer = deliver(call)
      try await pass(delay, within: deadline)
      return answer
    case .truncatedAnswer:
      var answer = deliver(call)
      answer.body = answer.body.prefix(answer.body.count / 2)
      return answer
    case .slowServer(let time):
      deliver(call, .lasting(time))
      throw TransportError(reason: "-1005")
    case .killedServer:
      deliver(call, .killed)
      throw TransportError(reason: "-1005")
    case .refusal(let error):
      return withWorld { $0.answer(FakeProblem(error), at: clock.now, languages: ["en"]) }
    case .some(let page): return page.page
    }
  }

  /// A request that the client gave up still arrives.
  private func deliverLater(_ call: HTTPCall, _ delay: Duration) {
    Task {
      try await clock.sleep(for: delay)
      _ = deliver(call)
    }
  }

  private func pass(_ delay: Duration, within deadline: Duration) async throws {
    guard delay > .zero else { return }
    try await clock.sleep(for: min(delay, deadline))
    guard delay < deadline else { throw TransportError(reason: "-1001") }
  }

  private func deliver(_ call: HTTPCall) -> HTTPAnswer {
    let now = clock.now
    return withWorld { $0.serve(call, at: now) }
  }

  private func deliver(_ call: HTTPCall, _ work: FakeWork) {
    let now = clock.now
    withWorld { world in
      world.work = work
      _ = world.serve(call, at: now)
      world.work = nil
    }
  }

  func withWorld<Result>(_ body: (inout FakeWorld) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body(&world)
  }
}

/// A server holds passwords and tokens: it shows nothing.
extension FakeServer: CustomStringConvertible, CustomReflectable {
  /// The type's name.
  public var description: String { "FakeServer(…)" }
  /// Nothing within.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// How a `FakeServer` and the network before it are set. The tenant is as its policy says.
public struct FakeServerSettings: Sendable {
  /// The time that each answer takes.
  public var latency = Duration.zero
  /// Seconds that `Date` is ahead of the clock; nil sends no `Date`.
  public var dateError: TimeInterval? = 0
  /// Members that a later version of the server would add to each object that it answers.
  public var laterMembers: [String: String] = [:]
  /// Doors that demand an attested app: `sign_up`, `sign_in`. A sign-in by a provider demands one where either does. A
  /// bundle does not say which.
  public var attestedDoors: Set<String> = []
  /// Doors that the public policy names; nil: those that demand it. Another set is a policy that has changed since.
  package var namedAttestDoors: Set<String>?
  /// Seconds that a challenge for an attestation lives.
  public var challengeLifetime = 300
  /// Whether the tenant has a host of its own, which its passkeys are for: without it they are refused with
  /// `passkeys_unavailable`.
  public var hasPasskeyHost = true
  /// Takes any password, code and callback, and makes the accounts that a sign-in names: for previews.
  public var acceptsEverything = false

  /// A server of today, with a clock that is right.
  public init() {}
}
