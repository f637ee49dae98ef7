package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse mail preview`.
package enum PreviewMail {
  package static func run(_ input: PreviewMailOperation.Input, _ call: OperatorCall) async throws
    -> PreviewMailOperation.Output
  {
    let seen = try await call.call(input.tenant)
    let mail = try SampleMail.render(try SampleMail.kind(input.kind), in: input.language, seen, try call.outside())
    return PreviewMailOperation.Output(subject: mail.subject, text: mail.text, html: mail.html)
  }
}
