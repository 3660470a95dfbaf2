/* What both searches share: lots, and the fall of the temperature. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t state;
static uint64_t next(void) { /* splitmix64 */
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
static int below(int number) { return (int)(((next() >> 32) * (uint64_t)number) >> 32); }
static int accept(int rise, double heat) {
    return rise <= 0 || (double)(next() >> 11) / 9007199254740992.0 < exp(-rise / heat);
}
static double heat_at(double warm, double cold, double share) {
    return warm * pow(cold / warm, share);
}
static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }
static void swap(int *one, int *two) {
    int kept = *one;
    *one = *two, *two = kept;
}
static void shuffle(int *row, int length) {
    for (int k = length - 1; k > 0; k--) swap(&row[k], &row[below(k + 1)]);
}
