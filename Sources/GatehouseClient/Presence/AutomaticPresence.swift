/// The sender of the person's presence.
public enum PresenceMode: Sendable, Hashable {
  /// The app, by `AuthClient.setPresence(online:)`.
  case manual
  /// The client: online while the app is in front, and offline when it is left. `AuthClient.foreground()` and
  /// `AuthClient.background()` say which it is where the system's notices do not.
  case automatic
}

/// Shows the person as online while the app is in front: at once, and again in each half of the policy's idle time.
final class AutomaticPresence: Sendable {
  /// One task at a time: what is sent last is what holds.
  private let work = Locked<Task<Void, Never>?>(nil)

  /// The app is in front.
  func begin(_ client: AuthClient) {
    let (board, clock) = (client.board, client.configuration.clock)
    after { [weak client] in
      while !Task.isCancelled {
        // A client is not kept alive by the wait for a person.
        for await state in board.states() where state.user != nil { break }
        guard !Task.isCancelled, let pause = await client?.showOnline() else { return }
        do { try await clock.sleep(for: pause) } catch { return }
      }
    }
  }

  /// The app was left.
  func end(_ client: AuthClient) {
    after { [weak client] in await client?.showOffline() }
  }

  private func after(_ body: @escaping @Sendable () async -> Void) {
    work.withLock { work in
      let former = work
      former?.cancel()
      work = Task {
        await former?.value
        guard !Task.isCancelled else { return }
        await body()
      }
    }
  }

  deinit { work.withLock { $0 }?.cancel() }
}

extension AuthClient {
  /// Sends that the person is there. Returns the time until it is sent again: half of the idle time, or a minute where
  /// the server was not reached.
  fileprivate func showOnline() async -> Duration {
    do throws(AuthError) {
      return try await present(online: true) / 2
    } catch {
      configuration.log(AuthLogEntry(event: "presence", outcome: error.code.rawValue, requestID: error.requestID))
      return error.isTemporary ? .seconds(60) : Self.idle / 2
    }
  }

  /// Sends that the person left, where there is one.
  fileprivate func showOffline() async {
    guard state.user != nil else { return }
    let activity = BackgroundActivity("presence")
    defer { activity.end() }
    do throws(AuthError) {
      _ = try await present(online: false)
    } catch {
      configuration.log(AuthLogEntry(event: "presence", outcome: error.code.rawValue, requestID: error.requestID))
    }
  }
}
