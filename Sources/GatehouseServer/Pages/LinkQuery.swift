import GatehouseIdentity
import GatehousePrimitives

/// What the address of a link's page asks for.
enum LinkQuery: Equatable {
  /// The page of the link whose token the browser keeps.
  case page
  /// What a mail's link brings: it goes into a cookie.
  case token(String)
  /// Something that is no token of the page, but may be a part of one.
  case unlike
  /// The text that all is done. It does nothing, and is the same for every reader.
  case done(Done)

  enum Done: String {
    case usual = "1"
    /// A sign-up became an account.
    case account
  }

  /// Nil for a query that the page has not.
  init?(_ query: String?, for page: LinkPage) {
    guard let query, !query.isEmpty else {
      self = .page
      return
    }
    guard let object = try? FormParser.parse(Array(query.utf8)).object, object.members.count == 1,
      let member = object.members.first, let value = member.value.string
    else { return nil }
    switch member.key {
    case "token" where page.mayHold(value): self = .token(value)
    case "token" where !value.isEmpty && value.utf8.allSatisfy(QueryText.isUnreserved): self = .unlike
    case "done":
      guard let done = Done(rawValue: value) else { return nil }
      self = .done(done)
    default: return nil
    }
  }
}
