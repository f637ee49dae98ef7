extension SessionKeeper {
  /// Whether a session is here that the owner of the device did not open.
  var isLocked: Bool { !isOpen && session != nil }

  /// Asks the owner of the device to open the session, once at a time. A session that is open, or none, asks nothing.
  func unlock() async throws(AuthError) -> AuthState {
    try await ready()
    lockIfDue()
    guard isLocked, let gate = configuration.unlock.gate else { return board.state }
    let question = asking ?? ask(gate)
    guard let outcome = await question.wait() else { throw own(.cancelled) }
    if case .failure(let error) = outcome { throw refusal(error) }
    return board.state
  }

  private func ask(_ gate: any UnlockGate) -> Promise<Result<Void, UnlockError>> {
    let question = Promise<Result<Void, UnlockError>>()
    asking = question
    let generation = session?.generation
    let reason = configuration.unlock.reason ?? own(.locked).message
    Task {
      let outcome: Result<Void, UnlockError>
      do throws(UnlockError) {
        try await gate.ask(reason)
        outcome = .success(())
      } catch {
        outcome = .failure(error)
      }
      configuration.log(AuthLogEntry(event: "unlock", outcome: outcome.word))
      asking = nil
      // GUARD: client: a proof opens the session that it was asked for
      let isMeant = session?.generation == generation
      if isMeant, case .success = outcome { open() }
      question.fulfil(outcome)
    }
    return question
  }

  /// The session is open: it is shown, checked at the server, and calls that waited go on.
  private func open() {
    isOpen = true
    leftAt = nil
    show()
    refreshSoon()
  }

  /// The app left the front.
  func background() { if leftAt == nil { leftAt = configuration.clock.uptime } }

  /// Locks the session where the app was in the background for the configured time.
  func lockIfDue() {
    guard configuration.unlock.isOn, isOpen, let leftAt else { return }
    guard configuration.clock.uptime - leftAt >= configuration.unlock.after else { return }
    isOpen = false
    self.leftAt = nil
    show()
  }

  /// Waits until the session is open, or there is none. Throws `locked` after the deadline of a call, and `cancelled`
  /// with the task.
  func opened() async throws(AuthError) {
    try await ready()
    lockIfDue()
    guard isLocked else { return }  // GUARD: client: a locked session gives nothing out
    let way = Promise<Bool>()
    waiting.append(way)
    let clock = configuration.clock
    let limit = Task {
      try await clock.sleep(for: Requests.deadline)
      way.fulfil(false)
    }
    let outcome = await way.wait()
    limit.cancel()
    waiting.removeAll { $0 === way }
    guard let outcome else { throw own(.cancelled) }
    guard outcome, !isLocked else { throw own(.locked) }
  }

  /// Lets calls go on that waited for a session that is open or gone by now.
  func resumeWaiting() {
    guard !isLocked else { return }
    for way in waiting { way.fulfil(true) }
  }

  /// The app's error for a session that stays locked.
  private func refusal(_ error: UnlockError) -> AuthError {
    switch error {
    case .cancelled: own(.cancelled)
    case .failed: own(.unlockFailed)
    case .unavailable: own(.unlockUnavailable)
    }
  }
}

extension Result where Success == Void, Failure == UnlockError {
  /// The outcome's name, for logs.
  fileprivate var word: String {
    switch self {
    case .success: "opened"
    case .failure(let error): "\(error)"
    }
  }
}
