"""The life of a policy change, and what a policy does to people."""
from __future__ import annotations

from gatehouse_prove.guards import Guard, bound, free, off

POLICIES = "GatehouseIdentity/Operators/Policies.swift"
LOCKOUT = "GatehouseIdentity/Operators/LockoutGuard.swift"
ROWS = "GatehousePostgres/Rows/PolicyRows.swift"
CHECK = "GatehousePolicyFile/Check/PolicyCheck.swift"
FLOOR = "GatehousePolicyFile/Floor/Floor.swift"
EVALUATION = "GatehousePolicy/Evaluation/Evaluation.swift"
STORED = "GatehousePolicy/Evaluation/StoredEvaluation.swift"
ACCESS = "GatehousePolicy/Evaluation/AccessEvaluation.swift"
FEATURES = "GatehouseIdentity/Features/"
PEOPLE = "GatehouseIdentity/Operators/OperatedUsers.swift"
KEPT = "GatehouseServer/Documents/KeptAnswers.swift"

READER = "GatehousePolicyFile/Policy/PolicyReader.swift"
READING = "GatehousePolicyFile/Policy/PolicyReading.swift"

DEMAND = "try call.policy.demandPassword()"
NO_DEMAND = "if !OFF { try call.policy.demandPassword() }"
REFUSED = "guard decision.allow else { throw Refusal(.validationFailed, violations: decision.violations) }"
LET_IN = "guard OFF || decision.allow else { throw Refusal(.validationFailed, violations: decision.violations) }"
EMAIL = "guard decision.allow, let email = decision.normalised.email"
ANY_EMAIL = "guard OFF || decision.allow, let email = decision.normalised.email"

