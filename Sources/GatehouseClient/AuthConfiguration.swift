public import Foundation

/// The server of an app, and the parts that a client is built on.
public struct AuthConfiguration: Sendable {
  /// The server's base address, such as `https://auth.example.com`.
  public var server: URL
  /// The tenant's name; nil where the tenant has a host of its own.
  public var tenant: String?
  /// Tells several signed-in accounts of one app apart. Each has a client of its own.
  public var account: String
  /// The store of the session.
  public var store: any SecureStore
  /// The transport of requests.
  public var transport: any HTTPTransport
  /// Whether a stored session opens by itself, or by Face ID and its like: `.none` unless another is set.
  public var unlock = SessionUnlock.none
  /// The passkeys that the person has at hand, for models and screens: `PasskeyController` on Apple's systems. Nil,
  /// which stands unless the app sets some: models and screens offer none.
  public var passkeys: (any PasskeyManager)?
  /// Time.
  public var clock: any AuthClock
  /// The name of this device in the person's list of devices.
  public var deviceName: String?
  /// Languages that the person reads, in order of preference (BCP 47). `appLanguages` unless others are given.
  public var languages: [String]
  /// Sentences of the app's own, in place of the server's and the client's.
  public var sentences: [AuthError.Code: String]
  /// The sender of the person's presence: the app, or the client by itself.
  public var presence: PresenceMode
  /// Hosts besides the server that `AuthClient.send(_:)` gives the access token to: the app's own backends.
  public var tokenHosts: Set<String>
  /// The folder for what the server tells everyone and the app asks for at each start: the tenant's policy. Nil keeps
  /// it in memory alone.
  public var cacheFolder: URL?
  /// The proof that requests come from the app itself (App Attest), for policies that demand it; nil sends none.
  public var attest: AppAttest?
  /// Takes what happened, for the app's log. Entries hold no value of a person and no token. Unless one is given they
  /// go to the system's log on Apple's systems (subsystem `gatehouse`), and nowhere on others.
  public var log: @Sendable (AuthLogEntry) -> Void

  /// The store is the key chain on Apple's systems and a file in the user's configuration folder elsewhere, unless
  /// another is given.
  public init(
    server: URL, tenant: String? = nil, account: String = "main", store: (any SecureStore)? = nil,
    transport: any HTTPTransport = SystemTransport(), clock: any AuthClock = SystemClock(),
    deviceName: String? = nil, languages: [String] = AuthConfiguration.appLanguages,
    sentences: [AuthError.Code: String] = [:], presence: PresenceMode = .manual, tokenHosts: Set<String> = [],
    cacheFolder: URL? = AuthConfiguration.systemCacheFolder, attest: AppAttest? = nil,
    log: (@Sendable (AuthLogEntry) -> Void)? = nil
  ) {
    self.server = server
    self.tenant = tenant
    self.account = account
    self.store = store ?? DefaultStore.make()
    self.transport = transport
    self.clock = clock
    self.deviceName = deviceName
    self.languages = languages
    self.sentences = sentences
    self.presence = presence
    self.tokenHosts = tokenHosts
    self.cacheFolder = cacheFolder
    self.attest = attest
    self.log = log ?? Self.systemLog
  }

  private static func systemLog(_ entry: AuthLogEntry) {
    #if canImport(OSLog)
      SystemLog.add(entry)
    #endif
  }

  /// The languages that the person reads, of those that the app speaks; a program without a bundle speaks those of the
  /// person.
  public static var appLanguages: [String] {
    #if canImport(Darwin)
      Bundle.main.preferredLocalizations
    #else
      Locale.preferredLanguages
    #endif
  }

  /// A folder of the client's own where the system keeps caches, which it may empty.
  public static var systemCacheFolder: URL? {
    FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?
      .appendingPathComponent("gatehouse-client")
  }

  /// The record's name in the store: one for each server, tenant and account.
  var storeKey: String {
    let port = server.port.map { ":\($0)" } ?? ""
    return [(server.host ?? "") + port + server.path, tenant ?? "", account].joined(separator: "|")
  }

  /// The base of every path of the contract.
  var base: String {
    var text = server.absoluteString
    while text.hasSuffix("/") { text.removeLast() }
    return tenant.map { "\(text)/t/\($0)" } ?? text
  }

  /// The tenant's issuer in addresses that lead back to apps (RFC 9207): the base, its scheme and host in lower case,
  /// without the scheme's usual port.
  var issuer: String {
    var parts = base.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 2 else { return base }
    (parts[0], parts[2]) = (parts[0].lowercased(), parts[2].lowercased())
    if let port = ["https:": ":443", "http:": ":80"][parts[0]], parts[2].hasSuffix(port) {
      parts[2].removeLast(port.count)
    }
    return parts.joined(separator: "/")
  }
}

/// Something that happened, without any value of a person.
public struct AuthLogEntry: Sendable, Hashable {
  /// The name of the event: a request's method and path as the contract spells it (`POST /v1/token`), or `store`,
  /// `state`, `unlock`, `presence`, `attest` for a key of the device that did not attest, or `hosted` for an address
  /// that came back from the hosted pages and was refused.
  public var event: String
  /// The outcome: a status, a code of `AuthError`, or a state's name.
  public var outcome: String
  /// The server's name for the request, to be found in its log.
  public var requestID: String?

  /// An entry.
  public init(event: String, outcome: String, requestID: String? = nil) {
    self.event = event
    self.outcome = outcome
    self.requestID = requestID
  }
}
