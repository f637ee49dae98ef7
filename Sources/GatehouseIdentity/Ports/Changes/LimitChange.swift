/// Writes of counters, and of what wrong passwords led to.
package enum LimitChange: Sendable {
  /// Counts one against each limit, or throws `limited` and counts nothing.
  case reserve([Reservation])
  /// Takes one from the count of each limit, in the window that counted it.
  case giveBack(Counted)
  /// A right password: the account's failed sign-ins count from zero again.
  case clearFailures(SignInKey)
  /// A new password: so do those on each of the person's devices.
  case clearAllFailures(SignInKey)
  /// All that wrong passwords of an account led to ends: delays, the disabled password, and what counts against the
  /// policy's limit.
  case unlock(SignInKey)
}
