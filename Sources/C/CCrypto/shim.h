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
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/x509.h>

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
