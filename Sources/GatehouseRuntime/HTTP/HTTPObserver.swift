/// Counts what a server does. Called on the loop threads, in the middle of the work: must be quick and never block.
package protocol HTTPObserver: Sendable {
  func connectionOpened()
  func connectionClosed()
  /// A connection was answered 503 and closed because there were too many.
  func connectionTurnedAway()
  /// A connection was closed unheard because its address had too many.
  func connectionCrowdedOut()
  /// A proxy began a connection without a valid header of the PROXY protocol, or too slowly; it was closed.
  func proxyHeaderRefused()
  func requestReceived()
  /// A handler's answer was written.
  func answered(status: Int)
  /// A request that never reached a handler was refused.
  func refused(status: Int)
}

extension HTTPObserver {
  package func connectionOpened() {}
  package func connectionClosed() {}
  package func connectionTurnedAway() {}
  package func connectionCrowdedOut() {}
  package func proxyHeaderRefused() {}
  package func requestReceived() {}
  package func answered(status: Int) {}
  package func refused(status: Int) {}
}
