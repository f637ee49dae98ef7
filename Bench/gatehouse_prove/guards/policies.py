"""The life of a policy change, and what a policy does to people."""
from __future__ import annotations

from gatehouse_prove.guards import Guard, guard
from gatehouse_prove.operators import becomes, before, met, skipped, unmet

DOOR = "PasswordDoorTests"

GUARDS: list[Guard] = [
    guard("fields: a hidden field is no claim", "HiddenClaimTests", unmet),
    # Before a policy goes live.
    guard("apply: weaker needs its word", "AdminPolicyTests/consent", skipped),
    guard("apply: incomparable needs it too", "PolicyChangeTests/weaker", unmet),
    guard("apply: lock-out needs its word", "ImpactTests/guardRefuses", skipped),
    guard("lock-out: administrators", "ImpactTests/administrators", unmet),
    guard("lock-out: share of the active", "ImpactTests/guardRefuses", unmet),
    guard("lock-out: stages that are still to come", "ImpactTests/datedLockout", becomes("services.clock.now")),
    guard("apply: the revision that was looked at", "AdminPolicyTests/race", unmet),
    guard("apply: of two at one moment one", "TenantRowsTests", met),
    guard("apply: a file whose tests fail", "PolicyChangeTests/judged", skipped),
    guard("apply: a file that is wrong", "PolicyChangeTests/judged", met),
    guard("apply: a file of this tenant", "PolicyChangeTests/judged", met),
    guard("apply: all or none", "AdminPolicyTests/several|PolicyChangeTests/together", unmet),
    guard("apply: what was measured by other rules goes", "ImpactTests/passwordBits", becomes('"SELECT 1"')),
    guard("floor: at apply", "TranscriptTests/holds", skipped),
    guard("floor: length of passwords", "FloorTests", unmet),
    guard("floor: lists of passwords", "FloorTests", unmet),
    guard("floor: lifetimes", "FloorTests", unmet),
    guard("floor: limits", "FloorTests", unmet),
    guard("floor: rules that bind at every way to a password", "FloorTests", met),
    # What a policy decides.
    guard("exception: until its last day", "PolicyTests.StageTests", met),
    guard("exception: for its address", "PolicyTests.StageTests", met),
    guard("exception: from its rule", "PolicyTests.StageTests", met),
    guard("exception: counts at sign-in", "StoredCheckTests|PolicyTests.StageTests", unmet),
    guard("stored: required at sign-in limits access", "PolicyTests.StageTests|EndToEndTests.StageTests", skipped),
    guard("stored: a prompt limits no access", "PolicyTests.StageTests|EndToEndTests.StageTests", before("require(next)")),
    guard("access: what is not met", "VibesAccessTests/limited", unmet),
    guard("access: required scopes", "GrantTests/scopes", met),
    guard("disclosed: the public form of explain", "PublicExplainTests/undisclosed", becomes("allRules")),
    guard("disclosed: the public policy", "LanguageTests", met),
    # Every feature asks its door.
    guard("door: sign-up", "DoorTests", met),
    guard("door: request of a reset", "DoorTests", met),
    guard("door: change of address", "DoorTests", met),
    guard("door: confirmed change of address", "DDRideAccountTests/domainAtOtherDoors", met),
    guard("door: new password", "DoorTests", met),
    guard("door: profile", "DoorTests", met),
    guard("door: made by an operator", "DoorTests", met),
    guard("door: link by address", "DoorTests", met),
    # The password door.
    guard("password door: sign-up", DOOR, skipped),
    guard("password door: sign-in", DOOR, skipped),
    guard("password door: change of a password", DOOR, skipped),
    guard("password door: verdict on a password", DOOR, skipped),
    guard("password door: reauthentication", DOOR, skipped),
    guard("password door: request of a reset", DOOR, skipped),
    guard("password door: reset", DOOR, skipped),
    guard("password door: page of a reset", DOOR, skipped),
    guard("password door: proof by a password", DOOR, met),
    guard("password door: sign-up that waits", DOOR, met),
    guard("password door: mail to a made account", DOOR, met),
    guard("password door: an operator's reset", DOOR, met),
    guard("password door: a stored password is no way in", "PasswordDoorTests|ProviderRowsTests", met),
    guard("password door: who is shut out counts as locked out", DOOR, met),
    guard("password door: a test at a closed door", "PasswordDoorFileTests", unmet),
    guard("password door: page of a sign-up that waits", DOOR, met),
    guard("password door: an explanation at a closed door", DOOR, met),
    guard("password door: rules in the public policy", "PasswordDoorTests|PasswordDoorFileTests", met),
    guard("password door: a stored password owes nothing", "PasswordDoorFileTests", met),
    # A stored revision.
    guard("stored: keeps its password door", "AcceptedTests", unmet),
    guard("stored: a new refusal binds candidates alone", "AcceptedTests", met),
    guard("stored: its tests are not read", "AcceptedTests", becomes("nil")),
    guard("stored: damage is refused", "AcceptedTests", met),
    guard("stored: the same text is applied anew where it means something else", DOOR, met),
    # Documents that were answered before.
    guard("kept: a tenant's change ends it", "PublicDocumentTests/changes", becomes("0")),
    guard("kept: for its moment", "PublicDocumentTests/changes", met),
    guard("kept: for GET alone", "PublicDocumentTests/apart", met),
    guard("kept: not for who has it", "PublicDocumentTests/apart", met),
    guard("kept: not where requests of an address are counted", "OtherLimitTests/documents", met),
    guard("kept: not where requests of a tenant are counted", "OtherLimitTests/documents", met),
]
