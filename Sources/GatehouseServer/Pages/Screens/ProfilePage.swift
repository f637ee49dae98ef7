import GatehouseIdentity
import GatehousePolicy
import GatehouseWire

/// The fields of the profile: inputs for what their owner may set, text for the others.
enum ProfilePage: HostedPage {
  static let path = PagePath.profile
  static let audience = PageAudience.session

  static func accountRow(_ user: User, _ visit: Visit) -> String? {
    let profile = visit.profileFields
    let isWritable = profile.seen.contains { profile.isWritable($0, user.profile[$0.name]) }
    return isWritable ? visit.words.account.profile : nil
  }

  static func screen(_ visit: Visit) async throws -> Screen? {
    let stored = try await visit.me().user.profile
    let words = visit.words.profile
    let profile = visit.profileFields
    let inputs = profile.seen.filter { profile.isWritable($0, stored[$0.name]) }.map {
      profile.input($0, value: ProfileFields.typed($0, stored[$0.name]))
    }
    let fixed = profile.seen.filter { !profile.isWritable($0, stored[$0.name]) }
    var pieces: [Screen.Piece] = []
    pieces.append(
      inputs.isEmpty ? Pieces.empty(.person, words.nothing) : .form(Form(fields: inputs, button: words.save)))
    let facts = profile.facts(fixed, stored)
    if !facts.isEmpty { pieces += [Pieces.text(words.fixed), Pieces.facts(facts)] }
    return Screen(words.heading, of: .profile, pieces + Pieces.wayBack(visit))
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    let given = try await changes(typed, visit)
    if !given.isEmpty { _ = try await Me.update(.init(profile: given), visit.call, visit.services) }
    visit.flow.notice = .saved
    return .page(PagePath.profile)
  }

  /// The fields that differ from the stored ones: a value of before a rule stays as it is, and another tab's change
  /// too.
  private static func changes(_ typed: Typed, _ visit: Visit) async throws -> [String: FieldValue] {
    let stored = try await visit.me().user.profile
    let profile = visit.profileFields
    return profile.seen.reduce(into: [:]) { changes, field in
      let now = stored[field.name]
      guard profile.isWritable(field, now) else { return }
      let value = profile.value(field, typed)
      let isSame =
        field.type == .boolean
        ? value == (now ?? .boolean(false))
        : typed[FieldName.profile(field.name)].utf8.elementsEqual(ProfileFields.typed(field, now).utf8)
      if !isSame { changes[field.name] = value ?? .null }
    }
  }
}
