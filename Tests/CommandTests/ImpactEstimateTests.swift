import Testing

@testable import gatehouse

@Suite("Estimates from a sample of users")
struct ImpactEstimateTests {
  @Test("a share of a sample is a number of all, with the margin of nineteen samples in twenty")
  func share() {
    #expect(ImpactEstimate.of(2500, from: 10_000, total: 5_000_000) == "about 1250000 (± 42436)")
  }

  @Test("a sample that found none bounds the number and does not say none")
  func none() {
    #expect(ImpactEstimate.of(0, from: 10_000, total: 5_000_000) == "fewer than 1500")
  }

  @Test("a sample of none says nothing")
  func empty() {
    #expect(ImpactEstimate.of(0, from: 0, total: 5_000_000) == "an unknown number of users")
  }
}
