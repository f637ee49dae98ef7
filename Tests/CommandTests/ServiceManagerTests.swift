import Foundation
import GatehousePrimitives
import GatehouseTesting
import Glibc
import Testing

@testable import gatehouse

@Suite("The service manager that started the server")
struct ServiceManagerTests {
  /// A socket as systemd listens at it, in this folder.
  private final class Listener: Sendable {
    private let descriptor: Int32

    init(at path: String) throws {
      descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let bound = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      try #require(bound == 0)
    }

    deinit { close(descriptor) }

    /// The next message, within a minute.
    func next() -> String {
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, 60_000) > 0 else { return "" }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// The messages until one begins like this.
    func messages(until text: String) -> [String] {
      var all: [String] = []
      while true {
        let message = next()
        all.append(message)
        if message.isEmpty || message.hasPrefix(text) { return all }
      }
    }
  }

  @Test("it hears when the server is ready, alive, reloading and stopping")
  func told() async throws {
    let folder = try TestFolder.make("notify")
    let heard = try Listener(at: folder + "/socket")
    let environment = ["NOTIFY_SOCKET": folder + "/socket", "WATCHDOG_USEC": "200000"]
    try await ServedApp.run(environment: environment) { server, _, _ in
      #expect(heard.messages(until: "READY=1").last == "READY=1")
      #expect(heard.messages(until: "WATCHDOG=1").last == "WATCHDOG=1")
      kill(server.processIdentifier, SIGHUP)
      #expect(heard.messages(until: "RELOADING=1").last?.contains("\nMONOTONIC_USEC=") == true)
      #expect(heard.messages(until: "READY=1").last == "READY=1")
    }
    #expect(heard.messages(until: "STOPPING=1").last == "STOPPING=1")
  }

  @Test("a watchdog that is meant for another process is not told")
  func otherProcess() {
    let environment = ["NOTIFY_SOCKET": "/s", "WATCHDOG_USEC": "200000", "WATCHDOG_PID": "1"]
    #expect(ServiceManager(Surroundings(environment: environment, userID: 0)).watchdog == nil)
  }

  @Test("the watchdog is told twice as often as it asks", arguments: [("200000", 100), ("30000000", 15_000)])
  func half(_ microseconds: String, _ milliseconds: Int) {
    let surroundings = Surroundings(environment: ["NOTIFY_SOCKET": "/s", "WATCHDOG_USEC": microseconds], userID: 0)
    #expect(ServiceManager(surroundings).watchdog == .milliseconds(milliseconds))
  }

  @Test("rubbish in the environment is no watchdog", arguments: ["", "0", "-1", "abc", "99999999999999999999999"])
  func rubbish(_ text: String) {
    let surroundings = Surroundings(environment: ["WATCHDOG_USEC": text], userID: 0)
    #expect(ServiceManager(surroundings).watchdog == nil)
  }
}
