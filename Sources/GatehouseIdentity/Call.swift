package import Foundation
package import GatehousePolicy
package import GatehousePrimitives
import GatehouseWire

/// One request, as far as the business may see it: made once by the gates, never changed.
package struct Call: Sendable {
  /// The tenant with the one policy revision that judges this request.
  package let tenant: TenantSnapshot
  package let requestID: String
  /// Where it comes from; nil for an operator at the command line.
  package let address: NetworkAddress?
  /// Languages the caller reads, best first.
  package private(set) var languages: [String]
  package let now: Date
  /// The name that the client gives itself; text from outside.
  package let userAgent: String?
  /// The host that the request names; nil where it names none.
  private let host: String?
  /// The relative way from the request's path to the tenant's own, `../` or more: pages name their files by it, for any
  /// host and proxy.
  package let root: String
  /// The counts to return if the server fails after a right credential.
  package let tries = RightTries()
  /// The client that the request is for: the tenant's own app, unless it came for another one.
  package private(set) var client: Client
  /// The caller of a verified access token; nil without one.
  package private(set) var caller: Caller?
  /// The claim under the request's Idempotency-Key, where it has one.
  package private(set) var claim: IdempotencyClaim?
  /// The request's Idempotency-Key where a refresh token is exchanged: what the exchange is known by when it comes
  /// again.
  package private(set) var retryKey: String?
  /// SHA-256 of the cookie of the browser that calls, where an operation is bound to one.
  package private(set) var browser: [UInt8]?
  /// The key of the attested app that the request comes from, where its door demanded one.
  package private(set) var attestKey: [UInt8]?
  /// The mark by which a browser is known as a device, where it came back from elsewhere.
  package private(set) var device: String?
  /// Whether the browser is at a computer that others use, too: a session that it opens is short.
  package private(set) var isAtSharedComputer = false

  package init(
    tenant: TenantSnapshot, requestID: String, address: NetworkAddress?, languages: [String], now: Date,
    userAgent: String? = nil, host: String? = nil, root: String = "", caller: Caller? = nil
  ) {
    self.tenant = tenant
    client = tenant.app
    self.requestID = requestID
    self.address = address
    self.languages = languages
    self.now = now
    self.userAgent = userAgent
    self.host = host
    self.root = root
    self.caller = caller
  }

  package var policy: Policy { tenant.policy }

  /// The tenant's address as the caller reached it. Cookies are of that host: a browser that leaves from there has to
  /// come back there.
  package var issuer: String { tenant.issuer(at: host) }

  /// The same request, under a claim.
  package func holding(_ claim: IdempotencyClaim) -> Call {
    var call = self
    call.claim = claim
    return call
  }

  /// The same request, which comes again under this key.
  package func retrying(under key: String) -> Call {
    var call = self
    call.retryKey = key
    return call
  }

  /// The same request, with the caller of its access token or its flow; nil without one.
  package func identified(as caller: Caller?) -> Call {
    var call = self
    call.caller = caller
    return call
  }

  /// The same request, for this client.
  package func of(_ client: Client) -> Call {
    var call = self
    call.client = client
    return call
  }

  /// The same request, from the browser that holds this cookie.
  package func from(browser token: String) -> Call {
    var call = self
    call.browser = SHA256.digest(token)
    return call
  }

  /// The same request, from a browser that is known as this device.
  package func on(device: String?) -> Call {
    var call = self
    call.device = device
    return call
  }

  /// The same request, from a browser at a computer that others use, too, or at its owner's.
  package func atSharedComputer(_ isShared: Bool) -> Call {
    var call = self
    call.isAtSharedComputer = isShared
    return call
  }

  /// The same request, in the languages that its caller chose.
  package func reading(_ languages: [String]) -> Call {
    var call = self
    call.languages = languages
    return call
  }

  /// The same request, from the attested app with this key.
  func attested(by key: [UInt8]) -> Call {
    var call = self
    call.attestKey = key
    return call
  }

  /// The language of mails and texts for this caller: the first they read that the app speaks, or the app's first.
  package var language: String { Languages.choose(from: policy.app.locales, preferring: languages) }

  /// The language of texts, and after it those of the caller for a text that there is not in it. Our own texts are
  /// there in English at least: an app that speaks English alone says nothing of ours in another language.
  package var spoken: [String] { [language] + languages }
}

/// The caller by a verified access token of this tenant.
package struct Caller: Sendable, Equatable {
  package let user: UserID
  package let session: SessionID

  package init(user: UserID, session: SessionID) {
    self.user = user
    self.session = session
  }
}

/// The caller as the store knows them at this moment: alive, enabled, in a live session.
package struct SignedIn: Sendable {
  package let session: Session
  package let user: StoredUser

  package init(session: Session, user: StoredUser) {
    self.session = session
    self.user = user
  }

  /// Seconds for which a proof is fresh.
  package static let recentSeconds = 300

  /// The authority of a request that rests on a proof of this caller's.
  var proven: Authority { .caller(self, restingOn: .proof) }
}

extension Call {
  /// Loads the caller. Refuses `unauthenticated` without one, `session_revoked` when the session ended or the account
  /// went, `account_disabled` when it is switched off.
  package func signedIn(_ services: Services) async throws -> SignedIn {
    guard let caller else { throw Refusal(.unauthenticated) }
    guard let found = try await services.store.open(tenant.id).session(id: caller.session),
      found.user.id == caller.user, found.session.isLive(at: now, under: policy.sessions),
      // GUARD: session: of this client, or of the pages
      [client.session, .pages].contains(found.session.client)
    else {
      await note(
        .sessionUsedAfterEnd, about: caller.session.text, services, user: caller.user, session: caller.session)
      throw Refusal(.sessionRevoked)
    }
    // GUARD: session: of a disabled account
    guard found.user.disabledAt == nil else { throw Refusal(.accountDisabled) }
    return SignedIn(session: found.session, user: found.user)
  }

  /// Where it comes from, roughly, as people are told of their devices.
  func place(_ services: Services) -> String? { address.flatMap { services.places?.place(of: $0) } }

  /// An audit row about this request.
  package func entry(
    _ event: AuditEvent, _ services: Services, actor: Actor = .anonymous, user: UserID? = nil,
    session: SessionID? = nil, details: [String: String] = [:]
  ) -> AuditEntry {
    AuditEntry(
      id: services.clock.makeID(), at: now, event: event, actor: actor.text, user: user, session: session,
      requestID: requestID, address: address?.text, revision: tenant.revision, details: details)
  }
}

extension Call {
  /// The rows of links that went with something else.
  func unlinked(_ links: [LinkedIdentity], of user: UserID, _ reason: String, _ services: Services) -> [Change] {
    links.map {
      .audit(
        entry(
          .unlinked, services, actor: .user(user), user: user,
          details: ["provider": $0.provider, "reason": reason]))
    }
  }
}

extension Session {
  /// Neither ended nor past one of its two ends, by the policy it began under and by the one of now: a policy that
  /// shortens them shortens the sessions that run.
  package func isLive(at now: Date, under rules: Sessions) -> Bool {
    endedAt == nil  // GUARD: session: one that ended
      && now < end(under: rules)  // GUARD: session: idle and absolute time
  }

  /// When it ends unless it is used before.
  package func end(under rules: Sessions) -> Date {
    let (idle, longest) = rules.lifetime(of: client)
    return min(
      min(expiresAt, createdAt.addingTimeInterval(TimeInterval(longest))),
      min(idleExpiresAt, lastSeenAt.addingTimeInterval(TimeInterval(idle))))
  }
}
