import GatehouseIdentity
import GatehousePolicy
import GatehouseWire

/// Asks for profile fields that are missing for full access.
enum CompletePage: HostedPage {
  static let path = PagePath.complete
  static let audience = PageAudience.session

  private static func missing(_ visit: Visit) async throws -> [Field] {
    let next = try await visit.me().next
    return next.filter { $0.hasPrefix("profile:") }.compactMap { visit.policy.profile.field(String($0.dropFirst(8))) }
  }

  static func screen(_ visit: Visit) async throws -> Screen? {
    let missing = try await missing(visit)
    guard !missing.isEmpty else { return nil }
    let words = visit.words.complete
    let signOut = Pieces.links([(visit.words.endings.signOut, visit.address(PagePath.signOut))])
    let fields = missing.filter { $0.write != .admin }
    guard !fields.isEmpty else {
      let names = missing.map { $0.title(in: [visit.words.language]) }.joined(separator: ", ")
      return Screen(
        words.heading, of: .complete,
        [
          Pieces.text(words.waits(names)),
          signOut,
        ])
    }
    let profile = visit.profileFields
    return Screen(
      fields.map(\.name) == ["username"] ? words.username : words.heading, of: .complete, lead: words.lead(visit.app),
      [
        .form(
          Form(fields: fields.map { profile.input($0, value: "") }, button: words.button)),
        signOut,
      ])
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    let profile = visit.profileFields
    let given = try await missing(visit).filter { $0.write != .admin }.reduce(into: [String: FieldValue]()) {
      values, field in
      values[field.name] = profile.value(field, typed) ?? .string("")
    }
    guard !given.isEmpty else { return .onward() }
    let answer = try await Me.update(.init(profile: given), visit.call, visit.services)
    return .onward(next: answer.next)
  }
}
