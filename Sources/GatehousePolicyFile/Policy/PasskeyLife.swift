import GatehousePolicy

/// The life of a passkey: the offer of one, the account that one makes, and another relying party.
extension PolicyReader {
  /// The offer of a passkey.
  func upgrade(_ entry: Node.Entry, _ passkeys: Passkeys, _ profile: ProfilePolicy) -> Passkeys.Upgrade? {
    guard let key = entry.value.entry("upgrade") else { return nil }
    let conditions = (key.value["when"]?.map ?? []).compactMap { condition in
      self.condition(condition, profile, openTo: "and so take the offer")
    }
    if !passkeys.use.contains(.signIn), !sink.isUnclear(entry.value) {
      sink.error(
        about: entry.value["use"]?.range, code: .keyDoesNotApply,
        "\"upgrade\" has no meaning in passkeys without use: [sign_in]", at: key.keyRange,
        notes: [.init("it offers another way to sign in: add sign_in to use, or remove upgrade")])
    }
    return key.value["from"]?.day.map { Passkeys.Upgrade(from: $0, when: conditions) }
  }

  /// Without `rp_id` the present party is the tenant's host, which the file does not know.
  func checkFormerParty(_ entry: Node.Entry, _ passkeys: Passkeys) {
    guard let key = entry.value.entry("rp_id_from") else { return }
    guard let present = passkeys.rpID else {
      // One that is misspelt has its finding.
      guard entry.value.entry("rp_id") == nil, !sink.isUnclear(entry.value) else { return }
      return sink.error(
        about: key.value.range, code: .missingKey, "\"rp_id\" is missing in passkeys with rp_id_from", at: key.keyRange,
        notes: [.init("write the domain that passkeys are bound to now, rp_id: DOMAIN")])
    }
    guard let former = key.value["id"], former.text?.utf8.elementsEqual(present.utf8) == true else { return }
    sink.error(
      .sameRelyingParty, "rp_id_from names \(quoted(present)), which is rp_id itself", at: former.range,
      notes: [.init("write the domain that passkeys were bound to before, or remove rp_id_from")])
  }

  /// An account that a passkey makes has no password: its owner needs a way back.
  func checkSignUp(_ entry: Node.Entry, _ passkeys: Passkeys, _ policy: Policy) {
    guard passkeys.use.contains(.signUp), let word = entry.value["use"]?.member(Passkeys.Use.signUp.rawValue) else {
      return
    }
    func refuse(_ message: String, _ part: SourceRange?, _ note: String) {
      sink.error(
        about: entry.value["use"]?.range, part, code: .signUpWithoutReturn, message, at: word.range,
        notes: [.init(note)])
    }
    if !passkeys.use.contains(.signIn) {
      refuse("passkeys.use has sign_up without sign_in, so no owner could come back by the passkey", nil, "add sign_in")
    }
    let (verification, providers) = (root.entry("verification"), root.entry("providers"))
    if !policy.verification.email.onSignUp {
      refuse(
        "passkeys.use has sign_up, and no mail proves the address of a new account", verification?.value.range,
        "remove on_sign_up: false from verification.email")
    }
    if !policy.providers.contains(where: { $0.use == .signIn }) {
      refuse(
        "passkeys.use has sign_up, and an account whose passkey is lost has no way back", providers?.value.range,
        "add password to providers, whose reset is mailed, or a provider with use: sign_in")
    }
  }
}
