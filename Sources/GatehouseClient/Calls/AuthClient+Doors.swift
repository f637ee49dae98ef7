import GatehouseWire

extension AuthClient {
  /// A call of a stranger at a door that may demand an attested app. Whether it does the policy says, and a refusal
  /// where the policy could not be read or has changed.
  func atDoor<E: Endpoint>(_ door: AttestDoor, _ endpoint: E.Type, _ input: E.Input, key: String? = nil)
    async throws(AuthError) -> Answer<E.Output>
  {
    guard let desk else { return try await anonymous(endpoint, input, key: key) }
    start()
    try await keeper.ready()
    let until = configuration.clock.uptime + Requests.deadline
    var call = Call(endpoint, input, key: key)
    call.attest = AttestEffort(desk, isDemanded: await demands(door, desk, until))
    do throws(AuthError) {
      return try await keeper.requests.send(call, until: until)
    } catch {
      guard error.code == .attestRequired, !desk.isSupported else { throw error }
      var told = keeper.requests.own(.attestUnsupported)
      told.requestID = error.requestID
      throw told
    }
  }

  private func demands(_ door: AttestDoor, _ desk: AttestDesk, _ until: Duration) async -> Bool {
    guard desk.isSupported else { return false }
    if let kept = policies.kept?.policy { return door.isDemanded(by: kept.attestDoors) }
    return door.isDemanded(by: (try? await policy(until: until))?.attestDoors ?? [])
  }
}
