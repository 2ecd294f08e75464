#pragma once
#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer inside a program that has its own main; comes with -sanitize=fuzzer.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *data, size_t size));
