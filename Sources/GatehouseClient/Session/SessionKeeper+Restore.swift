import Foundation

extension SessionKeeper {
  /// Reads the store, again and again while it gives no answer: a device before its first unlock keeps the session, and
  /// is no signed-out device.
  func restore() async {
    var pause = 1
    while !tryToRestore() {
      do { try await configuration.clock.sleep(for: .seconds(pause)) } catch { return }
      pause = min(30, pause * 2)
    }
  }

  /// Waits until the store was read. Throws `storage` after the deadline of a call, `cancelled` with the task.
  func ready() async throws(AuthError) {
    let until = configuration.clock.uptime + Requests.deadline
    var pause = Duration.seconds(1)
    while !tryToRestore() {
      let rest = until - configuration.clock.uptime
      guard rest > .zero else { throw own(.storage) }
      do { try await configuration.clock.sleep(for: min(pause, rest)) } catch { throw own(.cancelled) }
      pause = min(.seconds(30), pause * 2)
    }
  }

  /// Reads the store once. Returns whether it is read by now.
  private func tryToRestore() -> Bool {
    guard !isRestored else { return true }
    do {
      try ledger.load()
    } catch {
      configuration.log(AuthLogEntry(event: "store", outcome: "\(error)"))
      return false
    }
    isRestored = true
    show()
    if !ledger.isSaved { saveLater() }
    if session != nil { refreshSoon() }
    revokeLater()
    return true
  }

  /// The app is in front again: the record may have been changed by an extension or another process, and the session
  /// elsewhere.
  func foreground() {
    guard tryToRestore() else { return }
    do { try look() } catch { return }
    if session != nil { refreshSoon() }
    revokeLater()
  }
}
