import Foundation
import GatehouseIdentity
import GatehouseRuntime
import GatehouseWire

/// The pages of development: the apps of this server, and the mails that it kept.
struct DevelopmentPages: Surface {
  /// The fact that an entry is given of its request.
  struct Context: Sendable {
    let now: Date
  }

  let development: Development
  let registry: TenantRegistry

  static let mailPath = "/dev/mail"

  var entries: [Entry<Context>] {
    [
      Entry(.get, "/") { _, _, context in
        AppList(
          tenants: registry.all, unserved: registry.unserved, files: development.policyFiles(), now: context.now
        ).answer
      },
      Entry(.get, Self.mailPath) { _, _, _ in
        await mailList.answer()
      },
      Entry(.get, Self.mailPath + "/{mail}") { _, parameters, _ in
        try await mailList.part(parameters["mail"] ?? "")
      },
    ]
  }

  private var mailList: MailList {
    MailList(mails: development.mails, own: registry.all.flatMap(\.issuers))
  }

  func refuse(_ error: any Error, _ exchange: inout Exchange) -> Answer {
    .problem(exchange.refused(by: error), exchange)
  }
}

/// The pages of development before the paths of all servers.
struct DevelopmentPaths: Sendable {
  private let table: SurfaceTable<DevelopmentPages.Context>
  private let publicURL: String
  /// The name of this machine in the public URL; nil where the public URL names another host.
  private let home: LocalHost?

  init(_ development: Development, _ services: Services) {
    table = SurfaceTable(
      [DevelopmentPages(development: development, registry: services.registry)], read: PathTemplate.plain)
    publicURL = services.publicURL
    let authority = publicURL.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).last ?? ""
    let host = LocalHost(String(authority.prefix { $0 != "/" }))
    // Port 0 stands for one that the system chooses, which the URL does not name.
    home = host?.port == "0" ? nil : host
  }

  /// The answer of a page of development; nil where the request is not for one, or may not see one.
  func answer(_ exchange: inout Exchange) async -> Answer? {
    let request = exchange.request
    guard let host = DevelopmentGate.host(of: request), let path = PathTemplate.segments(of: request.path) else {
      return nil
    }
    let matches = table.matches(path)
    if let home, !home.isSame(as: host), request.method == .get, !matches.isEmpty || Self.isHosted(path) {
      return .redirect(to: publicURL + request.path + (request.query.map { "?" + $0 } ?? ""))
    }
    guard !matches.isEmpty else { return nil }
    return await Dispatch(matches, table, path).answer(&exchange) { .init(now: $0.clock.now) }
  }

  /// Whether the path is one of a tenant's pages. A browser keeps cookies for each name of this machine, and binds no
  /// passkey to an address, so all pages are shown at one name.
  private static func isHosted(_ path: PathSegments) -> Bool {
    path.count > 2 && path[0].elementsEqual("t".utf8) && path[2].elementsEqual("ui".utf8)
  }
}
