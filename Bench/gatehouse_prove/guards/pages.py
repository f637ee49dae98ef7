"""The hosted pages: who may see one, where a form comes from, and the way back to the app."""
from __future__ import annotations

from gatehouse_prove.guards import Guard, guard
from gatehouse_prove.operators import becomes, before, met, skipped, unmet

GUARDS: list[Guard] = [
    guard("pages: the browser goes on to listed addresses only", "ContinueTests/mutants", met),
    guard("pages: an app that asks for a fresh sign-in gets one", "SecondLookTests/prompt", met),
    guard("pages: a provider that let the browser pass is no fresh sign-in", "ProviderProofTests/promptedInSilence",
          before("flow.promptsAgain = nil")),
    guard("arrival: a fresh proof is of the account's owner", "ProviderProofTests/known", unmet),
    guard("pages: the session lives", "PageRowTests/fixation", met),
    guard("pages: no session of a disabled account", "PageRowTests/disabled", met),
    guard("pages: of signed-in people", "AccountPageTests|PageRowTests/fixation", unmet),
    guard("pages: behind a fresh proof", "AccountProofPageTests", unmet),
    guard("pages: closed where an attested app is demanded", "PageRowTests/attested", unmet),
    guard("pages: a password comes back to the switch alone", "PageContentTests/passwords", unmet),
    guard("pages: no provider where an attested app is demanded", "PageRowTests/attestedProvider", met),
    guard("authorization code: none where an attested app is demanded", "PageRowTests/attestedCode", met),
    guard("pages: a reset signs in where browsers may", "PageRowTests/attestedReset", met),
    guard("pages: a password is in nothing that is kept", "TypedPasswordTests", becomes("true")),
    guard("pages: an undo is typed", "MailedLinkTests/undo", unmet),
    guard("query: no name twice", "QueryReaderTests|MailedLinkTests/broken", met),
    guard("landing: an operation of the API answers JSON", "LandingTests", met),
    guard("landing: a slash leads to a page that is there", "LandingTests", met),
    guard("pages: a flow holds a token of ours", "CookieBombTests/token", becomes("Optional(text)")),
    # What the pages carry, and what a browser keeps.
    guard("flow: of this browser", "SealedFlowTests/leaked", becomes(".pageFlow(key: [])")),
    guard("flow: within its time", "SealedFlowTests/over", unmet),
    guard("flow: a draft makes no address too long", "SignedOutElsewhereTests/long", unmet),
    guard("pages: a secret is in no draft", "PageFormTests/open", becomes("[]")),
    guard("pages: only a form of ours is shown again", "DatabaseAwayTests/forged", met),
    guard("pages: at a shared computer the session ends with the browser", "SharedComputerTests", becomes("7")),
    guard("pages: a session at a shared computer is short", "SharedComputerTests", becomes("pageMaxTTL")),
    guard("waits: so many at a time", "ShortWaitsTests", met),
    guard("flow: of the account that moves", "SealedFlowTests/mover", unmet),
    guard("flow: a seed is shown to its owner", "FactorsPageTests/otherPerson", unmet),
    guard("flow: a seed within its time", "FactorsPageTests/reloaded", unmet),
    guard("pages: a raised session of a shared computer ends with the browser", "FactorsPageTests/shared",
          becomes("false")),
    guard("pages: a shared computer is not remembered", "SecondStepPageTests/shared", becomes("isTicked")),
    guard("pages: a text that is no code is no try", "SecondStepPageTests/noCode", unmet),
    guard("flow: rows of an address", "BrowserFlowTests/counted", skipped),
    guard("refusals: a page's own", "CookieBombTests/elsewhere", met),
    guard("cookies: so many of ours for a host", "HostCookiesTests", becomes("0")),
    # Where a form comes from.
    guard("csrf: a form without an origin says its site", "PageRowTests/forged", becomes("true")),
    guard("csrf: of this origin", "PageRowTests/forged", becomes("true")),
    guard("csrf: of this session", "PageRowTests/forged", becomes(".good")),
    guard("csrf: of this flow", "PageRowTests/forged", met),
    guard("csrf: a form that comes back is one of ours", "RenewedFormTests/forged", becomes(".renewed")),
    guard("csrf: within its time", "FormRepeatTests/old", becomes(".good")),
    # The code for the app.
    guard("authorization code: once", "ContinueTests/once",
          becomes(".session(.touch(browser.session.id, idleTTL: call.policy.sessions.pageIdleTTL))")),
    guard("authorization code: the browser's session lives", "ContinueTests/limits", met),
    guard("ticket: so many beside one another", "ContinueTests/many|TicketRowsTests/bounded|PendingSignInTests/many", becomes("1000")),
]
