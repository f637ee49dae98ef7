import Foundation
import GatehouseIdentity
import GatehouseServerTesting
import GatehouseTesting
import GatehouseAdminWire
import GatehouseWire
import Testing

@testable import gatehouse

@Suite("Verbs and operations")
struct VerbOperationTests {
  /// What each verb asks of the backend: over the database, or of a server by its admin API.
  static let operations: [String: [any AdminOperation.Type]] = [
    "tenant create": [CreateTenantOperation.self], "tenant list": [ListTenantsOperation.self],
    "tenant show": [ShowTenantOperation.self], "tenant set": [SetTenantOperation.self],
    "tenant enable": [SetTenantOperation.self], "tenant disable": [SetTenantOperation.self],
    "tenant delete": [DeleteTenantOperation.self],
    "tenant host": [
      ListHostsOperation.self, AddHostOperation.self, AllowHostOperation.self, VerifyHostOperation.self,
      RemoveHostOperation.self,
    ],
    "tenant logo": [SetLogoOperation.self, ShowLogoOperation.self, RemoveLogoOperation.self],
    "policy check": [CheckPolicyOperation.self], "policy test": [CheckPolicyOperation.self],
    "policy explain": [ExplainPolicyOperation.self],
    "policy diff": [DiffPolicyOperation.self, DiffRevisionsOperation.self],
    "policy impact": [PolicyImpactOperation.self],
    "policy apply": [ApplyPolicyOperation.self, ApplyPoliciesOperation.self],
    "policy rollback": [RollbackPolicyOperation.self], "policy history": [ListPolicyRevisionsOperation.self],
    "policy show": [ShowPolicyOperation.self], "policy purge": [PurgePolicyFieldOperation.self],
    "user list": [ListUsersOperation.self, ListDeletedUsersOperation.self], "user show": [ShowUserOperation.self],
    "policy backfills": [ListBackfillsOperation.self],
    "policy undo": [ListBackfillsOperation.self, UndoBackfillOperation.self],
    "user create": [CreateUserOperation.self], "user set": [SetUserOperation.self, ChangeUsersOperation.self],
    "user disable": [SetUserOperation.self, ChangeUsersOperation.self], "user enable": [SetUserOperation.self],
    "user undelete": [
      UndeleteUserOperation.self, UndeleteUsersOperation.self, ListDeletedUsersOperation.self,
    ],
    "user delete": [DeleteUserOperation.self, ChangeUsersOperation.self], "user export": [ExportUserOperation.self],
    "user erase": [EraseUserOperation.self], "user sessions": [ListUserSessionsOperation.self],
    "user revoke": [RevokeSessionsOperation.self, ChangeUsersOperation.self],
    "user verify-email": [VerifyUserEmailOperation.self],
    "user send-reset": [SendUserResetOperation.self], "user unlock": [UnlockUserOperation.self],
    "user factors": [ListUserFactorsOperation.self], "user mfa-reset": [ResetUserFactorsOperation.self],
    "limit list": [SumLimitsOperation.self, ListLimitsOperation.self], "limit clear": [ClearLimitsOperation.self],
    "push list": [ListPushTokensOperation.self], "push remove": [RemovePushTokenOperation.self],
    "secret set": [SetSecretOperation.self], "secret list": [ListSecretsOperation.self],
    "secret remove": [RemoveSecretOperation.self],
    "policy prove": [ShowPolicyOperation.self],
    "webhook create": [CreateWebhookOperation.self], "webhook list": [ListWebhooksOperation.self],
    "webhook show": [ShowWebhookOperation.self], "webhook test": [TestWebhookOperation.self],
    "webhook rotate-secret": [RotateWebhookSecretOperation.self], "webhook enable": [EnableWebhookOperation.self],
    "webhook delete": [DeleteWebhookOperation.self],
    "key list": [ListKeysOperation.self], "key rotate": [RotateKeysOperation.self],
    "key retire": [RetireKeyOperation.self], "key jwks": [ShowKeySetOperation.self],
    "key rewrap": [RewrapKeysOperation.self],
    "provider logo": [SetLogoOperation.self, ShowLogoOperation.self, RemoveLogoOperation.self],
    "page preview": [ShowPolicyOperation.self],
    "mail queue": [ListTenantsOperation.self, ListWaitingMailsOperation.self],
    "mail retry": [ListTenantsOperation.self, ListWaitingMailsOperation.self, RetryWaitingMailsOperation.self],
    "mail drop": [ListTenantsOperation.self, ListWaitingMailsOperation.self, DropWaitingMailsOperation.self],
    "mail preview": [PreviewMailOperation.self], "mail send-test": [SendTestMailOperation.self],
    "admin create": [CreateAdminTokenOperation.self], "admin list": [ListAdminTokensOperation.self],
    "admin revoke": [RevokeAdminTokenOperation.self],
    "audit tail": [SearchAuditOperation.self],
    "audit search": [SearchAuditOperation.self, SearchAllAuditOperation.self],
    "audit verify": [VerifyAuditOperation.self], "audit export": [ExportAuditOperation.self],
    "audit cut": [ExportAuditOperation.self, CutAuditOperation.self],
  ]

  /// What is done on the machine where it is typed, and nowhere else.
  static let local: [String: String] = [
    "serve": "is the server",
    "policy fmt": "a file of the operator's", "policy doors": "a file of the operator's",
    "policy bundle": "a file of the operator's", "policy schema": "the same for every server",
    "policy init": "the same for every server", "audit events": "the same for every server",
    "policy promote": "a file of the operator's; policy apply sends it",
    "mail outbox": "files of a development server, with links and codes that open accounts: no server gives those out",
    "provider list": "words of the policy, which policy show has",
    "provider test": "tries the way to the providers from this machine",
    "floor apply": "set on a machine of the installation, by no token", "floor remove": "the same",
    "floor show": "the same", "floor history": "the same",
    "db status": "the database's owner needs no server", "db migrate": "before a server can run",
    "db roles": "before a server can run", "db restored": "before a server runs again",
    "doctor": "looks at this machine: its files, clock and certificates",
    "config show": "this machine's configuration", "config check": "this machine's configuration",
    "config example": "the same for every server",
    "help": "words", "version": "this program", "completion": "this program", "man": "this program",
  ]

  @Test(
    "every verb has its operation and takes --server, or a reason why not", arguments: Commands.all.map(\.name))
  func accounted(_ name: String) throws {
    let command = try #require(Commands.all.first { $0.name == name })
    let takesServer = command.flags.contains { $0.name == "server" }
    #expect((Self.operations[name] == nil) == (Self.local[name] != nil))
    #expect(takesServer == (Self.operations[name] != nil))
  }

  @Test("no verb is spoken for that there is not")
  func noneTooMany() {
    #expect(Set(Self.operations.keys).union(Self.local.keys) == Set(Commands.all.map(\.name)))
  }

  @Test("every row of the admin API is some verb's, and its verb does name it")
  func rows() throws {
    let named = Self.operations.values.flatMap { $0 }
    for route in AdminRoutes.all {
      #expect(named.contains { $0.path == route.path && $0.method == route.method }, "\(route.method) \(route.path)")
    }
    var source = ""
    let folder = TestLists.root + "/Sources/gatehouse"
    for file in try #require(FileManager.default.enumerator(atPath: folder)?.allObjects as? [String])
    where file.hasSuffix(".swift") {
      source += try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
    }
    for operation in named { #expect(source.contains("\(operation).self"), "\(operation)") }
  }
}
