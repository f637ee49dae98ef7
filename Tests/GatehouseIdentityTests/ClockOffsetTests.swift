import GatehouseIdentity
import Testing

@Suite("How far a server's clock may be from the database's")
struct ClockOffsetTests {
  @Test(
    "more than 5 s are told, more than 45 s keep a server from serving, in either direction",
    arguments: [
      (0, .agrees), (5, .agrees), (-5, .agrees), (5.5, .differs), (-5.5, .differs), (45, .differs), (45.5, .tooFar),
      (-45.5, .tooFar), (-3600, .tooFar),
    ] as [(Double, ClockOffset.State)])
  func state(_ seconds: Double, _ state: ClockOffset.State) {
    #expect(ClockOffset(seconds: seconds, uncertainty: 0).state == state)
  }

  @Test("more than 60 s keep it from starting", arguments: [(60, true), (-60, true), (60.5, false), (-61, false)])
  func start(_ seconds: Double, _ permits: Bool) {
    #expect(ClockOffset(seconds: seconds, uncertainty: 0).permitsStart == permits)
  }

  @Test("what a slow answer explains is no wrong clock")
  func uncertainty() {
    let offset = ClockOffset(seconds: 50, uncertainty: 50)
    #expect(offset.state == .agrees && offset.permitsStart)
    #expect(ClockOffset(seconds: 100, uncertainty: 39).permitsStart == false)
  }

  @Test("a sentence says the direction")
  func sentence() {
    #expect(
      ClockOffset(seconds: 50.4, uncertainty: 0).sentence == "this machine's clock is 50 s ahead of the database's")
    #expect(ClockOffset(seconds: -7, uncertainty: 0).sentence == "this machine's clock is 7 s behind the database's")
  }
}
