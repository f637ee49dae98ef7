package import Foundation
import GatehousePrimitives
import GatehouseWire

/// A device on which a person has signed in, recognised by an id that only this server makes and only that device has.
/// It proves neither a person nor an address. A client that presents the id runs where this person's password was right
/// before.
package struct KnownDevice: Sendable, Equatable {
  package var id: UUID
  package var user: UserID
  /// SHA-256 of the id that the device keeps.
  package var hash: [UInt8]
  package var name: String?
  package var createdAt: Date
  package var lastSeenAt: Date
  /// When a second factor was used on it, to be remembered, if what opens the account has not changed since.
  package var trustedAt: Date?

  package init(
    id: UUID, user: UserID, hash: [UInt8], name: String?, createdAt: Date, lastSeenAt: Date, trustedAt: Date? = nil
  ) {
    self.id = id
    self.user = user
    self.hash = hash
    self.name = name
    self.createdAt = createdAt
    self.lastSeenAt = lastSeenAt
    self.trustedAt = trustedAt
  }

  /// The stored form of an id that a client presents; nil for what this server can not have made.
  package static func hash(presented text: String?) -> [UInt8]? {
    text.flatMap { OpaqueToken.digest(of: $0, kind: .device) }
  }

  /// How many of a person's devices are known; the ones unused for the longest time are forgotten.
  package static let perUser = 50
}

/// The state of an address that a sign-in reads before it checks a password.
package struct SignInLookup: Sendable {
  package var user: StoredUser
  package var passwordHash: String?
  /// The result of an earlier sign-in of the same day for the password; nil when there was none.
  package var compliance: Compliance?
  /// The account's device that was asked for, unless it was forgotten.
  package var device: KnownDevice?

  package init(user: StoredUser, passwordHash: String?, compliance: Compliance?, device: KnownDevice?) {
    self.user = user
    self.passwordHash = passwordHash
    self.compliance = compliance
    self.device = device
  }
}

/// Devices of a tenant's people.
package protocol DeviceStore: Sendable {
  /// The account of an address, its password and what was found of it today, and its device with this hash: one look,
  /// whether there is such an account or not.
  func signInLook(email: String, device hash: [UInt8]?) async throws -> SignInLookup?

  /// The same of the account of this id.
  func signInLook(of id: UserID, device hash: [UInt8]?) async throws -> SignInLookup?

  /// The hash of the device that a session was opened on; nil once it was forgotten.
  func deviceHash(of session: Session) async throws -> [UInt8]?
}

/// The device of one sign-in, recognised or new.
struct PresentedDevice: Sendable {
  let device: KnownDevice
  /// The id for the device to keep, in clear.
  let token: String
  let isKnown: Bool
  /// Whether the owner has to be told: it is new, and not the one that the account was made on.
  let isSurprising: Bool

  /// Recognises what the client presented, for an account that exists.
  static func recognise(
    _ given: Device?, in look: SignInLookup, _ call: Call, _ services: Services
  ) -> PresentedDevice {
    let name = DeviceName.of(given, call)
    guard var known = look.device, let presented = given?.id else {
      return new(
        name: name, of: look.user.id,
        // GUARD: devices: the first one is told, too
        isSurprising: true,
        call, services)
    }
    // A name that its app gave it once is better than what is derived.
    known.name = given?.name.flatMap(DeviceName.shown) ?? known.name ?? name
    known.lastSeenAt = call.now
    return PresentedDevice(device: known, token: presented, isKnown: true, isSurprising: false)
  }

  /// The same for an account that was looked up before. Throws `refused(.accountExists)` where it was deleted since.
  static func recognise(
    _ given: Device?, of user: StoredUser, _ call: Call, _ services: Services
  ) async throws -> PresentedDevice {
    let look = try await services.store.open(call.tenant.id).signInLook(
      of: user.id, device: KnownDevice.hash(presented: given?.id))
    guard let look else { throw StoreError.refused(.accountExists) }
    return recognise(given, in: look, call, services)
  }

  /// An unknown device gets an id of its own. An id that a client brings is never taken over: a client that made it up,
  /// or an attacker who planted it, would be known as another person's device.
  static func new(
    name: String?, of user: UserID, isSurprising: Bool = false, _ call: Call, _ services: Services
  ) -> PresentedDevice {
    let token = OpaqueToken.generate(.device)
    return PresentedDevice(
      device: KnownDevice(
        id: services.clock.makeID(), user: user, hash: token.digest, name: name, createdAt: call.now,
        lastSeenAt: call.now),
      token: token.text.expose { $0 }, isKnown: false, isSurprising: isSurprising)
  }
}
