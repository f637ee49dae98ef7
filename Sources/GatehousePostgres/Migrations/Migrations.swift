/// One numbered step of the schema: a file of the folder `SQL`.
package struct Migration: Sendable, Equatable {
  /// From 1, without gaps.
  package let number: Int
  /// The file is `m0001_name.sql`.
  package let name: String
  /// The file's text. It runs as `gatehouse_owner` in a transaction of its own and must not end that.
  package let sql: String

  package init(_ number: Int, _ name: String, _ sql: String) {
    self.number = number
    self.name = name
    self.sql = sql
  }

  init(_ number: Int, _ name: String, file: [UInt8]) {
    self.init(number, name, String(decoding: file, as: UTF8.self))
  }
}

/// All migrations in the order in which they run. Forward only: a published file never changes.
package enum Migrations {
  package static let all: [Migration] = [
    Migration(1, "ground", file: PackageResources.m0001_ground_sql),
    Migration(2, "prune", file: PackageResources.m0002_prune_sql),
    Migration(3, "password_compliance", file: PackageResources.m0003_password_compliance_sql),
    Migration(4, "statistics", file: PackageResources.m0004_statistics_sql),
    Migration(5, "idempotency", file: PackageResources.m0005_idempotency_sql),
    Migration(6, "device", file: PackageResources.m0006_device_sql),
    Migration(7, "webhook", file: PackageResources.m0007_webhook_sql),
    Migration(8, "more_statistics", file: PackageResources.m0008_more_statistics_sql),
    Migration(9, "audit_chain", file: PackageResources.m0009_audit_chain_sql),
    Migration(10, "rewrap", file: PackageResources.m0010_rewrap_sql),
    Migration(11, "tenant_host", file: PackageResources.m0011_tenant_host_sql),
    Migration(12, "admin_token", file: PackageResources.m0012_admin_token_sql),
    Migration(13, "provider", file: PackageResources.m0013_provider_sql),
    Migration(14, "operator_answer", file: PackageResources.m0014_operator_answer_sql),
    Migration(15, "keep_warm", file: PackageResources.m0015_keep_warm_sql),
    Migration(16, "place", file: PackageResources.m0016_place_sql),
    Migration(17, "policy_language", file: PackageResources.m0017_policy_language_sql),
    Migration(18, "epoch", file: PackageResources.m0018_epoch_sql),
    Migration(19, "host_claims", file: PackageResources.m0019_host_claims_sql),
    Migration(20, "data_key_uses", file: PackageResources.m0020_data_key_uses_sql),
    Migration(21, "erase_disabled", file: PackageResources.m0021_erase_disabled_sql),
    Migration(22, "admin_token_maker", file: PackageResources.m0022_admin_token_maker_sql),
    Migration(23, "failing_tests", file: PackageResources.m0023_failing_tests_sql),
    Migration(24, "server", file: PackageResources.m0024_server_sql),
    Migration(25, "attest", file: PackageResources.m0025_attest_sql),
    Migration(26, "presence", file: PackageResources.m0026_presence_sql),
    Migration(27, "id_token_use", file: PackageResources.m0027_id_token_use_sql),
    Migration(28, "search_key", file: PackageResources.m0028_search_key_sql),
    Migration(29, "password_history", file: PackageResources.m0029_password_history_sql),
    Migration(30, "refresh_retry", file: PackageResources.m0030_refresh_retry_sql),
    Migration(31, "proofs", file: PackageResources.m0031_proofs_sql),
    Migration(32, "shared_steps", file: PackageResources.m0032_shared_steps_sql),
    Migration(33, "restored", file: PackageResources.m0033_restored_sql),
    Migration(34, "audit_cut", file: PackageResources.m0034_audit_cut_sql),
    Migration(35, "page_session", file: PackageResources.m0035_page_session_sql),
    Migration(36, "tenant_logo", file: PackageResources.m0036_tenant_logo_sql),
    Migration(37, "limit_delay", file: PackageResources.m0037_limit_delay_sql),
    Migration(38, "rights", file: PackageResources.m0038_rights_sql),
    Migration(39, "destination", file: PackageResources.m0039_destination_sql),
    Migration(40, "found_names", file: PackageResources.m0040_found_names_sql),
    Migration(41, "ticket", file: PackageResources.m0041_ticket_sql),
    Migration(42, "session_client", file: PackageResources.m0042_session_client_sql),
    Migration(43, "page_client", file: PackageResources.m0043_page_client_sql),
    Migration(44, "contact", file: PackageResources.m0044_contact_sql),
    Migration(45, "factors", file: PackageResources.m0045_factors_sql),
    Migration(46, "tenant_picture", file: PackageResources.m0046_tenant_picture_sql),
    Migration(47, "erased_token", file: PackageResources.m0047_erased_token_sql),
    Migration(48, "installation_log", file: PackageResources.m0048_installation_log_sql),
    Migration(49, "backup", file: PackageResources.m0049_backup_sql),
    Migration(50, "floor", file: PackageResources.m0050_floor_sql),
    Migration(51, "mail_code", file: PackageResources.m0051_mail_code_sql),
    Migration(52, "deleted_account", file: PackageResources.m0052_deleted_account_sql),
    Migration(53, "backfill", file: PackageResources.m0053_backfill_sql),
    Migration(54, "origin", file: PackageResources.m0054_origin_sql),
    Migration(55, "second_factors", file: PackageResources.m0055_second_factors_sql),
    Migration(56, "passkeys", file: PackageResources.m0056_passkeys_sql),
  ]
}
