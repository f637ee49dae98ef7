import GatehouseIdentity
import GatehousePolicy

extension MailWords {
  static let german = MailWords(
    language: .german,
    greeting: "Guten Tag{{#name}}, {{name}}{{/name}},",
    linkHint: "Wenn der Knopf nicht funktioniert, kopieren Sie diesen Link in Ihren Browser:",
    linkExpires: "Der Link gilt für {{link_expires}} und kann einmal verwendet werden.",
    codeSubject: "{{code}} ist Ihr Code für {{app_name}}",
    codeAlone: "Ihr Code:",
    codeToo: "Oder geben Sie diesen Code dort ein, wo Sie ihn angefordert haben:",
    codeExpires: "Der Code gilt für {{code_expires}} und kann einmal verwendet werden.",
    codeWarning: "Geben Sie ihn nicht weiter. {{app_name}} fragt Sie nie danach.",
    footer: [
      "{{app_name}} hat diese E-Mail an {{email}} gesendet.",
      "{{#support_email}}Fragen? Schreiben Sie an {{support_email}}.{{/support_email}}",
    ],
    terms: "Nutzungsbedingungen", privacy: "Datenschutzerklärung",
    minute: CountedWords(one: "1 Minute", other: "# Minuten"), hour: CountedWords(one: "1 Stunde", other: "# Stunden"),
    day: CountedWords(one: "1 Tag", other: "# Tage"),
    letter: { kind in
      switch kind {
      case .verifyEmail:
        MailLetter(
          subject: "Bestätigen Sie Ihre E-Mail-Adresse für {{app_name}}",
          heading: "Bestätigen Sie Ihre E-Mail-Adresse",
          lead: ["Bitte bestätigen Sie, dass {{email}} Ihre Adresse ist, damit Sie {{app_name}} nutzen können."],
          button: "Adresse bestätigen",
          closing: [
            "Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail: Ohne Ihre Bestätigung geschieht nichts."
          ])
      case .resetPassword:
        MailLetter(
          subject: "Setzen Sie Ihr Passwort für {{app_name}} zurück", heading: "Passwort zurücksetzen",
          lead: ["Jemand, hoffentlich Sie, möchte das Passwort Ihres Kontos bei {{app_name}} zurücksetzen."],
          button: "Neues Passwort wählen",
          closing: [
            "Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail: Ihr Passwort bleibt, wie es ist."
          ])
      case .setPassword:
        MailLetter(
          subject: "Ihr Konto bei {{app_name}} ist bereit", heading: "Wählen Sie Ihr Passwort",
          lead: ["Für Sie wurde ein Konto bei {{app_name}} angelegt. Wählen Sie ein Passwort, um zu beginnen."],
          button: "Passwort wählen",
          closing: [
            "Wenn Sie das nicht erwartet haben, ignorieren Sie diese E-Mail: Ohne Passwort kann niemand das Konto nutzen."
          ])
      case .changeEmailConfirm:
        MailLetter(
          subject: "Bestätigen Sie Ihre neue E-Mail-Adresse für {{app_name}}",
          heading: "Bestätigen Sie Ihre neue Adresse",
          lead: [
            "Sie möchten {{#new_email}}{{new_email}}{{/new_email}}{{^new_email}}{{email}}{{/new_email}} für Ihr Konto "
              + "bei {{app_name}} verwenden. Bitte bestätigen Sie, dass es Ihre Adresse ist."
          ],
          button: "Neue Adresse bestätigen",
          closing: [
            "Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail: Ohne Ihre Bestätigung ändert sich nichts."
          ])
      case .reauthenticate:
        MailLetter(
          subject: "Ihr Code für {{app_name}}", heading: "Bestätigen Sie, dass Sie es sind",
          lead: [
            "Jemand, hoffentlich Sie, ist in Ihrem Konto bei {{app_name}} angemeldet und möchte bestätigen, dass Sie es "
              + "sind."
          ],
          button: "{{app_name}} öffnen",
          closing: [
            "Wenn Sie das nicht angefordert haben, geben Sie den Code niemandem, melden Sie in {{app_name}} alle Geräte "
              + "ab und melden Sie sich neu an."
          ])
      case .changeEmailNotice:
        MailLetter(
          subject: "Die E-Mail-Adresse Ihres Kontos bei {{app_name}} wird geändert",
          heading: "Ihre Adresse wird geändert",
          lead: [
            "Jemand, hoffentlich Sie, möchte die E-Mail-Adresse Ihres Kontos bei {{app_name}}"
              + "{{#new_email}} in {{new_email}}{{/new_email}} ändern.", "{{#when}}Wann: {{when}}{{/when}}",
            "Wenn Sie das waren, ist nichts zu tun.",
          ],
          button: "{{#link_expires}}Änderung rückgängig machen{{/link_expires}}"
            + "{{^link_expires}}Passwort zurücksetzen{{/link_expires}}",
          closing: [
            "Wenn Sie das nicht angefordert haben, {{#link_expires}}machen Sie es mit dem Link oben rückgängig und "
              + "{{/link_expires}}ändern Sie sofort Ihr Passwort."
          ])
      case .changeEmailUndone:
        MailLetter(
          subject: "Die Adresse Ihres Kontos bei {{app_name}} wurde zurückgeändert",
          heading: "Die Adresse wurde zurückgeändert",
          lead: [
            "Ein Konto bei {{app_name}}, das {{email}} verwendete, verwendet wieder seine frühere Adresse. "
              + "Von dieser Adresse aus wurde die Änderung rückgängig gemacht, und alle Sitzungen wurden beendet.",
            "{{#when}}Wann: {{when}}{{/when}}",
          ],
          button: "{{app_name}} öffnen",
          closing: [
            "Wenn das Konto Ihnen gehört, melden Sie sich mit der früheren Adresse an oder setzen Sie dort das Passwort "
              + "zurück.",
            "Wenn Sie davon nichts wissen, ignorieren Sie diese E-Mail.",
          ])
      case .passwordChanged:
        MailLetter(
          subject: "Ihr Passwort für {{app_name}} wurde geändert", heading: "Ihr Passwort wurde geändert",
          lead: [
            "Das Passwort Ihres Kontos bei {{app_name}} wurde geändert.", "{{#when}}Wann: {{when}}{{/when}}",
            "{{#device}}Gerät: {{device}}{{/device}}", "Wenn Sie das waren, ist nichts zu tun.",
          ],
          button: "Passwort zurücksetzen",
          closing: [
            "Wenn Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück"
              + "{{#support_email}} und schreiben Sie an {{support_email}}{{/support_email}}."
          ])
      case .signUpAttempt:
        MailLetter(
          subject: "Sie haben schon ein Konto bei {{app_name}}", heading: "Sie haben schon ein Konto",
          lead: [
            "Jemand, hoffentlich Sie, wollte sich bei {{app_name}} mit {{email}} registrieren. "
              + "Zu dieser Adresse gibt es schon ein Konto, daher wurde kein neues angelegt.",
            "Melden Sie sich mit Ihrem Passwort an, oder setzen Sie es zurück, wenn Sie es nicht mehr wissen.",
          ],
          button: "Weiter zu {{app_name}}",
          closing: [
            "Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail: Nichts wurde geändert, und niemand hat "
              + "sich angemeldet."
          ])
      case .newDevice:
        MailLetter(
          subject: "Neue Anmeldung in Ihrem Konto bei {{app_name}}", heading: "Neue Anmeldung",
          lead: [
            "Ihr Konto bei {{app_name}} wurde auf einem Gerät verwendet, das wir bisher nicht kannten.",
            "{{#device}}Gerät: {{device}}{{/device}}", "{{#place}}Ort: bei {{place}}{{/place}}",
            "{{#when}}Wann: {{when}}{{/when}}", "Wenn Sie das waren, ist nichts zu tun.",
          ],
          button: "Ihre Geräte prüfen",
          closing: [
            "Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort und beenden Sie die Sitzungen, die Sie nicht kennen."
          ])
      case .providerLinked:
        MailLetter(
          subject: "{{provider}} wurde mit Ihrem Konto bei {{app_name}} verbunden",
          heading: "{{provider}} ist verbunden",
          lead: [
            "Ein Konto bei {{provider}} wurde mit Ihrem Konto bei {{app_name}} verbunden.",
            "{{#when}}Wann: {{when}}{{/when}}", "Wenn Sie das waren, ist nichts zu tun.",
          ],
          button: "Ihre Verbindungen prüfen",
          closing: ["Wenn Sie das nicht waren, trennen Sie es in {{app_name}} und ändern Sie sofort Ihr Passwort."])
      case .providerUnlinked:
        MailLetter(
          subject: "{{provider}} wurde von Ihrem Konto bei {{app_name}} getrennt",
          heading: "{{provider}} ist getrennt",
          lead: [
            "Ihr Konto bei {{provider}} ist nicht mehr mit Ihrem Konto bei {{app_name}} verbunden.",
            "{{#when}}Wann: {{when}}{{/when}}", "Wenn Sie das waren, ist nichts zu tun.",
          ],
          button: "Ihre Verbindungen prüfen",
          closing: ["Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort."])
      case .providerLinkBroken:
        MailLetter(
          subject: "Verbinden Sie {{provider}} erneut mit {{app_name}}", heading: "Verbinden Sie {{provider}} erneut",
          lead: [
            "{{provider}} gibt {{app_name}} nicht mehr den ganzen Zugriff, den es für Sie braucht.",
            "{{#when}}Wann: {{when}}{{/when}}", "Öffnen Sie {{app_name}} und verbinden Sie {{provider}} erneut.",
          ],
          button: "Erneut verbinden",
          closing: ["Wenn Sie den Zugriff selbst zurückgenommen haben, ist nichts zu tun."])
      case .accountReclaimed:
        MailLetter(
          subject: "{{provider}} meldet Sie bei {{app_name}} an", heading: "Mit {{provider}} angemeldet",
          lead: [
            "In Ihrem Konto bei {{app_name}} wurde sich mit {{provider}} angemeldet. Die Adresse {{email}} war vorher "
              + "nicht bestätigt; {{provider}} hat sie bestätigt.",
            "Das alte Passwort gilt nicht mehr. Geräte und Verbindungen von vorher wurden entfernt.",
            "{{#when}}Wann: {{when}}{{/when}}", "Wenn Sie das waren, ist nichts zu tun.",
          ],
          button: "Ihre Verbindungen prüfen",
          closing: [
            "Wenn Sie das nicht waren, sichern Sie sofort Ihr Konto bei {{provider}}"
              + "{{#support_email}} und schreiben Sie an {{support_email}}{{/support_email}}."
          ])
      case .accountDeleted:
        MailLetter(
          subject: "Ihr Konto bei {{app_name}} wurde gelöscht", heading: "Ihr Konto wurde gelöscht",
          lead: [
            "Das Konto von {{email}} bei {{app_name}} wurde mit allem, was dazugehört, gelöscht. Es kann nicht "
              + "wiederhergestellt werden.",
            "{{#when}}Wann: {{when}}{{/when}}", "Wenn Sie das waren, ist nichts zu tun.",
          ],
          button: "{{app_name}} öffnen",
          closing: [
            "Wenn Sie davon nichts wissen, ändern Sie das Passwort Ihres Postfachs"
              + "{{#support_email}} und schreiben Sie an {{support_email}}{{/support_email}}."
          ])
      case .factorAdded:
        MailLetter(
          subject: "Zu Ihrem Konto bei {{app_name}} kam ein zweiter Schritt hinzu",
          heading: "Zweiter Schritt hinzugefügt",
          lead: [
            "Zu Ihrem Konto bei {{app_name}} wurde eine Authenticator-App oder ein Passkey hinzugefügt. Bei der Anmeldung "
              + "kann ab jetzt danach gefragt werden.", "{{#when}}Wann: {{when}}{{/when}}",
            "Wenn Sie das waren, ist nichts zu tun.",
          ],
          button: "Ihr Konto prüfen",
          closing: [
            "Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort, entfernen Sie den neuen Schritt in {{app_name}}"
              + "{{#support_email}} und schreiben Sie an {{support_email}}{{/support_email}}."
          ])
      case .factorRemoved:
        MailLetter(
          subject: "Ein zweiter Schritt wurde aus Ihrem Konto bei {{app_name}} entfernt",
          heading: "Zweiter Schritt entfernt",
          lead: [
            "Eine Authenticator-App oder ein Passkey wurde aus Ihrem Konto bei {{app_name}} entfernt. Bei der Anmeldung "
              + "wird nicht mehr danach gefragt.", "{{#when}}Wann: {{when}}{{/when}}",
            "Wenn Sie das waren, ist nichts zu tun.",
          ],
          button: "Ihr Konto prüfen",
          closing: [
            "Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort"
              + "{{#support_email}} und schreiben Sie an {{support_email}}{{/support_email}}."
          ])
      case .factorLost:
        MailLetter(
          subject: "Ein verlorenes Gerät wurde aus Ihrem Konto bei {{app_name}} entfernt",
          heading: "Verlorenes Gerät entfernt",
          lead: [
            "Der Passkey oder die Authenticator-App eines verlorenen Geräts wurde aus Ihrem Konto bei {{app_name}} "
              + "entfernt und öffnet nichts mehr.", "{{#when}}Wann: {{when}}{{/when}}",
            "Wenn Sie das waren, ist nichts zu tun.",
          ],
          button: "Ihr Konto prüfen",
          closing: [
            "Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort"
              + "{{#support_email}} und schreiben Sie an {{support_email}}{{/support_email}}."
          ])
      case .passkeyUnsynced:
        MailLetter(
          subject: "Ein Passkey Ihres Kontos bei {{app_name}} wird nicht mehr synchronisiert",
          heading: "Passkey nicht mehr synchronisiert",
          lead: [
            "Ein Passkey Ihres Kontos bei {{app_name}} liegt jetzt nur noch auf einem Gerät. Ohne dieses Gerät ist er "
              + "verloren.", "{{#when}}Wann: {{when}}{{/when}}",
            "Fügen Sie einen weiteren Passkey hinzu, oder bewahren Sie Wiederherstellungscodes sicher auf.",
          ],
          button: "Ihr Konto prüfen",
          closing: [
            "Wenn Sie diesen Passkey nicht kennen, entfernen Sie ihn in {{app_name}}"
              + "{{#support_email}} und schreiben Sie an {{support_email}}{{/support_email}}."
          ])
      case .recoveryCodesMade:
        MailLetter(
          subject: "Neue Wiederherstellungscodes für Ihr Konto bei {{app_name}}",
          heading: "Neue Wiederherstellungscodes",
          lead: [
            "Für Ihr Konto bei {{app_name}} wurden Wiederherstellungscodes erstellt. Frühere Codes gelten nicht mehr.",
            "{{#when}}Wann: {{when}}{{/when}}", "Wenn Sie das waren, ist nichts zu tun.",
          ],
          button: "Ihr Konto prüfen",
          closing: [
            "Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort, erstellen Sie neue Codes in {{app_name}}"
              + "{{#support_email}} und schreiben Sie an {{support_email}}{{/support_email}}."
          ])
      case .recoveryCodeUsed:
        MailLetter(
          subject: "Ein Wiederherstellungscode Ihres Kontos bei {{app_name}} wurde verwendet",
          heading: "Wiederherstellungscode verwendet",
          lead: [
            "Ein Wiederherstellungscode wurde als zweiter Schritt Ihres Kontos bei {{app_name}} verwendet. Jeder Code gilt "
              + "einmal.", "{{#when}}Wann: {{when}}{{/when}}", "{{#device}}Gerät: {{device}}{{/device}}",
            "Wenn Sie das waren, ist nichts zu tun.",
          ],
          button: "Ihr Konto prüfen",
          closing: [
            "Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort, erstellen Sie neue Codes in {{app_name}}"
              + "{{#support_email}} und schreiben Sie an {{support_email}}{{/support_email}}."
          ])
      case .mfaReset:
        MailLetter(
          subject: "Der zweite Schritt Ihres Kontos bei {{app_name}} wurde zurückgesetzt",
          heading: "Zweiter Schritt zurückgesetzt",
          lead: [
            "Ein Betreiber von {{app_name}} hat alle zweiten Schritte und Wiederherstellungscodes aus Ihrem Konto entfernt "
              + "und alle Sitzungen beendet.", "{{#when}}Wann: {{when}}{{/when}}",
            "Wenn Sie darum gebeten haben, melden Sie sich an und fügen Sie wieder einen zweiten Schritt hinzu.",
          ],
          button: "Anmelden",
          closing: [
            "Wenn Sie nicht darum gebeten haben, ändern Sie sofort Ihr Passwort"
              + "{{#support_email}} und schreiben Sie an {{support_email}}{{/support_email}}."
          ])
      case .test:
        MailLetter(
          subject: "Ein Test von {{app_name}}", heading: "E-Mail funktioniert",
          lead: ["Das ist ein Test. Wenn Sie ihn lesen können, kann {{app_name}} E-Mails senden."],
          button: "{{app_name}} öffnen",
          closing: ["Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail."])
      }
    })
}
