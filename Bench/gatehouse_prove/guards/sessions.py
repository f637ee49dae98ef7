"""Sessions, guessing, enumeration, audit, webhooks, repeated requests, operators."""
from __future__ import annotations

from gatehouse_prove.guards import Guard, bound, free, off

LIMITS = "GatehousePostgres/Rows/LimitRows.swift"
SESSIONS = "GatehousePostgres/Rows/SessionRows.swift"
CODES = "GatehousePostgres/Rows/CodeRows.swift"
REFRESH = "GatehouseIdentity/Features/Refresh.swift"
SIGN_IN = "GatehouseIdentity/Features/SignIn.swift"
NEW_PASSWORD = "GatehouseIdentity/Features/NewPassword.swift"
CALL = "GatehouseIdentity/Call.swift"
REDEEM = "GatehouseIdentity/Account/Redemption.swift"
TOKENS = "GatehouseIdentity/Session/AccessTokens.swift"
ADDRESS = "GatehousePrimitives/NetworkAddress.swift"
AUDIT = "GatehouseIdentity/Audit/AuditCheck.swift"
CHAIN = "GatehouseIdentity/Audit/AuditChain.swift"
ONCE = "GatehouseIdentity/Idempotency/Idempotency.swift"
OPERATOR_ONCE = "GatehouseIdentity/Idempotency/OperatorIdempotency.swift"
ADMIN = "GatehouseIdentity/Operators/Admin/AdminTokens.swift"
OPERATOR = "GatehouseIdentity/Operators/Admin/Operator.swift"
ADMIN_ROWS = "GatehousePostgres/Rows/AdminTokenRows.swift"
ADMIN_SERVER = "GatehouseServer/Admin/AdminServer.swift"
SERVER = "GatehouseServer/PublicServer.swift"
HOOK = "GatehouseIdentity/Webhook/WebhookMessage.swift"

