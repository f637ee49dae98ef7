import GatehousePolicy
import GatehousePrimitives
import GatehouseAdminWire
import GatehouseWire

extension UserRecord {
  /// One user, with what was last seen of them.
  static func of(_ user: StoredUser, _ seen: Call, _ call: OperatorCall) async throws -> UserRecord {
    let sightings = try await seen.sightings(of: user.id, call.services)
    let last = try await call.store(of: seen).lastSignIn(of: user.id)
    let presence = user.presence(sightings, seen.policy, at: seen.now)
    let leftovers = LeftoverValues.names(of: user, seen.policy)
    return UserRecord(
      id: user.id.text, email: user.email.map(DomainName.shown(inAddress:)), emailVerified: user.emailVerifiedAt != nil,
      disabled: user.disabledAt != nil, profile: user.profile,
      leftovers: leftovers.isEmpty ? nil : leftovers, online: presence.online,
      lastSeen: presence.lastSeen, lastSignIn: last.map(LastSignIn.init), createdAt: Timestamp(user.createdAt))
  }
}

extension LastSignIn {
  fileprivate init(_ trace: SignInTrace) {
    let method = trace.method.map { Proof.Method(reference: $0).name }
    self.init(at: Timestamp(trace.at), method: method, device: trace.deviceName, place: trace.place)
  }
}
