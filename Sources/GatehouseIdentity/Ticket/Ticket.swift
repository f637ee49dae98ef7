package import GatehousePrimitives

/// A row that waits for a second request: that of a person who comes back from a provider, of an app that redeems a
/// code, of a second factor. Its holder presents a token, of which the row has the hash.
package struct Ticket: Sendable, Equatable {
  /// SHA-256 of the token.
  package var hash: [UInt8]
  package var purpose: Purpose
  /// The provider that its payload is sealed for.
  package var provider: String?
  package var user: UserID?
  /// The session that it belongs to.
  package var session: SessionID?
  /// The `client_id` of the client that it is for.
  package var client: String?
  /// SHA-256 of a secret that only the client that began holds: a browser's cookie, an app's challenge.
  package var holderHash: [UInt8]?
  /// The epoch of the account that it rests on. It is not taken once the account has another one.
  package var epoch: Int64?
  /// The tries so far.
  package var attempts = 0
  /// The state that the second request needs, sealed.
  package var sealedPayload: [UInt8]?

  package init(
    hash: [UInt8], purpose: Purpose, provider: String? = nil, user: UserID? = nil, session: SessionID? = nil,
    client: String? = nil, holderHash: [UInt8]? = nil, epoch: Int64? = nil, attempts: Int = 0,
    sealedPayload: [UInt8]? = nil
  ) {
    self.hash = hash
    self.purpose = purpose
    self.provider = provider
    self.user = user
    self.session = session
    self.client = client
    self.holderHash = holderHash
    self.epoch = epoch
    self.attempts = attempts
    self.sealedPayload = sealedPayload
  }
}

extension Ticket {
  /// The second request that a ticket waits for. A ticket for one purpose is not taken for another one. The names are
  /// stored; those of tickets at providers are the ones that the release before gave them.
  package enum Purpose: String, Sendable, CaseIterable {
    /// A sign-in at a provider, of a browser that comes back.
    case providerSignIn = "sign_in"
    /// A link to an account at a provider.
    case providerLink = "link"
    /// The authorization code for an app whose browser came back from a provider.
    case browserSignInCode = "hand_back"
    /// The authorization code for an app, of a person who is signed in at the hosted pages.
    case authorizationCode = "authorization_code"
    /// A sign-in that waits for its second proof.
    case secondFactor = "second_factor"
    /// An authenticator app that waits for its first code.
    case addTOTP = "add_totp"
    /// A passkey that its client makes.
    case addPasskey = "add_passkey"
    /// A sign-in with a passkey, of an account that is not known yet.
    case passkeySignIn = "passkey_sign_in"
    /// A sign-up with a passkey, of an account that is not made yet: its payload is the id that it gets.
    case passkeySignUp = "passkey_sign_up"
    /// A fresh proof by a passkey.
    case reauthenticate = "reauthenticate"
  }

  /// The end of a ticket that is taken.
  package enum Taking: Sendable, Equatable {
    case deletes
    /// It stays for so many seconds, and is not taken again.
    case marks(remembered: Int)
  }

  /// How many tickets of a purpose wait at a time, the newest.
  package enum Bound: Sendable, Equatable {
    case perSession(Int)
    case perAccount(Int)
  }

  /// The terms of all tickets of a purpose.
  package struct Terms: Sendable {
    /// The kind of its token.
    package let token: OpaqueToken.Kind
    /// The seconds for which it can be taken.
    package let seconds: Int
    package let taking: Taking
    /// The bound on tickets that wait beside one another; nil: all of them wait.
    package var bound: Bound?
    /// The number of its tries; nil where its holder has nothing to guess.
    package var tries: Int?
  }
}

extension Ticket.Purpose {
  /// The table of purposes.
  package var terms: Ticket.Terms {
    switch self {
    case .providerSignIn, .providerLink: Ticket.Terms(token: .linkState, seconds: 600, taking: .deletes)
    case .browserSignInCode: Ticket.Terms(token: .browserSignInCode, seconds: 60, taking: .deletes)
    case .authorizationCode:
      Ticket.Terms(token: .authorizationCode, seconds: 60, taking: .deletes, bound: .perSession(5))
    case .secondFactor:
      Ticket.Terms(token: .flow, seconds: 300, taking: .marks(remembered: 300), bound: .perAccount(5), tries: 5)
    case .addTOTP: Ticket.Terms(token: .flow, seconds: 600, taking: .deletes, bound: .perSession(1), tries: 10)
    case .addPasskey: Ticket.Terms(token: .flow, seconds: 600, taking: .deletes, bound: .perSession(1), tries: 1)
    case .passkeySignIn: Ticket.Terms(token: .flow, seconds: 300, taking: .deletes, tries: 5)
    case .passkeySignUp: Ticket.Terms(token: .flow, seconds: 600, taking: .deletes, tries: 5)
    case .reauthenticate: Ticket.Terms(token: .flow, seconds: 300, taking: .deletes, bound: .perSession(1), tries: 5)
    }
  }
}

/// The values that the holder of a ticket presents. Each has to be as the ticket has it, also where that has none.
package struct TicketClaim: Sendable {
  package var hash: [UInt8]
  package var purpose: Ticket.Purpose
  package var provider: String?
  package var session: SessionID?
  package var client: String?
  package var holderHash: [UInt8]?

  package init(
    hash: [UInt8], purpose: Ticket.Purpose, provider: String? = nil, session: SessionID? = nil, client: String? = nil,
    holderHash: [UInt8]? = nil
  ) {
    self.hash = hash
    self.purpose = purpose
    self.provider = provider
    self.session = session
    self.client = client
    self.holderHash = holderHash
  }
}