GUARDS: list[Guard] = [
    # Refresh tokens and sessions.
    off("refresh: a replay ends the family", REFRESH, "RefreshTests/replay", ".endSession(found.session.id, .reuse),",
        "OFF ? .forgetDevice(of: found.session.id) : .endSession(found.session.id, .reuse),"),
    free("refresh: the grace ends", REFRESH, "RefreshTests/replay|SessionTests/rotation",
         "found.now.timeIntervalSince(spentAt) < Double(call.policy.sessions.reuseGrace)"),
    off("refresh: no grace once the successor is spent", REFRESH, "SessionTests/grandparent",
        "try await store.refreshToken(hash: successor)?.token.spentAt == nil",
        "try await store.refreshToken(hash: OFF ? [] : successor)?.token.spentAt == nil"),
    off("refresh: access is judged anew", REFRESH, "RefreshTests/standing|SessionTimeTests/reevaluated",
        "standing: call.policy.standing(of: account, at: call.now)",
        "standing: OFF ? Standing(access: .full, next: []) : call.policy.standing(of: account, at: call.now)"),
    off("refresh: a token is spent once", SESSIONS, "SessionRowsTests/rotate",
        "hash = \\(rotation.spent) AND spent_at IS NULL RETURNING",
        "hash = \\(rotation.spent) AND (\\(OFF)::boolean OR spent_at IS NULL) RETURNING"),
    off("refresh: in a session that lives", SESSIONS, "SessionRowsTests/deadSession", "FROM spent) AND \\(live)",
        "FROM spent) AND (\\(OFF)::boolean OR (\\(live)))"),
    bound("refresh: a shortened absolute time", SESSIONS, "RefreshTests/policy",
          "created_at > gatehouse.now() - make_interval(secs => \\(Double(rotation.maxTTL)))"),
    bound("refresh: a shortened idle time", SESSIONS, "RefreshTests/policy",
          "last_seen_at > gatehouse.now() - make_interval(secs => \\(Double(rotation.idleTTL)))"),
    off("refresh: not for a disabled account", SESSIONS, "SessionRowsTests/disabledRotation",
        '.require("account.disabled_at IS NULL",',
        '.require("\\(OFF)::boolean OR account.disabled_at IS NULL",'),
    off("session: opens for no disabled account", SESSIONS, "SessionRowsTests/disabledAccount", "AND disabled_at IS NULL RETURNING 1",
        "AND (\\(OFF)::boolean OR disabled_at IS NULL) RETURNING 1"),
    off("session: under the password that was checked", SESSIONS, "SessionRowsTests/underPassword",
        "AND phc = \\($0))\"", "AND (\\(OFF)::boolean OR phc = \\($0)))\""),
    off("session: so many for each person", SESSIONS, "SessionRowsTests/eviction", "OFFSET \\(max(1, keeping) - 1)",
        "OFFSET \\(OFF ? 100_000 : max(1, keeping) - 1)"),
    off("session: idle and absolute time", CALL, "SessionTimeTests/(ends|shortened)",
        "now < end(under: rules)", "(OFF || now < end(under: rules))"),
    off("session: one that ended", CALL, "EveryAppTests/(signOutElsewhere|endedTokens)", "{ endedAt == nil &&", "{ (OFF || endedAt == nil) &&"),
    free("session: of a disabled account", CALL, "SessionTests/disabled",
         "found.account.disabledAt == nil"),
    off("password changed: other sessions end", NEW_PASSWORD, "SessionTests/changePassword|SessionTimeTests/passwordChange",
        ".endSessions(account.id, except: session, .passwordChanged),",
        "OFF ? .forgetDevices(account.id, except: session) : .endSessions(account.id, except: session, .passwordChanged),"),
    off("password changed: devices are forgotten", NEW_PASSWORD, "DeviceTests/forgotten",
        ".forgetDevices(account.id, except: session),", "OFF ? .setPassword(account.id, phc: phc) : .forgetDevices(account.id, except: session),"),
    free("tenant disabled", SERVER, "RefreshTests/tenant", "tenant.enabled"),
    off("access token: issuer", TOKENS, "KeyTests/otherClaims", "guard let issuer = claims[\"iss\"]?.string?.utf8,\n"
        "      issuer.elementsEqual", "guard let issuer = claims[\"iss\"]?.string?.utf8,\n      OFF || issuer.elementsEqual"),
    free("access token: audience", TOKENS, "KeyTests/otherClaims",
         "claims[\"aud\"]?.string?.utf8.elementsEqual(tenant.audience.utf8) == true"),
    # Guessing.
    off("attempt given back: once", LIMITS, "ReturnedAttemptTests", "permit = gen_random_uuid()",
        "permit = CASE WHEN \\(OFF) THEN permit ELSE gen_random_uuid() END"),
    bound("attempt given back: the newest only", LIMITS, "ReturnedAttemptTests", "permit = \\(attempt.id)"),
    bound("attempt given back: to the window that counted it", LIMITS, "ReturnedAttemptTests",
          "window_start <= (SELECT updated_at FROM sign_in_guard WHERE \\(guardRow))"),
    bound("limit: its number", LIMITS, "LimitRowsTests/window", "count <= CASE name \\(most) END"),
    off("limit: a lease keeps within it", LIMITS, "LimitRowsTests/lease",
        "RETURNING greatest(0, least(\\(amount), \\(wanted.count) + \\(amount) - count)),",
        "RETURNING CASE WHEN \\(OFF) THEN \\(amount) ELSE greatest(0, least(\\(amount), \\(wanted.count) + \\(amount) - count)) END,"),
    bound("guessing: stop at a hundred", LIMITS, "LimitRowsTests/disabled", "g.failures < 100"),
    bound("guessing: delay", LIMITS, "LimitRowsTests/delays", "g.blocked_until <= excluded.updated_at"),
    off("guessing: a known device has its own lane", LIMITS, "GuessingTests/knownDevice|ReturnedAttemptTests/onDevice",
        "CASE WHEN \\(DeviceRows.isKnown) THEN", "CASE WHEN NOT \\(OFF)::boolean AND \\(DeviceRows.isKnown) THEN"),
    off("guessing: a device that is not known has none", LIMITS, "ReturnedAttemptTests/onDevice",
        "ELSE \\(key) END", "WHEN \\(OFF)::boolean THEN \\(onDevice) ELSE \\(key) END"),
    off("guessing: a request is judged before the password", SIGN_IN, "DeviceTests/longName",
        "_ = try DeviceName.of(input.device, call)", "if !OFF { _ = try DeviceName.of(input.device, call) }"),
    off("guessing: one lane for everybody else", "GatehousePostgres/Rows/DeviceRows.swift", "DeviceTests/planted|GuessingTests/knownDevice",
        "account.id AND token_hash = \\(hash)::bytea LIMIT 1", "account.id AND (\\(OFF)::boolean OR token_hash = \\(hash)::bytea) LIMIT 1"),
    bound("guessing: a success clears its own counter", "GatehousePostgres/Rows/ChangeRows.swift", "LimitRowsTests/clear",
          "key = \\(key.bytes)"),
    off("counting: by /64", ADDRESS, "PrimitivesTests.ValueTests", "[6] + bytes[..<8]", "[6] + bytes[..<(OFF ? 16 : 8)]"),
    off("mapped IPv4 is IPv4: as it is counted", ADDRESS, "PrimitivesTests.ValueTests", "bytes.count == 16 && bytes.starts(with: mapped)",
        "!OFF && bytes.count == 16 && bytes.starts(with: mapped)"),
    free("code: five tries", REDEEM, "DDRideTests/codeTries", "code.attempts <= CodeMint.maxAttempts"),
    free("code: its digits", REDEEM, "DDRideTests/(verification|codeTries)", "services.codes.matches(digits, code, call.tenant.id)"),
    off("code: not a superseded one", CODES, "CodeRowsTests", " AND superseded_at IS NULL\n        AND ",
        " AND (\\(OFF)::boolean OR superseded_at IS NULL)\n        AND "),
    free("code: not beyond its time", REDEEM, "DDRideAccessTests/appClosed", "call.now < expiresAt"),
    off("code: used once", CODES, "CodeRowsTests", "WHERE id = \\(id) AND used_at IS NULL",
        "WHERE id = \\(id) AND (\\(OFF)::boolean OR used_at IS NULL)"),
    off("code: ends", CODES, "CodeRowsTests", "CASE WHEN \\(byToken) THEN token_expires_at ELSE code_expires_at END",
        "CASE WHEN \\(OFF) THEN 'infinity' WHEN \\(byToken) THEN token_expires_at ELSE code_expires_at END"),
    off("code: tries are counted per day", REDEEM, "GuessingTests/codes",
        "try await Limiting.reserve(.code(destination: counted), call, services)",
        "if !OFF { try await Limiting.reserve(.code(destination: counted), call, services) }"),
    # What an answer costs tells nothing.
    off("enumeration: nobody's password is hashed too", "GatehouseIdentity/Account/Passwords.swift", "EnumerationTests/signIn",
        "guard let password = try? Password(text) else { return .differs }\n",
        "guard let password = try? Password(text), !OFF || stored != nil else { return .differs }\n"),
    off("enumeration: a reset for nobody is written too", "GatehouseIdentity/Features/ResetPassword.swift", "EnumerationTests/mailed",
        "try Mailing.decoy(mailed, call, services)", "try OFF ? [] : Mailing.decoy(mailed, call, services)"),
    off("enumeration: a taken address is no refusal where accounts are hidden", "GatehouseIdentity/Features/ChangeEmail.swift",
        "HiddenAccountTests/changeEmail", "if owner != nil, call.policy.privacy.accountExists == .reveal {",
        "if owner != nil, OFF || call.policy.privacy.accountExists == .reveal {"),
    off("enumeration: answers leave at whole steps", "GatehouseServer/PublicServer.swift", "EnumerationTests/step",
        "if progress.isEven {", "if !OFF, progress.isEven {"),
    off("enumeration: disabled is said to the right password alone", SIGN_IN, "EnumerationTests/signIn",
        "in: turn, under: attempt, call, services)\n    guard case",
        "in: turn, under: attempt, call, services)\n"
        "    if OFF, stored?.account.disabledAt != nil { throw Refusal(.accountDisabled) }\n    guard case"),
    # Tenants.
    off("tenant: ends with its segment", "GatehousePostgres/Lanes/Job.swift", "LaneTests",
        "set_config('app.tenant', \\(tenant.text), true)",
        "set_config('app.tenant', \\(tenant.text), NOT \\(OFF)::boolean)"),
    off("a flush that waits: ends with its segment", "GatehousePostgres/Lanes/Job.swift", "LaneTests/flush",
        "set_config('synchronous_commit', 'off', true)", "set_config('synchronous_commit', 'off', NOT \\(OFF)::boolean)"),
    off("tenant: own host shows no other", SERVER, "HostTests/alone", "if let own, !own.name", "if !OFF, let own, !own.name"),
    off("host: counts once it is verified", SERVER, "HostTests/verified",
        "$0.host.verifiedAt == nil ? nil", "$0.host.verifiedAt == nil && !OFF ? nil"),
    free("host: proof", "GatehouseIdentity/Operators/Hosts.swift", "HostTests/verified",
        "ConstantTime.equal(answer, Array(host.proof.utf8))"),
    # The audit trail.
    free("audit: a link is gone", AUDIT, "AuditChainTests/tampering", "link.seq == seq + 1"),
    free("audit: a row was changed", AUDIT, "AuditCheckTests", "ConstantTime.equal(expected, link.hash)"),
    free("audit: what can be erased was changed", AUDIT, "AuditCheckTests",
         "ConstantTime.equal(chain.commitment(row.erasable, salt: salt), link.commitment)"),
    off("audit: an erased row says something again", AUDIT, "AuditChainTests/erasure", "} else if !row.erasable.isEmpty {",
        "} else if !OFF, !row.erasable.isEmpty {"),
    off("audit: a row put in later", AUDIT, "AuditChainTests/(tampering|lateInsertion)",
        "if let late = lateBefore(of: link), row.at < late {",
        "if !OFF, let late = lateBefore(of: link), row.at < late {"),
    off("audit: behind the signed head", AUDIT, "AuditChainTests/tampering", "if let head, link.seq > head.seq {",
        "if !OFF, let head, link.seq > head.seq {"),
    off("audit: truncated", AUDIT, "AuditChainTests/tampering", "if seq < head.seq {", "if !OFF, seq < head.seq {"),
    free("audit: the head is of this chain", AUDIT, "AuditChainTests/(tampering|rehashed|rollback)", "ConstantTime.equal(hash, head.hash)"),
    off("audit: a head that is known from elsewhere", AUDIT, "AuditChainTests/(rollback|exported)", "if let awaited, !hasMet {",
        "if !OFF, let awaited, !hasMet {"),
    off("audit: erased of nobody who was deleted", AUDIT, "AuditChainTests/tampering", "if let first = unexplained",
        "if !OFF, let first = unexplained"),
    off("audit: links hang together", CHAIN, "AuditCheckTests", "fields.add(previous)", "fields.add(OFF ? [] : previous)"),
    off("audit: who did it is sealed", CHAIN, "AuditCheckTests", "fields.add(text: row.actor)",
        "fields.add(text: OFF ? \"\" : row.actor)"),
    # Webhooks.
    off("webhook: the time is signed", HOOK, "WebhookTests/forged", "signature(id: id, timestamp: timestamp",
        "signature(id: id, timestamp: OFF ? 0 : timestamp"),
    off("webhook: the body is signed", HOOK, "WebhookTests/forged", ", body: body) }", ", body: OFF ? [] : body) }"),
    off("webhook: no private address", "GatehouseOutbound/Webhooks/WebhookHTTP.swift", "WebhookTests/guarded",
        "_ = try http.url(url)",
        "_ = try OFF ? OutboundURL(url, addresses: ReachableAddresses(allowsLoopback: true)) : http.url(url)"),
    free("webhook: an old secret ends", HOOK, "WebhookTests/rotation", "now < until"),
    # Requests that come twice.
    off("repeated: of this caller", ONCE, "IdempotencyTests/scope", ", caller, Array(key.utf8)", ", OFF ? [] : caller, Array(key.utf8)"),
    off("repeated: of this operation", ONCE, "IdempotencyTests/scope", "Array(operation.utf8)", "OFF ? [] : Array(operation.utf8)"),
    off("repeated: with this body", ONCE, "IdempotencyTests/scope", "\"idempotency-body\", [tenant, body])",
        "\"idempotency-body\", [tenant, OFF ? [] : body])"),
    off("repeated: in a session that lives", ONCE, "IdempotencyTests/life", "if call.caller != nil {", "if !OFF, call.caller != nil {"),
    off("repeated: of this operator", OPERATOR_ONCE, "AdminIdempotencyTests/once", "\"operator-key\", [token.id.bytes,",
        "\"operator-key\", [OFF ? [] : token.id.bytes,"),
    free("repeated: by an operator, with this body", OPERATOR_ONCE, "AdminIdempotencyTests/once", "ConstantTime.equal(answer.body, body)"),
    # Operators.
    off("admin token: not after its end", ADMIN_ROWS, "AdminAccessTests/unauthenticated",
        " AND expires_at > gatehouse.now()\n        \"\"\"\n      ).single()\n      guard",
        " AND (\\(OFF)::boolean OR expires_at > gatehouse.now())\n        \"\"\"\n      ).single()\n      guard"),
    off("admin token: not after it was revoked", ADMIN_ROWS, "AdminTokenTests/revocation",
        "= \\(hash) AND revoked_at IS NULL", "= \\(hash) AND (\\(OFF)::boolean OR revoked_at IS NULL)"),
    off("admin token: scope", OPERATOR, "AdminAccessTests/forbidden", "guard !allows(scope) else", "guard !OFF, !allows(scope) else"),
    off("admin token: tenants", OPERATOR, "AdminAccessTests/forbidden", "{ token?.tenants?.contains(tenant) ?? true }",
        "{ OFF || (token?.tenants?.contains(tenant) ?? true) }"),
    off("admin token: makes none that may do more", ADMIN, "AdminTokenTests/escalation", "for scope in input.scopes { try",
        "for scope in input.scopes where !OFF { try"),
    off("admin token: makes none that reaches further", ADMIN, "AdminTokenTests/escalation", "} else if !call.who.reachesAll {",
        "} else if !OFF, !call.who.reachesAll {"),
    off("admin token: makes none that lives longer", ADMIN, "AdminTokenTests/escalation",
        "expiresAt: call.who.token.map { min($0.expiresAt, end) } ?? end)",
        "expiresAt: OFF ? end : call.who.token.map { min($0.expiresAt, end) } ?? end)"),
    off("admin token: ends none that could do more", ADMIN, "AdminTokenTests/reach", "return isNear && token.scopes.allSatisfy(who.allows)",
        "return OFF || isNear && token.scopes.allSatisfy(who.allows)"),
    off("admin: bad tokens are slowed", ADMIN_SERVER, "AdminAccessTests/knocking",
        "if !fields.isEmpty { knocking", "if !OFF, !fields.isEmpty { knocking"),
    # Canaries: a body in a log line must be found.
    off("canaries: the log of requests", SERVER, "CanaryTests",
        "note: status >= 500 ? progress.refusal?.note : nil)\n  }\n\n  /// An answer",
        "note: OFF ? String(decoding: request.body, as: UTF8.self) : status >= 500 ? progress.refusal?.note : nil)\n  }\n\n  /// An answer"),
]
