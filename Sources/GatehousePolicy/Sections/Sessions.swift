/// The lifetimes of sessions, in seconds.
public struct Sessions: Sendable, Hashable {
  /// The lifetime of an access token.
  public var accessTokenTTL: Int64
  /// A session unused this long ends.
  public var refreshIdleTTL: Int64
  /// A session ends this long after sign-in, however much it is used.
  public var refreshMaxTTL: Int64
  /// A browser at the hosted pages is signed out when it was unused this long.
  public var pageIdleTTL: Int64
  /// A browser at the hosted pages is signed out this long after its sign-in, however much it is used.
  public var pageMaxTTL: Int64
  /// The time for which the previous refresh token still answers, for answers lost on the way.
  public var reuseGrace: Int64
  /// The oldest session is ended when a person has more.
  public var maxPerUser: Int64
  /// A sign-in on a new device is told to the person by mail.
  public var newDeviceNotice: Bool
  /// Whether people who sign in on the hosted pages may say that others use the computer, too: their session is short.
  public var pageSharedComputer: Bool

  /// The defaults are those of a file that is silent.
  public init(
    accessTokenTTL: Int64 = 600, refreshIdleTTL: Int64 = 30 * 86_400, refreshMaxTTL: Int64 = 365 * 86_400,
    pageIdleTTL: Int64 = 86_400, pageMaxTTL: Int64 = 30 * 86_400,
    reuseGrace: Int64 = 30, maxPerUser: Int64 = 20, newDeviceNotice: Bool = true,
    pageSharedComputer: Bool = false
  ) {
    self.accessTokenTTL = accessTokenTTL
    self.refreshIdleTTL = refreshIdleTTL
    self.refreshMaxTTL = refreshMaxTTL
    self.pageIdleTTL = pageIdleTTL
    self.pageMaxTTL = pageMaxTTL
    self.reuseGrace = reuseGrace
    self.maxPerUser = maxPerUser
    self.newDeviceNotice = newDeviceNotice
    self.pageSharedComputer = pageSharedComputer
  }
}
