/// Counts what a server does. Called on the loop threads, in the middle of the work: must be quick and never block.
package protocol HTTPObserver: AnyObject, Sendable {
  func connectionOpened()
  func connectionClosed()
  /// A connection was answered 503 and closed because there were too many.
  func connectionTurnedAway()
  /// A connection was closed unheard because its address had too many.
  func connectionCrowdedOut()
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
  package func proxyHeaderRefused() {}
  package func refused(status: Int) {}
}
