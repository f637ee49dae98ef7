import GatehousePolicy

/// A search for users by a part of their address.
enum AddressQuery {
  /// The text that stored addresses are compared with: a domain, or a whole label of one, is stored in ASCII.
  static func text(_ typed: String, _ services: Services) -> String {
    let query = TypedText.trimmed(typed).lowercased()
    guard !query.utf8.allSatisfy({ $0 < 0x80 }) else { return query }
    let local = query.prefix { $0 != "@" }
    let hasLocal = local.endIndex != query.endIndex
    let domain = hasLocal ? query[query.index(after: local.endIndex)...] : local
    guard let ascii = services.facts.asciiDomain(String(domain)) else { return query }
    return hasLocal ? "\(local)@\(ascii)" : ascii
  }
}
