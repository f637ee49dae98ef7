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

/// `EVP_PKEY_Q_keygen` is variadic, which Swift cannot call.
static inline EVP_PKEY *gh_generate_p256(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256"); }
