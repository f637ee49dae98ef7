import Foundation
import GatehouseClient
import GatehouseServerTesting
import GatehouseTesting

/// A person uses an app in bad weather, step by step: calls, kills and starts, jumps of the clock, cancelled taps,
/// sign-outs, and sessions that are ended elsewhere.
struct ChaosWalk {
  private let apps: ThreeApps
  private let transport: ChaosTransport
  private let air = Air()
  private let store = MemoryStore()
  private var random: SeededGenerator
  private var phone: Phone
  /// Whether the person has a session that was not ended.
  private var isIn = true
  /// What went otherwise than it must.
  private(set) var troubles: [String] = []
  private var step = 0

  static let email = "al@example.com"

  /// Signs the person up, in clear weather.
  init(_ apps: ThreeApps, seed: UInt64) async throws {
    self.apps = apps
    random = SeededGenerator(seed: seed)
    transport = ChaosTransport(seed: seed, air: air)
    phone = try Phone(apps, .messai, store: store, transport: transport, air: air)
    _ = try await phone.client.signUp(
      email: Self.email, password: App.password, profile: ["displayName": "Al"])
  }

  /// How often each weather was met.
  var weathers: [String: Int] { transport.weathers }

  /// Goes so many steps, and then looks, in clear weather, whether everything is as it should be.
  mutating func run(_ steps: Int) async throws {
    transport.set(share: 40)
    for _ in 0..<steps {
      step += 1
      try await oneStep()
    }
    transport.set(share: 0)
    try await settle()
  }

  private mutating func oneStep() async throws {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<20:
      await call { client async throws(AuthError) in _ = try await client.accessToken(minTTL: .seconds(100_000)) }
    case 20..<30: await call { client async throws(AuthError) in _ = try await client.accessToken() }
    case 30..<40: await call { client async throws(AuthError) in _ = try await client.reload() }
    case 40..<48:
      let name = "Al \(step)"
      await call { client async throws(AuthError) in _ = try await client.updateProfile(["displayName": .string(name)])
      }
    case 48..<54: await call { client async throws(AuthError) in _ = try await client.devices() }
    case 54..<58: await call { client async throws(AuthError) in try await client.setPresence(online: true) }
    case 58..<66: await cancelledCall()
    case 66..<72: await several()
    case 72..<80: try await kill()
    case 80..<92: await pass(Int.random(in: 0..<1800, using: &random))
    case 92..<94: await pass(Int.random(in: 0..<200_000, using: &random))
    case 94..<96: await phone.client.foreground()
    case 96..<98: try await signOutAndIn()
    default: try await endElsewhere()
    }
    check("after a step")
  }

  /// A call may fail in such weather; the state may not.
  private func call(_ body: @Sendable (AuthClient) async throws(AuthError) -> Void) async {
    do throws(AuthError) { try await body(phone.client) } catch {}
  }

  private func pass(_ seconds: Int) async {
    await air.clear()
    apps.server.clock.advance(seconds: Double(seconds))
  }

  private func cancelledCall() async {
    let client = phone.client
    let task = Task { try? await client.accessToken(minTTL: .seconds(100_000)) }
    await Task.yield()
    task.cancel()
    _ = await task.value
  }

  private func several() async {
    let client = phone.client
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { _ = try? await client.accessToken(minTTL: .seconds(100_000)) }
        group.addTask { _ = try? await client.users([]) }
      }
    }
  }

  /// The app is gone and starts again; what it had under way goes on as another process would.
  private mutating func kill() async throws {
    let client = phone.client
    let late = Task { try? await client.accessToken(minTTL: .seconds(100_000)) }
    await Task.yield()
    phone = try Phone(apps, .messai, store: store, transport: transport, air: air)
    _ = await phone.client.restored()
    check("after a start")
    _ = await late.value
  }

  private mutating func signOutAndIn() async throws {
    await phone.client.signOut()
    if phone.client.state != .signedOut(.byUser) { trouble("signed out, and \(phone.client.state)") }
    isIn = false
    try await signIn()
  }

  private mutating func endElsewhere() async throws {
    let other = try Phone(apps, .messai).client
    _ = try await other.signIn(email: Self.email, password: App.password)
    try await other.signOut(.everywhere)
    isIn = false
    try await signIn()
  }

  /// Signs in, however often the weather lets it fail.
  private mutating func signIn() async throws {
    for _ in 0..<200 {
      do throws(AuthError) {
        _ = try await phone.client.signIn(email: Self.email, password: App.password)
        isIn = true
        return
      } catch {
        // Limits of sign-ins fill when many answers are lost.
        await pass(120)
      }
    }
    trouble("no sign-in in 200 tries")
  }

  private mutating func check(_ when: String) {
    guard isIn else { return }
    if phone.client.state.user == nil { trouble("\(when): \(phone.client.state)") }
  }

  private mutating func trouble(_ text: String) {
    if troubles.isEmpty { troubles += transport.lastExchanges }
    troubles.append("step \(step): \(text)")
  }

  /// In clear weather everything works, there is one account, and sessions that were given up have ended.
  private mutating func settle() async throws {
    phone = try Phone(apps, .messai, store: store, transport: transport, air: air)
    _ = await phone.client.restored()
    do throws(AuthError) {
      _ = try await phone.client.accessToken(minTTL: .seconds(100_000))
      _ = try await phone.client.reload()
    } catch {
      trouble("in clear weather: \(error)")
    }
    check("in clear weather")
  }
}
