// The directory: how users find others, as the policy allows it.

import Foundation
import GatehousePolicy
import GatehouseWire

enum Directory {
  /// The users that a request asks for.
  enum Selection {
    case ids(String)
    case look(DirectoryPolicy.FindBy, String)

    /// Nil where all users are asked for. Refuses more than one selection, and a page of one.
    init?(_ input: ListUsersEndpoint.Input) throws {
      let given: [(String, Selection)] = [
        ("ids", input.ids.map(Selection.ids)), ("email", input.email.map { .look(.email, $0) }),
        ("username", input.username.map { .look(.username, $0) }), ("prefix", input.prefix.map { .look(.prefix, $0) }),
      ].compactMap { name, selection in selection.map { (name, $0) } }
      guard let (name, selection) = given.first else { return nil }
      guard given.count == 1, input.query == nil, input.limit == nil, input.cursor == nil else {
        throw Refusal.malformed("/\(name)", "one of \"ids\", \"email\", \"username\", \"prefix\" or a search")
      }
      self = selection
    }
  }

  /// The users that a caller with full access finds. Refuses `forbidden` where the policy's directory has no such way,
  /// `rate_limited` beyond its limit.
  static func found(_ selection: Selection, by me: SignedIn, _ call: Call, _ services: Services) async throws
    -> [StoredUser]
  {
    let store = services.store.open(call.tenant.id)
    switch selection {
    case .ids(let text):
      let texts = text.split(separator: ",", omittingEmptySubsequences: false)
      guard texts.count <= 100 else { throw Refusal.malformed("/ids", "100 ids at most") }
      let found = try await store.users(ids: texts.compactMap { UserID(text: String($0)) })
      return found.filter { $0.disabledAt == nil }
    case .look(let way, let text):
      // GUARD: directory: what the policy allows
      guard call.policy.directory?.findBy.contains(way) == true else {
        throw Refusal(.forbidden, detail: "The policy lets users find no others by \(way.rawValue).")
      }
      let look = try look(way, text, call, services)
      try await Limiting.reserve(.lookup(by: me.user.id), call, services)  // GUARD: directory: counted
      switch look {
      case .one(let query):
        return try await store.user(found: query).map { [$0] }?.filter { isFound($0, call) } ?? []
      case .named(let search): return try await named(search, in: store, call)
      }
    }
  }

  /// Accounts that are read at a time, and how many times at the most. The statement leaves out those that lack what
  /// the policy demands of every account. The accounts left to filter here are those that a tightened rule made
  /// incomplete; a stranger cannot make these in numbers.
  private static let (batch, rounds) = (100, 10)

  /// A page of the users whose names begin as searched.
  private static func named(_ search: NameSearch, in store: any TenantStore, _ call: Call) async throws -> [StoredUser]
  {
    var seen: [StoredUser] = []
    var place: NamePlace?
    for _ in 0..<rounds {
      let found = try await store.users(named: search, after: place, limit: batch)
      // A user may be found by two fields, in two batches.
      for user in found.map(\.user) where isFound(user, call) && !seen.contains(where: { $0.id == user.id }) {
        seen.append(user)
        if seen.count == DirectoryPolicy.page { return seen }
      }
      guard found.count == batch, let last = found.last else { break }
      place = NamePlace(key: last.key, user: last.user.id)
    }
    return seen
  }

  private static func isFound(_ user: StoredUser, _ call: Call) -> Bool {
    // GUARD: directory: full access is found alone
    call.policy.standing(of: user, in: nil, at: call.now).access == .full
  }

  private enum Look {
    case one(DirectoryQuery)
    case named(NameSearch)
  }

  /// The query in the form that is stored. Refuses text that no user can have by its form alone.
  private static func look(
    _ way: DirectoryPolicy.FindBy, _ text: String, _ call: Call, _ services: Services
  ) throws -> Look {
    switch way {
    case .email:
      guard let email = call.policy.normalisedEmail(text, using: services.facts) else {
        throw Refusal.malformed("/email", text.contains(" ") ? "not an address; + is written %2B" : "not an address")
      }
      return .one(.email(email))
    case .username:
      guard let key = call.policy.usernameKey(text), text.utf8.count <= 1024 else {
        throw Refusal.malformed("/username", "not a username")
      }
      return .one(.unique(UniqueValue(field: DirectoryPolicy.username, key: key)))
    case .prefix:
      let lengths = DirectoryPolicy.prefixLengths
      guard text.utf8.count <= 1024, let prefix = Policy.namePrefix(text) else {
        throw Refusal.malformed("/prefix", "\(lengths.lowerBound) to \(lengths.upperBound) characters")
      }
      return .named(call.policy.search(prefix, at: call.now))
    }
  }
}

extension Policy {
  /// The search for names that begin so, among accounts that have what this policy demands for full access now.
  fileprivate func search(_ prefix: String, at now: Date) -> NameSearch {
    var search = NameSearch(prefix, of: directory?.prefixOf ?? [])
    for requirement in access.full where requirement.enforcement.mode(at: now) == .enforce {
      switch requirement.need {
      case .emailVerified: search.isProven = true
      case .linked(let provider): search.linked.append(provider)
      case .profile(let field): search.filled.append(field)
      case .phoneVerified, .mfa: break
      }
    }
    return search
  }
}
