package import Foundation
package import GatehousePolicy

/// Reads of accounts.
package protocol UserStore: Sendable {
  /// The account, or nil.
  func user(id: UserID) async throws -> StoredUser?

  /// The account with this canonical address and its password's hash (nil while it has none), or nil.
  func user(email: String) async throws -> (user: StoredUser, passwordHash: String?)?

  /// The account's password hash; nil when there is no account or no password.
  func passwordHash(of id: UserID) async throws -> String?

  /// The hashes of the account's last passwords that are kept, the present one first.
  func passwordHashes(of id: UserID, atMost limit: Int) async throws -> [String]

  /// The accounts among these ids, in no order; at most 100 ids.
  func users(ids: [UserID]) async throws -> [StoredUser]

  /// The account that a user looks for, where it is not disabled.
  func user(found look: DirectoryQuery) async throws -> StoredUser?

  /// The deleted accounts that a look finds, by id, newest first.
  func deletedUsers(_ look: DeletedUserLook, limit: Int) async throws -> [DeletedUser]

  /// Deleted accounts whose time is over, or that were deleted at `before` or earlier: the longest one first.
  func dueDeletedUsers(deletedBefore moment: Date, limit: Int) async throws -> [UserID]

  /// The first `limit` accounts of a search behind `place`, in the order of the names that they are found by. Accounts
  /// that the search leaves out do not count. Fewer than `limit`: there are no more.
  func users(named search: NameSearch, after place: NamePlace?, limit: Int) async throws -> [NamedUser]

  /// Accounts by id, newest first, after `cursor` and up to `last` with it, where that is given.
  func users(_ filter: UserFilter, after cursor: UserID?, through last: UserID?, limit: Int) async throws
    -> [StoredUser]
  /// The users that the filter finds among so many candidates after `place`, in the order of the texts that find them.
  func users(_ filter: UserFilter, beginning: UserBeginning, after place: UserPlace?, limit: Int) async throws
    -> UserSearchPage
  /// The account that is so many places behind `cursor`, newest first; nil: there are fewer.
  func user(places: Int, after cursor: UserID?) async throws -> UserID?

  /// How many accounts of that range the filter finds.
  func userCount(_ filter: UserFilter, after cursor: UserID?, through last: UserID?) async throws -> Int

  /// All people of the tenant, by id, oldest first, after `cursor`: for walks over them in pages of bounded size.
  func users(after cursor: UserID?, limit: Int) async throws -> [ScannedUser]

  /// Those with these ids, as such a walk reads them.
  func users(scanning ids: [UserID]) async throws -> [ScannedUser]

  /// About `count` accounts, drawn by chance. `total`: how many accounts there are.
  func drawUsers(_ count: Int, of total: Int) async throws -> [UserID]

  /// How many accounts there are.
  func userCount() async throws -> Int

  /// How many that are not disabled have no exclusive identity at any of these providers.
  func userCount(withoutIdentityAt providers: [String]) async throws -> Int

  /// Which of these unique values another account holds already.
  func taken(_ values: [UniqueValue], except: UserID?) async throws -> [UniqueValue]
}

extension UserStore {
  /// Accounts by id, newest first, after `cursor`.
  package func users(after cursor: UserID?, newest limit: Int) async throws -> [StoredUser] {
    try await users(UserFilter(), after: cursor, through: nil, limit: limit)
  }
}

/// A value of a profile field, as text.
package struct StoredText: Sendable, Equatable {
  package let field: String
  package let text: String

  package init(field: String, text: String) { (self.field, self.text) = (field, text) }
}

/// A selection of accounts: all of these conditions hold.
package struct UserFilter: Sendable, Equatable {
  /// The beginning of the address or of a text of the profile.
  package var begins: UserBeginning?
  /// A part of the address, compared as text, no wildcards.
  package var emailContains: String?
  /// The account has an address, which is not proven.
  package var isUnverified = false
  /// The account was made at this moment or later.
  package var since: Date?
  /// The account was made before this moment.
  package var until: Date?
  /// A stored value, compared as text; an empty one is none. The field may be one that the policy no longer has, whose
  /// type is not known.
  package var value: StoredText?

  package var isEmpty: Bool { self == UserFilter() }

  package init(
    begins: UserBeginning? = nil, emailContains: String? = nil, isUnverified: Bool = false, since: Date? = nil,
    until: Date? = nil, value: StoredText? = nil
  ) {
    self.begins = begins
    (self.emailContains, self.isUnverified, self.since, self.until) = (emailContains, isUnverified, since, until)
    self.value = value
  }
}

