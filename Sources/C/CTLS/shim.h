#pragma once
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string.h>

// Most of what configures a context is a macro, which Swift does not see.

static inline int gh_tls_minimum_version(SSL_CTX *context) {
  return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1;
}

static inline int gh_tls_groups(SSL_CTX *context, const char *list) {
  return SSL_CTX_set1_groups_list(context, list) == 1;
}

static inline void gh_tls_conduct(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_mode(
    context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_read_ahead(context, 1);
}

/// Answers that a key has no passphrase; OpenSSL would ask for one at the terminal.
static inline int gh_tls_no_passphrase(char *buffer, int size, int writing, void *context) {
  (void)buffer, (void)size, (void)writing, (void)context;
  return -1;
}

/// The first certificate of a PEM text is the server's, those after it lead to the authority. 1, or 0 with an error left
/// in the queue.
static inline int gh_tls_use_chain(SSL_CTX *context, const void *text, int size) {
  BIO *bio = BIO_new_mem_buf(text, size);
  X509 *certificate = bio == NULL ? NULL : PEM_read_bio_X509(bio, NULL, gh_tls_no_passphrase, NULL);
  int good = certificate != NULL && SSL_CTX_use_certificate(context, certificate) == 1;
  X509_free(certificate);
  while (good && (certificate = PEM_read_bio_X509(bio, NULL, gh_tls_no_passphrase, NULL)) != NULL) {
    good = SSL_CTX_add0_chain_cert(context, certificate) == 1;
    if (!good) X509_free(certificate);
  }
  if (good) {
    // What ended the chain must be the end of the text.
    good = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
    if (good) ERR_clear_error();
  }
  BIO_free(bio);
  return good;
}

/// 1, or 0 with an error left in the queue; it fits the certificate that was set before.
static inline int gh_tls_use_key(SSL_CTX *context, const void *text, int size) {
  BIO *bio = BIO_new_mem_buf(text, size);
  EVP_PKEY *key = bio == NULL ? NULL : PEM_read_bio_PrivateKey(bio, NULL, gh_tls_no_passphrase, NULL);
  int good = key != NULL && SSL_CTX_use_PrivateKey(context, key) == 1 && SSL_CTX_check_private_key(context) == 1;
  EVP_PKEY_free(key);
  BIO_free(bio);
  return good;
}

static inline int gh_tls_error_is_missing_pem(unsigned long error) {
  return ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
}

static inline int gh_tls_error_is_passphrase(unsigned long error) {
  return ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_BAD_PASSWORD_READ;
}

/// A key of another kind than the certificate's finds no certificate at all.
static inline int gh_tls_error_is_mismatch(unsigned long error) {
  int library = ERR_GET_LIB(error), reason = ERR_GET_REASON(error);
  return (library == ERR_LIB_X509 && (reason == X509_R_KEY_VALUES_MISMATCH || reason == X509_R_KEY_TYPE_MISMATCH))
      || (library == ERR_LIB_SSL && reason == SSL_R_NO_CERTIFICATE_ASSIGNED);
}

/// Begins to seal or open one ticket with AES-256-CBC and HMAC-SHA-256 (RFC 5077, section 4). 1, or 0.
static inline int gh_tls_begin_ticket(
  EVP_CIPHER_CTX *cipher, EVP_MAC_CTX *mac, const unsigned char key[32], unsigned char mac_key[32],
  const unsigned char *iv, int sealing) {
  OSSL_PARAM parameters[] = {
    OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, mac_key, 32),
    OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256", 0),
    OSSL_PARAM_construct_end(),
  };
  return EVP_CipherInit_ex(cipher, EVP_aes_256_cbc(), NULL, key, iv, sealing) == 1
      && EVP_MAC_CTX_set_params(mac, parameters) == 1;
}

// For tests, which are clients too.

static inline int gh_tls_server_name(SSL *ssl, const char *name) { return SSL_set_tlsext_host_name(ssl, name) == 1; }
