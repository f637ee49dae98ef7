"""Whose an account is: who may write to it, and whom mail of its address lets in."""
from __future__ import annotations

from gatehouse_prove.guards import Guard, guard
from gatehouse_prove.operators import becomes, before, met, skipped, unmet

CHANGE = "AddressChangeTests"
CONFIRM = "ConfirmationTests"

GUARDS: list[Guard] = [
    guard("deletion: mailed to a proven address alone", "DeletionMailTests/unproven", becomes("user.contacts")),
    guard("completion: no longer than a second", "CompletionTests/silent", skipped),
    guard("completion: no word that a shell acts on", "CompletionTests/plain", met),
    guard("user changes: a filter that finds everyone changes none", "ChangeUsersTests/everyone", met),
    guard("undelete: without a filter none is brought back", "UndeleteTests/everyone", met),
    guard("undelete: a shorter time holds for deleted accounts", "UndeleteTests/shortened",
          becomes("Date.distantPast")),
    guard("fields: what administrators see alone", "HiddenFieldTests", becomes("true")),
    guard("export: a recent sign-in", "DataRightsTests/recent", met),
    guard("pages: a password that was not typed is no attempt", "AccountProofPageTests/deleteWithNothingTyped", met),
    # A write of a signed-in caller.
    guard("authority: the session lives", "AuthorityTests/(ended|expired)|HeldCommitTests/everyRoute", met),
    guard("authority: behind the account's lock", "AuthorityTests/(ended|proof)", skipped),
    guard("authority: the session is this account's", "AuthorityTests/foreign", met),
    guard("authority: a proof ends with what it proved", "AuthorityTests/(proof|proven)", met),
    guard("authority: a role is still held", "AuthorityTests/role|HeldCommitTests/role", met),
    guard("authority: what was looked at is looked at again", "HeldCommitTests/passwordBesidePassword",
          before("throw StoreError.refused(.userIsUnchanged)")),
    # Mail proves an address, and no account.
    guard("ownership: of this account's session", CONFIRM + "/proofs", met),
    guard("ownership: of the session that asked", CHANGE + "/(password|mailAlone)", met),
    guard("ownership: by a fresh proof", CHANGE + "/provider", met),
    guard("fresh proof: by no silent provider", "FreshProofTests/(silent|lie)|ProofsTests", met),
    guard("fresh proof: a provider's where no code can be mailed", "FreshProofTests/silent", becomes("true")),
    guard("fresh proof: by a provider that proves one", "FreshProofTests/idToken", met),
    guard("fresh proof: by a code where there is no password", "FreshProofTests/(withPassword|unprovenAddress)", met),
    guard("fresh proof: a code of the session that asked", "FreshProofTests/session", met),
    guard("verification: takes the account", CONFIRM + "/click", met),
    guard("sign-up: digits are its own", CONFIRM + "/(sideBySide|tries)", met),
    guard("sign-up: the link alone makes nothing", CONFIRM + "/byLink", before("return (try own(call), [])")),
    guard("sign-up: none takes the place of another", CONFIRM + "/(sideBySide|most)|ResetTests/newestThree", becomes("older")),
    # A change of address is taken back.
    guard("undo: voids later ways back", CHANGE + "/undoOfUndo", becomes(".code(.voidSignUps(destination: .email(\"\")))")),
    guard("undo: leaves earlier ways back", CHANGE + "/both", met),
    guard("undo: the password of since goes", CHANGE + "/afterReset", unmet),
    guard("undo: an unproven address gets no way back", CHANGE + "/unproven", met),
    guard("reservation: a new account", CHANGE + "/reserved", met),
    guard("reservation: ends with its way back", CHANGE + "/freed", met),
    guard("reservation: a proven owner alone comes back", CHANGE + "/strangerByProvider", met),
    # What a reset leaves, and what leaves it.
    guard("password changed: so many an hour", "ResetTests/tenChanges", becomes(".limit(.reserve([]))")),
    guard("reset: digits with their id alone", "ResetTests/withoutID",
          before("return try await Redemption.find(typed, for: .resetPassword, of: .reader, call, services)")),
    guard("reset: identities linked since mail was read", "ProviderRowsTests/untrusted", unmet),
    guard("reset: links that are no way in stay", "ProviderRowsTests/untrusted", met),
    guard("devices: the first one is told, too", "DeviceTests/first", becomes("false")),
    # Users who find each other.
    guard("fields: a reserved name", "FieldNameTests/refused", unmet),
    guard("directory: only what users see", "DirectoryFileTests/refused", unmet),
    guard("directory: what the policy allows", "DirectoryTests/off", met),
    guard("directory: counted", "DirectoryTests/limit", skipped),
    guard("directory: full access is found alone", "DirectoryTests/limited", met),
    guard("directory: by a proven address", "DirectoryTests/even", met),
    guard("directory: not a disabled account", "DirectoryTests/(even|disabled)", met),
    guard("directory: unproven names are left out before the cut", "DirectoryRowsTests/unproven", met),
    guard("directory: names without a demanded field are left out before the cut", "DirectoryRowsTests/unfilled", met),
    guard("directory: names linked elsewhere are left out before the cut", "DirectoryRowsTests/unlinked", met),
    guard("directory: two characters without marks", "DirectoryTests/marksAlone", met),
    # Mails that strangers cause.
    guard("operators' mail: of a recipient", "OperatorMailTests/(recipient|sendTest)",
          becomes("[]")),
    guard("operators' mail: of a tenant", "OperatorMailTests/tenant",
          becomes("[]")),
    guard("mail: a part is kept from strangers", "ResetAllowanceTests/kept|BudgetTests/kept", skipped),
    guard("mail: no acceptance hides what a budget refused", "OtherLimitTests|BudgetTests/kept", met),
    guard("mail: what is not sent draws nothing on the tenant", "BudgetTests/madeUp", unmet),
    guard("made up: bounded on disk", "CodeRowsTests/madeUp|BudgetTests/cost", met),
    guard("mail: a device of the account", "ResetAllowanceTests/foreign", becomes("false")),
    guard("mail: no link to a closed page", "NoticePlaceTests/closed", becomes("true")),
    guard("mail: the code in the subject", "MailTemplatesTests/codeFirst", becomes("letter.subject.render(values)")),
    guard("mail: only a living link is mailed again", "ResetAllowanceTests/(end|used)", becomes("newest")),
    guard("mail: not with a code that is void", "CodeTimeTests/void", met),
    guard("outbox: of the channels that the server has", "OutboxRowsTests/channel", met),
    guard("outbox: what a worker holds is not woken", "OutboxRowsTests/wake", met),
    guard("notices: of one kind", "NoticeLimitTests/kind", met),
    guard("notices: of all kinds", "OutboxRowsTests/notices", met),
    guard("notices: one to an unproven address", "NoticeLimitTests/unproven", met),
]
