import GatehousePolicy
package import GatehousePolicyFile
import GatehousePrimitives
import Synchronization

/// The policy files of stored revisions that this server read last, so that it parses none of them twice: a revision
/// is compared with each candidate, and a candidate that is applied here is served here. Revisions never change, so
/// nothing of it is ever out of date.
package final class StoredFiles: Sendable {
  private struct Key: Hashable, Sendable {
    let digest: [UInt8]
    let language: PolicyLanguage

    init(_ revision: PolicyRevision) { (digest, language) = (revision.digest, revision.language) }
  }

  /// A class: to look for the oldest copies none of them.
  private final class Entry: Sendable {
    let file: PolicyFile
    let bytes: Int
    private let lastUse: Atomic<UInt64>
    var use: UInt64 {
      get { lastUse.load(ordering: .relaxed) }
      set { lastUse.store(newValue, ordering: .relaxed) }
    }

    init(file: PolicyFile, bytes: Int, use: UInt64) {
      self.file = file
      self.bytes = bytes
      lastUse = Atomic(use)
    }
  }

  private struct State: Sendable {
    var entries: [Key: Entry] = [:]
    var bytes = 0
    var uses: UInt64 = 0
  }

  /// The most bytes of text that are kept as trees: those of two policies of the largest size.
  static let mostBytes = 2 * Document.maximumBytes

  private let state = LockBox(State())

  package init() {}

  /// The file of a revision, with the meaning that it was applied with. A refusal is not kept.
  package func file(of revision: PolicyRevision, of tenant: TenantName) -> Result<PolicyFile, PolicyFileRefusal> {
    if let kept = kept(of: revision) { return .success(kept.called(revision.name(of: tenant))) }
    let file = revision.file(of: tenant)
    if case .success(let read) = file { put(read, of: revision) }
    return file
  }

  /// Keeps the file of a candidate that becomes a revision.
  func keep(_ file: PolicyFile, of revision: PolicyRevision) { put(file.stored(as: file.name), of: revision) }

  private func kept(of revision: PolicyRevision) -> PolicyFile? {
    state.withLock { state in
      state.uses &+= 1
      let key = Key(revision)
      state.entries[key]?.use = state.uses
      return state.entries[key]?.file
    }
  }

  private func put(_ file: PolicyFile, of revision: PolicyRevision) {
    state.withLock { state in
      state.uses &+= 1
      let entry = Entry(file: file, bytes: revision.text.utf8.count, use: state.uses)
      state.bytes += entry.bytes - (state.entries.updateValue(entry, forKey: Key(revision))?.bytes ?? 0)
      // GUARD: stored: files that were read are bounded
      while state.bytes > Self.mostBytes, let oldest = state.entries.min(by: { $0.value.use < $1.value.use }) {
        state.entries[oldest.key] = nil
        state.bytes -= oldest.value.bytes
      }
    }
  }
}
