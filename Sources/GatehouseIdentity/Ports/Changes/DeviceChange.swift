/// Writes of known devices.
package enum DeviceChange: Sendable {
  /// A device that was not known; the account's oldest beyond `KnownDevice.perAccount` go.
  case insert(KnownDevice)
  /// The account's devices are new ones when they come again, but for that of a session.
  case forgetAll(UserID, except: SessionID?)
  /// The device of this session is a new one when it comes again.
  case forget(of: SessionID)
}
