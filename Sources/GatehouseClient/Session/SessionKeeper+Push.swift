import GatehouseWire

/// The push token that the server has of this session. It ends with the session, and a session that was raised has none
/// until it is sent again.
struct StoredPush: Codable, Sendable, Equatable {
  var token: String
  var platform: String
  /// The server does not have it yet.
  var isOwed = false
}

extension SessionKeeper {
  /// Keeps a push token that the server took; nil where it has none. `id` was the session's before the call.
  func keep(_ push: StoredPush?, of generation: String, id: String) {
    change { record in
      guard record.session?.generation == generation else { return }
      record.session?.push = push
      // The session was raised meanwhile.
      if record.session?.id != id { record.session?.push?.isOwed = true }
    }
    pushLater()
  }

  /// Sends the push token again where the server lost it. One that did not reach it is sent after the next refresh.
  func pushLater() {
    guard pushing == nil, !isLocked, session?.push?.isOwed == true else { return }
    let turn = Promise<Void>()
    pushing = turn
    Task {
      await sendPush()
      end(push: turn)
    }
  }

  /// Waits until no push token is on its way, and keeps others away until `end(push:)`. Throws `cancelled` with the
  /// task.
  func takePushTurn() async throws(AuthError) -> Promise<Void> {
    while let pushing {
      if await pushing.wait() == nil { throw own(.cancelled) }
    }
    let turn = Promise<Void>()
    pushing = turn
    return turn
  }

  func end(push turn: Promise<Void>) {
    pushing = nil
    turn.fulfil(())
  }

  private func sendPush() async {
    guard let session = try? await living(for: .seconds(10)), let push = session.push, push.isOwed else { return }
    let input = KeepPushTokenEndpoint.Input(pushToken: push.token, platform: push.platform)
    let call = Call(KeepPushTokenEndpoint.self, input, token: session.accessToken, mayRepeat: true)
    do throws(AuthError) {
      _ = try await requests.send(call)
    } catch {
      // A refusal is definite: the app sends the token of its next start.
      if error.isTemporary || error.code == .cancelled || error.isAboutTheToken { return }
    }
    change { record in
      guard record.session?.id == session.id, record.session?.push == push else { return }
      record.session?.push?.isOwed = false
    }
  }
}
