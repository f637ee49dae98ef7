import GatehouseWire

extension SessionKeeper {
  /// Ends the session here, at once; the server is told as soon as it can be. Works while the store gives no answer.
  func signOut() {
    end { record in
      // The reason why a session ended before stays.
      let known = record.session == nil && record.signUp == nil ? record.reason : nil
      record.revokeSession()
      record.signOut(known ?? .byUser)
    }
    revokeLater()
  }

  /// Ends the session of one sign-in here, which the server has ended already.
  func end(_ reason: SignedOutReason, _ generation: String) {
    end { record in if record.session?.generation == generation { record.signOut(reason) } }
  }

  /// Tells the server of sessions that the person ended here. A revocation that did not reach it is sent at the next
  /// chance.
  func revokeLater() {
    guard isRestored, !isRevoking, !ledger.record.revocations.isEmpty else { return }
    isRevoking = true
    Task {
      while let token = ledger.record.revocations.first {
        let input = SignOutEndpoint.Input(scope: "this", refreshToken: token)
        do throws(AuthError) {
          _ = try await requests.send(Call(SignOutEndpoint.self, input, mayRepeat: true))
        } catch {
          // The token of a session that is gone needs no sign-out.
          if error.isTemporary || error.code == .cancelled || error.code == .network { break }
        }
        change { $0.revocations.removeAll { $0 == token } }
      }
      isRevoking = false
    }
  }
}
