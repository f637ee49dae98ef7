/// A second factor of an account.
package struct FactorRecord: Codable, Hashable, Sendable {
  /// The factor's id.
  package var id: String
  /// `totp`: an authenticator app; `passkey`. A newer server may have others.
  package var type: String
  /// The name that its owner gave it.
  package var name: String?
  /// When it was added.
  package var createdAt: Timestamp
  /// When it last proved who its owner is.
  package var lastUsedAt: Timestamp?
  /// Of a passkey: whether copies of it are kept elsewhere, as its authenticator says.
  package var synced: Bool?

  package init(
    id: String, type: String, name: String?, createdAt: Timestamp, lastUsedAt: Timestamp?, synced: Bool? = nil
  ) {
    (self.id, self.type, self.name, self.createdAt, self.lastUsedAt) = (id, type, name, createdAt, lastUsedAt)
    self.synced = synced
  }
}

/// The recovery codes of an account.
package struct RecoveryCodeCount: Codable, Hashable, Sendable {
  /// The codes that were not used.
  package var left: Int

  package init(left: Int) { self.left = left }
}

/// Completes a sign-in that waits for a second factor.
package enum VerifyFactorEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/mfa/verify", 200, "Complete a sign-in with a second factor",
    refuses: .arrival + [.notFound, .codeInvalid, .passkeyInvalid, .codeExpired, .providerAccountTaken])
  package static let details: String? =
    "The answer mfa_required of a sign-in has the challenge_id. A wrong code is refused with code_invalid, and the next try may "
    + "follow under the same challenge_id. It ends after five tries, after its time, and with the sign-in: code_expired then, and the "
    + "sign-in begins again. A code of an authenticator app is taken once."

  package struct Input: Codable, Hashable, Sendable {
    /// The `challenge_id` of the answer `mfa_required`.
    package var challengeID: String
    /// Six digits of an authenticator app.
    package var totp: String?
    /// A recovery code. Case, spaces and hyphens do not matter.
    package var recoveryCode: String?
    /// `AuthenticationResponseJSON` of WebAuthn, by the options `passkey` of the challenge.
    package var passkey: AuthenticationAnswer?
    /// Whether sign-ins on this device ask for no second factor for as long as the policy allows.
    package var rememberDevice: Bool?

    package init(
      challengeID: String, totp: String? = nil, recoveryCode: String? = nil, passkey: AuthenticationAnswer? = nil,
      rememberDevice: Bool? = nil
    ) {
      self.passkey = passkey
      (self.challengeID, self.totp, self.recoveryCode) = (challengeID, totp, recoveryCode)
      self.rememberDevice = rememberDevice
    }
  }

  package typealias Output = SessionAnswer
}

/// Lists the second factors of the caller's account.
package enum ListFactorsEndpoint: Endpoint {
  package static let row = EndpointRow(.get, "/v1/me/factors", 200, "List your second factors")

  package typealias Input = Nothing

  package struct Output: Codable, Hashable, Sendable {
    /// The factors, oldest first.
    package var items: [FactorRecord]
    package var recoveryCodes: RecoveryCodeCount
    /// Whether the policy demands a second factor of the person.
    package var required: Bool
    /// Where the person has not the factor that is demanded: when access becomes limited. Of a demand that is to come,
    /// its first day.
    package var due: Timestamp?
    /// The passkeys that the account has, for the person's passkey manager. Absent where the tenant has no relying
    /// party, and from earlier servers.
    package var signal: PasskeySignal?

    package init(
      items: [FactorRecord], recoveryCodes: RecoveryCodeCount, required: Bool = false, due: Timestamp? = nil,
      signal: PasskeySignal? = nil
    ) {
      (self.items, self.recoveryCodes, self.required, self.due) = (items, recoveryCodes, required, due)
      self.signal = signal
    }
  }
}

