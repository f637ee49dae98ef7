import Testing

@testable import GatehousePostgres

@Suite("Statements in words")
struct SQLSummaryTests {
  private func summary(_ statements: SQL...) -> String { SQL.summary(of: statements) }

  @Test("a statement is its verb and its table, and no value is in the words")
  func one() {
    let value = "ann@example.com"
    #expect(summary("SELECT phc, (SELECT max(at) FROM device) FROM account WHERE email = \(value)") == "SELECT account")
    #expect(summary("INSERT INTO session (id, note) VALUES (\(value), 'x')") == "INSERT session")
    #expect(summary("UPDATE account SET email = \(value)") == "UPDATE account")
    #expect(summary("DELETE FROM gatehouse.audit WHERE id = 1") == "DELETE audit")
    #expect(summary("WITH due AS (SELECT id FROM outbox LIMIT 1) UPDATE outbox AS o SET x = 1") == "UPDATE outbox")
    #expect(summary("SELECT gatehouse.erase_account(\(value))") == "SELECT erase_account")
    #expect(summary("SELECT 1") == "SELECT" && summary("BEGIN") == "SQL" && summary() == "")
  }

  @Test("several are named once each in a row, in bounded length")
  func several() {
    #expect(
      summary("SELECT 1 FROM account", "SELECT 2 FROM account", "DELETE FROM code") == "SELECT account; DELETE code")
    let many = (0..<200).map { $0 % 2 == 0 ? "SELECT 1 FROM account" as SQL : "DELETE FROM code" }
    let text = SQL.summary(of: many)
    #expect(text.hasSuffix("; …") && text.utf8.count <= 255)
  }
}
