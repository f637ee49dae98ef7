import Foundation
import GatehousePolicy
import GatehousePrimitives

/// The beginning of an address, or of a text of the profile.
package struct UserBeginning: Sendable, Equatable {
  /// In the form in which addresses are stored.
  package let address: String
  /// As typed; case and marks do not count.
  package let name: String
  /// The fields that are searched.
  package let fields: [String]

  package init(address: String, name: String, fields: [String]) {
    self.address = address
    self.name = name
    self.fields = fields
  }

  /// As a person typed it: it is searched for in all texts of the policy's profile. Nil where no text can begin so.
  init?(typed: String, _ policy: Policy, _ services: Services) {
    let text = TypedText.trimmed(typed)
    guard !text.isEmpty, !text.utf8.contains(0) else { return nil }
    self.init(
      address: AddressQuery.text(text, services), name: text,
      fields: policy.profile.fields.filter { $0.type == .string }.map(\.name))
  }
}

/// A place in the order of what users are found by: of two with one text the older id is first.
package struct UserPlace: Sendable, Equatable {
  package let text: String
  package let user: UserID

  package init(text: String, user: UserID) {
    self.text = text
    self.user = user
  }

  /// As a list's cursor has it.
  var cursor: String { "\(user.text).\(Base64URL.encode(Array(text.utf8)))" }

  /// Reads a cursor of a search; nil where it is none.
  init?(cursor: String) {
    let parts = cursor.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let id = UserID(text: String(parts[0])), let bytes = Base64URL.decode(String(parts[1])),
      let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0)
    else { return nil }
    self.init(text: text, user: id)
  }
}

/// A page of a search.
package struct UserSearchPage: Sendable {
  /// The users that the filter finds, each with its place.
  package var found: [(user: StoredUser, place: UserPlace?)] = []
  /// How many accounts were looked at, and the place of the last.
  package var count = 0
  package var last: UserPlace?

  package init() {}
}

/// A walk over the users whose address or name begins as asked.
enum UserSearch {
  /// Accounts that a statement looks at where the filter may find few of them.
  private static let stretch = 1000

  /// The first users after `cursor`, by what they are found by, until there are `limit` of them, there are no more, or
  /// `time` is over; and the cursor of the next page.
  static func page(
    _ filter: UserFilter, _ beginning: UserBeginning, after cursor: String?, limit: Int, within time: Duration,
    in store: any UserStore
  ) async throws -> (users: [StoredUser], next: String?) {
    var place = try cursor.map { text in
      guard let place = UserPlace(cursor: text) else { throw Refusal.malformed("/cursor", "is not from this list") }
      return place
    }
    var others = filter
    others.begins = nil
    let size = others.isEmpty ? limit + 1 : max(stretch, limit + 1)
    let end = ContinuousClock.now + time
    var found: [(user: StoredUser, place: UserPlace?)] = []
    while true {
      let page = try await store.users(filter, beginning: beginning, after: place, limit: size)
      found += page.found
      if found.count > limit { return (found.prefix(limit).map(\.user), found[limit - 1].place?.cursor) }
      guard page.count == size else { return (found.map(\.user), nil) }
      place = page.last
      if end <= ContinuousClock.now { return (found.map(\.user), place?.cursor) }
    }
  }
}