/// Begins to add an authenticator app.
package enum StartTOTPEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/me/factors/totp", 200, "Begin to add an authenticator app",
    refuses: [.notFound, .reauthenticationRequired, .conflict])
  package static let details: String? =
    "Demands a fresh proof: one of the last five minutes, by a second factor where the account has one. Where the policy has no such "
    + "factor, the answer is not_found. The app is a factor once POST /v1/me/factors/totp/confirm has its first code."

  package struct Input: Codable, Hashable, Sendable {
    /// A name for the list of factors.
    package var name: String?

    package init(name: String? = nil) { self.name = name }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// Names this enrolment in the next request.
    package var enrolmentID: String
    /// The seed in Base32, for an app that scans nothing. It is shown this once.
    package var secret: String
    /// The `otpauth` address with the seed.
    package var uri: String
    /// The address as a QR code: an SVG document.
    package var qrSVG: String
    /// Seconds until the enrolment ends.
    package var expiresIn: Int

    package init(enrolmentID: String, secret: String, uri: String, qrSVG: String, expiresIn: Int) {
      (self.enrolmentID, self.secret, self.uri) = (enrolmentID, secret, uri)
      (self.qrSVG, self.expiresIn) = (qrSVG, expiresIn)
    }
  }
}

/// Adds an authenticator app by its first code.
package enum ConfirmTOTPEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/me/factors/totp/confirm", 200, "Add an authenticator app by its first code",
    refuses: [.notFound, .codeInvalid, .codeExpired, .conflict])
  package static let details: String? =
    "The code is a proof as well: the session is answered anew, under another id and with other tokens where its level rises. A "
    + "factor of an account without recovery codes comes with ten, which are shown this once. The person is told by mail."

  package struct Input: Codable, Hashable, Sendable {
    /// The `enrolment_id` of the answer of POST /v1/me/factors/totp.
    package var enrolmentID: String
    /// Six digits of the app.
    package var code: String

    package init(enrolmentID: String, code: String) { (self.enrolmentID, self.code) = (enrolmentID, code) }
  }

  package struct Output: Codable, Hashable, Sendable {
    package var factor: FactorRecord
    /// Of an account that had none: ten codes, each of which stands once for a lost one.
    package var recoveryCodes: [String]?
    /// The session as it is now.
    package var session: SessionAnswer

    package init(factor: FactorRecord, recoveryCodes: [String]?, session: SessionAnswer) {
      (self.factor, self.recoveryCodes, self.session) = (factor, recoveryCodes, session)
    }
  }
}

/// Names a factor.
package enum RenameFactorEndpoint: Endpoint {
  package static let row = EndpointRow(
    .patch, "/v1/me/factors/{id}", 200, "Name a second factor", refuses: [.notFound])

  package struct Input: Codable, Hashable, Sendable {
    /// The factor's id.
    package var id: String
    /// The name; without one the factor has none.
    package var name: String?

    package init(id: String, name: String?) { (self.id, self.name) = (id, name) }
  }

  package typealias Output = FactorRecord
}

/// Removes a factor.
package enum RemoveFactorEndpoint: Endpoint {
  package static let row = EndpointRow(
    .delete, "/v1/me/factors/{id}", 204, "Remove a second factor",
    refuses: [.notFound, .reauthenticationRequired, .lastSignInMethod])
  package static let details: String? =
    "Demands a fresh proof by a second factor. With the last factor the recovery codes go. Other sessions that no other factor proved "
    + "end. The person is told by mail; `lost` says that the device is lost, in the mail and in the audit log. A passkey without which "
    + "the account could not be signed in to stays: the answer is last_sign_in_method."

  package struct Input: Codable, Hashable, Sendable {
    /// The factor's id.
    package var id: String
    /// Whether the person has the device no more. The mail about the removal says so.
    package var lost: Bool?

    package init(id: String, lost: Bool? = nil) { (self.id, self.lost) = (id, lost) }
  }

  package typealias Output = Nothing
}

/// Makes a new set of recovery codes.
package enum MakeRecoveryCodesEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/me/recovery-codes", 200, "Make new recovery codes", refuses: [.notFound, .reauthenticationRequired])
  package static let details: String? =
    "Demands a fresh proof by a second factor. The codes before are void. The person is told by mail."

  package typealias Input = Nothing

  package struct Output: Codable, Hashable, Sendable {
    /// Ten codes, shown this once.
    package var recoveryCodes: [String]

    package init(recoveryCodes: [String]) { self.recoveryCodes = recoveryCodes }
  }
}
