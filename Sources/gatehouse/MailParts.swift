import GatehouseIdentity
import GatehouseOutbound

/// Mail as the configuration wants it: through an SMTP server, or into files of the data directory in development.
enum MailParts {
  /// Where development keeps its mail.
  static func directory(_ config: Config) -> String { config.dataDirectory + "/outbox" }

  static func templates(_ config: Config) throws(Failure) -> MailTemplates {
    do {
      return try config.mail.templates.map { directory throws(MailTemplateProblems) in
        try MailTemplates(directory: directory)
      } ?? MailTemplates()
    } catch {
      throw Failure(.usage, "mail.templates: \(error)")
    }
  }

  static func transport(_ config: Config) throws(Failure) -> any MailTransport {
    guard let url = config.mail.smtpURL else { return MailFiles(directory: directory(config)) }
    let settings: SMTPSettings
    do {
      settings = try SMTPSettings(url: url)
    } catch {
      throw Failure(.usage, "smtp_url: \(error)")
    }
    if let authorities = settings.caFile { try Authorities.demand(authorities, for: "smtp_url: option ca") }
    return SMTPTransport(settings)
  }

  /// The files that `smtp_url` names.
  static func files(_ config: Config) -> [String] {
    config.mail.smtpURL.map { SMTPSettings.files(url: $0) } ?? []
  }

  /// Whether the mail settings work, without sending anything.
  static func probe(_ config: Config) async throws(Failure) -> DeliveryOutcome {
    guard let smtp = try transport(config) as? SMTPTransport else {
      return .delivered(detail: "mail goes into \(directory(config))")
    }
    return await smtp.probe()
  }
}
