import GatehouseAssembly
import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives

extension ReloadPart {
  /// The table of parts: each setting that is taken at SIGHUP stands in one of them.
  static func all(_ parts: StartParts, _ certificate: Certificate?, _ log: Log) -> [ReloadPart] {
    let (choices, mail) = (parts.choices, parts.mail)
    return mailParts(choices, mail) + policyParts(choices) + [
      ReloadPart(
        settings: [Settings.tlsCertificate, Settings.tlsKey],
        read: { config throws(Failure) -> Apply? in
          switch (certificate, config.tls) {
          case (nil, nil): return {}
          case (let certificate?, let files?): return try certificate.renewal(files)
          // What a listener speaks is settled when it begins.
          case (nil, _?), (_?, nil): return nil
          }
        }),
      ReloadPart(
        settings: [Settings.places],
        read: { [places = parts.places] config throws(Failure) -> Apply? in
          switch (places, config.places) {
          case (nil, nil): return {}
          case (let places?, let path?):
            let database = try GeoIPFile.read(path)
            return { places.replace(with: database) }
          case (nil, _?), (_?, nil): return nil
          }
        }),
      ReloadPart(
        settings: [Settings.logLevel],
        read: { config -> Apply? in { log.level = config.log.level } }),
    ]
  }

  private static func mailParts(_ choices: OperatorChoices, _ mail: MailOutlet?) -> [ReloadPart] {
    [
      ReloadPart(
        settings: [Settings.smtpURL],
        read: { config throws(Failure) -> Apply? in
          let transport = try MailParts.transport(config)
          return { mail?.replace(transport: transport) }
        }),
      ReloadPart(
        settings: [Settings.mailTemplates],
        read: { config throws(Failure) -> Apply? in
          let renderer = try MailParts.templates(config)
          return { mail?.replace(renderer: renderer) }
        }),
      ReloadPart(
        settings: [Settings.mailFrom, Settings.mailAllowedFrom],
        read: { config -> Apply? in { choices.change { $0.senders = config.mail.senders } } }),
    ]
  }

  private static func policyParts(_ choices: OperatorChoices) -> [ReloadPart] {
    [
      ReloadPart(
        settings: [Settings.lists],
        read: { config throws(Failure) -> Apply? in
          let facts = try RuleLists.load(config).facts
          return { choices.change { $0.facts = facts } }
        }),
      ReloadPart(
        settings: [Settings.floor],
        read: { config throws(Failure) -> Apply? in
          let floor = try FloorFile.load(config)
          return { choices.change { $0.configuredFloor = floor } }
        }),
      ReloadPart(
        settings: [Settings.attestRoot],
        read: { config throws(Failure) -> Apply? in
          let roots = try AttestRootFile.load(config.attestRoot)
          return { choices.change { $0.attestRoots = roots } }
        }),
      ReloadPart(
        settings: [Settings.lockoutShare, Settings.auditRetention],
        read: { config -> Apply? in
          {
            choices.change { ($0.lockoutShare, $0.auditRetention) = (config.lockoutShare, config.auditRetention) }
          }
        }),
    ]
  }
}
