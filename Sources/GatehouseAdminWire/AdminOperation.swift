package import GatehouseWire

/// One operation of the admin API: what an operator does, at the command line or over HTTP.
///
/// Command line and server share it, so they cannot disagree. Input is the path's parameters together with the query's
/// (of a GET or DELETE, but see `AdminForm.body`) or the body's members, under one set of names.
package protocol AdminOperation: SendableMetatype {
  /// Everything the operator may say. Keys that are not in it are refused.
  associatedtype Input: Codable & Sendable
  /// The body of a success.
  associatedtype Output: Codable & Sendable

  /// The path of the operation and the scope that it needs.
  static var row: AdminOperationRow { get }
  /// Whether a success has a body.
  static var hasBody: Bool { get }
}

/// The properties of an operation beside its types, on one line.
package struct AdminOperationRow: Sendable {
  package let method: Method
  /// The path below `/admin/v1`; `{name}` stands for one parameter of `Input`.
  package let path: String
  /// The scope that a token must have.
  package let scope: AdminScope
  /// One line for the API description.
  package let summary: String
  /// The status of a success.
  package let status: Int
  /// The form of body and revision on the wire.
  package let form: AdminForm

  package init(
    _ method: Method, _ path: String, _ scope: AdminScope, _ summary: String, status: Int = 200, form: AdminForm = .json
  ) {
    (self.method, self.path, self.scope, self.summary) = (method, path, scope, summary)
    (self.status, self.form) = (status, form)
  }
}

extension AdminOperation {
  package static var method: Method { row.method }
  package static var path: String { row.path }
  package static var scope: AdminScope { row.scope }
  package static var status: Int { row.status }
  package static var form: AdminForm { row.form }
  package static var summary: String { row.summary }
  /// It has one.
  package static var hasBody: Bool { true }
}

extension AdminOperation where Output == Nothing {
  /// It has none.
  package static var hasBody: Bool { false }
}

/// The form of an operation's body and revision on the wire, where JSON is not all.
package enum AdminForm: Sendable {
  /// A JSON object in, a JSON object out.
  case json
  /// As `json`, in the body also of a DELETE: a query would show a secret to logs.
  case body
  /// A body of `application/yaml` is the input's `text`, as it stands; the query holds the rest. JSON is taken as well.
  case text
  /// As `text`; and the header `If-Match` is the input's `expecting`: without it 428, with another revision 412.
  case textAndRevision
  /// The answer's body is the output's `text`, as `application/yaml`; its `ETag` is the output's `revision`.
  case textAnswer
}

/// A permission of an admin token.
package enum AdminScope: String, Codable, Sendable, CaseIterable {
  case tenantRead = "tenant:read"
  case tenantWrite = "tenant:write"
  case policyRead = "policy:read"
  case policyWrite = "policy:write"
  case policyEmergency = "policy:emergency"
  case trustWrite = "trust:write"
  case userRead = "user:read"
  case userWrite = "user:write"
  case pushRead = "push:read"
  case pushWrite = "push:write"
  case keyRead = "key:read"
  case keyWrite = "key:write"
  case secretRead = "secret:read"
  case secretWrite = "secret:write"
  case webhookRead = "webhook:read"
  case webhookWrite = "webhook:write"
  case auditRead = "audit:read"
  case auditWrite = "audit:write"
  case tokenRead = "token:read"
  case tokenWrite = "token:write"

  /// Whether a token with this scope may do what asks for `wanted`: the same, or the reading half of a writing scope.
  package func allows(_ wanted: AdminScope) -> Bool {
    self == wanted || (rawValue.hasSuffix(":write") && rawValue.dropLast(5) + "read" == wanted.rawValue)
  }

  /// The operations that the scope allows, in words.
  package var meaning: String {
    switch self {
    case .tenantRead: "list and show tenants and their hosts"
    case .tenantWrite: "make, change, switch off and delete tenants, lead hosts to them, try the mail settings"
    case .policyRead: "read, check, compare and explain policies"
    case .policyWrite: "apply and roll back policies"
    case .policyEmergency: "apply a policy whose own tests fail, together with policy:write"
    case .trustWrite:
      "change the trust of a tenant (trust keys of a policy, together with policy:write; its host, with tenant:write)"
    case .userRead: "list and show users and their sessions"
    case .userWrite: "create, change, switch off, delete and erase users, end their sessions"
    case .pushRead: "read the push tokens of users' devices"
    case .pushWrite: "remove push tokens that a push service rejected"
    case .keyRead: "list signing keys, read the public ones"
    case .keyWrite: "rotate signing keys, wrap data keys anew"
    case .secretRead: "list the names of secrets"
    case .secretWrite: "set and remove secrets"
    case .webhookRead: "list webhooks and how they fare"
    case .webhookWrite: "make, try, change and delete webhooks; those that send fields of users need more"
    case .auditRead: "read audit logs"
    case .auditWrite: "cut audit logs that were exported, as far as audit.retention allows"
    case .tokenRead: "list admin tokens"
    case .tokenWrite: "make and revoke admin tokens, within its own reach"
    }
  }
}