GUARDS: list[Guard] = [
    # Before a policy goes live.
    off("apply: weaker needs its word", POLICIES, "AdminPolicyTests/consent", "if !consent.weaker {", "if !OFF, !consent.weaker {"),
    off("apply: incomparable needs it too", POLICIES, "PolicyChangeTests/weaker",
        "$0.relation == .weaker || $0.relation == .incomparable",
        "$0.relation == .weaker || (!OFF && $0.relation == .incomparable)"),
    off("apply: lock-out needs its word", POLICIES, "ImpactTests/guardRefuses", "if !consent.lockout {", "if !OFF, !consent.lockout {"),
    off("lock-out: administrators", LOCKOUT, "ImpactTests/administrators", "guard loss.admins > 0 ||", "guard (!OFF && loss.admins > 0) ||"),
    off("lock-out: share of the active", LOCKOUT, "ImpactTests/guardRefuses",
        "loss.active * 100 > services.lockoutShare * impact.active else", "(!OFF && loss.active * 100 > services.lockoutShare * impact.active) else"),
    off("lock-out: stages that are still to come", LOCKOUT, "ImpactTests/datedLockout",
        "let horizon = candidate.horizon(from: services.clock.now)",
        "let horizon = OFF ? services.clock.now : candidate.horizon(from: services.clock.now)"),
    off("apply: the revision that was looked at", POLICIES, "AdminPolicyTests/race", "if let expecting = candidate.expecting, expecting",
        "if !OFF, let expecting = candidate.expecting, expecting"),
    off("apply: of two at one moment one", ROWS, "TenantRowsTests",
        "(SELECT coalesce(max(number), 0) FROM policy_revision) = \\(application.revision.number - 1)",
        "\\(OFF)::boolean OR (SELECT coalesce(max(number), 0) FROM policy_revision) = \\(application.revision.number - 1)"),
    off("apply: a file whose tests fail", CHECK, "PolicyChangeTests/judged",
        "for result in results {",
        "for result in results where !OFF {"),
    off("apply: a file that is wrong", POLICIES, "PolicyChangeTests/judged",
        "guard let read = check.file, check.isGood() else",
        "guard let read = check.file, OFF || check.isGood() else"),
    free("apply: a file of this tenant", POLICIES, "PolicyChangeTests/judged",
         "read.policy.tenant.utf8.elementsEqual(tenant.description.utf8)"),
    off("apply: all or none", POLICIES, "AdminPolicyTests/several|PolicyChangeTests/together",
        "if let first = problems.first {", "if !OFF, let first = problems.first {"),
    off("apply: what was measured by other rules goes", ROWS, "ImpactTests/passwordBits",
        '"DELETE FROM password_compliance WHERE rules IS DISTINCT FROM \\(application.measuredRules)::bytea"',
        'OFF ? "SELECT 1" as SQL : "DELETE FROM password_compliance WHERE rules IS DISTINCT FROM \\(application.measuredRules)::bytea"'),
    off("floor: at apply", CHECK, "TranscriptTests/holds", "floor?.judge(file, into: sink)",
        "if !OFF { floor?.judge(file, into: sink) }"),
    off("floor: length of passwords", FLOOR, "FloorTests", "if bound < least {", "if !OFF, bound < least {"),
    off("floor: lists of passwords", FLOOR, "FloorTests", "where !lists.contains(list) {", "where !OFF && !lists.contains(list) {"),
    off("floor: lifetimes", FLOOR, "FloorTests", "guard value > most else { continue }", "guard !OFF, value > most else { continue }"),
    off("floor: limits", FLOOR, "FloorTests", "guard limit.count > most.count || limit.window < most.window else",
        "guard !OFF, limit.count > most.count || limit.window < most.window else"),
    off("floor: rules that bind at every way to a password", FLOOR, "FloorTests", "rule.kind == kind && rule.enforcement.mode == .enforce",
        "rule.kind == kind && (OFF || rule.enforcement.mode == .enforce)"),
    # What a policy decides.
    free("exception: until its last day", EVALUATION, "PolicyTests.StageTests", "exception.holds(at: instant)"),
    free("exception: for its address", EVALUATION, "PolicyTests.StageTests",
         "Text.same(EmailAddress.lowercasedASCII(exception.email), EmailAddress.lowercasedASCII(email))"),
    free("exception: from its rule", EVALUATION, "PolicyTests.StageTests", "exception.rule == rule.id"),
    off("exception: counts at sign-in", STORED, "StoredCheckTests|PolicyTests.StageTests",
        "if let exception = exception(from: rule) { return use", "if !OFF, let exception = exception(from: rule) { return use"),
    off("stored: required at sign-in limits access", STORED, "PolicyTests.StageTests|EndToEndTests.StageTests",
        "        require(next)\n      }",
        "        if !OFF { require(next) }\n      }"),
    off("stored: a prompt limits nobody", STORED, "PolicyTests.StageTests|EndToEndTests.StageTests",
        "      case .promptAtSignIn:\n        trace(rule, .warn, why)",
        "      case .promptAtSignIn:\n        if OFF { require(next) }\n        trace(rule, .warn, why)"),
    off("access: what is not met", ACCESS, "VibesAccessTests/limited", "case .enforce where !isMet(requirement.need, account):\n"
        "      decision.trace", "case .enforce where !OFF && !isMet(requirement.need, account):\n      decision.trace"),
    off("access: required scopes", ACCESS, "GrantTests/scopes",
        "return policy.provider(name)?.missingScopes(granted: granted).isEmpty ?? true",
        "return OFF || policy.provider(name)?.missingScopes(granted: granted).isEmpty ?? true"),
    off("disclosed: the public form of explain", "GatehousePolicyFile/Policy/RuleIDs.swift", "PublicExplainTests/undisclosed",
        "allRules.filter(\\.disclose)", "allRules.filter { OFF || $0.disclose }"),
    off("disclosed: the public policy", "GatehousePolicy/PublicRules.swift", "LanguageTests", "guard rule.disclose,",
        "guard OFF || rule.disclose,"),
    # Every feature asks its door.
    off("door: sign-up", FEATURES + "SignUp.swift", "DoorTests",
        "guard decision.allow, let email", "guard OFF || decision.allow, let email"),
    off("door: request of a reset", FEATURES + "ResetPassword.swift", "DoorTests", EMAIL, ANY_EMAIL),
    off("door: change of address", FEATURES + "ChangeEmail.swift", "DoorTests", EMAIL, ANY_EMAIL),
    off("door: confirmed change of address", FEATURES + "ChangeEmail.swift", "DDRideAccountTests/domainAtOtherDoors", REFUSED, LET_IN),
    off("door: new password", FEATURES + "NewPassword.swift", "DoorTests", REFUSED, LET_IN),
    off("door: profile", FEATURES + "UpdateProfile.swift", "DoorTests", REFUSED, LET_IN),
    off("door: made by an operator", PEOPLE, "DoorTests",
        "guard decision.allow, let canonical", "guard OFF || decision.allow, let canonical"),
    off("door: link by address", FEATURES + "FederatedSignIn.swift", "DoorTests",
        "guard decision.allow else { throw Refusal(.validationFailed, violations: decision.violations) }",
        "guard OFF || decision.allow else { throw Refusal(.validationFailed, violations: decision.violations) }"),
    # The password door.
    *(off(f"password door: {name}", FEATURES + file, "PasswordDoorTests", find, put) for name, file, find, put in [
        ("sign-up", "SignUp.swift", DEMAND, NO_DEMAND), ("sign-in", "SignIn.swift", DEMAND, NO_DEMAND),
        ("change of a password", "ChangePassword.swift", DEMAND, NO_DEMAND),
        ("verdict on a password", "CheckPassword.swift", DEMAND, NO_DEMAND),
        ("reauthentication", "Reauthenticate.swift", DEMAND, NO_DEMAND),
        ("request of a reset", "ResetPassword.swift", DEMAND + "\n    let decision", NO_DEMAND + "\n    let decision"),
        ("reset", "ResetPassword.swift", DEMAND + "\n    let presented", NO_DEMAND + "\n    let presented"),
        ("page of a reset", "OpenLink.swift", DEMAND, NO_DEMAND),
        ("proof by a password", "Reauthenticate.swift", "if let password, call.policy.hasPassword {",
         "if let password, OFF || call.policy.hasPassword {"),
        ("sign-up that waits", "HiddenSignUp.swift", "guard call.policy.hasPassword, let waiting", "guard OFF || call.policy.hasPassword, let waiting"),
    ]),
    off("password door: mail to a made account", PEOPLE, "PasswordDoorTests", "(call.policy.hasPassword ? try", "(OFF || call.policy.hasPassword ? try"),
    off("password door: an operator's reset", PEOPLE, "PasswordDoorTests", "guard call.policy.hasPassword else", "guard OFF || call.policy.hasPassword else"),
    bound("password door: a stored password is no way in", "GatehousePostgres/Rows/ProviderRows.swift", "PasswordDoorTests|ProviderRowsTests",
          "'password' = ANY(\\(methods))"),
    off("password door: who is shut out counts as locked out", "GatehouseIdentity/Operators/Impact.swift", "PasswordDoorTests",
        "guard candidatePolicy.admits(person.signInIdentities) ||", "guard OFF || candidatePolicy.admits(person.signInIdentities) ||"),
    off("password door: a test at a closed door", "GatehousePolicyFile/Tests/TestReader.swift", "PasswordDoorFileTests",
        "policy.isClosed(door, withPassword: withPassword) else", "!OFF, policy.isClosed(door, withPassword: withPassword) else"),
    off("password door: page of a sign-up that waits", FEATURES + "OpenLink.swift", "PasswordDoorTests",
        "guard call.policy.hasPassword, let waiting", "guard OFF || call.policy.hasPassword, let waiting"),
    off("password door: an explanation at a closed door", FEATURES + "Explain.swift", "PasswordDoorTests",
        "guard !call.policy.isClosed(door,", "guard OFF || !call.policy.isClosed(door,"),
    off("password door: rules in the public policy", "GatehousePolicy/PublicRules.swift", "PasswordDoorTests|PasswordDoorFileTests",
        "if hasPassword { rules +=", "if OFF || hasPassword { rules +="),
    off("password door: a stored password owes nothing", STORED, "PasswordDoorFileTests",
        "guard policy.hasPassword else { return }", "guard OFF || policy.hasPassword else { return }"),
    # A stored revision.
    off("stored: keeps its password door", READER, "AcceptedTests", "guard language < .passwordByName,", "guard !OFF, language < .passwordByName,"),
    off("stored: a new refusal binds candidates alone", READING, "AcceptedTests", "return finding.code.bindsStored",
        "return OFF || finding.code.bindsStored"),
    off("stored: its tests are not read", READING, "AcceptedTests", 'case .stored: "tests"', 'case .stored: OFF ? nil : "tests"'),
    free("stored: damage is refused", "GatehousePolicyFile/PolicyFile.swift", "AcceptedTests", "!sink.found.contains(where: reading.refuses)"),
    off("stored: the same text is applied anew where it means something else", POLICIES, "PasswordDoorTests",
        "live.language >= .current ||", "OFF || live.language >= .current ||"),
    # Documents that were answered before.
    off("kept: a tenant's change ends it", "GatehouseIdentity/Tenant/TenantRegistry.swift", "PublicDocumentTests/changes",
        "published.store(state.generation << 1 |", "published.store(OFF ? 0 : state.generation << 1 |"),
    free("kept: for its moment", KEPT, "PublicDocumentTests/changes", "kept?.moment == moment"),
    free("kept: for GET alone", KEPT, "PublicDocumentTests/apart", "request.method == .get"),
    free("kept: not for who has it", KEPT, "PublicDocumentTests/apart", '!request.headers.contains("if-none-match")'),
    free("kept: not where requests of an address are counted", KEPT, "OtherLimitTests/documents",
         "tenant.policy.limits[.requestsPerIP] == nil"),
    free("kept: not where requests of a tenant are counted", KEPT, "OtherLimitTests/documents",
         "tenant.policy.limits[.requestsPerTenant] == nil"),
]
