import GatehousePolicy
import GatehouseWire

extension LinkWords {
  static let english = LinkWords(
    newPassword: "New password",
    chosenPassword: "The password you chose", wrongPassword: "This is not the right password.",
    missingPassword: "Type the password.", typed: "These details were entered at sign-up:",
    otherPassword: "Not you?",
    otherLead: "You can still keep the account and the details above if you choose another password. The password from "
      + "the sign-up will not work. If you do not want the account, close this page: nothing changes.",
    takeOver: "Use my own password", user: "Account:",
    undoWord: UndoWord(word: "UNDO", label: "Type UNDO to go on", missing: "Type the word UNDO."),
    forms: { page, address, app in
      switch page {
      case .verifyEmail:
        LinkTexts(
          title: "Verify your email", lead: "Press the button to confirm that \(address) is your address.",
          button: "Verify my email", doneTitle: "Email verified",
          done: "Your email is verified. You can close this page and go back to \(app).")
      case .resetPassword:
        LinkTexts(
          title: "Choose a new password", lead: "It replaces the old one and signs you out on every device.",
          button: "Save the new password", doneTitle: "Password saved",
          done: "You can close this page and sign in to \(app) with your new password.")
      case .confirmEmail:
        LinkTexts(
          title: "Confirm your new email address",
          lead: "Press the button to use \(address) for your \(app) account from now on.",
          button: "Use this email address", doneTitle: "Email address changed",
          done: "Your new email address is in use. You can close this page and go back to \(app).")
      case .undoEmail:
        LinkTexts(
          title: "Keep your old email address",
          lead:
            "If you did not change the email address of your \(app) account, undo the change: \(address) is used again, "
            + "and every device is signed out.",
          button: "Undo the change", doneTitle: "Change undone",
          done:
            "Your old email address is back. Choose a new password in \(app) now: someone else may know the old one.")
      }
    },
    withPassword: { page, address, app in
      page == .confirmEmail
        ? "Type the password of your \(app) account to use \(address) from now on. "
          + "If you did not ask for this, close this page: nothing happens."
        : "Type the password of your \(app) account to confirm that \(address) is your address. "
          + "If you made no account, close this page: nothing happens."
    },
    inApp: { app in
      "Your account has no password. Open \(app), sign in there, and confirm the address in the app."
    },
    signUp: { address, app in
      LinkTexts(
        title: "Finish your sign-up",
        lead: "Someone asked for a \(app) account with \(address). If it was you, type the password that you chose.",
        button: "Verify my email", doneTitle: "Email verified",
        done: "Your account is ready. You can close this page and sign in to \(app).")
    },
    firstPassword: { app in
      LinkTexts(
        title: "Choose your password", lead: "Your \(app) account is ready. It only needs a password.",
        button: "Save my password", doneTitle: "Password saved",
        done: "You can close this page and sign in to \(app) with your new password.")
    },
    refusals: { code in
      switch code {
      case .codeExpired: ("This link has expired", "Links work for a limited time. Ask for a new one.")
      case .codeUsed:
        (
          "This link was already used",
          "If it was you, there is nothing left to do: go back to the app. If not, ask for a new link."
        )
      case .codeInvalid:
        (
          "This link does not work",
          "It may be incomplete, or a newer email has replaced it. Open your newest email, or ask for a new link."
        )
      case .accountExists, .conflict:
        ("This email is already in use", "Another account uses it. Choose another email address.")
      case .rateLimited, .tooManyAttempts, .cooldown:
        ("Too many requests", "Wait a little, then open the link in your email again.")
      default: (code.entry.title.en, nil)
      }
    },
    noLink: (
      "This page needs a link",
      "Open the link in your email, or ask for a new one."
    ), another: "Send a new link")
}