/// The key that identifies one account to other users, in the form that is stored.
package enum DirectoryQuery: Sendable {
  /// A canonical address; found where it is proven.
  case email(String)
  case unique(UniqueValue)
}

/// A search by the beginning of a name, among accounts that are enabled and have what is demanded.
package struct NameSearch: Sendable {
  /// The beginning of the value of one of `fields`, without case and marks.
  package var prefix: String
  package var fields: [String]
  /// The address is proven.
  package var isProven = false
  /// Each of these providers is linked.
  package var linked: [String] = []
  /// Each of these fields has a value.
  package var filled: [String] = []

  package init(_ prefix: String, of fields: [String]) {
    self.prefix = prefix
    self.fields = fields
  }
}

/// A place in the order of names: of two accounts with one name the older id is first.
package struct NamePlace: Sendable {
  package var key: String
  package var user: UserID

  package init(key: String, user: UserID) {
    self.key = key
    self.user = user
  }
}

/// An account and the name that it was found by, as names are compared.
package struct NamedUser: Sendable {
  package var user: StoredUser
  package var key: String

  package init(user: StoredUser, key: String) {
    self.user = user
    self.key = key
  }
}

/// Sessions and their refresh tokens.
package protocol SessionStore: Sendable {
  /// The session and its account in one read, in any state; nil when the session never was or its account went.
  func session(id: SessionID) async throws -> (session: Session, user: StoredUser)?

  /// A session of the pages in any state, with its account, by the hash of its cookie's value.
  func pageSession(hash: [UInt8]) async throws -> (session: Session, user: StoredUser)?

  /// A refresh token by the hash of its text, with its session, account and the password's hash.
  func refreshToken(hash: [UInt8]) async throws -> RefreshLookup?

  /// Whether a refresh token of this client went with its account in the last 30 days.
  func isErasedToken(hash: [UInt8], of client: SessionClient) async throws -> Bool

  /// Exchanges a refresh token for its successor, once, in one statement, and gives whose it is. Nil, and nothing has
  /// happened, when there is no such unspent token; `refused(.sessionIsLive)`, `refused(.accountIsEnabled)`.
  func rotate(_ rotation: Rotation) async throws -> (session: Session, user: StoredUser)?
  /// Writes an audit row for each session, at most `limit`, that ran out and was not noted yet, and when its account
  /// was last seen by it. How many.
  func noteExpiredSessions(limit: Int) async throws -> Int

  /// When sessions of these accounts last made a request; accounts without an unended session are not in it. A session
  /// lasts so many seconds from its beginning, however long it was opened for.
  func sightings(of users: [UserID], sessionsLasting maxTTL: Int64) async throws -> [UserID: Sightings]

  /// The push tokens of these accounts' live sessions by the lifetimes that `rules` gives them, in the order of both
  /// ids, after a place in that order. Disabled accounts have none.
  func pushTokens(
    of users: [UserID], under rules: Sessions, after place: (UserID, SessionID)?, limit: Int
  ) async throws -> [StoredPushToken]

  /// Push tokens that an older build stored without a digest, by the session's id, after one.
  func pushTokensWithoutDigest(after session: SessionID?, limit: Int) async throws -> [StoredPushToken]

  /// Writes the digests of push tokens, where they still are these.
  func noteDigests(of tokens: [StoredPushToken]) async throws

  /// Removes push tokens of one account, where they still are these, and writes the audit row. How many.
  func removePushTokens(_ tokens: [StoredPushToken], of user: UserID, noting entry: AuditEntry) async throws
    -> Int

  /// The account's newest sign-in, whether or not its session lives; nil where there was none.
  func lastSignIn(of user: UserID) async throws -> SignInTrace?

  /// The account's live sessions, newest first.
  func sessions(of user: UserID) async throws -> [Session]
}

