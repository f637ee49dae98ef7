extension PasskeyWords {
  static let german = PasskeyWords(
    signIn: "Mit einem Passkey anmelden", use: "Passkey verwenden", former: { "Passkey von \($0) verwenden" },
    signUp: "Konto mit einem Passkey erstellen", orCode: "oder mit einem Code",
    without: "Hier hilft nur ein Passkey, und dieser Browser kann keinen verwenden. Versuchen Sie es mit einem anderen "
      + "Browser oder Gerät.", cancelled: "Der Passkey wurde nicht verwendet. Sie können es erneut versuchen.",
    known: "Dieses Gerät hat schon einen Passkey für Ihr Konto.",
    failed: "Der Passkey hat nicht funktioniert. Versuchen Sie es erneut.",
    over: "Das hat zu lange gedauert. Versuchen Sie es erneut.", heading: "Passkeys",
    lead:
      "Mit einem Passkey melden Sie sich mit Finger, Gesicht oder PIN an. Eine falsche Seite kann ihn nicht stehlen.",
    leadOfBoth: "Ein Passkey oder der Code einer App schützt Ihr Konto: Ein gestohlenes Passwort reicht dann nicht.",
    none: "Sie haben noch keinen Passkey.",
    noneOfBoth: "Sie haben noch keinen Passkey und keine Authenticator-App.", passkey: "Passkey",
    nameHint: "Damit Sie ihn wiedererkennen, zum Beispiel „Mein Laptop“.", add: "Passkey hinzufügen",
    another: "Weiterer Passkey", synced: "Zwischen Geräten synchronisiert.", single: "Nur auf einem Gerät.",
    renaming: "Passkey umbenennen",
    removingOne: "Er gilt hier dann nicht mehr. Entfernen Sie ihn auch auf Ihrem Gerät.",
    removingLast:
      "Bei der Anmeldung gibt es dann keinen zweiten Schritt, und Ihre Wiederherstellungscodes gelten nicht mehr.",
    offer: "Nächstes Mal schneller anmelden",
    offerLead:
      "Mit einem Passkey genügt Ihr Finger, Ihr Gesicht oder eine PIN. Eine falsche Seite kann ihn nicht stehlen.",
    moment: "Einen Moment", momentLead: "Ihr Browser macht die nächste Anmeldung schneller.")
}
