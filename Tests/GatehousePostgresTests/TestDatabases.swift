import Foundation
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// How many tests have lanes open at the same time: all suites may run side by side, the cluster's sessions are
/// counted.
let databasePlaces = ConcurrencyLimit(places: 12)

/// Runs `body` when one of the places is free.
func inPlace(_ body: () async throws -> Void) async throws {
  await databasePlaces.enter()
  do {
    try await body()
  } catch {
    await databasePlaces.leave()
    throw error
  }
  await databasePlaces.leave()
}

/// Gives `body` a fresh database with the roles and a small schema, and removes it afterwards.
func withDatabase(
  user: String = Roles.app, _ configure: (inout DatabaseConfiguration) -> Void = { _ in },
  _ body: (TestDatabase, Database) async throws -> Void
) async throws {
  try await inPlace {
    let place = try await TestDatabase.make(migrated: false)
    _ = try await Migrator(conninfo: place.conninfo(user: Roles.migrator), migrations: [schema]).migrate()
    let database = try await place.connect(user: user, configure)
    do {
      try await body(place, database)
    } catch {
      await database.stop()
      throw error
    }
    await database.stop()
    try await place.drop()
  }
}

/// What these tests need of a schema: a tenant table with forced row-level security, and a way to raise a guard.
let schema = Migration(
  1, "test",
  """
  CREATE TABLE note (
    tenant_id uuid NOT NULL, id bigint NOT NULL, body text, PRIMARY KEY (tenant_id, id),
    CONSTRAINT note_body_short CHECK (length(body) < 1000),
    CONSTRAINT note_body_once UNIQUE (tenant_id, body) DEFERRABLE INITIALLY DEFERRED
  );
  ALTER TABLE note ENABLE ROW LEVEL SECURITY;
  ALTER TABLE note FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON note
    USING (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid))
    WITH CHECK (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid));
  GRANT SELECT, INSERT, UPDATE, DELETE ON note TO gatehouse_app;
  CREATE TABLE counter (id bigint PRIMARY KEY, value bigint NOT NULL);
  INSERT INTO counter VALUES (1, 0), (2, 0);
  GRANT SELECT, INSERT, UPDATE, DELETE ON counter TO gatehouse_app;
  CREATE FUNCTION guard(name text, holds boolean) RETURNS boolean LANGUAGE plpgsql AS $guard$
  BEGIN
    IF holds IS NOT TRUE THEN RAISE EXCEPTION USING ERRCODE = 'GH001', MESSAGE = name; END IF;
    RETURN true;
  END
  $guard$;
  GRANT EXECUTE ON FUNCTION guard TO gatehouse_app;
  """)

/// The error of an operation that must fail.
func failure<Value>(of body: () async throws -> Value) async -> DatabaseError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? DatabaseError
  }
}

extension DatabaseError {
  var isUnknownOutcome: Bool { if case .unknownOutcome = self { true } else { false } }
  var isUnavailable: Bool { if case .unavailable = self { true } else { false } }
  var isOverloaded: Bool { if case .overloaded = self { true } else { false } }
  var isTimeout: Bool { if case .timeout = self { true } else { false } }
  var guardName: String? { if case .guardFailed(let name) = self { name } else { nil } }
}
