import GatehousePrimitives
import Testing

@testable import GatehouseOutbound

@Suite("Which addresses may be reached")
struct ReachableAddressesTests {
  private func allows(_ text: String, _ rule: ReachableAddresses = ReachableAddresses()) throws -> Bool {
    rule.allows(try #require(NetworkAddress(text)))
  }

  @Test(
    "T102 an address that is not of the public Internet is refused",
    arguments: [
      "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.100.100.200", "100.127.255.255",
      "127.0.0.1", "127.255.255.255", "169.254.0.0", "169.254.169.254", "172.16.0.0", "172.31.255.255", "192.0.0.1",
      "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.0.0", "192.168.255.255", "198.18.0.0", "198.19.255.255",
      "198.51.100.7", "203.0.113.7", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "168.63.129.16",
      "::", "::1", "::2", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
      "64:ff9b::7f00:1",
      "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "100::1", "fe80::1", "febf::1", "fec0::1", "fc00::1", "fd00:ec2::254",
      "fdff:ffff::1", "ff02::1", "2001::1", "2001:1ff::1", "2001:db8::1", "2002:7f00:1::1", "2002:808:808::1",
      "3fff::1", "3fff:fff::1", "4000::1", "5f00::1",
    ])
  func refused(_ text: String) throws {
    #expect(try !allows(text))
    #expect(
      try allows(text, ReachableAddresses(allowsLoopback: true))
        == (["127.0.0.1", "127.255.255.255", "::1", "::ffff:127.0.0.1"].contains(text)))
  }

  @Test(
    "T102 the addresses beside them are reached",
    arguments: [
      "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
      "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0", "192.167.255.255",
      "192.169.0.0", "198.17.255.255", "198.20.0.0", "203.0.112.255", "203.0.114.0", "223.255.255.255", "168.63.129.15",
      "8.8.8.8", "::ffff:8.8.8.8", "64:ff9b::808:808", "2000::1", "2001:200::1", "2001:db7::1", "2001:db9::1",
      "2003::1", "2606:4700::1111", "3ffe::1", "3fff:1000::1",
    ])
  func reached(_ text: String) throws {
    #expect(try allows(text))
  }

  @Test("a network of the operator's may be permitted, and nothing beside it")
  func permitted() throws {
    let rule = ReachableAddresses(permitted: [try #require(NetworkBlock("10.1.0.0/16"))])
    #expect(try allows("10.1.2.3", rule) && allows("8.8.8.8", rule))
    #expect(try !allows("10.2.0.1", rule) && !allows("127.0.0.1", rule))
  }
}
