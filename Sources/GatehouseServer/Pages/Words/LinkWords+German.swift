import GatehousePolicy
import GatehouseWire

extension LinkWords {
  static let german = LinkWords(
    newPassword: "Neues Passwort", chosenPassword: "Das Passwort, das Sie gewählt haben",
    wrongPassword: "Das ist nicht das richtige Passwort.", missingPassword: "Geben Sie das Passwort ein.",
    typed: "Diese Angaben wurden bei der Registrierung gemacht:", otherPassword: "Das waren nicht Sie?",
    otherLead: "Sie können das Konto und die Angaben oben trotzdem behalten, wenn Sie ein anderes Passwort wählen. Das "
      + "Passwort der Registrierung gilt dann nicht. Wenn Sie das Konto nicht wollen, schließen Sie diese Seite: Es "
      + "ändert sich nichts.",
    takeOver: "Eigenes Passwort verwenden", user: "Konto:",
    undoWord: UndoWord(
      word: "ZURÜCK", label: "Geben Sie ZURÜCK ein, um fortzufahren", missing: "Geben Sie das Wort ZURÜCK ein."),
    forms: { page, address, app in
      switch page {
      case .verifyEmail:
        LinkTexts(
          title: "E-Mail-Adresse bestätigen",
          lead: "Drücken Sie den Knopf, um zu bestätigen, dass \(address) Ihre Adresse ist.",
          button: "E-Mail-Adresse bestätigen", doneTitle: "E-Mail-Adresse bestätigt",
          done: "Ihre E-Mail-Adresse ist bestätigt. Sie können diese Seite schließen und zu \(app) zurückkehren.")
      case .resetPassword:
        LinkTexts(
          title: "Wählen Sie ein neues Passwort", lead: "Es ersetzt das alte und meldet Sie auf allen Geräten ab.",
          button: "Neues Passwort speichern", doneTitle: "Passwort gespeichert",
          done: "Sie können diese Seite schließen und sich bei \(app) mit dem neuen Passwort anmelden.")
      case .confirmEmail:
        LinkTexts(
          title: "Bestätigen Sie Ihre neue E-Mail-Adresse",
          lead: "Drücken Sie den Knopf, um ab jetzt \(address) für Ihr Konto bei \(app) zu verwenden.",
          button: "Diese E-Mail-Adresse verwenden", doneTitle: "E-Mail-Adresse geändert",
          done: "Ihre neue E-Mail-Adresse gilt. Sie können diese Seite schließen und zu \(app) zurückkehren.")
      case .undoEmail:
        LinkTexts(
          title: "Alte E-Mail-Adresse behalten",
          lead: "Wenn Sie die E-Mail-Adresse Ihres Kontos bei \(app) nicht geändert haben, machen Sie die Änderung "
            + "rückgängig: Dann gilt wieder \(address), und alle Geräte werden abgemeldet.",
          button: "Änderung rückgängig machen", doneTitle: "Änderung rückgängig gemacht",
          done: "Ihre alte E-Mail-Adresse gilt wieder. Wählen Sie jetzt in \(app) ein neues Passwort: Das alte ist "
            + "vielleicht jemand anderem bekannt.")
      }
    },
    withPassword: { page, address, app in
      page == .confirmEmail
        ? "Geben Sie das Passwort Ihres Kontos bei \(app) ein, um ab jetzt \(address) zu verwenden. "
          + "Wenn Sie das nicht angefordert haben, schließen Sie diese Seite: Es geschieht nichts."
        : "Geben Sie das Passwort Ihres Kontos bei \(app) ein, um zu bestätigen, dass \(address) Ihre Adresse ist. "
          + "Wenn Sie kein Konto angelegt haben, schließen Sie diese Seite: Es geschieht nichts."
    },
    inApp: { app in
      "Ihr Konto hat kein Passwort. Öffnen Sie \(app), melden Sie sich dort an und bestätigen Sie die Adresse in der App."
    },
    signUp: { address, app in
      LinkTexts(
        title: "Registrierung abschließen",
        lead: "Jemand hat mit \(address) ein Konto bei \(app) angefordert. Wenn Sie das waren, geben Sie das gewählte "
          + "Passwort ein.",
        button: "E-Mail-Adresse bestätigen", doneTitle: "E-Mail-Adresse bestätigt",
        done: "Ihr Konto ist bereit. Sie können diese Seite schließen und sich bei \(app) anmelden.")
    },
    firstPassword: { app in
      LinkTexts(
        title: "Wählen Sie Ihr Passwort", lead: "Ihr Konto bei \(app) ist bereit. Es fehlt nur noch ein Passwort.",
        button: "Passwort speichern", doneTitle: "Passwort gespeichert",
        done: "Sie können diese Seite schließen und sich bei \(app) mit dem neuen Passwort anmelden.")
    },
    refusals: { code in
      switch code {
      case .codeExpired:
        ("Dieser Link ist abgelaufen", "Links gelten nur für begrenzte Zeit. Fordern Sie einen neuen an.")
      case .codeUsed:
        (
          "Dieser Link wurde bereits verwendet",
          "Wenn Sie das waren, ist nichts mehr zu tun: Gehen Sie zurück zur App. Wenn nicht, fordern Sie einen neuen "
            + "Link an."
        )
      case .codeInvalid:
        (
          "Dieser Link funktioniert nicht",
          "Er ist vielleicht unvollständig, oder eine neuere E-Mail hat ihn ersetzt. Öffnen Sie die neueste E-Mail oder "
            + "fordern Sie einen neuen Link an."
        )
      case .accountExists, .conflict:
        ("Diese E-Mail-Adresse ist schon vergeben", "Ein anderes Konto verwendet sie. Wählen Sie eine andere.")
      case .rateLimited, .tooManyAttempts, .cooldown:
        ("Zu viele Anfragen", "Warten Sie ein wenig und öffnen Sie dann den Link in Ihrer E-Mail erneut.")
      default: (code.entry.title.de, nil)
      }
    },
    noLink: (
      "Diese Seite braucht einen Link",
      "Öffnen Sie den Link in Ihrer E-Mail oder fordern Sie einen neuen an."
    ), another: "Neuen Link senden")
}
