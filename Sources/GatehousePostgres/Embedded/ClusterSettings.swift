import Foundation

/// The cluster's three configuration files, written anew at every start. `config/local.conf` is the operator's and is
/// read last.
struct ClusterSettings {
  let configuration: EmbeddedConfiguration
  let socketDirectory: String
  let owner: OSUser

  static let identMap = "gatehouse"

  var arguments: [String] {
    let folder = configuration.settings
    return [
      "-D", configuration.cluster, "-c", "config_file=\(folder)/postgresql.conf", "-c",
      "hba_file=\(folder)/pg_hba.conf",
      "-c", "ident_file=\(folder)/pg_ident.conf",
    ]
  }

  func write() throws(EmbeddedError) {
    let folder = configuration.settings
    guard mkdir(folder, 0o755) == 0 || errno == EEXIST else { throw .errno(folder) }
    chmod(folder, 0o755)
    for (name, text) in [("postgresql.conf", server), ("pg_hba.conf", access), ("pg_ident.conf", identities)] {
      let path = folder + "/" + name
      do {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
      } catch {
        throw .unusable(path: path, why: error.localizedDescription)
      }
      chmod(path, 0o644)
    }
    if Foundation.access(folder + "/local.conf", F_OK) != 0 {
      let note = "# Settings of your own; they win over postgresql.conf, which is written anew at every start.\n"
      try? note.write(toFile: folder + "/local.conf", atomically: false, encoding: .utf8)
      chmod(folder + "/local.conf", 0o644)
    }
  }

  /// Only the local roles below have access, and only over the socket.
  private var access: String { "local all all peer map=\(ClusterSettings.identMap)\n" }

  /// The user who runs the server may be each of our roles, and so may root, who could become any user anyway.
  private var identities: String {
    let users = owner.name == "root" ? ["root"] : [owner.name, "root"]
    return users.flatMap { user in
      (Roles.logins + [Roles.backup, Embedded.superuser]).map { "\(ClusterSettings.identMap) \"\(user)\" \($0)\n" }
    }.joined()
  }

  private var server: String {
    """
    # Written by gatehouse at every start; put changes into local.conf.
    listen_addresses = ''
    unix_socket_directories = '\(socketDirectory)'
    unix_socket_permissions = 0700
    max_connections = \(configuration.maxConnections)
    shared_buffers = 128MB
    max_wal_senders = 4
    max_parallel_workers = 2
    jit = off
    \(durability)
    log_destination = stderr
    logging_collector = off
    log_line_prefix = '%m [%p] '
    log_min_messages = warning
    # Statements and values of people never reach the log.
    log_statement = none
    log_min_error_statement = panic
    log_error_verbosity = terse
    log_timezone = UTC
    timezone = UTC
    lc_messages = C
    password_encryption = 'scram-sha-256'
    include_if_exists = 'local.conf'

    """
  }

  private var durability: String {
    configuration.isDurable
      ? "fsync = on\nsynchronous_commit = on\nfull_page_writes = on\nwal_compression = on\nmax_wal_size = 512MB"
      // The log of a cluster in memory stays small: a checkpoint without a sync costs little.
      : "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\nmax_wal_size = 64MB\nmin_wal_size = 32MB"
  }
}
