#pragma once
// event-config.h defines _GNU_SOURCE late, which would give this module another fd_set than other modules have:
// the system headers come first.
#include <sys/types.h>
#include <sys/select.h>
#include <sys/time.h>
#include <stdio.h>
#include <event2/event.h>
