import Foundation
public import GatehouseClient
import GatehousePolicy
import GatehouseWire

/// The server's state for tests, and actions elsewhere, without the client.
extension FakeServer {
  /// Mails that were sent, oldest first.
  public var mails: [FakeMail] { withWorld { $0.mails } }

  /// The code of the newest mail to this address; nil where none has one.
  public func code(for email: String) -> String? {
    withWorld { world in world.mails.last { $0.to == world.address(email) && $0.code != nil }?.code }
  }

  /// Requests that arrived, oldest first: ten thousand at most.
  public var requests: [FakeRequest] { withWorld { $0.requests } }

  /// How many requests arrived at a route, such as `POST /v1/token`.
  public func count(of route: String) -> Int { requests.count { $0.route == route } }

  /// How many accounts there are.
  public var accountCount: Int { withWorld { $0.accounts.count } }

  /// How many sessions of an account live.
  public func sessionCount(of email: String) -> Int {
    withWorld { world in
      guard let id = world.account(email: email)?.id else { return 0 }
      return world.sessions.values.count { $0.account == id && !$0.isEnded }
    }
  }

  /// Makes an account, as an import or an operator does. Returns its id. An account of this address is replaced.
  ///
  /// Values have the types of their fields: `["classYear": 2, "isDriver": true, "birthday": "2001-05-09"]`. They are
  /// stored in the form that the policy gives them, and fields without a value get their defaults. A password and a
  /// value that the policy refuses are kept as they are, as those of an earlier policy.
  @discardableResult
  public func addAccount(
    email: String, password: String?, profile: GatehouseClient.Profile = [:], isVerified: Bool = true
  ) -> String {
    let now = clock.now
    return withWorld { world in
      var account = FakeUser(
        id: world.account(email: email)?.id ?? world.id(), email: world.address(email), lastSeen: now, createdAt: now,
        updatedAt: now)
      (account.password, account.passwordChangedAt) = (password, password.map { _ in now })
      (account.isVerified, account.enteredBy) = (isVerified, .import)
      account.profile = world.imported(profile.mapValues(FieldValue.init), email: email, at: now)
      world.accounts[account.id] = account
      return account.id
    }
  }

  /// Ends every session of an account, as another device or an operator does.
  public func revokeSessions(of email: String) {
    withWorld { world in if let id = world.account(email: email)?.id { world.endSessions(of: id) } }
  }

  /// Switches an account off, or on again.
  public func setDisabled(_ isDisabled: Bool, _ email: String) {
    change(email) { $0.isDisabled = isDisabled }
  }

  /// Confirms the address, as the link of the mail in a browser does.
  public func verify(_ email: String) {
    change(email) { account in
      account.isVerified = true
      account.further.removeAll { $0 == "verify_email" }
    }
  }

  /// Asks for one step more before full access: `verify_email`, `link:spotify`, `profile:username`, or a word of a
  /// later version.
  public func require(_ need: String, of email: String) {
    change(email) { if !$0.further.contains(need) { $0.further.append(need) } }
  }

  /// Asks for a step of `require(_:of:)` no more.
  public func lift(_ need: String, of email: String) { change(email) { $0.further.removeAll { $0 == need } } }

  /// Changes a field of the profile, as an administrator does; nil clears it. The value has the type of the field, and
  /// is stored in the form that the policy gives it.
  public func setField(_ field: String, _ value: ProfileValue?, of email: String) {
    let now = clock.now
    let stored = value.map { value in
      withWorld { $0.imported([field: FieldValue(value)], email: email, at: now)[field] ?? .null }
    }
    change(email) { $0.profile[field] = stored }
  }

  /// Deletes an account, as another device does. Tokens of its sessions are answered `session_revoked`.
  public func deleteAccount(_ email: String) {
    withWorld { world in
      guard let id = world.account(email: email)?.id else { return }
      world.endSessions(of: id)
      world.accounts[id] = nil
    }
  }

  /// Forgets every refresh token, as a database does that was restored from an older copy.
  public func forgetRefreshTokens() { withWorld { $0.refreshTokens = [:] } }

  /// Refresh tokens as they are now, to be put back after `forgetRefreshTokens()`.
  public func restoreRefreshTokens(_ copy: FakeTokenCopy) { withWorld { $0.refreshTokens = copy.tokens } }

  /// A copy of the refresh tokens.
  public func copyRefreshTokens() -> FakeTokenCopy { withWorld { FakeTokenCopy(tokens: $0.refreshTokens) } }

  /// The provider refuses the grant of a link from now on.
  public func breakLink(_ provider: String, of email: String) {
    change(email) { account in
      for index in account.links.indices where account.links[index].provider == provider {
        account.links[index].isBroken = true
      }
    }
  }

  private func change(_ email: String, _ body: (inout FakeUser) -> Void) {
    let now = clock.now
    withWorld { world in
      guard var account = world.account(email: email) else { return }
      body(&account)
      account.updatedAt = now
      world.accounts[account.id] = account
    }
  }
}

/// A copy of a server's refresh tokens. It shows none of them.
public struct FakeTokenCopy: Sendable, CustomStringConvertible, CustomReflectable {
  let tokens: [String: FakeRefreshToken]
  /// Shows nothing.
  public var description: String { "FakeTokenCopy(…)" }
  /// Nothing within.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension FieldValue {
  fileprivate init(_ value: ProfileValue) {
    self =
      switch value {
      case .null: .null
      case .boolean(let flag): .boolean(flag)
      case .integer(let number): .integer(number)
      case .string(let text): .string(text)
      }
  }
}
