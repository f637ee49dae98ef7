import Foundation
package import GatehousePolicy
package import GatehousePolicyFile
import GatehousePrimitives

extension AllowedSenders {
  /// The sender of a tenant's mails. `app` is the app's name, as the mail has it.
  func from(_ policy: Policy, app: String) -> MailAddress {
    MailAddress(name: policy.mail.from.name ?? app, address: address(policy))
  }

  /// A mail's id at the server's own domain.
  func messageID(_ id: UUID) -> String {
    "\(id.text)@\(own.split(separator: "@").last.map(String.init) ?? "localhost")"
  }

  /// The warning about a live policy whose address is not, or no longer, allowed; nil where it is.
  package func problem(_ policy: Policy) -> String? {
    refused(policy).map { "mail.from.address \"\($0)\" is not allowed here: its mails come from \(own)" }
  }
}
