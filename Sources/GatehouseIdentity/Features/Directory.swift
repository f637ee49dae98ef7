// The directory: how users find others, as the policy allows it.

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
      let found = try await store.users(found: look, limit: candidates)
      let seen = found.filter {
        call.policy.standing(of: $0, at: call.now).access == .full  // GUARD: directory: full access is found alone
      }
      return Array(seen.prefix(DirectoryPolicy.page))
    }
  }

  /// Accounts that a lookup reads, at the most, before those with limited access are left out.
  private static let candidates = 100

  /// What is looked up, in the form that is stored. Refuses what no user can have by its form alone.
  private static func look(
    _ way: DirectoryPolicy.FindBy, _ text: String, _ call: Call, _ services: Services
  ) throws -> DirectoryQuery {
    switch way {
    case .email:
      guard let email = call.policy.normalisedEmail(text, using: services.facts) else {
        throw Refusal.malformed("/email", text.contains(" ") ? "not an address; + is written %2B" : "not an address")
      }
      return .email(email)
    case .username:
      guard let key = call.policy.usernameKey(text), text.utf8.count <= 1024 else {
        throw Refusal.malformed("/username", "not a username")
      }
      return .unique(UniqueValue(field: DirectoryPolicy.username, key: key))
    case .prefix:
      let lengths = DirectoryPolicy.prefixLengths
      guard text.utf8.count <= 1024, let prefix = Policy.namePrefix(text) else {
        throw Refusal.malformed("/prefix", "\(lengths.lowerBound) to \(lengths.upperBound) characters")
      }
      return .prefix(prefix, of: call.policy.directory?.prefixOf ?? [])
    }
  }
}
