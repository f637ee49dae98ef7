import Foundation

extension SessionKeeper {
  /// Reads the store, again and again while it gives no answer: a device before its first unlock keeps the session, and
  /// is no signed-out device.
  func restore() async {
    var pause = 1
    while tryToRestore() != nil {
      do { try await configuration.clock.sleep(for: .seconds(pause)) } catch { return }
      pause = min(30, pause * 2)
    }
  }

  /// Waits until the store was read. Throws `storage` after the deadline of a call, `storageNotEntitled` at once, and
  /// `cancelled` with the task.
  func ready() async throws(AuthError) {
    let until = configuration.clock.uptime + Requests.deadline
    var pause = Duration.seconds(1)
    while let error = tryToRestore() {
      guard error != .notEntitled else { throw own(error) }
      let rest = until - configuration.clock.uptime
      guard rest > .zero else { throw own(error) }
      do { try await configuration.clock.sleep(for: min(pause, rest)) } catch { throw own(.cancelled) }
      pause = min(.seconds(30), pause * 2)
    }
  }

  /// The app's error for that of the store.
  func own(_ error: StoreError) -> AuthError { own(error == .notEntitled ? .storageNotEntitled : .storage) }

  /// Reads the store once. Returns nil where it is read by now.
  private func tryToRestore() -> StoreError? {
    guard !isRestored else { return nil }
    do {
      try ledger.load()
    } catch {
      configuration.log(AuthLogEntry(event: "store", outcome: "\(error)"))
      return error
    }
    isRestored = true
    show()
    if !ledger.isSaved { saveLater() }
    if session != nil { refreshSoon() }
    revokeLater()
    return nil
  }

  /// The app is in front again: the record may have been changed by an extension or another process, and the session
  /// elsewhere.
  func foreground() {
    guard tryToRestore() == nil else { return }
    lockIfDue()
    leftAt = nil
    do { try look() } catch { return }
    if session != nil { refreshSoon() }
    revokeLater()
  }
}
