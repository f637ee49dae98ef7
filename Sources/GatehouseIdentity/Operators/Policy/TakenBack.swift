import GatehousePolicyFile
import GatehouseWire

/// The changes of lately that a text takes back: an author who worked on an older text loses them without a word.
enum TakenBack {
  /// How many of the newest revisions are looked at.
  private static let most = 5

  /// A sentence for each of the newest revisions of which a change is taken back.
  static func sentences(
    _ file: PolicyFile, live: PolicyFile, of tenant: TenantRecord, _ services: Services
  ) async throws -> [String] {
    let changed = subjects(live, file)
    guard !changed.isEmpty else { return [] }
    let revisions = try await services.store.open(tenant.id).revisions(limit: most + 1)
    var sentences: [String] = []
    for (revision, before) in zip(revisions, revisions.dropFirst()) {
      guard case .success(let after) = services.files.file(of: revision, of: tenant.name),
        case .success(let earlier) = services.files.file(of: before, of: tenant.name)
      else { continue }
      // As it was before the revision, and not as the revision made it.
      let undone = subjects(earlier, after).intersection(changed).subtracting(subjects(earlier, file))
      guard !undone.isEmpty else { continue }
      sentences.append(
        "takes back what revision \(revision.number) changed (\(revision.author), \(Timestamp(revision.createdAt))): "
          + undone.sorted().joined(separator: ", "))
    }
    return sentences
  }

  private static func subjects(_ old: PolicyFile, _ new: PolicyFile) -> Set<String> {
    Set(PolicyFile.declaredDiff(old, new).map(\.subject))
  }
}
