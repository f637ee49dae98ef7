import GatehouseAssembly
import GatehouseRuntime
import Glibc

/// The service manager that started this process (sd_notify(3)); nothing where there is none.
struct ServiceManager: Sendable {
  enum State: Sendable { case ready, reloading, stopping, alive }

  /// The address of its socket.
  private let socket: String?
  /// How often it has to hear that the server is alive; nil where it does not watch.
  let watchdog: Duration?

  init(_ surroundings: Surroundings) {
    socket = surroundings["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
    let isMeant = surroundings["WATCHDOG_PID"].map { Int32($0) == getpid() } ?? true
    let microseconds = surroundings["WATCHDOG_USEC"].flatMap { Int($0) }
    // Half of the time that it allows, as sd_watchdog_enabled(3) recommends.
    watchdog = isMeant ? microseconds.flatMap { $0 > 0 ? .microseconds($0 / 2) : nil } : nil
  }

  /// Says a state. A manager that cannot be reached is no reason to stop.
  func tell(_ state: State) {
    switch state {
    case .ready: send("READY=1")
    case .stopping: send("STOPPING=1")
    case .alive: send("WATCHDOG=1")
    case .reloading:
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      send("RELOADING=1\nMONOTONIC_USEC=\(time.tv_sec * 1_000_000 + time.tv_nsec / 1000)")
    }
  }

  /// Says again and again that each of these loops goes on; nil where nothing listens.
  func watch(_ loops: [Loop]) -> Job? {
    watchdog.map { period in
      Job(.tellServiceManager, every: period) { [self] in
        for loop in loops {
          await withUnsafeContinuation { continuation in loop.execute { continuation.resume() } }
        }
        tell(.alive)
        return false
      }
    }
  }

  private func send(_ text: String) {
    guard let socket else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array(socket.utf8)
    guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      bytes.copyBytes(from: path)
      // An abstract name begins with a zero byte.
      if path[0] == 0x40 { bytes[0] = 0 }
    }
    let length = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path).map { $0 + path.count } ?? 0)
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // SAFETY: `address` is a whole sockaddr_un, of which `length` bytes count.
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        sendto(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), address, length)
      }
    }
  }
}
