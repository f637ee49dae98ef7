/// Where a person goes next: one function of what is proven, what the policy asks for, and where the way ends. No page
/// chooses its successor.
enum Way {
  enum Stop: Equatable {
    /// A page, below `/ui`.
    case page(String)
    /// Back to the app that began.
    case leave(Flow.Target)
  }

  /// The steps after all that is missing, which may wait: a look at the second factors, a passkey, and a better
  /// password.
  static let factors = "factors"
  static let passkey = "add_passkey"
  static let advice = "advice"

  /// `next` is what is missing for full access, as the API says it; nil where no one is signed in.
  static func next(_ next: [String]?, ending: Flow.Return) -> Stop {
    guard let next else { return .page(PagePath.signIn) }
    for step in PageTable.steps {
      if let need = next.first(where: step.isFor) { return .page(step.page(need)) }
    }
    return switch ending {
    case .account(let page): .page(page)
    case .target(let target): .leave(target)
    }
  }
}

/// Where the pages are, below `/ui`.
enum PagePath {
  static let signIn = "sign-in"
  static let secondStep = "second-step"
  static let signUp = "sign-up"
  static let checkMail = "check-mail"
  static let forgot = "forgot"
  static let reset = "reset"
  static let complete = "complete"
  static let connect = "connect"
  static let reauthenticate = "reauthenticate"
  static let proceed = "continue"
  static let account = "account"
  static let profile = "account/profile"
  static let password = "account/password"
  static let advice = "advice"
  static let passkey = "add-passkey"
  static let email = "account/email"
  static let factors = "account/factors"
  static let devices = "account/devices"
  static let connections = "account/connections"
  static let delete = "account/delete"
  static let export = "account/export"
  static let signOut = "sign-out"
  static let signedOut = "signed-out"
}
