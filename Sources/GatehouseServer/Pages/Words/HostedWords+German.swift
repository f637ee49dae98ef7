import GatehousePolicy
import GatehouseWire

extension HostedWords {
  static let german = HostedWords(
    frame: .german, errors: .german, signIn: .german, signUp: .german, checkMail: .german, reset: .german,
    complete: .german, connect: .german, endings: .german, account: .german, profile: .german, password: .german,
    email: .german, devices: .german, connections: .german, delete: .german, export: .german, links: .german,
    landings: .german, moments: .german, advice: .german, secondStep: .german, factors: .german, passkeys: .german,
    notices: [
      .sessionExpired: "Sie wurden abgemeldet. Melden Sie sich erneut an.",
      .emailVerified: "Ihre E-Mail-Adresse ist bestätigt.",
      .passwordSaved: "Ihr neues Passwort ist gespeichert. Melden Sie sich damit an.", .saved: "Gespeichert.",
      .signedOutDevice: "Dieses Gerät ist abgemeldet.", .mailSent: "Neuer Code gesendet.",
      .passwordChanged: "Ihr neues Passwort ist gespeichert. Alle anderen Geräte sind abgemeldet.",
      .emailChanged: "Ihre E-Mail-Adresse ist geändert.", .signedOutOthers: "Alle anderen Geräte sind abgemeldet.",
      .disconnected: "Das Konto ist getrennt.", .factorAdded: "Ihre Authenticator-App ist hinzugefügt.",
      .factorRemoved: "Die Authenticator-App ist entfernt.",
      .passkeyAdded: "Ihr Passkey ist hinzugefügt.", .passkeyRemoved: "Der Passkey ist entfernt.",
    ],
    duration: duration(
      .german, second: CountedWords(one: "1 Sekunde", other: "# Sekunden"),
      minute: CountedWords(one: "1 Minute", other: "# Minuten"), hour: CountedWords(one: "1 Stunde", other: "# Stunden")
    ))
}

extension FrameWords {
  static let german = FrameWords(
    language: .german, troubleMark: "Fehler", help: "Brauchen Sie Hilfe?", forms: .german,
    terms: "Nutzungsbedingungen", privacy: "Datenschutzerklärung")
}

extension FormWords {
  static let german = FormWords(
    problem: "Es gibt ein Problem", email: "E-Mail-Adresse", password: "Passwort", newPassword: "Passwort",
    again: "Passwort wiederholen", passwordNeeds: "Ihr Passwort braucht:",
    differ: "Die beiden Passwörter sind verschieden.",
    weak: "Dieses Passwort erfüllt nicht alle Regeln.", show: "Passwort anzeigen", hide: "Passwort verbergen",
    met: "erfüllt", unmet: "noch nicht",
    strengths: ["Stärke: schwach", "Stärke: mittel", "Stärke: gut", "Stärke: stark"], or: "oder",
    proceed: "Weiter", back: { "Zurück zu \($0)" }, capsLock: "Die Feststelltaste ist aktiv.",
    offline: "Sie sind offline. Ihre Eingaben sind noch da.", retry: "Erneut versuchen",
    from: { "Ab dem \($0) außerdem:" })
}

