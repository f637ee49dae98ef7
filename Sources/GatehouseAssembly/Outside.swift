package import GatehouseIdentity
package import GatehouseOutbound
package import GatehousePrimitives

/// The parts that a composition does not decide: the time, the outgoing connections and the authorities that vouch for
/// them, the way of mail, and the cost of a hash. Tests hand in their own.
package struct Outside: Sendable {
  package var clock: Clock
  /// Nanoseconds of a clock that never goes back.
  package var monotonic: @Sendable () -> UInt64
  /// Where requests may go, and the authorities that vouch for what they reach.
  package var outbound: OutboundHTTP.Settings
  /// Where traces go; nil where none is recorded.
  package var traces: TraceExporter.Settings?
  /// Where names are asked for; nil for the machine's resolvers.
  package var resolver: SystemTextRecords.Resolver?
  /// Asks hosts of tenants; nil for the network.
  package var hosts: (any HostProbe)?
  /// Speaks with identity providers; nil for the network.
  package var providers: (any ProviderClient)?
  package var mail: Mail
  /// Channels beside mail.
  package var channels: [any Channel] = []
  package var hashes: HashPool.Limits
  package var hashCost: PasswordCost

  /// How mails are written, and how they leave. Neither is read or connected before it is asked for. A fault of a
  /// setting is thrown as `SettingProblem`.
  package struct Mail: Sendable {
    package let renderer: @Sendable () throws -> any MailRenderer
    package let transport: @Sendable () throws -> any MailTransport

    package init(
      renderer: @escaping @Sendable () throws -> any MailRenderer,
      transport: @escaping @Sendable () throws -> any MailTransport
    ) {
      self.renderer = renderer
      self.transport = transport
    }
  }

  package init(
    clock: Clock, monotonic: @escaping @Sendable () -> UInt64, outbound: OutboundHTTP.Settings, mail: Mail,
    hashCost: PasswordCost, hashes: HashPool.Limits
  ) {
    self.clock = clock
    self.monotonic = monotonic
    self.outbound = outbound
    self.mail = mail
    self.hashes = hashes
    self.hashCost = hashCost
  }
}

/// A setting that is of no use, in words for the operator.
package protocol SettingProblem: Error {
  var sentence: String { get }
  var hint: String? { get }
}
