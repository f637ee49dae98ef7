import Glibc
import Testing

@testable import GatehouseRuntime

/// A client of HTTP/2 on a stepped server, frame by frame.
final class HTTP2Client {
  private let client: SteppedClient
  private let server: SteppedServer
  private let reader = FrameReader()
  private var hasEnded = false

  /// Greets the server, unless told not to.
  init(_ server: SteppedServer, greets: Bool = true, peer: PeerAddress = .unix) throws {
    self.server = server
    client = try server.connect(peer: peer)
    if greets { client.send(Frame.greeting) }
  }

  @discardableResult
  func send(_ frames: Frame...) -> Bool { send(frames) }

  @discardableResult
  func send(_ frames: [Frame]) -> Bool { client.send(frames.flatMap(\.bytes)) }

  @discardableResult
  func send(bytes: [UInt8]) -> Bool { client.send(bytes) }

  func finishWriting() { client.finishWriting() }

  /// Reads what has come, letting the server go on meanwhile.
  private func read() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !hasEnded {
      let count = recv(client.descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EAGAIN { return }
      guard count > 0 else {
        hasEnded = true
        return
      }
      reader.add(Array(buffer[..<count]))
      server.settle()
    }
  }

  /// Whether the server sends no more.
  var isEnded: Bool {
    read()
    return hasEnded
  }

  var frames: [Frame] {
    read()
    return reader.frames
  }

  /// What came on a stream so far.
  func answer(_ stream: UInt32) -> FrameReader.Answer {
    read()
    return reader.answers[stream] ?? FrameReader.Answer()
  }

  /// The streams that were answered with this status.
  func streams(_ status: Int) -> Int {
    read()
    return reader.answers.values.count { $0.status == status && $0.isEnded }
  }

  func resets(_ code: UInt32) -> Int {
    read()
    return reader.answers.values.count { $0.reset == code }
  }

  /// The code of the last GOAWAY.
  var goodbye: UInt32? {
    read()
    return reader.goodbyes.last?.code
  }

  /// The last stream that each GOAWAY names.
  var lastStreams: [UInt32] {
    read()
    return reader.goodbyes.map(\.last)
  }

  func count(_ kind: Frame.Kind, flags: UInt8 = 0) -> Int {
    read()
    return reader.count(kind, flags: flags)
  }
}

/// Error codes of RFC 9113, section 7.
enum Code {
  static let none: UInt32 = 0
  static let `protocol`: UInt32 = 1
  static let refused: UInt32 = 7
  static let cancel: UInt32 = 8
  static let compression: UInt32 = 9
  static let calm: UInt32 = 11
}
