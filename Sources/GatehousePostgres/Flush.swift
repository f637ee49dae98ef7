/// When a commit has to be on the disk (and on synchronous standbys).
package enum Flush: Sendable {
  /// Before it is answered: an answered effect survives every later failure.
  case beforeAnswer
  /// Within a second (PostgreSQL's asynchronous commit), or with the next commit that is flushed: WAL is written in
  /// order. For work that another commit follows before a caller is told of it. A crash of PostgreSQL in between undoes
  /// it as a whole.
  case later
}
