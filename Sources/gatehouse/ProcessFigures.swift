import GatehouseServer
import Glibc

/// The figures that Linux has of this process, under the names that Prometheus uses for every program.
enum ProcessFigures {
  /// Nothing of what cannot be read.
  static var all: [Figure] {
    var figures: [Figure] = []
    if let stat = Stat(text("/proc/self/stat")) {
      figures += [
        .counter(
          "process_cpu_seconds", "Processor time of the process, in user and system mode.",
          [.init(stat.processor, decimals: 2)]),
        .gauge("process_resident_memory_bytes", "Memory of the process that is in main memory.", stat.resident),
        .gauge("process_virtual_memory_bytes", "Address space of the process.", stat.virtual),
      ]
      if let boot = bootTime(text("/proc/stat")) {
        figures.append(
          .gauge(
            "process_start_time_seconds", "When the process began, in seconds since 1970.",
            [.init(boot * 100 + stat.began, decimals: 2)]))
      }
    }
    if let open = openDescriptors {
      figures.append(.gauge("process_open_fds", "File descriptors that are open.", open))
    }
    if let most = mostDescriptors(text("/proc/self/limits")) {
      figures.append(.gauge("process_max_fds", "File descriptors that may be open.", most))
    }
    return figures
  }

  /// The line of proc_pid_stat(5). Times are hundredths of a second.
  struct Stat: Equatable {
    let processor: Int
    /// Since the machine began.
    let began: Int
    let virtual: Int
    let resident: Int

    init?(_ line: String, ticks: Int = sysconf(Int32(_SC_CLK_TCK)), page: Int = sysconf(Int32(_SC_PAGESIZE))) {
      // The name of the program stands in parentheses and may hold spaces and parentheses.
      guard let end = line.lastIndex(of: ")"), ticks > 0 else { return nil }
      let fields = line[line.index(after: end)...].split(separator: " ").map { Int($0) }
      // The first field behind the name is the third of the page.
      func field(_ number: Int) -> Int? { number - 3 < fields.count ? fields[number - 3] : nil }
      guard let user = field(14), let system = field(15), let began = field(22), let virtual = field(23),
        let pages = field(24)
      else { return nil }
      processor = (user + system) * 100 / ticks
      self.began = began * 100 / ticks
      self.virtual = virtual
      resident = pages * page
    }
  }

  /// Seconds since 1970 at which the machine began, from proc_stat(5).
  static func bootTime(_ text: String) -> Int? {
    text.split(separator: "\n").first { $0.hasPrefix("btime ") }.flatMap { Int($0.dropFirst(6)) }
  }

  /// From proc_pid_limits(5); nil where there is no limit.
  static func mostDescriptors(_ text: String) -> Int? {
    let line = text.split(separator: "\n").first { $0.hasPrefix("Max open files") }
    return line?.dropFirst(14).split(separator: " ").first.flatMap { Int($0) }
  }

  private static var openDescriptors: Int? {
    guard let directory = opendir("/proc/self/fd") else { return nil }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    // The directory itself, `.` and `..`.
    return max(0, count - 3)
  }

  private static func text(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      guard count > 0, bytes.count < 1 << 20 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += chunk[..<count]
    }
  }
}
