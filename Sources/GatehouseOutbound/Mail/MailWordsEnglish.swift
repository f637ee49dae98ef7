import GatehouseIdentity
import GatehousePolicy

extension MailWords {
  static let english = MailWords(
    language: .english,
    greeting: "Hello{{#name}} {{name}}{{/name}},",
    linkHint: "If the button does not work, copy this link into your browser:",
    linkExpires: "The link works for {{link_expires}} and can be used once.",
    codeSubject: "{{code}} is your {{app_name}} code",
    codeAlone: "Your code:",
    codeToo: "Or type this code where you asked for it:",
    codeExpires: "The code works for {{code_expires}} and can be used once.",
    codeWarning: "Do not share it. {{app_name}} never asks you for it.",
    footer: [
      "{{app_name}} sent this mail to {{email}}.",
      "{{#support_email}}Questions? Write to {{support_email}}.{{/support_email}}",
    ],
    terms: "Terms of service", privacy: "Privacy policy",
    minute: CountedWords(one: "1 minute", other: "# minutes"), hour: CountedWords(one: "1 hour", other: "# hours"),
    day: CountedWords(one: "1 day", other: "# days"),
    letter: { kind in
      switch kind {
      case .verifyEmail:
        MailLetter(
          subject: "Confirm your email address for {{app_name}}", heading: "Confirm your email address",
          lead: ["Please confirm that {{email}} is your address, so that you can use {{app_name}}."],
          button: "Confirm address",
          closing: ["If you did not ask for this, ignore this mail: without your confirmation nothing happens."])
      case .resetPassword:
        MailLetter(
          subject: "Reset your {{app_name}} password", heading: "Reset your password",
          lead: ["Someone, hopefully you, asked to reset the password of your {{app_name}} account."],
          button: "Choose a new password",
          closing: ["If you did not ask for this, ignore this mail: your password stays as it is."])
      case .setPassword:
        MailLetter(
          subject: "Your {{app_name}} account is ready", heading: "Choose your password",
          lead: ["An account at {{app_name}} was made for you. Choose a password to begin."],
          button: "Choose a password",
          closing: ["If you did not expect this, ignore this mail: without a password, no one can use the account."])
      case .changeEmailConfirm:
        MailLetter(
          subject: "Confirm your new email address for {{app_name}}", heading: "Confirm your new address",
          lead: [
            "You asked to use {{#new_email}}{{new_email}}{{/new_email}}{{^new_email}}{{email}}{{/new_email}} for your "
              + "{{app_name}} account. Please confirm that it is yours."
          ],
          button: "Confirm new address",
          closing: ["If you did not ask for this, ignore this mail: nothing changes without your confirmation."])
      case .reauthenticate:
        MailLetter(
          subject: "Your {{app_name}} code", heading: "Confirm it is you",
          lead: [
            "Someone, hopefully you, is signed in to your {{app_name}} account and wants to confirm that it is you."
          ],
          button: "Open {{app_name}}",
          closing: [
            "If you did not ask for this, give the code to no one, sign out of all devices in {{app_name}}, and "
              + "sign in again."
          ])
      case .changeEmailNotice:
        MailLetter(
          subject: "The email address of your {{app_name}} account is changing", heading: "Your address is changing",
          lead: [
            "Someone, hopefully you, asked to change the email address of your {{app_name}} account"
              + "{{#new_email}} to {{new_email}}{{/new_email}}.", "{{#when}}When: {{when}}{{/when}}",
            "If this was you, there is nothing to do.",
          ],
          button: "{{#link_expires}}Undo the change{{/link_expires}}{{^link_expires}}Reset password{{/link_expires}}",
          closing: [
            "If you did not ask for this, {{#link_expires}}undo it with the link above and {{/link_expires}}change your password at once."
          ])
      case .changeEmailUndone:
        MailLetter(
          subject: "The address of your {{app_name}} account was changed back", heading: "The address was changed back",
          lead: [
            "A {{app_name}} account that used {{email}} uses its former address again. "
              + "The reader of that address undid the change, and every session was ended.",
            "{{#when}}When: {{when}}{{/when}}",
          ],
          button: "Open {{app_name}}",
          closing: [
            "If the account is yours, sign in with the former address, or reset its password there.",
            "If you know nothing of this, ignore this mail.",
          ])
      case .passwordChanged:
        MailLetter(
          subject: "Your {{app_name}} password was changed", heading: "Your password was changed",
          lead: [
            "The password of your {{app_name}} account was changed.", "{{#when}}When: {{when}}{{/when}}",
            "{{#device}}Device: {{device}}{{/device}}", "If this was you, there is nothing to do.",
          ],
          button: "Reset password",
          closing: [
            "If you did not do this, reset your password at once"
              + "{{#support_email}} and write to {{support_email}}{{/support_email}}."
          ])
      case .signUpAttempt:
        MailLetter(
          subject: "You already have a {{app_name}} account", heading: "You already have an account",
          lead: [
            "Someone, hopefully you, tried to sign up at {{app_name}} with {{email}}. "
              + "This address has an account already, so no new one was made.",
            "To sign in, use your password, or reset it if you no longer know it.",
          ],
          button: "Continue to {{app_name}}",
          closing: ["If you did not ask for this, ignore this mail: nothing was changed and no one signed in."])
      case .newDevice:
        MailLetter(
          subject: "New sign-in to your {{app_name}} account", heading: "New sign-in",
          lead: [
            "Your {{app_name}} account was used on a device that we have not seen before.",
            "{{#device}}Device: {{device}}{{/device}}", "{{#place}}Place: near {{place}}{{/place}}",
            "{{#when}}When: {{when}}{{/when}}",
            "If this was you, there is nothing to do.",
          ],
          button: "Review your devices",
          closing: ["If this was not you, change your password at once and end the sessions you do not know."])
      case .providerLinked:
        MailLetter(
          subject: "{{provider}} was connected to your {{app_name}} account", heading: "{{provider}} is connected",
          lead: [
            "An account at {{provider}} was connected to your {{app_name}} account.",
            "{{#when}}When: {{when}}{{/when}}",
            "If this was you, there is nothing to do.",
          ],
          button: "Review your connections",
          closing: ["If this was not you, disconnect it in {{app_name}} and change your password at once."])
      case .providerUnlinked:
        MailLetter(
          subject: "{{provider}} was disconnected from your {{app_name}} account",
          heading: "{{provider}} is disconnected",
          lead: [
            "Your account at {{provider}} is not connected to your {{app_name}} account any more.",
            "{{#when}}When: {{when}}{{/when}}", "If this was you, there is nothing to do.",
          ],
          button: "Review your connections",
          closing: ["If this was not you, change your password at once."])
      case .providerLinkBroken:
        MailLetter(
          subject: "Connect {{provider}} to {{app_name}} again", heading: "Connect {{provider}} again",
          lead: [
            "{{provider}} does not give {{app_name}} all the access any more that it needs for you.",
            "{{#when}}When: {{when}}{{/when}}", "Open {{app_name}} and connect {{provider}} again.",
          ],
          button: "Connect again",
          closing: ["If you took the access back yourself, there is nothing to do."])
      case .accountReclaimed:
        MailLetter(
          subject: "{{provider}} signs you in to {{app_name}}", heading: "Signed in with {{provider}}",
          lead: [
            "Your {{app_name}} account was signed in to with {{provider}}. Its address {{email}} had not been confirmed "
              + "before; {{provider}} confirmed it.",
            "The old password is gone: it does not open the account any more. Devices and connections of before "
              + "were removed.",
            "{{#when}}When: {{when}}{{/when}}", "If this was you, there is nothing to do.",
          ],
          button: "Review your connections",
          closing: [
            "If this was not you, secure your account at {{provider}} at once"
              + "{{#support_email}} and write to {{support_email}}{{/support_email}}."
          ])
      case .accountDeleted:
        MailLetter(
          subject: "Your {{app_name}} account was deleted", heading: "Your account was deleted",
          lead: [
            "The {{app_name}} account of {{email}} was deleted, with all that belongs to it. It cannot be restored.",
            "{{#when}}When: {{when}}{{/when}}", "If this was you, there is nothing to do.",
          ],
          button: "Open {{app_name}}",
          closing: [
            "If you know nothing of this, change the password of your mailbox"
              + "{{#support_email}} and write to {{support_email}}{{/support_email}}."
          ])
      case .factorAdded:
        MailLetter(
          subject: "A second step was added to your {{app_name}} account", heading: "Second step added",
          lead: [
            "An authenticator app or a passkey was added to your {{app_name}} account. Signing in can ask for it from "
              + "now on.", "{{#when}}When: {{when}}{{/when}}", "If this was you, there is nothing to do.",
          ],
          button: "Review your account",
          closing: [
            "If this was not you, change your password at once, remove the new step in {{app_name}}"
              + "{{#support_email}} and write to {{support_email}}{{/support_email}}."
          ])
      case .factorRemoved:
        MailLetter(
          subject: "A second step was removed from your {{app_name}} account", heading: "Second step removed",
          lead: [
            "An authenticator app or a passkey was removed from your {{app_name}} account. Signing in does not ask for "
              + "it any more.", "{{#when}}When: {{when}}{{/when}}", "If this was you, there is nothing to do.",
          ],
          button: "Review your account",
          closing: [
            "If this was not you, change your password at once"
              + "{{#support_email}} and write to {{support_email}}{{/support_email}}."
          ])
      case .factorLost:
        MailLetter(
          subject: "A lost device was removed from your {{app_name}} account", heading: "Lost device removed",
          lead: [
            "The passkey or authenticator app of a device that is lost was removed from your {{app_name}} account. It "
              + "opens nothing any more.", "{{#when}}When: {{when}}{{/when}}",
            "If this was you, there is nothing to do.",
          ],
          button: "Review your account",
          closing: [
            "If this was not you, change your password at once"
              + "{{#support_email}} and write to {{support_email}}{{/support_email}}."
          ])
      case .passkeyUnsynced:
        MailLetter(
          subject: "A passkey of your {{app_name}} account is no longer synced", heading: "Passkey no longer synced",
          lead: [
            "A passkey of your {{app_name}} account is on one device alone now. Without that device it is lost.",
            "{{#when}}When: {{when}}{{/when}}", "Add another passkey, or keep recovery codes in a safe place.",
          ],
          button: "Review your account",
          closing: [
            "If you do not know of this passkey, remove it in {{app_name}}"
              + "{{#support_email}} and write to {{support_email}}{{/support_email}}."
          ])
      case .recoveryCodesMade:
        MailLetter(
          subject: "New recovery codes for your {{app_name}} account", heading: "New recovery codes",
          lead: [
            "Recovery codes were made for your {{app_name}} account. Codes made before do not work any more.",
            "{{#when}}When: {{when}}{{/when}}", "If this was you, there is nothing to do.",
          ],
          button: "Review your account",
          closing: [
            "If this was not you, change your password at once, make new codes in {{app_name}}"
              + "{{#support_email}} and write to {{support_email}}{{/support_email}}."
          ])
      case .recoveryCodeUsed:
        MailLetter(
          subject: "A recovery code of your {{app_name}} account was used", heading: "Recovery code used",
          lead: [
            "A recovery code was used as the second step of your {{app_name}} account. Each code works once.",
            "{{#when}}When: {{when}}{{/when}}", "{{#device}}Device: {{device}}{{/device}}",
            "If this was you, there is nothing to do.",
          ],
          button: "Review your account",
          closing: [
            "If this was not you, change your password at once, make new codes in {{app_name}}"
              + "{{#support_email}} and write to {{support_email}}{{/support_email}}."
          ])
      case .mfaReset:
        MailLetter(
          subject: "The second step of your {{app_name}} account was reset", heading: "Second step reset",
          lead: [
            "An operator of {{app_name}} removed all second steps and recovery codes from your account, and ended all "
              + "its sessions.", "{{#when}}When: {{when}}{{/when}}",
            "If you asked for this, sign in and add a second step again.",
          ],
          button: "Sign in",
          closing: [
            "If you did not ask for this, change your password at once"
              + "{{#support_email}} and write to {{support_email}}{{/support_email}}."
          ])
      case .test:
        MailLetter(
          subject: "A test from {{app_name}}", heading: "Mail works",
          lead: ["This is a test. If you can read it, {{app_name}} can send mail."],
          button: "Open {{app_name}}", closing: ["If you did not ask for this, ignore this mail."])
      }
    })
}
