/// The parts of a page or mail that a tenant can word.
public enum TextPart: String, Sendable, Hashable, CaseIterable {
  /// Of a mail. A code stands before it.
  case subject
  case heading
  /// The sentence below the heading. Sentences that tell an address or a time stay.
  case lead
  /// The button that the page or mail is for.
  case button
}

extension Messages {
  /// The hosted pages that have own words.
  public enum Page: String, Sendable, Hashable, CaseIterable {
    case signIn = "sign_in"
    /// The page that asks for a second factor.
    case secondStep = "second_step"
    case signUp = "sign_up"
    /// The page that waits for the code of a mail.
    case checkEmail = "check_email"
    case forgotPassword = "forgot_password"
    /// The page that waits for the code of a reset.
    case resetCode = "reset_code"
    case newPassword = "new_password"
    /// The page that asks for fields that are missing.
    case complete
    /// The page that asks for an account at a provider.
    case connect
    case account
    case profile
    case changePassword = "change_password"
    /// The page of an account without a password.
    case setPassword = "set_password"
    /// The page of second factors.
    case factors
    case changeEmail = "change_email"
    case devices
    case connections
    case export
    case delete
    case reauthenticate
    /// The last page on the way to the app.
    case `continue`
    case signOut = "sign_out"
    case signedOut = "signed_out"
    /// Warnings of the policy after a sign-in.
    case advice
    case verifyEmailLink = "verify_email_link"
    case resetPasswordLink = "reset_password_link"
    case confirmEmailLink = "confirm_email_link"
    case undoEmailLink = "undo_email_link"

    /// The parts that the page has. Pages with several buttons, or with a provider's, have no button of their own.
    public var parts: [TextPart] {
      switch self {
      case .connect, .account, .factors, .devices, .connections, .signedOut, .advice: [.heading, .lead]
      default: [.heading, .lead, .button]
      }
    }
  }

  /// The mails that have own words, by the names of their templates.
  public enum Mail: String, Sendable, Hashable, CaseIterable {
    case verifyEmail = "verify_email"
    case resetPassword = "reset_password"
    case setPassword = "set_password"
    case changeEmailConfirm = "change_email_confirm"
    case reauthenticate
    case changeEmailNotice = "change_email_notice"
    case changeEmailUndone = "change_email_undone"
    case passwordChanged = "password_changed"
    case signUpAttempt = "sign_up_attempt"
    case newDevice = "new_device"
    case providerLinked = "provider_linked"
    case providerUnlinked = "provider_unlinked"
    case providerLinkBroken = "provider_link_broken"
    case accountReclaimed = "account_reclaimed"
    case accountDeleted = "account_deleted"
    case factorAdded = "factor_added"
    case factorRemoved = "factor_removed"
    case factorLost = "factor_lost"
    case passkeyUnsynced = "passkey_unsynced"
    case recoveryCodesMade = "recovery_codes_made"
    case recoveryCodeUsed = "recovery_code_used"
    case mfaReset = "mfa_reset"
  }

  /// The tenant's text for a part of a page in this language; nil where it has none.
  public func text(_ part: TextPart, of page: Page, in language: String, app: String) -> String? {
    Self.filled(pages[page]?[part]?.text(for: language), app: app)
  }

  /// The tenant's text for a part of a mail in this language; nil where it has none.
  public func text(_ part: TextPart, of mail: Mail, in language: String, app: String) -> String? {
    Self.filled(mails[mail]?[part]?.text(for: language), app: app)
  }

  /// The mark that stands for the app's name in own words of pages and mails.
  public static let appMark = "{app}"

  private static func filled(_ text: String?, app: String) -> String? {
    text.map { $0.replacing(appMark, with: app) }
  }
}
