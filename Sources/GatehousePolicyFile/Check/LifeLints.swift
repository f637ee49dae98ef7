import Foundation
import GatehousePolicy

/// Lints about time and openness: stages, exceptions, second factors, doors, and the colour of the pages.
extension Linter {
  func stages() {
    for (id, enforcement, position) in policy.staged where enforcement.mode == .warn {
      if let from = enforcement.from {
        guard from.start <= now else { continue }
        warn(
          .pastStage, "\(id) enforces since \(from)", position,
          [.init("write enforce: enforce and remove the date; nothing changes by it")])
      } else {
        warn(
          .warnWithoutDate, "\(id) only warns, and no date says until when", position,
          [.init("add enforce_from: YYYY-MM-DD")])
      }
    }
  }

  func exceptions() {
    for exception in policy.exceptions where !exception.holds(at: now) {
      warn(
        .expiredException, "the exception of \(exception.email) from \(exception.rule) ended with \(exception.until)",
        exception.position, [.init("remove it; it has no effect any more")])
    }
  }

  /// The proof that a remembered device stands in for is as old as the memory of it.
  func factors() {
    guard let mfa = policy.mfa, let validFor = mfa.validFor, mfa.rememberDevice > validFor else { return }
    warn(
      .rememberedTooLong,
      "remember_device (\(Seconds.text(mfa.rememberDevice))) is longer than valid_for (\(Seconds.text(validFor)))",
      at: file.document.root?["mfa"]?["remember_device"], else: mfa.position)
  }

  /// An authenticator's own word, and a statement that roots vouch for.
  func passkeys() {
    guard let passkeys = policy.passkeys else { return }
    let section = file.document.root?["passkeys"]
    switch (passkeys.attestation, passkeys.synced) {
    case (.none, false):
      warn(
        .syncedByItsWord, "synced: false rests on what an authenticator says of itself without attestation: direct",
        at: section?["synced"], else: passkeys.position)
    case (.direct, true):
      warn(
        .syncedUnattested, "attestation: direct refuses every synced passkey: none carries a statement",
        at: section?["attestation"], else: passkeys.position)
    case (.none, true), (.direct, false): break
    }
    if let former = passkeys.former, !former.proves(at: now) {
      warn(
        .pastRelyingParty, "passkeys of \(former.id) prove no more since \(former.until)",
        at: section?["rp_id_from"]?["until"], else: passkeys.position,
        [.init("remove rp_id_from; it has no effect any more")])
    }
    if passkeys.upgrade != nil, !policy.hasPassword {
      warn(
        .offerToNobody, "upgrade offers a passkey to no account: \(policy.passwordClosure)",
        at: section?["upgrade"]?["from"],
        else: passkeys.position, [.init("remove upgrade, or add password to providers")])
    }
  }

  func doors() {
    for rule in policy.allRules where rule.enforcement.mode == .enforce {
      let open = rule.kind.defaultDoors(at: rule.target).doors.filter {
        $0 != .signIn && !rule.doors.contains($0)
          && !policy.isClosed($0, withPassword: rule.target == .password, withPasskey: true)
      }
      guard !open.isEmpty else { continue }
      warn(.openDoor, "\(rule.id) does not guard \(open.map(\.rawValue).joined(separator: ", "))", rule.position)
    }
  }

  func signIn() {
    guard !policy.providers.contains(where: { $0.use == .signIn }) else { return }
    warn(
      .impossible, "no provider is for sign-in, so no user can sign in",
      policy.providers.first?.position ?? policy.providersPosition)
  }

  /// WCAG 2.2, 1.4.11: what shows where a button is has a contrast of 3:1 to what is around it.
  func theme() {
    guard let text = policy.theme.primary, let primary = Luminance(text) else { return }
    let isDark = policy.theme.darkMode == .always
    let page = isDark ? Luminance.darkPage : Luminance.lightPage
    let ratio = primary.contrast(to: page)
    guard ratio < 3 else { return }
    let tenths = Int((ratio * 10).rounded(.down))
    sink.warning(
      .lowContrast,
      "\(text) has a contrast of \(tenths / 10).\(tenths % 10):1 to the \(isDark ? "dark" : "light") page; 3:1 is needed",
      at: file.document.root?["theme"]?["primary"]?.range ?? .top,
      notes: [.init("choose a \(isDark ? "lighter" : "darker") colour (WCAG 2.2, 1.4.11)")])
  }

  /// Earlier versions knew the key and showed nothing either.
  func logo() {
    guard let name = policy.theme.logo else { return }
    sink.warning(
      .logoElsewhere, "no page shows \(quoted(name)): a tenant's logo is not part of its policy",
      at: file.document.root?["theme"]?["logo"]?.range ?? .top,
      notes: [.init("remove the key; gatehouse tenant logo set \(policy.tenant) FILE sets the logo")])
  }
}

/// Relative luminance of a colour (WCAG 2.2).
struct Luminance {
  let value: Double

  /// The surfaces of the server's pages.
  static let lightPage = Luminance(red: 0xFF, green: 0xFF, blue: 0xFF)
  static let darkPage = Luminance(red: 0x1D, green: 0x1F, blue: 0x24)

  init(red: Int, green: Int, blue: Int) {
    func linear(_ part: Int) -> Double {
      let share = Double(part) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    value = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// `#RRGGBB`; nil for anything else.
  init?(_ text: String) {
    guard Forms.colour.holds(text), let number = Int(text.dropFirst(), radix: 16) else { return nil }
    self.init(red: number >> 16, green: number >> 8 & 0xFF, blue: number & 0xFF)
  }

  /// From 1 to 21.
  func contrast(to other: Luminance) -> Double {
    (max(value, other.value) + 0.05) / (min(value, other.value) + 0.05)
  }
}