/// A sign-in as the audit log has it, and its device and place while its session is stored.
package struct SignInTrace: Sendable, Equatable {
  package var at: Date
  /// RFC 8176, as in a session.
  package var method: String?
  package var deviceName: String?
  package var place: String?

  package init(at: Date, method: String?, deviceName: String?, place: String?) {
    self.at = at
    self.method = method
    self.deviceName = deviceName
    self.place = place
  }
}

/// A refresh token's exchange.
package struct Rotation: Sendable {
  /// The hash of the token that is spent.
  package var spent: [UInt8]
  /// The client that presents it. Nothing is exchanged in the session of another one.
  package var client: SessionClient
  /// The hash of the token that follows, and its text, sealed, to be given again.
  package var successor: [UInt8]
  package var sealedSuccessor: [UInt8]
  /// The digest by which a repetition of the request is recognised, however late; nil without an `Idempotency-Key`.
  package var retryDigest: [UInt8]?
  /// Seconds without use after which the session ends.
  package var idleTTL: Int64
  /// Seconds after which the session ends however much it is used; the end it was opened with counts as well.
  package var maxTTL: Int64

  package init(
    spent: [UInt8], of client: SessionClient = .app, successor: [UInt8], sealedSuccessor: [UInt8],
    retryDigest: [UInt8]? = nil, idleTTL: Int64, maxTTL: Int64 = 3650 * 86_400
  ) {
    self.spent = spent
    self.client = client
    self.successor = successor
    self.sealedSuccessor = sealedSuccessor
    self.retryDigest = retryDigest
    self.idleTTL = idleTTL
    self.maxTTL = maxTTL
  }
}

/// All that it takes to judge a refresh token that was not exchanged.
package struct RefreshLookup: Sendable {
  package var token: RefreshToken
  package var session: Session
  package var user: StoredUser
  /// The database's clock at the read: what the token's age is measured by.
  package var now: Date

  package init(token: RefreshToken, session: Session, user: StoredUser, now: Date) {
    self.token = token
    self.session = session
    self.user = user
    self.now = now
  }
}

/// Reads of one-time codes.
package protocol CodeStore: Sendable {
  /// The code, in any state, whose link carries this token.
  func code(tokenHash: [UInt8], purpose: CodePurpose) async throws -> OneTimeCode?

  /// The code of this id and purpose, in any state.
  func code(id: UUID, purpose: CodePurpose) async throws -> OneTimeCode?

  /// The newest code, in any state, of this purpose sent to this contact; with a `user`, of that account.
  func newestCode(for purpose: CodePurpose, to destination: Contact, of user: UserID?) async throws -> OneTimeCode?

  /// The requester of the newest code of this purpose for this contact: of that account, with a `user`. A code that
  /// stands under `decoy` has its requester just so, by the session that asked for it.
  func requester(of purpose: CodePurpose, at destination: Contact, decoy: String, of user: UserID?) async throws
    -> CodeRequester?

  /// The newest living way back of an account that left this address.
  func undoCode(reserving email: String) async throws -> OneTimeCode?

  /// The codes of this purpose at this contact that digits may be of, as many of the newest as may live, in any state:
  /// after one more try is counted for each of them, unless only a reader tries. The count is committed before the
  /// answer is given. A code that stands under `decoy` is counted just so: a row is written whether or not a message
  /// went out.
  func tryCodes(_ purpose: CodePurpose, at destination: Contact, decoy: String, of holder: CodeHolder) async throws
    -> [OneTimeCode]
}

/// The account that asked for a code, and its session that did, where one is known.
package struct CodeRequester: Sendable, Hashable {
  package let user: UserID
  package let session: SessionID?

  package init(user: UserID, session: SessionID?) {
    self.user = user
    self.session = session
  }
}

/// The evidence of a client that tries mailed digits. Its tries are counted for that, so that no client uses up another
/// person's.
package enum CodeHolder: Sendable, Hashable {
  /// The account that the codes act on.
  case account(UserID)
  /// The id of the code, which the request for it answered.
  case id(UUID)
  /// The session of the account that asked for the code.
  case session(SessionID, of: UserID)
  /// Nothing, where the policy takes the mail alone for a proof.
  case reader
}
