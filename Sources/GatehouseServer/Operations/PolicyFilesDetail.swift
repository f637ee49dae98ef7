package import GatehouseIdentity
import GatehousePrimitives

/// The state of watched policy files in the answer of `/readyz`. The server is ready in every such state.
package struct PolicyFilesDetail: Sendable {
  /// Why the directory cannot be listed.
  let lost: String?
  let troubles: [PolicyFileTrouble]

  /// The number of files with a line of their own; the others are counted.
  static let most = 100

  package init(_ watch: WatchPolicies) {
    self.init(lost: watch.lost, troubles: watch.troubles)
  }

  package init(lost: String?, troubles: [PolicyFileTrouble]) {
    self.lost = lost
    self.troubles = troubles
  }

  /// `policy_files` by tenant (by file name where that is no tenant's), `policy_files_more` beyond the bound,
  /// `policy_directory`; each only where there is something to say.
  func add(to body: inout JSONObject) {
    var files = JSONObject()
    for trouble in troubles.prefix(Self.most) {
      files[trouble.tenant?.description ?? trouble.name] = .string(trouble.sentence)
    }
    if !files.members.isEmpty { body["policy_files"] = .object(files) }
    if troubles.count > Self.most { body["policy_files_more"] = .integer(Int64(troubles.count - Self.most)) }
    if let lost { body["policy_directory"] = .string("it cannot be listed: \(lost)") }
  }
}
