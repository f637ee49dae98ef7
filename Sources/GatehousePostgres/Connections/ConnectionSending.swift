import CPostgreSQL
import GatehouseRuntime

extension Connection {
  /// Sends a batch and its sync. Only while `isReady`. On a failure the connection is lost: without its sync the
  /// server can not have committed anything, so the job is answered `unavailable`.
  func send(_ job: Job) {
    if let refusal = job.refusal { return job.finish(.failure(refusal)) }
    // The names that others share were no good; with names of its own the job learns the reason itself.
    if job.wasPreparedAnew { forgetStatements(of: job) }
    guard let handle, state == .ready else { return job.finish(.failure(.unavailable)) }
    var names: [String] = []
    for statement in job.statements {
      guard let name = prepared(statement, on: handle) else { return abandon(job) }
      names.append(name)
    }
    for (statement, name) in zip(job.statements, names) {
      guard execute(name, statement.parameters, on: handle) else { return abandon(job) }
    }
    // INVARIANT: entered before the sync leaves, so that a loss from here on counts as "sent".
    job.markSent()
    ledger.append(.batch(job), statements: job.statements.count)
    guard PQpipelineSync(handle) == 1 else { return lose() }
    for name in statements.evict() { deallocate(name) }
    flush()
  }

  /// Writes what is buffered; when the socket is full, waits for it to drain.
  func flush() {
    guard let handle else { return }
    switch PQflush(handle) {
    case 0: watch?.interest = .read
    case 1: watch?.interest = [.read, .write]
    default: lose()
    }
  }

  /// Gives a prepared statement back to the server.
  func deallocate(_ name: String) {
    guard let handle else { return }
    guard send(statement: "DEALLOCATE \(identifier: name)", on: handle), PQpipelineSync(handle) == 1 else {
      return lose()
    }
    ledger.append(.deallocate, statements: 1)
  }

  /// A statement without a name, for what is sent once per connection.
  func send(statement: SQL, on handle: OpaquePointer) -> Bool {
    let types = statement.parameters.map(\.type)
    return withParameters(statement.parameters) { values, lengths, formats in
      PQsendQueryParams(
        handle, statement.text, Int32(statement.parameters.count), types, values, lengths, formats, 1) == 1
    }
  }

  /// Once, before any is prepared again: a statement may stand in the batch twice.
  private func forgetStatements(of job: Job) {
    for statement in job.statements {
      if let name = statements.remove(PreparedStatements.Key(statement)) { deallocate(name) }
    }
  }

  private func abandon(_ job: Job) {
    lose()
    job.finish(.failure(.unavailable))
  }

  /// The statement's name. A new one is prepared in an exchange of its own, so that an earlier error in the batch
  /// can not skip it and later batches can count on it.
  private func prepared(_ statement: SQL, on handle: OpaquePointer) -> String? {
    let key = PreparedStatements.Key(statement)
    let (name, isNew) = statements.name(for: key)
    guard isNew else { return name }
    guard PQsendPrepare(handle, name, key.text, Int32(key.types.count), key.types) == 1,
      PQpipelineSync(handle) == 1
    else { return nil }
    ledger.append(.prepare(key), statements: 1)
    return name
  }

  private func execute(_ name: String, _ parameters: [SQLParameter], on handle: OpaquePointer) -> Bool {
    withParameters(parameters) { values, lengths, formats in
      PQsendQueryPrepared(handle, name, Int32(parameters.count), values, lengths, formats, 1) == 1
    }
  }
}

/// Lays the values out in one buffer, each followed by a NUL (libpq reads text values as C strings).
func withParameters(
  _ parameters: [SQLParameter],
  _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Bool
) -> Bool {
  guard !parameters.isEmpty else { return body(nil, nil, nil) }
  var buffer: [UInt8] = []
  var offsets: [Int] = []
  for parameter in parameters {
    offsets.append(buffer.count)
    buffer += parameter.bytes ?? []
    buffer.append(0)
  }
  let lengths = parameters.map { Int32(clamping: $0.bytes?.count ?? 0) }
  let formats: [Int32] = parameters.map { $0.isBinary ? 1 : 0 }
  // SAFETY: libpq copies the values before it returns; the pointers stay inside `buffer`.
  return buffer.withUnsafeBytes { bytes in
    let values = zip(parameters, offsets).map { parameter, offset -> UnsafePointer<CChar>? in
      parameter.bytes == nil ? nil : bytes.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
    }
    return body(values, lengths, formats)
  }
}
