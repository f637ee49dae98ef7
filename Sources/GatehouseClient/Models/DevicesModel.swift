import Foundation

/// The devices that the person is signed in on.
@MainActor
public final class DevicesModel: AuthModel {
  /// The devices, this one first; nil before `load()` has them.
  @Observed public private(set) var devices: [SignedInDevice]?

  /// A list that is not there yet.
  public override init(_ client: AuthClient) { super.init(client) }

  /// Whether the person is signed in nowhere else; false while that is not known.
  public var isOnlyHere: Bool { devices.map { $0.allSatisfy(\.isCurrent) } ?? false }

  /// Gets the list. The one before stays where that fails.
  @discardableResult
  public func load() async -> Bool { await change { (_: AuthClient) async throws(AuthError) in } }

  /// Ends the session of another device.
  @discardableResult
  public func end(_ device: SignedInDevice) async -> Bool {
    await change { client async throws(AuthError) in try await client.end(device: device.id) }
  }

  /// Ends the sessions of all other devices.
  @discardableResult
  public func endOthers() async -> Bool {
    await change { client async throws(AuthError) in try await client.signOut(.others) }
  }

  /// Makes a change and gets the list.
  private func change(_ change: (AuthClient) async throws(AuthError) -> Void) async -> Bool {
    let client = client
    var list: [SignedInDevice]?
    let isDone = await work { () async throws(AuthError) in
      try await change(client)
      list = try await client.devices()
    }
    if let list { devices = list.filter(\.isCurrent) + list.filter { !$0.isCurrent } }
    return isDone
  }
}
