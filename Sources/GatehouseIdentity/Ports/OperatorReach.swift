/// The outgoing connections of operators' operations, as the configuration leads them. Nothing is opened before it is
/// asked for.
package protocol OperatorReach: Sendable {
  /// Carries webhooks' messages.
  var webhooks: any WebhookTransport { get }
  /// Asks a host as any client on the network would.
  var hosts: any HostProbe { get }
  /// Asks DNS.
  var records: any TextRecords { get }
  /// A mail with made-up names, link and code, in the tenant's own words. Throws `OperatorError` where it cannot be
  /// rendered.
  func sampleMail(_ kind: MessageKind, language: String, _ call: Call) throws -> RenderedMail
  /// One attempt. Throws `OperatorError` where the settings are of no use.
  func deliver(_ message: MailMessage) async throws -> DeliveryOutcome
  /// Connects to the mail server and signs in, and sends nothing.
  func probeMail() async throws -> DeliveryOutcome
}

extension OperatorCall {
  /// The way outside, for the verbs that need one.
  func outside() throws -> any OperatorReach {
    guard let reach = services.reach else { throw OperatorError(.refused, "nothing leads outside from here") }
    return reach
  }
}
