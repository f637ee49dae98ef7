import GatehousePolicy

extension SecondStepWords {
  static let german = SecondStepWords(
    heading: "Noch ein Schritt",
    lead: { "Öffnen Sie Ihre Authenticator-App und geben Sie die sechs Ziffern ein, die sie für \($0) anzeigt." },
    recoveryLead: "Geben Sie einen der Wiederherstellungscodes ein, die Sie aufbewahrt haben. Jeder gilt einmal.",
    recoveryCode: "Wiederherstellungscode", byRecoveryCode: "Stattdessen einen Wiederherstellungscode verwenden",
    byApp: "Stattdessen die Authenticator-App verwenden",
    remember: { "Auf diesem Gerät nicht mehr fragen – \($0) lang" },
    wrong: "Dieser Code stimmt nicht. Jeder Code gilt einmal.",
    over: "Das hat zu lange gedauert, oder es waren zu viele falsche Codes. Melden Sie sich erneut an.",
    days: { CountedWords(one: "1 Tag", other: "# Tage").text($0, in: .german) })
}

extension FactorWords {
  static let german = FactorWords(
    heading: "Anmeldung in zwei Schritten",
    lead:
      "Bei der Anmeldung fragen wir zusätzlich nach dem Code einer App. Ein gestohlenes Passwort reicht dann nicht.",
    none: "Sie haben noch keine Authenticator-App.", app: "Authenticator-App", since: { "Hinzugefügt am \($0)." },
    name: "Name (freiwillig)", nameHint: "Damit Sie sie wiedererkennen, zum Beispiel „Mein Telefon“.",
    add: "Authenticator-App hinzufügen", another: "Weitere App", rename: "Umbenennen", renaming: "App umbenennen",
    remove: "Entfernen", removing: { "\($0) entfernen?" }, removingOne: "Ihre Codes gelten dann nicht mehr.",
    removingLast:
      "Bei der Anmeldung wird dann nach keinem Code gefragt, und Ihre Wiederherstellungscodes gelten nicht mehr.",
    cancel: "Abbrechen",
    whetherLost: "Haben Sie das Gerät noch? Wenn nicht, steht das in unserer E-Mail darüber.",
    removeHeld: "Entfernen: Ich habe es noch", removeLost: "Entfernen: Ich habe es nicht mehr",
    recovered: "Sie haben sich mit einem Wiederherstellungscode angemeldet. Wenn Ihr Telefon weg ist, entfernen Sie es "
      + "hier und fügen Sie ein anderes hinzu.",
    due: { "Ab dem \($0) brauchen Sie die Anmeldung in zwei Schritten. Sie können sie jetzt einrichten." },
    scan: "Scannen Sie dieses Bild mit Ihrer Authenticator-App.",
    picture: "QR-Code für die Authenticator-App", open: "Die App ist auf diesem Gerät",
    key: "Oder geben Sie diesen Schlüssel in die App ein:",
    digits: "Geben Sie dann die sechs Ziffern ein, die die App anzeigt.",
    over: "Das hat zu lange gedauert. Beginnen Sie von vorn.", codes: "Wiederherstellungscodes",
    left: { count in
      count == 0
        ? "Sie haben keinen Wiederherstellungscode mehr."
        : CountedWords(
          one: "Sie haben noch 1 Wiederherstellungscode.", other: "Sie haben noch # Wiederherstellungscodes."
        ).text(count, in: .german)
    }, makeSoon: "Erstellen Sie jetzt neue, damit Sie auch ohne Ihr Telefon hineinkommen.",
    makeCodes: "Neue Wiederherstellungscodes erstellen", keepCodes: "Bewahren Sie Ihre Wiederherstellungscodes auf",
    codesLead:
      "Jeder meldet Sie einmal an, wenn Sie Ihr Telefon verlieren. Sie sehen sie nur jetzt: Drucken Sie sie aus.",
    formerCodes: "Ihre früheren Wiederherstellungscodes gelten nicht mehr.", kept: "Ich habe sie aufbewahrt")
}
