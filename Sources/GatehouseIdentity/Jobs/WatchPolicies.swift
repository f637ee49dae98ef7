// Applies edited policy files by the very path of `policy apply`. A file that is wrong, or older than what is live,
// changes nothing: the tenant's last good revision goes on serving.

import Foundation
import GatehousePrimitives

/// Watches a directory of policy files, and says of each that is refused or drifted what is wrong with it.
///
/// | A file | is | its trouble goes when |
/// |---|---|---|
/// | edited while watched | applied, or refused | it is edited and applied, says what is live, or is removed |
/// | there at the first look | compared: what was edited while no server watched is drift | the same |
/// | that appears while watching | compared: it is no edit of anything that was seen | the same |
/// | left alone, while a revision comes from elsewhere | compared again: it is drift, and never applied | the same |
/// | of a tenant that does not exist | made, with `createsTenants`; else drift | the tenant is made, or the file goes |
///
/// A file that is gone for less than `savingLooks` looks is one that an editor saves, and its new text an edit.
package struct WatchPolicies: Sendable {
  /// An event of a file; one for each change of its state.
  package enum Event: Sendable {
    case applied(tenant: String, revision: Int)
    case created(tenant: String)
    /// The file is refused, or says something else than what is live; `isRefused` of it says which.
    case trouble(PolicyFileTrouble)
    /// The store did not answer. Each look tries again, with the text of that moment.
    case waiting(file: String, why: String)
    /// A file that waited or was reported equals the live policy.
    case unchanged(tenant: String, revision: Int)
    /// The directory cannot be listed. The known state of its files is kept.
    case lost(why: String)
  }

  /// The known state of a file.
  private struct Seen: Sendable {
    /// The digest of its text; empty until it could be read.
    var digest: [UInt8] = []
    /// Whether this is the text of the first look, which is no edit.
    var isFirst = true
    /// Whether the store was asked about this text in vain.
    var isWaiting = false
    /// The live policy that this server served when the file was judged; nil where it has to be judged again.
    var basis: Basis?
    var trouble: PolicyFileTrouble?
    /// Looks at which it was not there, since it last was.
    var missed = 0
  }

  /// The state of a tenant on this server: another one means that there may be another live revision.
  private struct Basis: Sendable, Equatable {
    let tenant: TenantID?
    let revision: Int?
    let failure: String?

    init(_ file: WatchedFile, _ registry: TenantRegistry, _ failures: [String: LoadFailure]) {
      let name = file.tenant?.description ?? ""
      let snapshot = registry.snapshot(name)
      (tenant, revision, failure) = (snapshot?.id, snapshot?.revision, failures[name]?.reason)
    }
  }

  private struct State: Sendable {
    var seen: [String: Seen] = [:]
    var isLost: String?
  }

  /// The result of one look at one file.
  private struct Taken {
    var event: Event?
    var trouble: PolicyFileTrouble?
    var isWaiting = false
    /// Whether the file could be judged.
    var isJudged = true
  }

  package let directory: String
  private let createsTenants: Bool
  private let consent: Policies.Consent
  private let services: Services
  private let state = LockBox(State())

  /// The number of looks that may pass between an editor's removal of a file and its new one.
  private static let savingLooks = 10

  /// `createsTenants`: a file of a tenant that does not exist makes it. `allowsWeaker`: an edit may let in what the
  /// live policy refuses. Both are for development.
  package init(directory: String, createsTenants: Bool, allowsWeaker: Bool, _ services: Services) {
    self.directory = directory
    self.createsTenants = createsTenants
    self.consent = Policies.Consent(weaker: allowsWeaker)
    self.services = services
  }

  /// The files that there is something to say of, by name.
  package var troubles: [PolicyFileTrouble] {
    state.withLock { $0.seen.values.compactMap(\.trouble) }.sorted { $0.name < $1.name }
  }

  /// The names of the files that were there at the last look, sorted.
  package var names: [String] { state.withLock { $0.seen.filter { $0.value.missed == 0 }.keys.sorted() } }

  /// Why the directory cannot be listed; nil where it can.
  package var lost: String? { state.withLock { $0.isLost } }

  /// Looks once at every `*.yaml` of the directory and applies what was edited since the last look. The first look
  /// takes files as they are: only a change made while a watcher runs is an edit, so that an old file never wins over a
  /// newer revision from the command line. An edit is tried at each look until it is applied or refused.
  package func look() async -> [Event] {
    let names: [String]
    switch WatchedFile.names(in: directory) {
    case .success(let found): names = found
    case .failure(let unreadable):
      let isNew = state.withLock { state in
        defer { state.isLost = unreadable.reason }
        return state.isLost != unreadable.reason
      }
      return isNew ? [.lost(why: unreadable.reason)] : []
    }
    let failures = services.registry.failures
    var events: [Event] = []
    var present = Set<String>()
    for name in names {
      let before = state.withLock { $0.seen[name] } ?? Seen()
      // A file is read again once the store answers, and not while it is asked: of several edits the newest is applied.
      if before.isWaiting, await !answers(about: name) {
        present.insert(name)
        continue
      }
      guard let file = WatchedFile(name, in: directory) else { continue }
      present.insert(name)
      let (after, event) = await look(at: file, before, Basis(file, services.registry, failures))
      state.withLock { $0.seen[name] = after }
      if let event { events.append(event) }
    }
    forget(allBut: present)
    return events
  }

  /// Whether the store answers a question about the tenant that a file's name names.
  private func answers(about name: String) async -> Bool {
    guard let tenant = WatchedFile.tenant(ofName: name) else { return true }
    do {
      _ = try await services.directory.tenant(tenant)
      return true
    } catch {
      return false
    }
  }

  private func forget(allBut present: Set<String>) {
    state.withLock { state in
      state.isLost = nil
      for (name, var seen) in state.seen where !present.contains(name) {
        seen.missed += 1
        // The trouble of a file is forgotten together with the file.
        (seen.trouble, seen.basis) = (nil, nil)
        state.seen[name] = seen.missed > Self.savingLooks ? nil : seen
      }
    }
  }

  private func look(at file: WatchedFile, _ before: Seen, _ basis: Basis) async -> (Seen, Event?) {
    var after = before
    after.missed = 0
    guard case .success(let bytes) = file.content else { return await unreadable(file, before, basis) }
    let digest = SHA256.digest(bytes)
    let isSame = before.digest == digest
    // GUARD: watch: an edit that could not be applied is tried again
    let waited = before.isWaiting
    guard
      !isSame || waited
        || before.basis != basis  // GUARD: watch: a revision from elsewhere shows
    else { return (after, nil) }
    after.digest = digest
    after.isFirst = before.digest.isEmpty || before.isFirst && isSame
    let taken = await take(file, isEdit: !after.isFirst, isNew: !isSame || waited)
    after.isWaiting = taken.isWaiting
    after.basis = taken.isJudged ? basis : nil
    after.trouble = taken.isJudged ? taken.trouble : before.trouble
    switch taken.event {
    // Said once, not at each try or look.
    case .waiting where waited || isSame: return (after, nil)
    case .trouble where isSame && after.trouble == before.trouble: return (after, nil)
    case .unchanged where !waited && before.trouble == nil: return (after, nil)
    case let event: return (after, event)
    }
  }

  /// A file that cannot be read keeps its digest: whether it was edited shows when it can be read again.
  private func unreadable(_ file: WatchedFile, _ before: Seen, _ basis: Basis) async -> (Seen, Event?) {
    var after = before
    (after.missed, after.basis) = (0, nil)
    guard before.trouble?.kind != .unreadable, let verdict = try? await file.verdict(consent: consent, services) else {
      return (after, nil)
    }
    after.trouble = verdict.trouble
    return (after, verdict.trouble.map(Event.trouble))
  }

  /// Handles a file.
  /// - Parameters:
  ///   - isEdit: whether another text of it was seen before.
  ///   - isNew: whether this text was not judged before.
  private func take(_ file: WatchedFile, isEdit: Bool, isNew: Bool) async -> Taken {
    // GUARD: watch: a file that was left alone is never applied
    let mayApply = isNew
    // GUARD: watch: what was not seen before is no edit
    let applies = mayApply && isEdit
    let effect = WatchedFile.Effect(applies: applies, creates: mayApply && createsTenants)
    do {
      let verdict = try await file.verdict(effect, consent: consent, services)
      let name = file.tenant?.description ?? ""
      switch verdict.change {
      case .applied(let revision): return Taken(event: .applied(tenant: name, revision: revision))
      case .created: return Taken(event: .created(tenant: name))
      case nil: break
      }
      if let trouble = verdict.trouble { return Taken(event: .trouble(trouble), trouble: trouble) }
      return Taken(event: verdict.revision.map { .unchanged(tenant: name, revision: $0) })
    } catch {
      return Taken(event: .waiting(file: file.path, why: "\(error)"), isWaiting: isNew, isJudged: false)
    }
  }
}
