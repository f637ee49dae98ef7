import GatehousePolicyFile
import GatehousePrimitives
import GatehouseWire

/// `gatehouse tenant logo`.
enum TenantLogoVerb {
  private static let action = Argument("ACTION", "set, remove or show")
  private static let file = Argument(
    "FILE", "with set: an SVG or a PNG; - is standard input", .optional, completes: .file)

  static let command = Command(
    "tenant", "logo", summary: "Give a tenant's pages a logo",
    notes: [
      "The action set takes an SVG in UTF-8, or a PNG of 16 to 1024 pixels a side, of at most 32 KB. The logo stands beside the app's name on every page, at 32 pixels, on light and on dark ground, and is the icon of the browser's tab. Every server follows within a second.",
      "An SVG may hold shapes, text, gradients, masks, simple filters and a style sheet. It holds no scripts, links, animations, pictures or addresses of anything else, and no document type. Drawing programs export such a file as plain or optimised SVG.",
      "The logo belongs to the tenant and not to its policy: policy apply and a watched policy file leave it alone. The action show prints its address, which the public policy names as theme.logo.",
    ],
    arguments: [action, OperatorCommand.tenant, file],
    examples: [
      Example("gatehouse tenant logo set dd-ride policies/logos/dd-ride.svg", "the pages show it from now on"),
      Example("gatehouse tenant logo show dd-ride --output json", "kind, size, hash, address and time, for a script"),
      Example("gatehouse tenant logo remove dd-ride --yes", "the first letter of the app's name again"),
    ],
    exits: [
      .no: "the picture is not taken", .notFound: "no such tenant or file, or no logo",
      .unavailable: "the database failed",
    ], mutating: true, prints: true, settings: .backend, run: run)

  private enum Action: String, CaseIterable { case set, remove, show }

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let word = try invocation.argument(action.name)
    guard let action = Action(rawValue: word) else {
      throw Failure(
        .usage,
        "there is no \(Quoted(word)) here"
          + Suggestion.phrase(for: word, among: Action.allCases.map(\.rawValue)), hint: "gatehouse help tenant logo")
    }
    let path = invocation.arguments(file.name).first
    guard (path != nil) == (action == .set) else {
      throw Failure(.usage, action == .set ? "set needs a file" : "\(word) takes no file")
    }
    let content = try path.map(read) ?? []
    let tenant = try invocation.argument(OperatorCommand.tenant.name)
    return try await OperatorCommand.backend(invocation) { backend in
      switch action {
      case .set:
        let logo = try await backend.send(
          SetLogoOperation.self,
          .init(
            tenant: tenant, base64url: Base64URL.encode(content), file: path, dryRun: invocation.isDryRun))
        if invocation.isDryRun {
          invocation.terminal.note("it would be the logo of \(tenant): \(logo.mediaType), \(logo.size) bytes")
        } else {
          try invocation.print(record(logo))
        }
      case .show:
        try invocation.print(record(try await backend.send(ShowLogoOperation.self, .init(tenant: tenant))))
      case .remove: try await remove(tenant, backend, invocation)
      }
      return .ok
    }
  }

  private static func remove(_ tenant: String, _ backend: OperatorBackend, _ invocation: Invocation) async throws {
    try invocation.confirm(["The pages of \(tenant) will show the first letter of its name instead."], typing: tenant)
    if invocation.isDryRun {
      _ = try await backend.send(ShowLogoOperation.self, .init(tenant: tenant))
      invocation.terminal.note("the logo of \(tenant) would be removed")
    } else {
      _ = try await backend.send(RemoveLogoOperation.self, .init(tenant: tenant))
      invocation.terminal.note("\(tenant) has no logo any more")
    }
  }

  /// The file's bytes, one more than are allowed where there are too many: the check says so.
  private static func read(_ path: String) throws(Failure) -> [UInt8] {
    switch FileText.head(path, atMost: PictureCheck.mostBytes + 1) {
    case .success(let bytes): return bytes
    case .failure(let problem): throw Failure(problem.isMissing ? .notFound : .usage, problem.description)
    }
  }

  private static func record(_ logo: LogoSummary) -> Record {
    Record(
      "tenant.logo",
      [
        ("media_type", "media type", .text(logo.mediaType)), ("size", "bytes", .integer(logo.size)),
        ("sha256", "sha-256", .text(logo.sha256)), ("url", "address", .text(logo.url)),
        ("set_at", "set", UserVerb.time(logo.setAt)),
      ])
  }
}
