"""Providers: ID tokens, flows, accounts, grants and the way out."""
from __future__ import annotations

from gatehouse_prove.guards import Guard, bound, free, off

TOKEN = "GatehouseIdentity/Provider/IDToken.swift"
JWT = "GatehousePrimitives/Token/JWT.swift"
DESK = "GatehouseIdentity/Provider/ProviderDesk.swift"
ROWS = "GatehousePostgres/Rows/ProviderRows.swift"
GRANTS = "GatehousePostgres/Rows/GrantRows.swift"
REFRESH = "GatehouseIdentity/Provider/GrantRefresh.swift"
VAULT = "GatehouseIdentity/Tenant/Vault.swift"
FEDERATED = "GatehouseIdentity/Features/FederatedSignIn.swift"
BROWSER = "GatehouseIdentity/Features/BrowserSignIn.swift"
LINK = "GatehouseIdentity/Features/LinkProvider.swift"
PROOF = "GatehouseIdentity/Features/Reauthenticate.swift"
HTTP = "GatehouseOutbound/Providers/ProviderHTTP.swift"
METADATA = "GatehouseOutbound/Providers/ProviderMetadata.swift"
CURL = "GatehouseOutbound/HTTP/CurlTransfer.swift"
OUT = "GatehouseOutbound/HTTP/OutboundHTTP.swift"
URL = "GatehouseOutbound/HTTP/OutboundURL.swift"
REACH = "GatehouseOutbound/HTTP/ReachableAddresses.swift"

RECENT = "guard signedIn.isRecent(at: call.now) else { throw Refusal(.reauthenticationRequired) }\n"
NOT_RECENT = "guard OFF || signedIn.isRecent(at: call.now) else { throw Refusal(.reauthenticationRequired) }\n"

