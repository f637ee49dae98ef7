// One byte is written behind a block of sixteen.
@main enum Overflow {
  static func main() {
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
    bytes.initialize(repeating: 0, count: 16)
    bytes[15 + CommandLine.arguments.count] = 1
    print(bytes[0])
    bytes.deallocate()
  }
}
