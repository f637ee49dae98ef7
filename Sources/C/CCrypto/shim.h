#pragma once
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

/// `EVP_PKEY_Q_keygen` is variadic, which Swift cannot call.
static inline EVP_PKEY *gh_generate_p256(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256"); }

// Parameter builders keep the pointers to the names they are given until the key is made. C string literals live long
// enough; Swift's temporary ones would not.

static inline EVP_PKEY *gh_public_key(const char *type, OSSL_PARAM *parameters) {
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
  if (context == NULL || EVP_PKEY_fromdata_init(context) != 1 ||
      EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1)
    key = NULL;
  EVP_PKEY_CTX_free(context);
  if (key == NULL) ERR_clear_error();
  return key;
}

/// A P-256 public key from its uncompressed point (65 bytes), or NULL when the point is not on the curve.
static inline EVP_PKEY *gh_public_p256(const unsigned char point[65]) {
  OSSL_PARAM parameters[] = {
    OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)"prime256v1", 0),
    OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, 65),
    OSSL_PARAM_construct_end(),
  };
  return gh_public_key("EC", parameters);
}

/// An RSA public key from modulus and exponent, most significant byte first, or NULL.
static inline EVP_PKEY *gh_public_rsa(const unsigned char *n, int n_size, const unsigned char *e, int e_size) {
  EVP_PKEY *key = NULL;
  BIGNUM *modulus = BN_bin2bn(n, n_size, NULL), *exponent = BN_bin2bn(e, e_size, NULL);
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  if (builder != NULL && modulus != NULL && exponent != NULL &&
      OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, modulus) == 1 &&
      OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, exponent) == 1) {
    OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
    if (parameters != NULL) key = gh_public_key("RSA", parameters);
    OSSL_PARAM_free(parameters);
  }
  OSSL_PARAM_BLD_free(builder);
  BN_free(modulus);
  BN_free(exponent);
  return key;
}

// Stacks are macros, which Swift does not see: they pass as pointers without a type.

static inline void *gh_stack_new(void) { return sk_X509_new_null(); }

/// Adds a certificate with a reference of the stack's own; 1, or 0.
static inline int gh_stack_push(void *stack, X509 *certificate) {
  if (X509_up_ref(certificate) != 1) return 0;
  if (sk_X509_push((STACK_OF(X509) *)stack, certificate) > 0) return 1;
  X509_free(certificate);
  return 0;
}

static inline void gh_stack_free(void *stack) { sk_X509_pop_free((STACK_OF(X509) *)stack, X509_free); }

/// A certificate has no passphrase to ask a terminal for.
static inline int gh_no_passphrase(char *buffer, int size, int writing, void *context) {
  (void)buffer, (void)size, (void)writing, (void)context;
  return -1;
}

/// Adds the certificates of a PEM text to a store. Their number, or 0 when one cannot be read or there are more than `most`.
static inline int gh_store_add_pem(X509_STORE *store, const void *text, int size, int most) {
  BIO *bio = BIO_new_mem_buf(text, size);
  int count = 0, good = bio != NULL;
  X509 *certificate;
  while (good && (certificate = PEM_read_bio_X509(bio, NULL, gh_no_passphrase, NULL)) != NULL) {
    good = ++count <= most && X509_STORE_add_cert(store, certificate) == 1;
    X509_free(certificate);
  }
  // What ended the reading must be the end of the text.
  if (good) good = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  ERR_clear_error();
  BIO_free(bio);
  return good ? count : 0;
}

/// Whether a root of the store vouches for a certificate by way of others, as of a time: X509_V_OK, or the first error.
static inline int gh_verify_chain(X509_STORE *store, X509 *certificate, void *others, time_t at) {
  X509_STORE_CTX *context = X509_STORE_CTX_new();
  int verdict = X509_V_ERR_OUT_OF_MEM;
  if (context != NULL && X509_STORE_CTX_init(context, store, certificate, (STACK_OF(X509) *)others) == 1) {
    X509_VERIFY_PARAM *parameters = X509_STORE_CTX_get0_param(context);
    X509_VERIFY_PARAM_set_time(parameters, at);
    X509_VERIFY_PARAM_set_depth(parameters, 4);
    X509_VERIFY_PARAM_set_auth_level(parameters, 2);
    int done = X509_verify_cert(context);
    verdict = X509_STORE_CTX_get_error(context);
    if (done != 1 && verdict == X509_V_OK) verdict = X509_V_ERR_UNSPECIFIED;
  }
  X509_STORE_CTX_free(context);
  return verdict;
}

/// The first entry of this kind of a certificate's subject, as its bytes are; their number, or -1.
static inline int gh_subject_entry(const X509 *certificate, int kind, char *text, int size) {
  return X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), kind, text, size);
}

/// Whether a certificate is of version 3 and says that it may sign no other (basicConstraints).
static inline int gh_is_leaf(X509 *certificate) {
  uint32_t flags = X509_get_extension_flags(certificate);
  return X509_get_version(certificate) == X509_VERSION_3 && (flags & EXFLAG_BCONS) != 0 &&
         (flags & (EXFLAG_CA | EXFLAG_INVALID)) == 0;
}

/// The value of the only extension with this object identifier, or NULL. It belongs to the certificate.
static inline const unsigned char *gh_extension(const X509 *certificate, const char *identifier, int *size) {
  ASN1_OBJECT *object = OBJ_txt2obj(identifier, 1);
  int first = object == NULL ? -1 : X509_get_ext_by_OBJ(certificate, object, -1);
  int second = first < 0 ? -1 : X509_get_ext_by_OBJ(certificate, object, first);
  ASN1_OBJECT_free(object);
  if (first < 0 || second >= 0) return NULL;
  const ASN1_OCTET_STRING *value = X509_EXTENSION_get_data(X509_get_ext(certificate, first));
  *size = ASN1_STRING_length(value);
  return ASN1_STRING_get0_data(value);
}
