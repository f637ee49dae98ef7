import Foundation
import GatehouseIdentity

/// The doctor's findings about the directory of watched policy files: files that are refused, and files that differ
/// from the live policy.
enum PolicyFileFindings {
  static func all(_ config: Config, _ assembly: Assembly) async -> [Finding] {
    guard let directory = config.watchedNow else { return [] }
    let names: [String]
    switch WatchedFile.names(in: directory) {
    case .success(let found): names = found
    case .failure(let unreadable):
      return [.failure("watch", "\(Quoted(directory)) cannot be listed: \(unreadable.reason)", "look at watch")]
    }
    let consent = Policies.Consent(weaker: config.watchAllowWeaker)
    var findings: [Finding] = []
    do {
      for name in names {
        guard let file = WatchedFile(name, in: directory) else { continue }
        findings += try await file.verdict(consent: consent, assembly.services).trouble.map { [finding($0)] } ?? []
      }
    } catch {
      return findings + [.failure("watch", Failure(database: error))]
    }
    return findings.isEmpty ? [.good("watch", "\(directory): \(names.count) files, all of them live")] : findings
  }

  private static func finding(_ trouble: PolicyFileTrouble) -> Finding {
    let subject = "policy file \(trouble.tenant?.description ?? trouble.name)"
    let live = trouble.live.map { live in
      let time = Timestamp.text(seconds: Int(live.appliedAt.timeIntervalSince1970))
      return "; revision \(live.revision) is live, applied by \(live.author) at \(time)"
    }
    let words = Visible.line(trouble.why + (live ?? ""))
    return trouble.isRefused
      ? .failure(subject, words, trouble.command) : .warning(subject, words, trouble.command)
  }
}
