/// Why a server ended a connection that was open.
package enum ConnectionEnd: String, CaseIterable, Sendable {
  /// Its peer did not take its answers.
  case slow
  /// There was no room for what its peer asked for and did not take.
  case buffers
  /// It was idle, and a new one came.
  case madeWay = "made_way"
}

/// Counts what a server does. Called on the loop threads, in the middle of the work: must be quick and never block.
package protocol HTTPObserver: AnyObject, Sendable {
  func connectionOpened()
  func connectionClosed()
  /// A connection was answered 503 and closed because there were too many.
  func connectionTurnedAway()
  /// A connection was closed unheard because its address had too many.
  func connectionCrowdedOut()
  /// A connection was closed unheard: the listener speaks in clear, and serves only this machine and trusted proxies.
  func connectionNotTrusted()
  /// An open connection was ended.
  func connectionEnded(_ why: ConnectionEnd)
  /// A proxy began a connection without a valid header of the PROXY protocol, or too slowly; it was closed.
  func proxyHeaderRefused()
  /// A request that never reached a handler was refused.
  func refused(status: Int)
}

extension HTTPObserver {
  package func connectionOpened() {}
  package func connectionClosed() {}
  package func connectionTurnedAway() {}
  package func connectionCrowdedOut() {}
  package func connectionNotTrusted() {}
  package func connectionEnded(_ why: ConnectionEnd) {}
  package func proxyHeaderRefused() {}
  package func refused(status: Int) {}
}
