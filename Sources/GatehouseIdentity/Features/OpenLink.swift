// What a link's page may say before its button is pressed. Looking changes nothing: mail scanners look too.

import GatehousePolicy
import GatehouseWire

package enum OpenLink {
  /// A link whose time has not passed.
  package struct Live: Sendable, Equatable {
    /// The address that got the mail.
    package let address: String
    /// The account has no password yet: an operator made it.
    package let isFirstPassword: Bool
  }

  /// The link with this token, for the page of this name (`CodePurpose.page`). Refuses `code_invalid`, `code_expired` or
  /// `code_used`, as pressing the button would.
  package static func look(_ token: String, page: String, _ call: Call, _ services: Services) async throws -> Live {
    let purposes = CodePurpose.allCases.filter { $0.page == page }
    if purposes.contains(.resetPassword) { try call.policy.demandPassword() }
    let code = try await Redemption.find(.token(token), for: purposes, call, services).code
    guard let id = code.account else {
      guard call.policy.hasPassword else { throw Refusal(.codeInvalid) }
      return Live(address: code.destination, isFirstPassword: false)
    }
    let store = services.store.open(call.tenant.id)
    guard let account = try await store.account(id: id), account.disabledAt == nil else { throw Refusal(.codeInvalid) }
    var isFirst = false
    if code.purpose == .resetPassword { isFirst = try await store.passwordHash(of: id) == nil }
    return Live(address: code.destination, isFirstPassword: isFirst)
  }
}
