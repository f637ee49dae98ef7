"""The Swift SDK: a person is signed out by a definite refusal alone."""
from __future__ import annotations

from gatehouse_prove.guards import Guard, guard
from gatehouse_prove.operators import becomes, before, instead, met, skipped, unmet

GUARDS: list[Guard] = [
    guard("client: the key is stored before it leaves", "RefreshTests/full",
          instead("ledger.change { if $0.session?.attemptKey == nil { $0.session?.attemptKey = key } }")),
    guard("client: an answer replaces the token that was sent", "RefreshTests/onlyTheSentToken", met),
    guard("client: an unknown token ends a session at the second answer", "EndTests/unknownTwice",
          before("return ended(.expired, error, sent)")),
    guard("client: a copy of the record that is in use ends the session", "EndTests/stolen", before("return .failed(error)")),
    guard("client: an unavailable store is not empty", "StoreTests/unavailable", instead("data = nil")),
    guard("client: nothing is sent after its deadline", "RefreshTests/suspended", met),
    guard("client: a call stays with its person", "PersonTests/(change|deletion)", met),
    guard("client: a proof joins the session that it was sent in", "RaisedSessionTests/(signedOut|signedInAnew)", met),
    guard("client: a name is no way to another path", "PersonTests/paths", met),
    guard("client: a request without a definite answer keeps its key", "RetryTests/killed", met),
    guard("client: a locked session gives nothing out", "UnlockTests/(waits|deadline)", unmet),
    guard("client: a locked session is not shown", "UnlockTests/stored", unmet),
    guard("client: a proof opens the session that it was asked for", "UnlockTests/another", becomes("true")),
    guard("client: a refused assertion is repeated once", "AttestTests/refusedTwice", becomes("true")),
    guard("client: assertions leave one after another", "AttestTests/(together|cancelled)", met),
    guard("client: a stream that cannot be sent is refused", "SendTests/stream", met),
    guard("client: an empty answer is the server's", "WeatherTests/unmasked", met),
    # The transport on Linux.
    guard("client: nothing but HTTP is spoken", "CurlTransportTests/addresses", met),
    guard("client: no name and password in an address", "CurlTransportTests/addresses", met),
    guard("client: no value is a line of its own", "CurlTransportTests/injection", met),
    guard("client: six connections of a host", "CurlTransportTests/sixConnections", skipped),
    guard("client: a request that was given up is not sent", "TransportTests/cancelledBefore", met),
    guard("client: no redirect", "TransportTests/redirect", becomes("(CURLOPT_FOLLOWLOCATION, 1)")),
    guard("client: certificate", "CurlTransportTests/untrusted", becomes("(CURLOPT_SSL_VERIFYPEER, 0)")),
    guard("client: certificate's name", "CurlTransportTests/wrongName", becomes("(CURLOPT_SSL_VERIFYHOST, 0)")),
    guard("client: an interim answer is none", "AnswerHeadTests/interim", met),
    guard("client: an end that was not told is a cut", "AnswerHeadTests/end|CutAnswerTests/noAnswer", met),
    guard("client: size", "TransportTests/bound", met),
    # The way back from the hosted pages is the answer to the way that was begun.
    guard("hosted: the address is the flow's own", "HostedReturnTests/(scheme|host|path|port)", met),
    guard("hosted: the state is the flow's", "HostedReturnTests/(state|noState|older)", met),
    guard("hosted: the issuer is the server's", "HostedReturnTests/(issuer|noIssuer)", met),
    guard("hosted: no parameter comes twice", "HostedReturnTests/twice", met),
    guard("hosted: a way is given up in the end", "HostedReturnTests/expired", met),
    guard("hosted: a way that is over opens no session", "HostedSignInTests/(signedOut|signedIn)", met),
    guard("models: two taps send once", "ModelTests/twice", met),
    guard("models: what one person was shown is shown to no other", "FactorOwnerTests/(left|late)", unmet),
]
