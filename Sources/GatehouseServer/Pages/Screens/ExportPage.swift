import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// Hands out a copy of everything that is stored about the person, as a file.
enum ExportPage: HostedPage {
  static let path = PagePath.export
  static let audience = PageAudience.freshSession

  static func accountRow(_ user: User, _ visit: Visit) -> String? {
    visit.words.account.export
  }

  static func screen(_ visit: Visit) async throws -> Screen? {
    let words = visit.words.export
    return Screen(
      words.heading, of: .export, lead: words.lead(visit.app),
      [.form(Form(button: words.button))] + Pieces.wayBack(visit))
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    let export = try await ExportMe.run(Nothing(), visit.call, visit.services)
    var answer = Answer.json(try JSONEncoding.encode(export, spelling: .contract))
    // A name of a tenant is made of letters, digits and hyphens.
    answer.headers.set("Content-Disposition", "attachment; filename=\"\(visit.call.tenant.name)-account.json\"")
    return .answer(answer)
  }
}
