import GatehouseIdentity
import GatehousePrimitives

/// Exports as files.
enum AuditFiles {
  /// How an export begins.
  private static let opening = Array(#"{"kind":"#.utf8)

  /// Reads and checks a file of one export, or of several in their order, adding each to `join`. The verdict is that of
  /// the last one, or of the first that does not hold. Throws exit 1 for a file that is no export.
  /// - Parameter key: the thumbprint of the only key that may have signed.
  static func check(_ path: String, key: String? = nil, _ join: inout AuditJoin) throws -> AuditVerdict {
    var check = AuditFileCheck(behind: join.parts.last)
    var digest = try RunningSHA256()
    var verdict: AuditVerdict?
    func finish(_ join: inout AuditJoin) throws {
      guard let found = check.finish(fingerprint: key) else {
        throw Failure(.no, "\(Quoted(path)) is not an exported audit log", hint: "gatehouse audit export TENANT")
      }
      verdict = found
      guard let part = check.part(digest: try digest.digest()) else { return }
      if let finding = join.add(part) { verdict = found.finding(finding) }
    }
    try LineFile.read(path) { line in
      guard verdict?.finding == nil else { return }
      if check.isEnded, line.starts(with: opening) {
        try finish(&join)
        check = AuditFileCheck(behind: join.parts.last)
        digest = try RunningSHA256()
      }
      check.take(line)
      try digest.add(line + [0x0A])
    }
    if verdict?.finding == nil { try finish(&join) }
    guard let verdict else { throw Failure(.no, "\(Quoted(path)) is not an exported audit log") }
    return verdict
  }
}
