import GatehousePolicy

extension SectionDiff {
  /// Providers by name.
  func providers() {
    for before in old.providers {
      if let after = new.provider(before.name) {
        compare(before, after)
      } else {
        changes.add(
          "providers.\(before.name)", before.use == .signIn ? .stricter : .incomparable,
          "provider \(before.name) is removed", lines: (before.position.line, nil))
      }
    }
    for after in new.providers where old.provider(after.name) == nil {
      changes.add(
        "providers.\(after.name)", after.use == .signIn ? .weaker : .incomparable,
        after.use == .signIn ? "\(after.name) is a new way to sign in" : "\(after.name) can be linked",
        lines: (nil, after.position.line))
    }
  }

  private func compare(_ old: Provider, _ new: Provider) {
    let path = "providers.\(new.name)."
    let unsure = Relation.incomparable
    changes.compare(path + "use", old.use, new.use, \.rawValue) { _, _ in unsure }
    changes.compare(path + "flow", old.flow, new.flow, { $0?.rawValue ?? "nothing" }) { _, _ in unsure }
    changes.compare(path + "client_id", old.clientID, new.clientID, Self.shown) { _, _ in unsure }
    changes.compare(path + "client_secret", old.clientSecret, new.clientSecret, Self.shown) { _, _ in unsure }
    endpoints(path + "endpoints", old.endpoints, new.endpoints)
    changes.compare(path + "scopes", old.scopes, new.scopes, Self.list, Self.sameMembers)
    changes.compare(path + "prompt_for", old.promptFor, new.promptFor, Self.list, Self.sameMembers)
    // No audiences means the client id alone, so the empty list is not the strictest.
    changes.compare(path + "audiences", old.audiences, new.audiences, Self.list) {
      $0.isEmpty || $1.isEmpty ? unsure : Relation.fewerIsStricter($0, $1)
    }
    changes.compare(path + "nonce", old.nonce, new.nonce, \.rawValue) {
      Relation.laterIsStricter([.optional, .required], $0, $1)
    }
    changes.compare(path + "redirect_uris", old.redirectURIs, new.redirectURIs, Self.list, Relation.fewerIsStricter)
    changes.compare(path + "require_scopes", required(old), required(new), Self.list) {
      Relation.fewerIsStricter($1, $0)
    }
    // It opens a way to a fresh proof, and holds the provider to more.
    changes.compare(path + "require_auth_time", old.requireAuthTime, new.requireAuthTime, \.description) { _, _ in
      unsure
    }
    changes.compare(path + "existing_email", old.existingEmail, new.existingEmail, \.rawValue) {
      Relation.laterIsStricter([.linkIfBothVerified, .refuse], $0, $1)
    }
    changes.compare(path + "tokens.store", old.tokenStore, new.tokenStore, \.rawValue) { _, _ in unsure }
    changes.compare(path + "tokens.hand_out", old.handOut, new.handOut, \.rawValue) {
      Relation.laterIsStricter([.accessTokenOnly, .none], $0, $1)
    }
    changes.compare(path + "tokens.keep_warm", old.keepWarm, new.keepWarm, \.description) { _, _ in .neutral }
    changes.compare(path + "one_account_per_user", old.oneAccountPerUser, new.oneAccountPerUser, \.description) {
      Relation.laterIsStricter([false, true], $0, $1)
    }
    changes.compare(path + "on_sign_out", old.onSignOut, new.onSignOut, \.rawValue) {
      Relation.laterIsStricter([.keep, .drop], $0, $1)
    }
  }

  /// Address by address: a reviewer sees where each of them leads.
  private func endpoints(_ path: String, _ old: Provider.Endpoints?, _ new: Provider.Endpoints?) {
    guard let old, let new else {
      changes.compare(
        path, old?.canonical, new?.canonical, { $0?.sorted.text() ?? "nothing" }, Relation.equalOrIncomparable)
      return
    }
    for (before, after) in zip(old.byName, new.byName) {
      changes.compare(
        "\(path).\(before.name)", before.address, after.address, Self.shown, Relation.equalOrIncomparable)
    }
  }

  private static func sameMembers(_ old: [String], _ new: [String]) -> Relation {
    Relation.fewerIsStricter(old, new) == .neutral ? .neutral : .incomparable
  }

  private func required(_ provider: Provider) -> [String] {
    provider.missingScopes(granted: []).sorted()
  }
}
