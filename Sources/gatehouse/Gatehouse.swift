@main
struct Gatehouse {
  static func main() {}
}
