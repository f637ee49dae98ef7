// Applies edited policy files by the very path of `policy apply`. A file that is wrong, or older than what is live, changes
// nothing: the tenant's last good revision goes on serving.

import Foundation
import GatehousePrimitives

package struct WatchPolicies: Sendable {
  /// What became of a file.
  package enum Event: Sendable {
    case applied(tenant: String, revision: Int)
    case created(tenant: String)
    case refused(file: String, why: String)
  }

  private let directory: String
  private let createsTenants: Bool
  private let allowsWeaker: Bool
  private let services: Services
  private let seen = LockBox<[String: [UInt8]]>([:])

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
  /// revision from the command line.
  package func look() async -> [Event] {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [])
      .filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }.sorted()
    var events: [Event] = []
    for name in names {
      let path = "\(directory)/\(name)"
      guard let data = FileManager.default.contents(atPath: path) else { continue }
      let digest = SHA256.digest([UInt8](data))
      let before = seen.withLock { $0.updateValue(digest, forKey: name) }
      guard before != digest else { continue }
      if let event = await take(String(decoding: data, as: UTF8.self), name, path, isFirst: before == nil) {
        events.append(event)
      }
    }
    return events
  }

  private func author(_ reason: String) -> Author { Author(.system("watch"), name: "watch", reason: reason) }

  private func take(_ text: String, _ name: String, _ path: String, isFirst: Bool) async -> Event? {
    do {
      guard let tenant = TenantName(String(name.dropLast(5))) else {
        return .refused(file: path, why: "the file's name is no tenant's name")
      }
      guard let record = try await services.directory.tenant(tenant) else {
        guard createsTenants else {
          return .refused(
            file: path, why: "there is no tenant \"\(tenant)\": gatehouse tenant create \(tenant) --policy \(path)")
        }
        _ = try await Tenants.create(
          tenant, displayName: nil, policy: text, file: path, author: author("created from \(name)"), services)
        return .created(tenant: tenant.description)
      }
      if isFirst { return nil }
      switch try await Policies.apply(
        text, file: path, to: record, consent: Policies.Consent(weaker: allowsWeaker),
        author: author("\(name) was edited"), services)
      {
      case .applied(let revision): return .applied(tenant: tenant.description, revision: revision)
      case .unchanged: return nil
      }
    } catch let error as OperatorError {
      return .refused(file: path, why: [error.description, error.hint].compactMap { $0 }.joined(separator: "\n"))
    } catch {
      // Trouble with the database: the next look tries again.
      seen.withLock { $0[name] = nil }
      return .refused(file: path, why: "the database did not answer")
    }
  }
}