GUARDS: list[Guard] = [
    # T096: an ID token speaks to us, of somebody, now.
    free("id token: audience", TOKEN, "ProviderSignInTests/refused",
         "audiences.allSatisfy({ contains(expected.audiences, $0) })"),
    free("id token: authorized party", TOKEN, "ProviderSignInTests/refused", "contains(expected.audiences, party)"),
    free("id token: several audiences and no party", TOKEN, "ProviderSignInTests/refused", "audiences.count == 1"),
    free("id token: issuer", TOKEN, "ProviderSignInTests/refused", "contains(expected.issuers, said)"),
    free("id token: nonce", TOKEN, "ProviderSignInTests/(refused|nonces)",
         "said.utf8.elementsEqual(nonce.utf8) || said.utf8.elementsEqual(hashed.utf8)"),
    free("id token: made long ago", TOKEN, "ProviderSignInTests/refused",
         "verified.issuedAt >= now - expected.maximumAge - leeway"),
    free("id token: lives too long", TOKEN, "ProviderSignInTests/refused",
         "verified.expiresAt - verified.issuedAt <= 2 * day"),
    free("id token: subject", TOKEN, "ProviderSignInTests/refused", "isPlain(subject, longest: 255)"),
    off("id token: email_verified is what it says", TOKEN, "PreHijackTests/nonVerifying|ProviderSignInTests/ride",
        "case .bool(let truth): truth", "case .bool(let truth): OFF || truth"),
    free("id token: truth as text only where it is usual", TOKEN, "ProviderSignInTests/apple|PreHijackTests/nonVerifying",
         'textual && text.utf8.elementsEqual("true".utf8)'),
    free("jwt: expiry", JWT, "JWTTests", "now < expiresAt + leeway"),
    free("jwt: not before its time", JWT, "JWTTests", "notBefore <= now + leeway"),
    free("jwt: one algorithm for a key", JWT, "JWTTests", "algorithm.utf8.elementsEqual(key.algorithm.rawValue.utf8)"),
    free("jwt: type", JWT, "JWTTests", 'type.accepts(header["typ"])'),
    free("jwt: signature", JWT, "JWTTests", "key.verifies(signature, of: token[..<(parts[2].startIndex - 1)])"),
    off("jwt: extensions", JWT, "JWTTests", 'guard header["crit"] == nil, header["b64"] == nil else',
        'guard OFF || (header["crit"] == nil && header["b64"] == nil) else'),
    free("jwt: size", JWT, "JWTTests", "token.count <= maximumSize"),
    off("id token: an old one proves nobody anew", PROOF, "ProviderSignInTests",
        "maximumAge: Int64(SignedIn.recentSeconds)", "maximumAge: OFF ? IDToken.day : Int64(SignedIn.recentSeconds)"),
    free("id token: proves the owner of this account", PROOF, "ProviderSignInTests",
         "known?.account.id == signedIn.account.id"),
    # T100: the way back is for who began, once.
    bound("flow: provider", ROWS, "ProviderRowsTests", "provider = \\(claim.provider)"),
    bound("flow: purpose", ROWS, "ProviderRowsTests", "purpose = \\(claim.purpose.rawValue)"),
    bound("flow: holder", ROWS, "ProviderRowsTests", "holder_hash IS NOT DISTINCT FROM \\(claim.holderHash)::bytea"),
    bound("flow: session", ROWS, "ProviderRowsTests", "session_id IS NOT DISTINCT FROM \\(claim.session?.uuid)::uuid"),
    bound("flow: time", ROWS, "ProviderRowsTests", "expires_at > gatehouse.now()"),
    Guard("flow: once", ROWS, "ProviderRowsTests", [
        ("DELETE FROM provider_flow WHERE state_hash = \\(claim.stateHash)",
         '\\(OFF ? "SELECT account_id, sealed_payload, created_at, expires_at" as SQL : "DELETE") '
         "FROM provider_flow WHERE state_hash = \\(claim.stateHash)"),
        ("RETURNING account_id, sealed_payload, created_at, expires_at",
         '\\(OFF ? "" as SQL : "RETURNING account_id, sealed_payload, created_at, expires_at")'),
    ]),
    off("flow: another issuer's answer", DESK, "LinkTests/answers|BrowserFlowTests/errors",
        "if let issuer = callback.issuer,", "if !OFF, let issuer = callback.issuer,"),
    free("flow: the browser goes on to listed addresses only", BROWSER, "BrowserFlowTests/starts",
         "call.policy.app.continueTargets.contains(where: { $0.utf8.elementsEqual(input.continueTo.utf8) })"),
    free("flow: links begin towards listed addresses only", LINK, "LinkTests/recent",
         "provider.redirectURIs.contains(where: { $0.utf8.elementsEqual(wanted.utf8) })"),
    off("pkce: challenge", HTTP, "ProviderHTTPTests|AuthlibTests", '("code_challenge", request.challenge)',
        '("code_challenge", OFF ? "" : request.challenge)'),
    off("pkce: verifier", HTTP, "ProviderHTTPTests", '("code_verifier", code.verifier.expose { $0 })',
        '("code_verifier", OFF ? "" : code.verifier.expose { $0 })'),
    # T098, T099: accounts that were prepared for somebody else.
    off("arrival: an unproven address where accounts are hidden", FEDERATED, "PreHijackTests/hidden",
        "== .hide, !person.emailVerified {", "== .hide, !OFF, !person.emailVerified {"),
    off("arrival: the policy joins addresses", FEDERATED, "PreHijackTests/join",
        "}\n    guard arrival.provider.existingEmail == .linkIfBothVerified",
        "}\n    guard OFF || arrival.provider.existingEmail == .linkIfBothVerified"),
    off("arrival: the provider proved the address", FEDERATED, "PreHijackTests/(join|nonVerifying)",
        "arrival.person.emailVerified, !isAnothers", "OFF || arrival.person.emailVerified, !isAnothers"),
    off("arrival: nobody of the provider is there already", FEDERATED, "PreHijackTests|ProviderSignInTests",
        "let isAnothers = !isReclaimed", "let isAnothers = !OFF && !isReclaimed"),
    off("arrival: sign-up passes its door", FEDERATED, "ProviderSignInTests/ride",
        "guard decision.allow, let email", "guard OFF || decision.allow, let email"),
    off("arrival: a disabled person stays out", FEDERATED, "ProviderSignInTests",
        "guard account.disabledAt != nil else { return }", "guard !OFF, account.disabledAt != nil else { return }"),
    off("reclaim: at all", FEDERATED, "PreHijackTests/classic", "let isReclaimed = account.emailVerifiedAt == nil",
        "let isReclaimed = !OFF && account.emailVerifiedAt == nil"),
    off("reclaim: password", ROWS, "ProviderRowsTests",
        '"DELETE FROM credential WHERE account_id = \\(account.uuid)"',
        'OFF ? "SELECT 1" : "DELETE FROM credential WHERE account_id = \\(account.uuid)"'),
    off("reclaim: identities", ROWS, "ProviderRowsTests",
        '"DELETE FROM provider_identity WHERE account_id = \\(account.uuid)",',
        'OFF ? "SELECT 1" : "DELETE FROM provider_identity WHERE account_id = \\(account.uuid)",'),
    off("reclaim: flows", ROWS, "ProviderRowsTests",
        '"DELETE FROM provider_flow WHERE account_id = \\(account.uuid)"',
        'OFF ? "SELECT 1" : "DELETE FROM provider_flow WHERE account_id = \\(account.uuid)"'),
    bound("reclaim: of an unproven address only", ROWS, "ProviderRowsTests", "email_verified_at IS NULL"),
    off("reclaim: sessions", FEDERATED, "PreHijackTests/classic", ".endSessions(account.id, except: nil, .revoked),",
        "OFF ? .setMustChangePassword(account.id, false) : .endSessions(account.id, except: nil, .revoked),"),
    off("reclaim: devices", FEDERATED, "PreHijackTests/(classic|trojan)", ".forgetDevices(account.id, except: nil),",
        "OFF ? .setMustChangePassword(account.id, false) : .forgetDevices(account.id, except: nil),"),
    off("reclaim: codes", FEDERATED, "PreHijackTests/(classic|trojan|change)", ".voidCodes(account.id, CodePurpose.allCases)",
        ".voidCodes(account.id, OFF ? [] : CodePurpose.allCases)"),
    off("reset: identities from before the proof", "GatehouseIdentity/Features/ResetPassword.swift", "PreHijackTests/trojanAndReset",
        "changes.append(.unlink(id, .untrusted(keeping: keeping)))", "if !OFF { changes.append(.unlink(id, .untrusted(keeping: keeping))) }"),
    off("identity: a shared one becomes no exclusive one", ROWS, "ProviderRowsTests",
        "AND NOT (\\(identity.isExclusive) AND EXISTS",
        "AND NOT (NOT \\(OFF)::boolean AND \\(identity.isExclusive) AND EXISTS"),
    # T101: tokens of providers.
    off("vault: account", VAULT, "GrantTests/sealed", "account.uuid.bytes + with", "(OFF ? [UInt8]() : account.uuid.bytes) + with"),
    off("vault: version", VAULT, "GrantTests/sealed", "UnsafeBytes(of: version.bigEndian) { Array($0) } +",
        "UnsafeBytes(of: OFF ? Int64(0) : version.bigEndian) { Array($0) } +"),
    off("vault: provider", VAULT, "GrantTests/sealed", "Array(provider.utf8)", "(OFF ? [UInt8]() : Array(provider.utf8))"),
    off("grant: one server refreshes", GRANTS, "GrantRowsTests",
        "version = \\(grant.version)\n        AND coalesce(leased_until, '-infinity') <= gatehouse.now()",
        "version = \\(grant.version)\n        AND (\\(OFF)::boolean OR coalesce(leased_until, '-infinity') <= gatehouse.now())"),
    off("grant: kept warm only where the policy says so", "GatehouseIdentity/Jobs/WarmGrants.swift", "WarmGrantTests/control",
        "filter(\\.keepWarm)", "filter { OFF || $0.keepWarm }"),
    bound("grant: a provider is left alone", GRANTS, "GrantRowsTests|GrantTests/patience",
          "coalesce(paused_until, '-infinity') <= gatehouse.now()"),
    bound("grant: a renewal follows what was read", GRANTS, "GrantRowsTests", "version = \\(grant.version - 1)"),
    off("grant: rotated refresh token is kept", REFRESH, "GrantTests", "refreshToken: given.refreshToken ?? refresh",
        "refreshToken: OFF ? refresh : given.refreshToken ?? refresh"),
    off("grant: scopes withdrawn at a refresh", REFRESH, "GrantTests/scopes", "let scopes = given.scopes.flatMap",
        "let scopes = OFF ? nil : given.scopes.flatMap"),
    off("grant: a dead one breaks its link", REFRESH, "GrantTests/broken",
        ".setLink(account.id, provider: provider.name, .broken, scopes: nil)",
        ".setLink(account.id, provider: provider.name, OFF ? .linked : .broken, scopes: nil)"),
    # Links.
    free("link: required scopes", LINK, "LinkTests/scopes", "missing.isEmpty"),
    off("link: a recent sign-in to begin", LINK, "LinkTests/recent", RECENT + "    let desk", NOT_RECENT + "    let desk"),
    off("link: a recent sign-in by ID token", LINK, "LinkTests/recent", RECENT + "      let person",
        NOT_RECENT + "      let person"),
    off("link: passes its door", LINK, "LinkTests/door", "guard decision.allow else", "guard OFF || decision.allow else"),
    off("unlink: a fresh proof", LINK, "LinkTests/recent",
        "try await Reauthenticate.demand(password: input.password, signedIn, call, services)",
        "if !OFF { try await Reauthenticate.demand(password: input.password, signedIn, call, services) }"),
    off("unlink: the last way in", LINK, "LinkTests/last", "if wasWayIn {", "if wasWayIn, !OFF {"),
    # T102: requests to others' servers.
    free("outbound: address after the name was looked up", CURL, "OutboundHTTPTests", "transfer.addresses.allows(target)"),
    off("outbound: addresses in URLs", URL, "OutboundURLTests", "if let literal, !addresses", "if !OFF, let literal, !addresses"),
    free("outbound: https", URL, "OutboundURLTests", "isSecure || (addresses.allowsLoopback && isLocal)"),
    off("outbound: no redirect", CURL, "OutboundHTTPTests", "(CURLOPT_FOLLOWLOCATION, 0)", "(CURLOPT_FOLLOWLOCATION, OFF ? 1 : 0)"),
    free("outbound: size", CURL, "OutboundHTTPTests",
         "transfer.received.body.count + chunk.count <= transfer.request.bodyLimit"),
    off("outbound: certificate", CURL, "OutboundHTTPTests", "(CURLOPT_SSL_VERIFYPEER, 1)", "(CURLOPT_SSL_VERIFYPEER, OFF ? 0 : 1)"),
    off("outbound: certificate's name", CURL, "OutboundHTTPTests", "(CURLOPT_SSL_VERIFYHOST, 2)",
        "(CURLOPT_SSL_VERIFYHOST, OFF ? 0 : 2)"),
    off("outbound: time", CURL, "OutboundHTTPTests", "(CURLOPT_TIMEOUT_MS, milliseconds)",
        "(CURLOPT_TIMEOUT_MS, OFF ? 20_000 : milliseconds)"),
    off("outbound: no proxy of the environment", CURL, "OutboundHTTPTests", '(CURLOPT_PROXY, ""), (CURLOPT_NOPROXY, "*"),',
        'OFF ? (CURLOPT_USERAGENT, "") : (CURLOPT_PROXY, ""), OFF ? (CURLOPT_USERAGENT, "") : (CURLOPT_NOPROXY, "*"),'),
    free("outbound: only hosts that are named", OUT, "OutboundHTTPTests|ProviderHTTPTests", "request.isHostAllowed"),
    off("outbound: addresses of translators", REACH, "ReachableAddressesTests", "if let embedded = translated(address)",
        "if !OFF, let embedded = translated(address)"),
    off("outbound: private networks", REACH, "ReachableAddressesTests", "return !special.contains",
        "return OFF || !special.contains"),
    free("provider: https", HTTP, "ProviderHTTPTests", "url.isSecure"),
    free("provider: discovery of this issuer", METADATA, "ProviderHTTPTests", "said.utf8.elementsEqual(issuer.utf8)"),
    free("provider: discovery leads to named hosts", METADATA, "ProviderHTTPTests",
         "hosts.contains(where: { $0.utf8.elementsEqual(url.host.utf8) })"),
    off("provider: a request is never sent twice", CURL, "OutboundHTTPTests|ProviderHTTPTests|GrantTests/lost",
        "(CURLOPT_FRESH_CONNECT, request.method", "(CURLOPT_FRESH_CONNECT, !OFF && request.method"),
]
