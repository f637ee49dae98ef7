extension AccountWords {
  static let german = AccountWords(
    heading: "Ihr Konto", verified: { "\($0) (bestätigt)" }, unverified: "Noch nicht bestätigt",
    verify: "E-Mail-Adresse bestätigen", profile: "Profil bearbeiten", password: "Passwort ändern",
    setPassword: "Passwort festlegen", email: "E-Mail-Adresse ändern", devices: "Wo Sie angemeldet sind",
    connections: "Verbundene Konten", export: "Ihre Daten herunterladen", delete: "Konto löschen",
    back: "Zurück zu Ihrem Konto", proofFirst: "Bestätigen Sie zuerst, dass Sie es sind.")
}

extension ProfileWords {
  static let german = ProfileWords(
    heading: "Ihr Profil", save: "Speichern", fixed: "Das lässt sich hier nicht ändern:",
    nothing: "Hier gibt es nichts zu ändern.", between: { "Von \($0) bis \($1)" }, none: "Keine Angabe", yes: "Ja",
    no: "Nein")
}

extension PasswordWords {
  static let german = PasswordWords(
    heading: "Passwort ändern", lead: "Beim Speichern werden alle Ihre anderen Geräte abgemeldet.",
    current: "Bisheriges Passwort", new: "Neues Passwort", save: "Neues Passwort speichern",
    headingFirst: "Passwort festlegen",
    leadFirst: "Ihr Konto hat kein Passwort. Wir senden Ihnen per E-Mail einen Code, mit dem Sie eines wählen.",
    mail: "Code senden")
}

extension AdviceWords {
  static let german = AdviceWords(
    heading: "Wählen Sie ein stärkeres Passwort",
    from: { "Ab dem \($0) brauchen Passwörter für \($1):" }, now: { "Passwörter für \($0) brauchen jetzt:" },
    change: "Passwort ändern")
}

extension EmailWords {
  static let german = EmailWords(
    heading: "E-Mail-Adresse ändern",
    lead: { "Ihre E-Mail-Adresse ist \($0). Wir senden einen Code an die neue." }, new: "Neue E-Mail-Adresse",
    send: "Code senden")
}

extension DevicesWords {
  static let german = DevicesWords(
    heading: "Wo Sie angemeldet sind",
    lead: "Melden Sie jedes Gerät ab, das Sie nicht kennen, und ändern Sie dann Ihr Passwort.",
    alone: "Sie sind nur auf diesem Gerät angemeldet.", unknown: "Ein Gerät", current: "Dieser Browser",
    lastUsed: "Zuletzt verwendet:", signOut: "Abmelden", others: "Überall sonst abmelden",
    named: { $0.replacing(" on ", with: " auf ").replacing("Apple device", with: "Apple-Gerät") })
}

extension ConnectionsWords {
  static let german = ConnectionsWords(
    heading: "Verbundene Konten", nothing: "Keine verbundenen Konten.", since: { "Verbunden seit dem \($0)." },
    notConnected: "Nicht verbunden.",
    broken: { "\($0) hat keinen Zugriff mehr auf dieses Konto. Verbinden Sie es erneut." },
    again: { "\($0) erneut verbinden" }, disconnect: { "\($0) trennen" },
    needed: { "\($0) braucht diese Verbindung. Ohne sie können Sie nicht alles in \($0) nutzen." })
}

extension DeleteWords {
  static let german = DeleteWords(
    heading: "Konto löschen",
    warning: {
      "Damit werden das Konto \($0) und alles darin gelöscht. Das lässt sich nicht rückgängig machen. Geben Sie Ihr "
        + "Passwort ein, um fortzufahren."
    },
    plainWarning: {
      "Damit werden das Konto \($0) und alles darin gelöscht. Das lässt sich nicht rückgängig machen."
    },
    button: "Mein Konto löschen", keep: "Mein Konto behalten", deleted: "Ihr Konto ist gelöscht")
}

extension ExportWords {
  static let german = ExportWords(
    heading: "Ihre Daten herunterladen", lead: { "Eine Datei (JSON) mit allem, was \($0) über Sie speichert." },
    button: "Herunterladen")
}