extension ErrorWords {
  static let german = ErrorWords(
    old: {
      "Dieses Formular ist abgelaufen. "
        + ($0 ? "Geben Sie Ihr Passwort ein und senden Sie es noch einmal." : "Bitte senden Sie es noch einmal.")
    },
    over: { "Das hat zu lange gedauert. Um sich bei \($0) anzumelden, beginnen Sie in der App von vorn." },
    cookies: "Ihr Browser blockiert Cookies. Erlauben Sie sie für diese Website und versuchen Sie es erneut.",
    password: "Dieses Passwort ist nicht richtig.",
    wait: { "Zu viele Versuche. Versuchen Sie es in \($0) erneut." },
    pages: { code, reference in
      switch code {
      case .notFound, .methodNotAllowed:
        ("Diese Seite gibt es nicht", "Prüfen Sie die Adresse oder gehen Sie zurück zur App.")
      case .rateLimited, .tooManyAttempts, .cooldown:
        ("Zu viele Anfragen", "Warten Sie ein wenig und versuchen Sie es dann erneut.")
      case .tenantNotFound: ("Diese App gibt es hier nicht", "Prüfen Sie die Adresse.")
      case .tenantDisabled: ("Diese App ist gerade nicht verfügbar", "Bitte kommen Sie später wieder.")
      case .headerFieldsTooLarge:
        (
          "Laden Sie diese Seite neu",
          "Ihr Browser hat mehr Cookies gesendet, als diese Website annimmt. Unsere sind jetzt entfernt."
        )
      case .mfaRequired:
        (
          "Ein zweiter Schritt ist nötig",
          "Diese Seite kann den zweiten Schritt dieses Kontos nicht abfragen. Melden Sie sich in der App an."
        )
      case .attestRequired:
        ("Bitte verwenden Sie die App", "Das geht nur in der App, nicht im Browser.")
      case .forbidden, .unsupportedMediaType:
        (
          "Dieses Formular konnte nicht gesendet werden",
          "Es wurde in einem anderen Browser oder auf einer anderen Website geöffnet. Öffnen Sie die Seite erneut."
        )
      case .malformedRequest:
        (
          "Dieser Link funktioniert nicht",
          "Die Adresse dieser Seite ist unvollständig oder falsch. Gehen Sie zurück zur App und beginnen Sie von vorn."
        )
      default:
        (
          "Auf unserer Seite ist etwas schiefgegangen",
          "Versuchen Sie es gleich noch einmal. Referenz: \(reference)"
        )
      }
    },
    renewed:
      "In diesem Browser hat sich etwas geändert, seit Sie diese Seite geöffnet haben. Prüfen Sie sie und senden "
      + "Sie sie noch einmal.",
    waitOrReset: { "Zu viele Versuche. Warten Sie \($0) oder setzen Sie Ihr Passwort zurück." },
    reset: "Passwort zurücksetzen", noAddress: "Geben Sie eine gültige E-Mail-Adresse ein.",
    away: "Auf unserer Seite ist etwas schiefgegangen. Ihre Eingaben sind noch da. Senden Sie sie gleich noch einmal.",
    unknown: "Die Antwort ging auf unserer Seite verloren, vielleicht hat es geklappt. Ihre Eingaben sind noch da. "
      + "Senden Sie sie noch einmal.",
    resend: "Bitte senden Sie das noch einmal", resendButton: "Noch einmal senden",
    unavailable: { "\($0) ist gerade nicht verfügbar" })
}

extension LandingWords {
  static let german = LandingWords(
    linked: { app in ("Verbunden", "Sie können diese Seite schließen und zu \(app) zurückkehren.") },
    refusals: { code in
      switch code {
      case .codeInvalid, .notFound:
        (
          "Das hat nicht geklappt",
          "Es hat zu lange gedauert oder in einem anderen Browser begonnen. Gehen Sie zurück zur App und versuchen Sie "
            + "es erneut."
        )
      case .providerDenied: ("Nicht verbunden", "Sie haben es nicht erlaubt. Es hat sich nichts geändert.")
      case .providerScopesMissing:
        (
          "Noch nicht verbunden",
          "Die App braucht alle Berechtigungen der Liste. Gehen Sie zurück zur App und versuchen Sie es erneut."
        )
      case .providerAccountTaken:
        (code.entry.title.de, "Gehen Sie zurück zur App und wählen Sie ein anderes Konto.")
      default:
        ("Das hat nicht geklappt", "Gehen Sie zurück zur App und versuchen Sie es gleich noch einmal.")
      }
    })
}

extension MomentWords {
  static let german = MomentWords(
    months: [
      "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
      "Dezember",
    ], date: { "\($0). \($1) \($2)" })
}

extension ScopeWords {
  static let german = [
    "openid": "Ihre Identität bestätigen", "email": "Ihre E-Mail-Adresse sehen",
    "profile": "Ihren Namen und Ihr Bild sehen", "user-read-email": "Ihre E-Mail-Adresse sehen",
    "user-read-private": "Ihr Land und die Art Ihres Abos sehen",
    "playlist-read-private": "Ihre privaten Playlists sehen",
    "playlist-read-collaborative": "Playlists sehen, die Sie mit anderen teilen",
    "playlist-modify-public": "Ihre öffentlichen Playlists ändern",
    "playlist-modify-private": "Ihre privaten Playlists ändern",
    "user-library-read": "Ihre gespeicherten Titel und Alben sehen",
    "user-library-modify": "Ihre gespeicherten Titel und Alben ändern",
    "user-top-read": "Ihre liebsten Künstler und Titel sehen",
    "user-read-recently-played": "Sehen, was Sie zuletzt gehört haben",
    "user-read-currently-playing": "Sehen, was Sie gerade hören",
    "user-read-playback-state": "Ihre Geräte sehen und was darauf läuft",
  ]
}
