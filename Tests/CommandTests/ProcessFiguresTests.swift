import GatehouseServer
import Testing

@testable import gatehouse

@Suite("Figures of the process")
struct ProcessFiguresTests {
  @Test("a program's name with spaces and parentheses does not move the fields")
  func name() throws {
    let line =
      "42 (a) b (c) S 1 42 42 0 -1 4194304 100 0 0 0 150 50 0 0 20 0 7 0 1234 20480 5 18446744073709551615 1 1 0 0"
    let stat = try #require(ProcessFigures.Stat(line, ticks: 50, page: 4096))
    #expect(stat.processor == 400 && stat.began == 2468 && stat.virtual == 20_480 && stat.resident == 20_480)
    #expect(ProcessFigures.Stat("42 (a) S 1", ticks: 100, page: 4096) == nil)
  }

  @Test("limits without a number are left out")
  func limits() {
    let text =
      "Limit                     Soft Limit           Hard Limit           Units\nMax open files            %@\n"
    #expect(ProcessFigures.mostDescriptors(text.replacing("%@", with: "1024   524288   files")) == 1024)
    #expect(ProcessFigures.mostDescriptors(text.replacing("%@", with: "unlimited unlimited files")) == nil)
    #expect(ProcessFigures.bootTime("cpu 1 2\nbtime 1700000000\nprocesses 5") == 1_700_000_000)
  }

  @Test("every standard name is there for a process that runs")
  func all() {
    let values = Dictionary(ProcessFigures.all.map { ($0.name, $0.samples[0].value) }) { $1 }
    #expect(
      Set(values.keys).isSuperset(of: [
        "process_cpu_seconds_total", "process_resident_memory_bytes", "process_virtual_memory_bytes",
        "process_start_time_seconds", "process_open_fds",
      ]))
    #expect(values["process_resident_memory_bytes", default: 0] > 1 << 20)
    #expect(values["process_open_fds", default: 0] >= 3)
  }

  @Test("a part of a second is written with a point", arguments: [(1234, "12.34"), (5, "0.05"), (100, "1.00")])
  func decimals(_ value: Int, _ text: String) {
    #expect(Figure.Sample(value, decimals: 2).text == text)
  }
}
