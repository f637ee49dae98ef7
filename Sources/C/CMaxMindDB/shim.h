#pragma once
#include <maxminddb.h>
