import GatehouseWire

/// Other users of the app. `AuthPolicy.directory` says by what they can be found.
extension AuthClient {
  /// The profiles of these users as other users of the app may see them, in no particular order; an unknown id is left
  /// out. A hundred ids at most.
  public func users(_ ids: [String]) async throws(AuthError) -> [PublicProfile] {
    guard !ids.isEmpty else { return [] }
    return try await found(ListUsersEndpoint.Input(ids: ids.joined(separator: ",")))
  }

  /// The profile of a user as other users of the app may see it.
  public func user(_ id: String) async throws(AuthError) -> PublicProfile {
    PublicProfile(try await signedIn(ReadUserEndpoint.self, ReadUserEndpoint.Input(id: id)).content)
  }

  /// The user with this address, as other users may see them; nil where there is none. The address counts as a whole,
  /// and only once it was proven.
  public func find(email: String) async throws(AuthError) -> PublicProfile? {
    try await found(ListUsersEndpoint.Input(email: email)).first
  }

  /// The user with this username, as other users may see them; nil where there is none. The name counts as a whole.
  public func find(username: String) async throws(AuthError) -> PublicProfile? {
    try await found(ListUsersEndpoint.Input(username: username)).first
  }

  /// Up to 20 users with a name that begins like this, without case and marks. From 2 to 64 code points.
  public func find(prefix: String) async throws(AuthError) -> [PublicProfile] {
    try await found(ListUsersEndpoint.Input(prefix: prefix))
  }

  private func found(_ input: ListUsersEndpoint.Input) async throws(AuthError) -> [PublicProfile] {
    try await signedIn(ListUsersEndpoint.self, input).content.items.map(PublicProfile.init)
  }
}

extension PublicProfile {
  fileprivate init(_ view: UserView) {
    switch view {
    case .user(let user): self.init(user)
    case .record(let user):
      self.init(
        id: user.id, profile: user.profile.mapValues(ProfileValue.init), presence: UserPresence(user.presence))
    }
  }
}
