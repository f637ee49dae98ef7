// Applies edited policy files by the very path of `policy apply`. A file that is wrong, or older than what is live, changes
// nothing: the tenant's last good revision goes on serving.

import Foundation
import GatehousePolicyFile
import GatehousePrimitives
import GatehouseWire

package struct WatchPolicies: Sendable {
  /// What became of a file; one for each change of its state.
  package enum Event: Sendable {
    case applied(tenant: String, revision: Int)
    case created(tenant: String)
    case refused(file: String, why: String)
    /// The store did not answer. Each look tries again, with the text of that moment.
    case waiting(file: String, why: String)
    /// A file that waited says what is live.
    case unchanged(tenant: String, revision: Int)
    /// At the first look the file says something else than what is live. It is no edit, and not applied.
    case differs(file: String, tenant: String, revision: Int)
  }

  /// What is known of a file.
  private struct Seen: Sendable {
    var digest: [UInt8]
    /// Whether this is the text of the first look, which is no edit.
    var isFirst: Bool
    /// Whether the store was asked about this text in vain.
    var isWaiting: Bool
  }

  /// A file at one look.
  private struct Found: Sendable {
    let name: String
    let path: String
    let bytes: [UInt8]
    let isFirst: Bool
    /// Whether it waited at the look before.
    let waited: Bool
  }

  private let directory: String
  private let createsTenants: Bool
  private let allowsWeaker: Bool
  private let services: Services
  private let seen = LockBox<[String: Seen]>([:])

  /// `createsTenants`: a file of a tenant that does not exist makes it. `allowsWeaker`: an edit may let in what the live
  /// policy refuses. Both are for development.
  package init(directory: String, createsTenants: Bool, allowsWeaker: Bool, _ services: Services) {
    self.directory = directory
    self.createsTenants = createsTenants
    self.allowsWeaker = allowsWeaker
    self.services = services
  }

  /// Looks once at every `*.yaml` of the directory and applies what was edited since the last look. The first look takes
  /// files as they are: only what is edited while somebody watches is an edit, so that an old file never wins over a newer
  /// revision from the command line. An edit is tried at each look until it is applied or refused.
  package func look() async -> [Event] {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [])
      .filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }.sorted()
    var events: [Event] = []
    for name in names {
      let path = "\(directory)/\(name)"
      guard let bytes = Self.read(path) else { continue }
      let digest = SHA256.digest(bytes)
      let before = seen.withLock { $0[name] }
      let isSame = before?.digest == digest
      // GUARD: watch: an edit that could not be applied is tried again
      let waited = before?.isWaiting ?? false
      guard !isSame || waited else { continue }
      let isFirst = before.map { $0.isFirst && isSame } ?? true
      let (event, isWaiting) = await take(
        Found(name: name, path: path, bytes: bytes, isFirst: isFirst, waited: waited))
      seen.withLock { $0[name] = Seen(digest: digest, isFirst: isFirst, isWaiting: isWaiting) }
      if let event { events.append(event) }
    }
    return events
  }

  /// One byte more than a policy may have, so that the reader says that it is too large.
  private static func read(_ path: String) -> [UInt8]? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    do {
      return [UInt8](try file.read(upToCount: Document.maximumBytes + 1) ?? Data())
    } catch {
      return nil
    }
  }

  private func author(_ reason: String) -> Author { Author(.system("watch"), name: "watch", reason: reason) }

  /// What becomes of a file, and whether it waits for the store.
  private func take(_ file: Found) async -> (event: Event?, isWaiting: Bool) {
    let error: any Error
    do {
      return (try await apply(file), false)
    } catch let refusal as OperatorError where refusal.kind != .unavailable {
      let why = [refusal.description, refusal.hint].compactMap { $0 }.joined(separator: "\n")
      return (.refused(file: file.path, why: why), false)
    } catch let other {
      error = other
    }
    // Said once, not at each try.
    return (file.waited ? nil : .waiting(file: file.path, why: "\(error)"), true)
  }

  private func apply(_ file: Found) async throws -> Event? {
    guard let tenant = TenantName(String(file.name.dropLast(5))) else {
      throw OperatorError(.refused, "\(file.path): the file's name is no tenant's name")
    }
    guard let record = try await services.directory.tenant(tenant) else {
      guard createsTenants else {
        throw OperatorError(
          .refused, "there is no tenant \"\(tenant)\"",
          hint: "gatehouse tenant create \(tenant) --policy \(file.path)")
      }
      _ = try await Tenants.create(
        tenant, displayName: nil, policy: try text(of: file), file: file.path,
        author: author("created from \(file.name)"), services)
      return .created(tenant: tenant.description)
    }
    if file.isFirst { return try await compare(file, record) }
    switch try await Policies.apply(
      try text(of: file), file: file.path, to: record, consent: Policies.Consent(weaker: allowsWeaker),
      author: author("\(file.name) was edited"), services)
    {
    case .applied(let revision): return .applied(tenant: tenant.description, revision: revision)
    case .unchanged(let revision):
      return file.waited ? .unchanged(tenant: tenant.description, revision: revision) : nil
    }
  }

  /// Of the first look: nothing is applied, and a file that says something else than what is live is named.
  private func compare(_ file: Found, _ tenant: TenantRecord) async throws -> Event? {
    guard let live = try await services.store.open(tenant.id).newestRevision() else { return nil }
    let name = tenant.name.description
    guard live.digest == SHA256.digest(file.bytes) else {
      return .differs(file: file.path, tenant: name, revision: live.number)
    }
    return file.waited ? .unchanged(tenant: name, revision: live.number) : nil
  }

  /// By the reader of `policy check`: what it refuses is not applied.
  private func text(of file: Found) throws -> String {
    switch PolicyFile.text(of: file.bytes, name: file.path) {
    case .success(let text): return text
    case .failure(let refusal):
      throw OperatorError(
        .refused, "\(file.path) is not applied:\n\(refusal.text())",
        findings: refusal.diagnostics.map(PolicyFinding.init))
    }
  }
}
