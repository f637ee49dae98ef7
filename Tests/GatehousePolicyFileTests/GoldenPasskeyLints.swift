import GatehousePolicyFile

/// Lints of passkeys. The file `acme.yaml`, and exactly what is said about it.
enum GoldenPasskeyLints {
  static let cases: [Golden] = [
    Golden(
      .syncedByItsWord,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      passkeys: {use: [sign_in], synced: false}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:5:36: warning[P0326]: synced: false rests on what an authenticator says of itself without attestation: direct
          5 | passkeys: {use: [sign_in], synced: false}
            |                                    ^~~~~

      """#),
    Golden(
      .syncedUnattested,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      passkeys:
        use: [sign_in]
        attestation: direct
        roots: ["-----BEGIN CERTIFICATE-----\nMIICljCCAX6gAwIBAgIJ\n-----END CERTIFICATE-----"]
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:7:16: warning[P0327]: attestation: direct refuses every synced passkey: none carries a statement
          7 |   attestation: direct
            |                ^~~~~~

      """#),
    Golden(
      .pastRelyingParty,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      passkeys: {use: [sign_in], rp_id: acme.example, rp_id_from: {id: acme.test, until: 2020-01-01}}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:5:84: warning[P0328]: passkeys of acme.test prove no more since 2020-01-01
          5 | passkeys: {use: [sign_in], rp_id: acme.example, rp_id_from: {id: acme.test, until: 2020-01-01}}
            |                                                                                    ^~~~~~~~~~
            = remove rp_id_from; it has no effect any more

      """#),
    Golden(
      .offerToNobody,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      providers: {google: {use: sign_in, audiences: [acme.apps.example]}}
      passkeys: {use: [sign_in], upgrade: {from: 2027-01-01}}
      tests:
        - name: an address of the provider's
          sign_up_with: {provider: google, email: person@example.com, email_verified: true}
          expect: {ok: true}

      """#,
      #"""
      acme.yaml:6:44: warning[P0329]: upgrade offers a passkey to no account: providers: (line 5) does not name password
          6 | passkeys: {use: [sign_in], upgrade: {from: 2027-01-01}}
            |                                            ^~~~~~~~~~
            = remove upgrade, or add password to providers

      """#),
  ]
}
