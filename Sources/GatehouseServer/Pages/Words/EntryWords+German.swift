extension SignInWords {
  static let german = SignInWords(
    heading: { "Bei \($0) anmelden" }, welcome: { "Weiter zu \($0)" }, button: "Anmelden",
    forgot: "Passwort vergessen?", noAccount: "Noch kein Konto?", create: "Registrieren",
    provider: { "Weiter mit \($0)" }, signedIn: { "Sie sind als \($0) angemeldet." }, other: "Anderes Konto verwenden",
    reauthenticate: "Bestätigen Sie, dass Sie es sind", confirm: "Bestätigen",
    codeLead: { "Wir senden einen sechsstelligen Code an \($0)." }, shared: "Das ist ein gemeinsam genutzter Computer",
    sharedHint: "Sie werden abgemeldet, wenn der Browser geschlossen wird, spätestens nach einer Stunde.",
    forgotShort: "Passwort vergessen?")
}

extension SignUpWords {
  static let german = SignUpWords(
    heading: { "Ihr Konto bei \($0) anlegen" }, button: "Konto anlegen", haveAccount: "Schon ein Konto?",
    signIn: { "Als \($0) anmelden" }, accepts: "Mit dem Anlegen eines Kontos akzeptieren Sie:")
}

extension CheckMailWords {
  static let german = CheckMailWords(
    heading: "Prüfen Sie Ihre E-Mails",
    sent: { "Wir haben um \($1) einen sechsstelligen Code an \($0) gesendet. Er gilt für \($2)." },
    perhaps: {
      "Wenn es zu \($0) ein Konto gibt, haben wir um \($1) einen sechsstelligen Code dorthin gesendet. Er gilt für \($2)."
    },
    code: "Sechsstelliger Code", confirm: "Bestätigen", verified: "Ich habe den Link in der E-Mail geöffnet",
    again: "Neuen Code senden", otherAddress: "Andere E-Mail-Adresse verwenden", signOut: "Abmelden",
    wait: { "Sie können in \($0) einen neuen Code anfordern." }, reload: "Laden Sie diese Seite dann neu.",
    spam: "Keine E-Mail da? Sehen Sie im Spam-Ordner nach.",
    wrong: "Das ist nicht der Code, den wir gesendet haben. Prüfen Sie die neueste E-Mail.",
    expired: "Dieser Code ist abgelaufen. Fordern Sie einen neuen an.",
    usedUp: "Zu viele falsche Versuche. Dieser Code gilt nicht mehr. Fordern Sie einen neuen an.",
    unsent: { "Wir haben noch keinen Code an \($0) gesendet." },
    paused: { "Seit \($0) ist eine E-Mail unterwegs. Sie können in \($1) eine weitere anfordern." },
    early: { "Noch nicht bestätigt. Öffnen Sie die E-Mail an \($0)." },
    sentLink: { "Wir haben um \($1) einen Link an \($0) gesendet. Öffnen Sie ihn, um fortzufahren." },
    perhapsLink: {
      "Wenn es zu \($0) ein Konto gibt, haben wir um \($1) einen Link dorthin gesendet. Öffnen Sie ihn, um fortzufahren."
    })
}

extension ResetWords {
  static let german = ResetWords(
    forgot: "Passwort vergessen?", send: "Code senden",
    lead: "Wir senden Ihnen einen Code per E-Mail. Damit wählen Sie ein neues Passwort.",
    heading: "Wählen Sie ein neues Passwort", save: "Neues Passwort speichern", codeHeading: "Geben Sie den Code ein",
    proceed: "Weiter")
}

extension CompleteWords {
  static let german = CompleteWords(
    heading: "Noch eine Angabe", username: "Wählen Sie einen Benutzernamen",
    lead: { "\($0) braucht dies, bevor Sie fortfahren können." }, button: "Weiter",
    waits: { "Ein Administrator muss noch ausfüllen: \($0). Bitte kommen Sie später wieder." })
}

extension ConnectWords {
  static let german = ConnectWords(
    heading: { "Ihr Konto bei \($0) verbinden" },
    lead: { "\($0) braucht diese Verbindung, bevor Sie fortfahren können." },
    optional: { "\($0) kann dieses Konto nutzen, verlangt es aber nicht." }, button: { "\($0) verbinden" },
    later: "Nicht jetzt",
    unavailable: "Im Browser können Sie das nicht verbinden. Öffnen Sie die App und verbinden Sie es dort.",
    allow: "Sie werden um diese Berechtigungen gebeten:", scopes: ScopeWords.german,
    technical: { $0 == 1 ? "1 Berechtigung ohne Beschreibung" : "\($0) Berechtigungen ohne Beschreibung" })
}

extension EndingWords {
  static let german = EndingWords(
    signedIn: "Sie sind angemeldet", signedInText: { "Kehren Sie jetzt zu \($0) zurück." }, open: { "\($0) öffnen" },
    signOutQuestion: { "Von \($0) abmelden?" }, signOut: "Abmelden", stay: "Angemeldet bleiben",
    signedOut: "Sie sind abgemeldet", signedOutText: "Sie können diese Seite schließen.",
    signInAgain: "Erneut anmelden")
}
