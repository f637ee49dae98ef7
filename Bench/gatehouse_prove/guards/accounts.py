"""Whose an account is: who may write to it, and whom mail of its address lets in."""
from __future__ import annotations

from gatehouse_prove.guards import Guard, bound, free, off

AUTHORITY = "GatehousePostgres/Rows/AuthorityRows.swift"
OWNERSHIP = "GatehouseIdentity/Account/Ownership.swift"
UNDO = "GatehouseIdentity/Features/UndoEmailChange.swift"
VERIFY = "GatehouseIdentity/Features/VerifyEmail.swift"
HIDDEN = "GatehouseIdentity/Features/HiddenSignUp.swift"
ACCOUNTS = "GatehousePostgres/Rows/AccountRows.swift"
CODES = "GatehousePostgres/Rows/CodeRows.swift"
CHANGE = "AddressChangeTests"
CONFIRM = "ConfirmationTests"

GUARDS: list[Guard] = [
    # A write of a signed-in caller.
    off("authority: the session lives", AUTHORITY, "AuthorityTests/(ended|expired)|HeldCommitTests/everyRoute",
        "SELECT \\(.require(lives(caller), .sessionIsLive))", "SELECT \\(.require(OFF ? \"true\" : lives(caller), .sessionIsLive))"),
    off("authority: behind the account's lock", AUTHORITY, "AuthorityTests/(ended|proof)", "FOR NO KEY UPDATE\"", "\\(OFF ? \"\" : \"FOR NO KEY UPDATE\" as SQL)\""),
    off("authority: the session is this account's", AUTHORITY, "AuthorityTests/foreign", "AND account_id = \\(caller.account.id.uuid)\n",
        "AND (\\(OFF)::boolean OR account_id = \\(caller.account.id.uuid))\n"),
    off("authority: a proof ends with what it proved", AUTHORITY, "AuthorityTests/(proof|proven)",
        "WHERE id = \\(account.uuid) AND epoch = \\(epoch))", "WHERE id = \\(account.uuid) AND (\\(OFF)::boolean OR epoch = \\(epoch)))"),
    bound("authority: a role is still held", AUTHORITY, "AuthorityTests/role|HeldCommitTests/role", "profile @> \\(AccountRows.json(fields))"),
    off("authority: what was looked at is looked at again", "GatehouseIdentity/Redo.swift", "HeldCommitTests/passwordBesidePassword",
        "return try await work()\n    } catch StoreError.refused(.accountIsUnchanged) {", "return try await work()\n    } catch StoreError.refused(.accountIsUnchanged) where !OFF {"),
    # Mail proves an address, and no account.
    off("ownership: of this account's session", OWNERSHIP, CONFIRM + "/proofs", "if call.caller?.account == account.id {",
        "if OFF || call.caller?.account == account.id {"),
    off("ownership: of the session that asked", OWNERSHIP, CHANGE + "/(password|mailAlone)", "if me.session.id == session { return .proof }", "if OFF || me.session.id == session { return .proof }"),
    free("ownership: by a provider just now", OWNERSHIP, CHANGE + "/provider", "me.isRecent(at: call.now)"),
    off("ownership: by the right password", OWNERSHIP, CONFIRM + "/proofs|" + CHANGE + "/password", "guard case .matches = verdict else",
        "guard OFF || [.matches(needsRehash: false), .matches(needsRehash: true)].contains(verdict) else"),
    off("verification: takes the account", VERIFY, CONFIRM + "/click", "let isClick = call.policy", "let isClick = OFF || call.policy"),
    off("sign-up: digits are its own", CODES, CONFIRM + "/(sideBySide|tries)", "AND id = coalesce(\(id)::uuid, id)",
        "AND (\(OFF)::boolean OR id = coalesce(\(id)::uuid, id))"),
    off("sign-up: the link alone makes nothing", HIDDEN, CONFIRM + "/byLink", "case nil: throw Refusal(.reauthenticationRequired)",
        "case nil: if OFF { return waiting.phc } else { throw Refusal(.reauthenticationRequired) }"),
    off("sign-up: by its right password", HIDDEN, CONFIRM + "/byLink", "guard case .matches = verdict else", "guard OFF || [.matches(needsRehash: false), .matches(needsRehash: true)].contains(verdict) else"),
    off("sign-up: none takes the place of another", CODES, CONFIRM + "/(sideBySide|most)", "code.purpose == .completeSignUp ? surplus(older) : older",
        "code.purpose == .completeSignUp && !OFF ? surplus(older) : older"),
    # A change of address is taken back.
    off("undo: voids later ways back", UNDO, CHANGE + "/undoOfUndo", ".voidUndos(id, from: code.id, code.createdAt),",
        "OFF ? .voidCodes(id, []) : .voidUndos(id, from: code.id, code.createdAt),"),
    off("undo: leaves earlier ways back", CODES, CHANGE + "/both", "AND (created_at, id) >= (\\(moment), \\(id))",
        "AND (\\(OFF)::boolean OR (created_at, id) >= (\\(moment), \\(id)))"),
    off("undo: the password of since goes", ACCOUNTS, CHANGE + "/afterReset", "AND password_changed_at > \\(moment)\"",
        "AND NOT \\(OFF)::boolean AND password_changed_at > \\(moment)\""),
    free("undo: an address that nobody proved gets no way back", UNDO, CHANGE + "/unproven", "account.emailVerifiedAt != nil"),
    off("reservation: a new account", ACCOUNTS, CHANGE + "/reserved", "NOT EXISTS (SELECT FROM one_time_code WHERE \\(CodeRows.reserves(email))",
        "\\(OFF)::boolean OR NOT EXISTS (SELECT FROM one_time_code WHERE \\(CodeRows.reserves(email))"),
    off("reservation: ends with its way back", CODES, CHANGE + "/freed", "AND destination = \\(email) AND \\(live)\n      AND token_expires_at > gatehouse.now()",
        "AND destination = \\(email) AND \\(live)\n      AND (\\(OFF)::boolean OR token_expires_at > gatehouse.now())"),
    off("reservation: a proven owner alone comes back", "GatehouseIdentity/Features/FederatedSignIn.swift", CHANGE + "/strangerByProvider",
        "guard arrival.person.emailVerified, arrival", "guard OFF || arrival.person.emailVerified, arrival"),
    # What a reset leaves.
    off("reset: identities linked since mail was read", "GatehousePostgres/Rows/ProviderRows.swift", "ProviderRowsTests/untrusted",
        "OR linked_at > coalesce(mail_proven_at, email_verified_at))", "OR (linked_at > coalesce(mail_proven_at, email_verified_at) AND NOT \\(OFF)::boolean))"),
    bound("reset: links that are no way in stay", "GatehousePostgres/Rows/ProviderRows.swift", "ProviderRowsTests/untrusted", "provider <> ALL(\\(keeping))"),
    off("devices: the first one is told, too", "GatehouseIdentity/Device/KnownDevice.swift", "DeviceTests/first", "isSurprising: true, call, services",
        "isSurprising: !OFF, call, services"),
]
