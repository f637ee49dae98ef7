package import GatehouseWire

extension Route {
  /// Every code with which the route refuses, in the order of `ErrorCode`: those of its endpoint and those of its kind.
  /// Refusals before a route is known are not among them.
  package var codes: [ErrorCode] {
    var all = Set(refusals).union(Self.common)
    if method != .get { all.insert(.conflict) }
    switch auth {
    case .anonymous: break
    // An account that is disabled may still sign out.
    case .userOrExpired: all.formUnion([.unauthenticated, .sessionRevoked])
    case .user, .optional: all.formUnion([.unauthenticated, .tokenExpired, .sessionRevoked, .accountDisabled])
    }
    if isIdempotent { all.insert(.idempotencyConflict) }
    if attests != nil { all.formUnion([.attestRequired, .attestInvalid]) }
    if bindsBrowser { all.insert(.forbidden) }
    return ErrorCode.allCases.filter(all.contains)
  }

  /// The codes of every route of a tenant that reads input.
  static let common = Set(tenant).union([
    .malformedRequest, .payloadTooLarge, .unsupportedMediaType, .unknownOutcome,
  ])

  /// The codes of everything below a tenant's path.
  static let tenant: [ErrorCode] = [.rateLimited, .overloaded, .tenantNotFound, .tenantDisabled, .internal]
}
