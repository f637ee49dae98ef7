package import GatehouseIdentity
package import GatehousePostgres
package import GatehousePrimitives
package import GatehouseRuntime

/// The settings of a composition: its loops and databases, the keys, and the operator's choices.
package struct ServerSettings: Sendable {
  /// Loops of requests. They run until `Composition.close` has returned, as `background` does.
  package var loops: [Loop]
  /// The loop of what is not the answer to a request: jobs, and requests to others with their TLS and names.
  package var background: Loop
  /// The database as the server's role, and as the jobs'.
  package var database: DatabaseConfiguration
  package var jobsDatabase: DatabaseConfiguration
  /// Connects as a member of the schema's owner, for what the server's own role may not do; it is called when that is
  /// asked for.
  package var console: @Sendable () async throws -> Database
  package var key: Key
  /// Opens what is not sealed anew yet, while operators change to another key.
  package var otherKey: Key?
  /// Where people reach this server, without a trailing slash.
  package var publicURL: String
  /// Whether people, and operators, reach it over HTTPS, even where a proxy speaks plain HTTP to it.
  package var isSecure = false
  package var adminIsSecure = false
  /// Whether browsers are told to come back over HTTPS only.
  package var keepsToHTTPS = true
  /// Whether browsers on this machine are shown the pages of development.
  package var showsDevelopment = false
  /// Whether hosts of tenants are asked over plain HTTP, and on this machine too: for development.
  package var asksHostsInClear = false
  package var proxies: ProxyTrust = .none
  /// The choices that the operator may change while the server runs.
  package var choices: OperatorChoices
  package var places: GeoIP?
  package var limitFactor = 1
  package var watch: Watch?
  /// This program's version, and the name of the machine that it runs on.
  package var version: String
  package var machine = ""

  /// The keys that are derived from the key-encryption key: the key that wraps tenants' data keys, and the pepper of
  /// mailed codes.
  package struct Key: Sendable {
    package var sealing: SealingKey
    package var pepper: MACKey

    package init(sealing: SealingKey, pepper: MACKey) {
      self.sealing = sealing
      self.pepper = pepper
    }
  }

  /// Policy files that are applied when they are edited.
  package struct Watch: Sendable {
    package var directory: String
    package var createsTenants: Bool
    package var allowsWeaker: Bool

    package init(directory: String, createsTenants: Bool, allowsWeaker: Bool) {
      self.directory = directory
      self.createsTenants = createsTenants
      self.allowsWeaker = allowsWeaker
    }
  }

  package init(
    loops: [Loop], background: Loop, database: DatabaseConfiguration, jobsDatabase: DatabaseConfiguration,
    console: @escaping @Sendable () async throws -> Database, key: Key, otherKey: Key?, publicURL: String,
    choices: OperatorChoices, version: String
  ) {
    self.loops = loops
    self.background = background
    self.database = database
    self.jobsDatabase = jobsDatabase
    self.console = console
    self.key = key
    self.otherKey = otherKey
    self.publicURL = publicURL
    self.choices = choices
    self.version = version
  }
}
