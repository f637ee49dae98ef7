// A policy file of a watched directory, judged beside what is live. The watching server and `doctor` ask the same
// function.

package import Foundation
import GatehousePolicyFile
import GatehousePrimitives
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
  package var tenant: TenantName? { TenantName(String(name.dropLast(Self.suffix.count))) }
  /// Without the directory.
  package var name: Substring { path.split(separator: "/").last ?? "" }

  private static let suffix = ".yaml"

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
    /// Nil where there is nothing to say: the file says what is live.
    package let trouble: PolicyFileTrouble?
    /// The live revision; nil where there is no such tenant.
    package let revision: Int?
  }

  /// Judges the file as `policy apply` would, and applies nothing.
  /// - Parameter consent: what an edit of this file may do without a word of an operator's.
  /// - Throws: where the store does not answer.
  package func verdict(consent: Policies.Consent, _ services: Services) async throws -> Verdict {
    guard let tenant else { return Verdict(trouble: misnamed, revision: nil) }
    let record = try await services.directory.tenant(tenant)
    let live =
      if let record { try await services.store.open(record.id).newestRevision() } else { nil as PolicyRevision? }
    if case .success(let bytes) = content, let live, live.digest == SHA256.digest(bytes) {
      return Verdict(trouble: nil, revision: live.number)
    }
    do {
      let text = try text()
      guard let record, let live else {
        try Policies.judge(text, file: path, of: tenant, services)
        return Verdict(trouble: unmade(tenant), revision: nil)
      }
      let outcome = try await Policies.apply(
        [Policies.Candidate(text: text, file: path, tenant: record)], consent: consent, author: .watch(""),
        isDryRun: true, services)
      guard case .applied? = outcome.first else { return Verdict(trouble: nil, revision: live.number) }
      let older = try await services.store.open(record.id).revision(digest: SHA256.digest(text))
      return Verdict(trouble: differing(tenant, live, older), revision: live.number)
    } catch let refusal as OperatorError where refusal.kind != .unavailable {
      return Verdict(trouble: trouble(of: refusal, tenant, live), revision: live?.number)
    }
  }
}

extension Author {
  /// The job that watches. What it says goes into a log, which names no people.
  static func watch(_ reason: String) -> Author {
    var author = Author(.system("watch"), name: "watch", reason: reason)
    author.namesUsers = false
    return author
  }
}
