// A policy file of a watched directory, judged beside what is live. The watching server and `doctor` ask the same
// function.

package import Foundation
import GatehousePolicyFile
import GatehousePrimitives
import GatehouseAdminWire
import GatehouseWire

/// A file of a watched directory as it was at one look.
package struct WatchedFile: Sendable {
  /// The directory's path and the file's name.
  package let path: String
  /// The text, one byte more than a policy may have at most; or why it cannot be read.
  package let content: Result<[UInt8], Unreadable>
  /// When it was last written; nil where that is not known.
  package let writtenAt: Date?

  package struct Unreadable: Error, Equatable {
    package let reason: String
  }

  /// The tenant that the file's name names; nil where it can be none's.
  package var tenant: TenantName? { Self.tenant(ofName: name) }
  /// Without the directory.
  package var name: Substring { path.split(separator: "/").last ?? "" }

  private static let suffix = ".yaml"

  /// The tenant that a file of this name is of; nil where it can be none's.
  static func tenant(ofName name: some StringProtocol) -> TenantName? {
    TenantName(String(name.dropLast(suffix.count)))
  }

  /// The names of a directory's policy files, sorted: `*.yaml`, but not hidden ones.
  package static func names(in directory: String) -> Result<[String], Unreadable> {
    do {
      return .success(
        try FileManager.default.contentsOfDirectory(atPath: directory)
          .filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }.sorted())
    } catch {
      return .failure(Unreadable(reason: unlistable(directory)))
    }
  }

  /// The system's word for why a directory cannot be listed.
  private static func unlistable(_ directory: String) -> String {
    guard let stream = opendir(directory) else { return String(cString: strerror(errno)) }
    closedir(stream)
    return "it cannot be listed"
  }

  /// Reads a file; nil where there is none of this name.
  package init?(_ name: String, in directory: String) {
    path = directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
    // Without waiting: behind the name may be a pipe.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      guard errno != ENOENT else { return nil }
      content = .failure(Unreadable(reason: String(cString: strerror(errno))))
      writtenAt = nil
      return
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      content = .failure(Unreadable(reason: "it is not a regular file"))
      writtenAt = nil
      return
    }
    writtenAt = Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9)
    content = Self.read(descriptor)
  }

  private static func read(_ descriptor: Int32) -> Result<[UInt8], Unreadable> {
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    do {
      // One byte more than a policy may have, so that the reader says that it is too large.
      return .success([UInt8](try file.read(upToCount: Document.maximumBytes + 1) ?? Data()))
    } catch {
      return .failure(Unreadable(reason: "it cannot be read"))
    }
  }

  /// The text, by the reader of `policy check`: what it refuses is not applied.
  package func text() throws -> String {
    switch content {
    case .failure(let unreadable): throw OperatorError(.refused, "\(path) cannot be read: \(unreadable.reason)")
    case .success(let bytes):
      switch PolicyFile.text(of: bytes, name: path) {
      case .success(let text): return text
      case .failure(let refusal):
        throw OperatorError(
          .refused, "\(path) is not applied:\n\(refusal.text())",
          findings: refusal.diagnostics.map(PolicyFinding.init), objection: .wrong)
      }
    }
  }
}

extension WatchedFile {
  /// The file's state compared with the live policy.
  package struct Verdict: Sendable {
    /// The change that came of the file.
    package enum Change: Sendable, Equatable { case applied(revision: Int), created }

    /// Nil where there is nothing to say: the file says what is live.
    package var trouble: PolicyFileTrouble?
    /// The live revision; nil where there is no such tenant.
    package var revision: Int?
    /// Nil where the file was judged alone.
    package var change: Change?
  }

  /// The changes that may come of a file, where nothing speaks against it.
  package struct Effect: Sendable {
    /// The file is an edit, which is applied.
    package var applies = false
    /// The file makes its tenant, where there is none.
    package var creates = false

    package init(applies: Bool = false, creates: Bool = false) { (self.applies, self.creates) = (applies, creates) }
  }

  /// Judges the file as `policy apply` would, once, and does what its effect allows; by default nothing.
  /// - Parameter consent: what an edit of this file may do without a word of an operator's.
  /// - Throws: where the store does not answer.
  package func verdict(_ effect: Effect = Effect(), consent: Policies.Consent, _ services: Services) async throws
    -> Verdict
  {
    guard let tenant else { return Verdict(trouble: misnamed) }
    let record = try await services.directory.tenant(tenant)
    let live =
      if let record { try await services.store.open(record.id).newestRevision() } else { nil as PolicyRevision? }
    if !effect.applies, case .success(let bytes) = content, let live, live.digest == SHA256.digest(bytes) {
      return Verdict(revision: live.number)
    }
    do {
      let candidate = PolicyCandidate(try text(), file: path, isTaken: false, services)
      guard let record, let live else {
        guard record == nil, effect.creates else {
          try candidate.judged(of: tenant, services)
          return Verdict(trouble: unmade(tenant))
        }
        _ = try await Tenants.create(
          tenant, displayName: nil, policy: candidate, author: .watch("created from \(name)"), services)
        return Verdict(change: .created)
      }
      let outcome = try await Policies.apply(
        [(record, candidate)], consent: consent, author: .watch(effect.applies ? "\(name) was edited" : ""),
        isDryRun: !effect.applies, services)[0]
      guard case .applied(let revision) = outcome else { return Verdict(revision: live.number) }
      guard !effect.applies else { return Verdict(revision: revision, change: .applied(revision: revision)) }
      let older = try await services.store.open(record.id).revision(digest: candidate.digest)
      return Verdict(trouble: differing(tenant, live, older), revision: live.number)
    } catch let refusal as OperatorError where refusal.kind != .unavailable {
      // Another author was faster: the file is compared with what is live now.
      if [.stale, .exists, .notFound].contains(refusal.kind), effect.applies || effect.creates {
        return try await verdict(consent: consent, services)
      }
      return Verdict(trouble: trouble(of: refusal, tenant, live), revision: live?.number)
    }
  }
}

extension Author {
  /// The job that watches. Its messages go into a log, which names no people.
  static func watch(_ reason: String) -> Author {
    var author = Author(.system("watch"), name: "watch", reason: reason)
    author.namesUsers = false
    return author
  }
}
