import GatehouseIdentity

/// The refresh tokens of erased accounts, on PostgreSQL. The erasure writes the rows, and the sweep takes them.
extension PostgresTenantStore {
  func isErasedToken(hash: [UInt8], of client: SessionClient) async throws -> Bool {
    try await read(
      """
      SELECT true FROM erased_token
      WHERE hash = \(hash) AND /* GUARD: refresh: an erased token of this client */ client = \(client.name)
      """
    ).first != nil
  }
}
