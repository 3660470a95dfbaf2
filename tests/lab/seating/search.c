/* The search of tracker/seating/logic/movements, in C and for longer: seats for all rounds of a
 * night with the fewest repeats, by swaps of two within a round, annealed again and again.
 *
 * Reads from standard input: units, rounds; the weights of partners, meetings, opponents; the
 * warm and the cold temperature; moves of a run, runs at most, seconds at most, seed, cost that
 * is good enough; then for each round the number of places, and for each place its table, its
 * side and the unit that sits there first (-1: by lot, of those who are listed after the places:
 * their number and the units). Writes the least cost, and the unit of every place by round.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { UNITS = 128, PLACES = 4096, ROUNDS = 64, SIZE = 16, TIMES = 64 };

static int units, rounds, places, begin[ROUNDS + 1];
static int table[PLACES], side[PLACES], at[PLACES], best_at[PLACES], given[PLACES];
static int others[PLACES][SIZE], related[PLACES][SIZE], others_of[PLACES];
static int codes[UNITS][UNITS], cost_of[TIMES * TIMES];
static int w_partners, w_meetings, w_opponents;
static uint64_t state;

static uint64_t next(void) { /* splitmix64 */
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
static int below(int number) { return (int)(((next() >> 32) * (uint64_t)number) >> 32); }
static double chance(void) { return (double)(next() >> 11) / 9007199254740992.0; }
static int repeated(int times) { return times * (times - 1) / 2; }

static int now(int one, int two) { return cost_of[codes[one][two]]; }
static void meet(int one, int two, int step) {
    codes[one][two] += step;
    codes[two][one] = codes[one][two];
}

/* Swap two places not of one side, and return what it costs. */
static int swap(int one, int two) {
    int a = at[one], b = at[two], cost = 0;
    for (int k = 0; k < others_of[one]; k++) {
        int other = others[one][k], who = at[other], step = related[one][k];
        if (other == two) continue;
        cost -= now(a, who), meet(a, who, -step), cost += now(a, who);
        cost -= now(b, who), meet(b, who, step), cost += now(b, who);
    }
    for (int k = 0; k < others_of[two]; k++) {
        int other = others[two][k], who = at[other], step = related[two][k];
        if (other == one) continue;
        cost -= now(b, who), meet(b, who, -step), cost += now(b, who);
        cost -= now(a, who), meet(a, who, step), cost += now(a, who);
    }
    at[one] = b, at[two] = a;
    return cost;
}

static int count(void) {
    int cost = 0;
    memset(codes, 0, sizeof codes);
    for (int place = 0; place < places; place++)
        for (int k = 0; k < others_of[place]; k++)
            codes[at[place]][at[others[place][k]]] += related[place][k];
    for (int one = 0; one < units; one++)
        for (int two = 0; two < one; two++) cost += now(one, two);
    return cost;
}

int main(void) {
    double warm, cold, moves, runs, seconds;
    long seed, good;
    if (scanf("%d %d %d %d %d %lf %lf %lf %lf %lf %ld %ld", &units, &rounds, &w_partners,
              &w_meetings, &w_opponents, &warm, &cold, &moves, &runs, &seconds, &seed, &good) != 12)
        return 1;
    state = (uint64_t)seed * 0x2545f4914f6cdd1du + 1;
    for (int round = 0; round < rounds; round++) {
        int number;
        if (scanf("%d", &number) != 1) return 1;
        begin[round] = places;
        for (int end = places + number; places < end; places++)
            if (scanf("%d %d %d", &table[places], &side[places], &given[places]) != 3) return 1;
    }
    begin[rounds] = places;
    for (int code = 0; code < TIMES * TIMES; code++)
        cost_of[code] = w_partners * repeated(code / TIMES) + w_opponents * repeated(code % TIMES) +
                        w_meetings * repeated(code / TIMES + code % TIMES);
    for (int one = 0; one < places; one++)
        for (int two = 0; two < places; two++)
            if (one != two && table[one] == table[two]) {
                others[one][others_of[one]] = two;
                related[one][others_of[one]++] = side[one] == side[two] ? TIMES : 1;
            }
    clock_t begun = clock();
    long best = -1;
    for (long run = 0; run < (long)runs; run++) {
        memcpy(at, given, sizeof at);
        if (run % 2 == 1 && best >= 0) memcpy(at, best_at, sizeof at); /* warmed up again */
        else
            for (int round = 0; round < rounds; round++)
                for (int k = begin[round + 1] - 1; k > begin[round]; k--) {
                    int other = begin[round] + below(k - begin[round] + 1), who = at[k];
                    if (run > 0) at[k] = at[other], at[other] = who; /* the first run as given */
                }
        long cost = count();
        if (best < 0 || cost < best) best = cost, memcpy(best_at, at, sizeof at);
        double hot = run % 2 == 1 ? sqrt(warm * cold) : warm;
        for (long move = 0; move < (long)moves && best > good; move++) {
            static double heat = 1;
            if (move % 1024 == 0) {
                heat = hot * pow(cold / hot, (double)move / moves);
                if ((double)(clock() - begun) / CLOCKS_PER_SEC > seconds) break;
            }
            int one = below(places), round = 0;
            /* the round of a place: all places of a table are of one round */
            while (begin[round + 1] <= one) round++;
            int two = begin[round] + below(begin[round + 1] - begin[round]);
            if (one == two || (table[one] == table[two] && side[one] == side[two])) continue;
            int rise = swap(one, two);
            if (rise > 0 && chance() >= exp(-rise / heat)) {
                swap(one, two);
                continue;
            }
            cost += rise;
            if (cost < best) best = cost, memcpy(best_at, at, sizeof at);
        }
        if (best <= good || (double)(clock() - begun) / CLOCKS_PER_SEC > seconds) break;
    }
    printf("%ld\n", best);
    for (int round = 0; round < rounds; round++) {
        for (int place = begin[round]; place < begin[round + 1]; place++)
            printf("%d ", best_at[place]);
        printf("\n");
    }
    return 0;
}
