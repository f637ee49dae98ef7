import GatehouseIdentity
import GatehousePolicyFile
import GatehousePrimitives
import GatehouseAdminWire
import GatehouseWire

/// The common parts of the commands that set, show and remove a picture.
enum LogoVerb {
  static let action = Argument("ACTION", "set, remove or show", completes: .words(["set", "remove", "show"]))
  static let file = Argument("FILE", "with set: an SVG or a PNG; - is standard input", .optional, completes: .file)

  static let drawings =
    "An SVG may hold shapes, text, gradients, masks, simple filters and a style sheet. It holds no scripts, links, animations, pictures or addresses of anything else, and no document type. Drawing programs export such a file as plain or optimised SVG."

  static let exits: KeyValuePairs<Exit, String> = [
    .no: "the picture is not taken", .notFound: "no such tenant, provider or file, or no such picture",
    .unavailable: "the database failed",
  ]

  private enum Action: String, CaseIterable { case set, remove, show }

  /// - Parameter help: the command's own name.
  static func run(_ invocation: Invocation, _ use: PictureUse, help: String) async throws -> Exit {
    let word = try invocation.argument(action.name)
    guard let action = Action(rawValue: word) else {
      throw Failure(
        .usage,
        "there is no \(Quoted(word)) here"
          + Suggestion.phrase(for: word, among: Action.allCases.map(\.rawValue)), hint: "gatehouse help \(help)")
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
            tenant: tenant, use: use.rawValue, base64url: Base64URL.encode(content), file: path,
            dryRun: invocation.isDryRun))
        if invocation.isDryRun {
          invocation.terminal.note("it would be the \(use.noun) of \(tenant): \(logo.mediaType), \(logo.size) bytes")
        } else {
          try invocation.print(record(logo))
        }
      case .show:
        try invocation.print(
          record(try await backend.send(ShowLogoOperation.self, .init(tenant: tenant, use: use.rawValue))))
      case .remove: try await remove(use, of: tenant, backend, invocation)
      }
      return .ok
    }
  }

  private static func remove(
    _ use: PictureUse, of tenant: String, _ backend: OperatorBackend, _ invocation: Invocation
  ) async throws {
    try invocation.confirm(["The pages of \(tenant) will show \(instead(of: use)) instead."], typing: tenant)
    let reference = LogoReference(tenant: tenant, use: use.rawValue)
    if invocation.isDryRun {
      _ = try await backend.send(ShowLogoOperation.self, reference)
      invocation.terminal.note("the \(use.noun) of \(tenant) would be removed")
    } else {
      _ = try await backend.send(RemoveLogoOperation.self, reference)
      invocation.terminal.note("\(tenant) has no \(use.noun) any more")
    }
  }

  private static func instead(of use: PictureUse) -> String {
    switch use {
    case .logo: "the first letter of its name"
    case .logoDark: "its logo on a light plate"
    case .ground: "a plain ground"
    case .provider: "a button with words alone"
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
        ("use", "use", .text(logo.use ?? PictureUse.logo.rawValue)),
        ("media_type", "media type", .text(logo.mediaType)),
        ("size", "bytes", .integer(logo.size)), ("sha256", "sha-256", .text(logo.sha256)),
        ("url", "address", .text(logo.url)), ("set_at", "set", UserVerb.time(logo.setAt)),
      ])
  }
}
