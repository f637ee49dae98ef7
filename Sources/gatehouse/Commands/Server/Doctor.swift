import GatehouseIdentity

/// `gatehouse doctor`.
enum DoctorCommand {
  static let command = Command(
    "doctor", summary: "Check this server, and say how to repair what is wrong",
    notes: [
      "Checks addresses, files, limits, the database with its schema and rights, every tenant, waiting mail and the mail"
        + " server, and each watched policy file that is refused or differs from the live policy.",
      "It names the settings and files that a server which runs on this machine has not taken yet, and says whether it"
        + " needs a reload or a restart.",
      "It changes nothing, and works beside a running server and without one.",
    ],
    examples: [
      Example("gatehouse doctor", "everything"),
      Example("gatehouse doctor --config /etc/gatehouse/gatehouse.yaml", "as the service sees it"),
      Example("gatehouse doctor --output json", "for a monitor"),
    ],
    exits: [.no: "it found something"], prints: true, settings: .all, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let (config, reader) = try Config.readSaying(invocation)
    let network = DoctorNetwork(config)
    var findings = MachineFindings.all(config)
    findings += await RunningServerFindings(config, reader, network).all()
    findings += await StoreFindings.all(config, network, invocation.terminal)
    findings.append(await mail(config))
    if let url = config.publicURL, !config.dev { findings.append(await network.edge("public_url", url)) }
    await network.close()
    try invocation.print(Finding.table(findings))
    let found = findings.count { $0.state != .good }
    invocation.terminal.note(found == 0 ? "all is well" : "\(found) of \(findings.count) checks found something")
    return found == 0 ? .ok : .no
  }

  private static func mail(_ config: Config) async -> Finding {
    do throws(Failure) { _ = try MailParts.templates(config) } catch { return .failure("mail", error) }
    guard config.mail.smtpURL != nil else {
      return config.dev
        ? .good("mail", "development: into \(MailParts.directory(config))")
        : .failure("mail", "smtp_url is missing: no user could verify an address", "set smtp_url")
    }
    do throws(Failure) {
      switch try await MailParts.probe(config) {
      case .delivered(let detail): return .good("mail", Visible.line("the mail server answers: \(detail)"))
      case .temporaryFailure(let why), .permanentFailure(let why):
        return .failure("mail", Visible.line(why), "look at smtp_url in gatehouse config show")
      }
    } catch {
      return .failure("mail", error)
    }
  }
}
