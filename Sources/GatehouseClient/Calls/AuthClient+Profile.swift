public import Foundation
import GatehouseWire

extension AuthClient {
  /// Changes profile fields of the person's own; `null` clears one. All of them are changed, or none.
  @discardableResult
  public func updateProfile(_ changes: Profile) async throws(AuthError) -> AuthState {
    let generation = try await generation()
    let input = UpdateMeEndpoint.Input(profile: changes.mapValues(\.wire))
    let answer = try await signedIn(UpdateMeEndpoint.self, input, of: generation)
    await keeper.take([], about: Set(changes.keys), of: generation)
    return try await keeper.take(answer.content, of: generation)
  }

  /// Shows the person as online or offline. A sign-in shows online, a sign-out offline, and silence offline after the
  /// policy's idle time. With `AuthConfiguration.presence` automatic, the client calls this itself.
  public func setPresence(online: Bool) async throws(AuthError) { _ = try await present(online: online) }

  /// Sets the presence. Returns the time without a request after which the person counts as offline.
  func present(online: Bool) async throws(AuthError) -> Duration {
    let generation = try await generation()
    let input = SetPresenceEndpoint.Input(online: online)
    let answer = try await signedIn(SetPresenceEndpoint.self, input, of: generation, mayRepeat: true)
    await keeper.take(UserPresence(answer.content.presence), of: generation)
    return answer.content.idleAfter.map { .seconds(max($0, 60)) } ?? Self.idle
  }

  /// The idle time of a policy that is silent about it, and of servers before the answer that tells it.
  static let idle = Duration.seconds(20 * 60)

  /// Keeps this device's push token at the server, for the app's backend; nil takes it back. It ends with the session.
  /// A session that a second factor raises has it again without a call of the app.
  public func setPushToken(_ token: String?, platform: PushPlatform) async throws(AuthError) {
    let session = try await openSession()
    let input = KeepPushTokenEndpoint.Input(pushToken: token, platform: platform.rawValue)
    // Two on their way at once would leave the server with either.
    let turn = try await keeper.takePushTurn()
    do throws(AuthError) {
      _ = try await signedIn(KeepPushTokenEndpoint.self, input, of: session.generation, mayRepeat: true)
      await keeper.end(push: turn)
    } catch {
      await keeper.end(push: turn)
      // A session that was raised meanwhile has none of before.
      await keeper.pushLater()
      throw error
    }
    let push = token.map { StoredPush(token: $0, platform: platform.rawValue) }
    await keeper.keep(push, of: session.generation, id: session.id)
  }

  /// The sessions of the person, one for each device.
  public func devices() async throws(AuthError) -> [SignedInDevice] {
    try await signedIn(ListSessionsEndpoint.self, Nothing()).content.items.map(SignedInDevice.init)
  }

  /// Ends the session of another device. A session that is gone is no error.
  public func end(device id: String) async throws(AuthError) {
    do throws(AuthError) {
      _ = try await signedIn(EndSessionEndpoint.self, EndSessionEndpoint.Input(id: id))
    } catch {
      guard error.code == .notFound else { throw error }
    }
  }

  /// Deletes the account, with everything that belongs to it.
  public func deleteAccount(proof: Reauthentication? = nil) async throws(AuthError) {
    let generation = try await generation()
    let password = try await prove(proof)
    let input = DeleteMeEndpoint.Input(password: password)
    _ = try await signedIn(DeleteMeEndpoint.self, input, of: generation, mayRepeat: false)
    await keeper.end(.deleted, generation)
  }

  /// Everything that the server keeps about the person, as the JSON that the server sends.
  public func export() async throws(AuthError) -> Data {
    start()
    var session = try await keeper.living(for: .seconds(10))
    let requests = keeper.requests
    for attempt in 0..<2 {
      var request = try requests.request(Call(ExportMeEndpoint.self, Nothing(), token: session.accessToken))
      request.largestAnswer = 64 << 20
      let until = configuration.clock.uptime + Requests.deadline
      let answer = try await requests.exchange(request, "GET \(ExportMeEndpoint.path)", until)
      if answer.status == 200, answer.isJSON { return answer.body }
      guard answer.status == 401, attempt == 0 else { throw requests.problem(answer) }
      session = try await keeper.replacing(session)
    }
    throw requests.own(.unknown)
  }

  /// The sign-in that a call belongs to.
  func generation() async throws(AuthError) -> String { try await openSession().generation }

  /// The session as it is stored.
  private func openSession() async throws(AuthError) -> StoredSession {
    start()
    try await keeper.opened()
    guard let session = await keeper.session else { throw await keeper.own(.unauthenticated) }
    return session
  }
}

/// The service that delivers to a push token.
public struct PushPlatform: RawRepresentable, Sendable, Hashable {
  /// The server's word.
  public var rawValue: String
  /// A platform.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Apple's push notification service.
  public static let apns = PushPlatform(rawValue: "apns")
  /// Firebase Cloud Messaging.
  public static let fcm = PushPlatform(rawValue: "fcm")
}

/// A device that the person is signed in on.
public struct SignedInDevice: Sendable, Hashable, Identifiable {
  /// The session's id.
  public var id: String
  /// The name that the device gave itself.
  public var name: String?
  /// The approximate place of its sign-in, if the server knows.
  public var place: String?
  /// The time of its sign-in.
  public var createdAt: Date
  /// The time at which it was last seen.
  public var lastSeenAt: Date
  /// Whether the session is that of this device.
  public var isCurrent: Bool

  init(_ session: SessionRecord) {
    (id, name, place) = (session.id, session.device.name, session.place)
    (createdAt, lastSeenAt, isCurrent) = (session.createdAt.date, session.lastSeenAt.date, session.current)
  }
}
