// A copy of everything that is stored about a user, for that user. It has no secrets: the hash of a password is of no
// use to its owner. Facts about other users, such as an administrator's address, are left out.

import Foundation
import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum ExportMe {
  /// Events in one copy, the newest.
  private static let most = 10_000

  /// The caller's own copy. Refuses `reauthentication_required` without a recent sign-in: a token alone, which may be a
  /// thief's, does not take a whole record away.
  package static func run(_ input: Nothing, _ call: Call, _ services: Services) async throws -> DataExport {
    let me = try await call.signedIn(services)
    // GUARD: export: a recent sign-in
    guard me.isRecent(call) else {
      throw Refusal.reauthentication(of: me, call, services)
    }
    let export = try await make(me.user.id, call, services)
    try await services.store.open(call.tenant.id).commit(
      [
        .audit(
          call.entry(
            .userExported, services, actor: .user(me.user.id), user: me.user.id, session: me.session.id))
      ], as: me.proven)
    return export
  }

  /// The copy. Refuses `not_found` when the account is gone.
  static func make(_ id: UserID, _ call: Call, _ services: Services) async throws -> DataExport {
    let store = services.store.open(call.tenant.id)
    guard let stored = try await store.everything(about: id) else { throw Refusal(.notFound) }
    let events = try await store.audit(AuditQuery(user: id), limit: most)
    let row = stored.user
    let seen: Sightings =
      call.caller?.user == id
      ? .present(call.now)
      : Sightings(stored.sessions.map(\.session), at: call.now, under: call.policy.sessions)
    var user = Views.user(row, seen, call, to: .admin)
    // Every stored value, even if the live policy no longer has the field.
    user.profile = row.profile
    return DataExport(
      facts: DataExport.Facts(
        exportedAt: Timestamp(call.now), tenant: call.tenant.name.description, user: user,
        access: call.policy.standing(of: row, in: nil, at: call.now).access.rawValue, enteredBy: row.enteredBy.rawValue,
        emailVerifiedAt: row.emailVerifiedAt.map(Timestamp.init),
        mailProvenAt: row.mailProvenAt.map(Timestamp.init), disabledAt: row.disabledAt.map(Timestamp.init),
        password: PasswordFacts(
          isSet: stored.hasPassword, changedAt: row.passwordChangedAt.map(Timestamp.init),
          mustChange: row.mustChangePassword, complies: stored.passwordComplies,
          earlierKept: stored.earlierPasswords),
        uniqueValues: stored.uniqueValues.map { UniqueFieldValue(field: $0.field, value: $0.key) },
        identities: stored.identities.map {
          ExportedIdentity(
            provider: $0.provider, issuer: $0.issuer, subject: $0.subject, scopes: $0.link.scopes,
            linkedAt: Timestamp($0.link.linkedAt), state: $0.link.state.rawValue)
        },
        sessions: try stored.sessions.map { try session($0, call) },
        events: events.map { event($0, of: id) }, eventsAreComplete: events.count < most),
      lists: stored.lists.map { list in ExportedList(name: list.name, rows: list.rows.map(exported)) })
  }

  private static func exported(_ row: StoredUserData.Row) -> ExportedRow {
    ExportedRow(
      row.map { member in
        let value: FieldValue =
          switch member.value {
          case .text(let text): .string(text)
          case .moment(let date): .string(Timestamp(date).description)
          case .truth(let truth): .boolean(truth)
          }
        return ExportedRow.Member(name: member.name, value: value)
      })
  }

  private static func session(_ row: StoredUserData.SessionRow, _ call: Call) throws -> ExportedSession {
    let session = row.session
    // Their own device's address, which they gave us.
    let push = try row.sealedPushToken.map { sealed in
      try call.tenant.vault.open(sealed, for: .pushToken(session.id)).expose { String(decoding: $0, as: UTF8.self) }
    }
    return ExportedSession(
      id: session.id.text, device: Device(name: session.deviceName),
      deviceID: session.device?.text, place: session.place, methods: session.proofs.amr,
      createdAt: Timestamp(session.createdAt), authenticatedAt: Timestamp(session.proofs.authTime),
      lastSeenAt: Timestamp(session.lastSeenAt),
      expiresAt: Timestamp(min(session.expiresAt, session.idleExpiresAt)),
      endedAt: session.endedAt.map(Timestamp.init), endReason: row.endReason, pushPlatform: row.pushPlatform,
      pushToken: push)
  }

  private static func event(_ entry: AuditEntry, of id: UserID) -> ExportedEvent {
    let by: String =
      switch entry.actor {
      case Actor.user(id).text: "you"
      case Actor.anonymous.text: "nobody"
      default: String(entry.actor.prefix { $0 != ":" })
      }
    let isTheirs = by == "you" || by == "nobody"
    return ExportedEvent(
      at: Timestamp(entry.at), event: entry.event.rawValue, outcome: entry.event.outcome, by: by,
      address: isTheirs ? entry.address : nil, session: entry.session?.text,
      requestID: isTheirs ? entry.requestID : nil, policyRevision: entry.revision,
      details: isTheirs ? entry.details : [:])
  }
}
