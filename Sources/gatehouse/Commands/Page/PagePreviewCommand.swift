import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePolicyFile
import GatehouseServer
import GatehouseAdminWire
import GatehouseWire

/// `gatehouse page preview`.
enum PagePreviewCommand {
  private static let subject = Argument("FILE|TENANT", "a policy file, or a tenant", completes: .file)
  private static let out = Flag("out", .directory, "the directory that the pages are written to (default pages)")

  static let command = Command(
    "page", "preview", summary: "Write every page of a policy as a file, to look at",
    notes: [
      "The pages are those that a server shows, in each language of the policy that pages are written in, in light and dark. Samples stand in the place of people. The file index.html shows all of them side by side, at the width of a phone and of a desktop. A policy file needs no server and no database; of a tenant the live policy is taken.",
      "Logos and other pictures belong to a tenant and not to its policy: a preview shows the first letter of the app's name, and buttons with words alone.",
    ],
    arguments: [subject], flags: [out],
    examples: [
      Example("gatehouse page preview policies/dd-ride.yaml", "before it is applied; open pages/index.html"),
      Example("gatehouse page preview policies/vibes.yaml --out /tmp/vibes", "into another directory"),
      Example("gatehouse page preview dd-ride --out pages", "the live policy of a tenant"),
    ],
    exits: [
      .no: "the policy is refused, or the directory cannot be written", .notFound: "no such file or tenant",
      .unavailable: "the database failed",
    ], settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let policy = try await policy(invocation)
    let profile = Dictionary(policy.profile.fields.map { ($0.name, Samples.value($0)) }) { $1 }
    let preview = PagePreview(policy, email: Samples.email(policy), profile: profile, at: Date())
    let outcomes = try await preview.outcomes()
    let pages = outcomes.flatMap { outcome -> [PagePreview.Page] in
      if case .shown(let pages) = outcome { pages } else { [] }
    }
    let directory = invocation[out] ?? "pages"
    try make(directory)
    for page in pages { try write(page.html, to: "\(directory)/\(page.file)") }
    let index = "\(directory)/\(PreviewIndex.file)"
    try write(PreviewIndex.html(policy.app.name, outcomes), to: index)
    invocation.terminal.note("\(pages.count) pages of \(Visible.line(policy.app.name)) are in \(Visible.line(index))")
    return .ok
  }

  /// A name with a dot or a slash is a file; any other one is a tenant, unless there is such a file.
  private static func policy(_ invocation: Invocation) async throws -> Policy {
    let name = try invocation.argument(subject.name)
    let isFile = name.contains { "./".contains($0) } || name == "-" || FileManager.default.fileExists(atPath: name)
    let text = isFile ? try PolicyInput.text(name) : try await stored(name, invocation)
    switch PolicyFile.read(text, name: name, as: isFile ? .candidate : .stored(.current)) {
    case .success(let file): return file.policy
    case .failure(let refusal): throw Failure(.no, String(refusal.text().dropLast()))
    }
  }

  private static func stored(_ tenant: String, _ invocation: Invocation) async throws -> String {
    var text = ""
    _ = try await OperatorCommand.backend(invocation) { backend in
      text = try await backend.send(ShowPolicyOperation.self, .init(tenant: tenant)).text
      return .ok
    }
    return text
  }

  private static func make(_ directory: String) throws(Failure) {
    do {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    } catch {
      throw Failure(.no, "cannot make the directory \(Quoted(directory))", hint: "--out names another one")
    }
  }

  private static func write(_ text: String, to path: String) throws(Failure) {
    do {
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw Failure(.no, "cannot write \(Quoted(path))", hint: "--out names another directory")
    }
  }
}
