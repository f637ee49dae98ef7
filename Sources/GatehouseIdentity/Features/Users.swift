// Other users of the tenant: their public profiles for every caller with full access; their records for administrators.

import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum Users {
  /// One user. Refuses `not_found` for unknown ids and another tenant's alike, `access_limited` to callers without full
  /// access.
  package static func read(_ input: ReadUserEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> UserView
  {
    let me = try await fullyIn(call, services)
    guard let id = UserID(text: input.id),
      let user = try await services.store.open(call.tenant.id).user(id: id)
    else { throw Refusal(.notFound) }
    if call.policy.administers(me, .listUsers), me.isRecent(call) {
      return .record(Views.user(user, try await call.sightings(of: id, services), call, to: .admin))
    }
    guard user.disabledAt == nil else { throw Refusal(.notFound) }
    return .user(Views.publicUser(user, try await call.sightings(of: id, services), call))
  }

  /// Several users by id, or as the policy's directory finds them; else a page of all of them, for administrators.
  package static func list(_ input: ListUsersEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> ListUsersEndpoint.Output
  {
    let me = try await fullyIn(call, services)
    if let selection = try Directory.Selection(input) {
      let found = try await Directory.found(selection, by: me, call, services)
      let seen = try await call.sightings(of: found.map(\.id), services)
      return ListUsersEndpoint.Output(
        items: found.map { .user(Views.publicUser($0, seen[$0.id] ?? Sightings(), call)) })
    }
    let store = services.store.open(call.tenant.id)
    try await demand(.listUsers, me, call, services)
    let limit = try pageSize(input.limit)
    if let beginning = input.query.flatMap({ UserBeginning(typed: $0, call.policy, services) }) {
      let (found, next) = try await UserSearch.page(
        UserFilter(begins: beginning), beginning, after: input.cursor, limit: limit, within: .seconds(2), in: store)
      return try await records(found, next: next, call, services)
    }
    var cursor: UserID?
    if let text = input.cursor {
      guard let id = UserID(text: text) else { throw Refusal.malformed("/cursor", "not a cursor of this list") }
      cursor = id
    }
    let found = try await store.users(after: cursor, newest: limit)
    return try await records(found, next: found.count == limit ? found.last?.id.text : nil, call, services)
  }

  /// A page, as administrators see it.
  private static func records(_ found: [StoredUser], next: String?, _ call: Call, _ services: Services) async throws
    -> ListUsersEndpoint.Output
  {
    let seen = try await call.sightings(of: found.map(\.id), services)
    return ListUsersEndpoint.Output(
      items: found.map { .record(Views.user($0, seen[$0.id] ?? Sightings(), call, to: .admin)) }, nextCursor: next)
  }

  /// Changes a user on behalf of an administrator with this right.
  package static func update(_ input: UpdateUserEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> MeAnswer
  {
    let me = try await fullyIn(call, services)
    if input.profile != nil { try await demand(.updateProfile, me, call, services) }
    if input.disabled != nil { try await demand(.disable, me, call, services) }
    guard input.profile != nil || input.disabled != nil else { throw Refusal.malformed("", "nothing to change") }
    guard let id = UserID(text: input.id),
      var user = try await services.store.open(call.tenant.id).user(id: id)
    else { throw Refusal(.notFound) }
    let actor = Actor.administrator(me.user.id)
    let authority = Authority.caller(me, restingOn: .role(call.policy.roleFields(of: me.user)))
    if let profile = input.profile {
      user = try await UpdateProfile.run(
        profile, of: user, at: .adminUpdate, writer: .admin, actor: actor, as: authority, call, services)
    }
    if let disabled = input.disabled {
      guard id != me.user.id else { throw Refusal(.forbidden, detail: "You cannot disable your own account.") }
      user = try await DisableUser.run(user, disabled, actor: actor, as: authority, call, services)
    }
    return Me.answer(user, in: nil, try await call.sightings(of: id, services), to: .admin, call)
  }

  /// The caller, with full access.
  private static func fullyIn(_ call: Call, _ services: Services) async throws -> SignedIn {
    let me = try await call.signedIn(services)
    let standing = call.policy.standing(of: me.user, in: me.session, at: call.now)
    guard standing.access == .full else { throw Refusal.accessLimited(standing, call) }
    return me
  }

  private static func demand(_ right: Admins.Right, _ me: SignedIn, _ call: Call, _ services: Services) async throws {
    guard call.policy.administers(me, right) else {
      await call.note(
        .forbidden, about: "\(me.user.id.text) \(right.rawValue)", services, actor: .user(me.user.id),
        user: me.user.id, session: me.session.id, details: ["right": right.rawValue])
      throw Refusal(.forbidden)
    }
    guard me.isRecent(call) else {
      throw Refusal.reauthentication(of: me, call, services)
    }
  }

  private static func pageSize(_ text: String?) throws -> Int {
    guard let text else { return 50 }
    guard text.utf8.count <= 3, let size = Int(text), (1...100).contains(size) else {
      throw Refusal.malformed("/limit", "a number from 1 to 100")
    }
    return size
  }
}

extension Policy {
  /// The fields that make an administrator, as this person's profile holds them.
  fileprivate func roleFields(of user: StoredUser) -> [String: FieldValue] {
    let fields = (admins?.when ?? []).map(\.field)
    return user.profile.filter { fields.contains($0.key) }
  }

  fileprivate func administers(_ me: SignedIn, _ right: Admins.Right) -> Bool {
    isAdministrator(profile: me.user.profile) && admins?.may.contains(right) == true
  }
}
