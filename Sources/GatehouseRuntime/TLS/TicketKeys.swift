import CTLS
import Glibc

/// The keys that seal session tickets (RFC 5077; RFC 8446, section 4.6.1), shared by all loops and outliving a change
/// of the certificate. A key seals for one period and opens for one more; then it is erased, and with it the means to
/// read what was sent in sessions resumed under it.
final class TicketKeys: Sendable {
  /// One period, and the life of a ticket.
  static let period: Duration = .seconds(6 * 3600)

  private struct State: Sendable {
    var newest: TicketKey
    var previous: TicketKey?
    var begun: ContinuousClock.Instant
  }

  private let state: Locked<State>
  private let now: @Sendable () -> ContinuousClock.Instant

  init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.now = now
    state = Locked(State(newest: TicketKey(), previous: nil, begun: now()))
  }

  /// The key to seal with.
  var newest: TicketKey {
    state.withLock { state in
      turn(&state)
      return state.newest
    }
  }

  /// The key of that name, and whether tickets should be replaced because a newer one is there.
  func find(_ name: UnsafeRawBufferPointer) -> (key: TicketKey, isOld: Bool)? {
    state.withLock { state in
      turn(&state)
      if state.newest.isNamed(name) { return (state.newest, false) }
      return state.previous.flatMap { $0.isNamed(name) ? ($0, true) : nil }
    }
  }

  /// Drops expired keys, also while no client connects.
  func expire() { state.withLock(turn) }

  private func turn(_ state: inout State) {
    let present = now()
    let age = present - state.begun
    guard age >= Self.period else { return }
    state.previous = age < Self.period * 2 ? state.newest : nil
    state.newest = TicketKey()
    state.begun = present
  }
}

/// A name, a key for the cipher and one for the MAC; erased at the end.
final class TicketKey: @unchecked Sendable {
  // SAFETY: written once by `init`, read only from then on, erased with the last reference.
  private static let nameBytes = 16
  private static let keyBytes = 32
  private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: nameBytes + keyBytes * 2, alignment: 8)

  init() {
    // RFC 5077 rests on these; a generator that fails leaves nothing to go on with.
    let answer = RAND_priv_bytes(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(bytes.count))
    precondition(answer == 1, "no randomness for ticket keys")
  }

  deinit {
    OPENSSL_cleanse(bytes.baseAddress, bytes.count)
    bytes.deallocate()
  }

  func isNamed(_ name: UnsafeRawBufferPointer) -> Bool { bytes[..<Self.nameBytes].elementsEqual(name) }

  func copyName(to place: UnsafeMutableRawPointer) {
    if let base = bytes.baseAddress { place.copyMemory(from: base, byteCount: Self.nameBytes) }
  }

  /// Prepares OpenSSL's contexts to seal or open one ticket.
  func begin(_ cipher: OpaquePointer?, _ mac: OpaquePointer?, iv: UnsafePointer<UInt8>?, sealing: Bool) -> Bool {
    guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
    let key = base + Self.nameBytes
    return gh_tls_begin_ticket(cipher, mac, key, key + Self.keyBytes, iv, sealing ? 1 : 0) == 1
  }
}
