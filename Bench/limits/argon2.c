// How many argon2id hashes a second libargon2 makes on so many threads: `argon2 THREADS SECONDS fresh|kept` prints the rate.
// `fresh` gives each hash its memory from the system and back, `kept` lets malloc keep it between hashes. The parameters are the server's: 19456 KiB, two passes, one lane, salt 16, hash 32.
#define _GNU_SOURCE
#include <argon2.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void *hash(void *rate) {
  const char password[] = "correct horse battery", salt[] = "0123456789abcdef";
  unsigned char output[32];
  long count = 0;
  double began = now();
  while (now() - began < seconds) {
    if (argon2id_hash_raw(2, 19456, 1, password, sizeof password - 1, salt, 16, output, sizeof output) != ARGON2_OK)
      exit(1);
    count++;
  }
  *(double *)rate = count / (now() - began);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  // Set by hand, the threshold no longer follows what was freed.
  if (strcmp(argv[3], "fresh") == 0) mallopt(M_MMAP_THRESHOLD, 1 << 20);
  int threads = atoi(argv[1]);
  seconds = atof(argv[2]);
  if (threads < 1 || threads > 256) return 2;
  pthread_t thread[256];
  double rate[256], sum = 0;
  for (int index = 0; index < threads; index++) pthread_create(&thread[index], NULL, hash, &rate[index]);
  for (int index = 0; index < threads; index++) {
    pthread_join(thread[index], NULL);
    sum += rate[index];
  }
  printf("%.2f\n", sum);
  return 0;
}
