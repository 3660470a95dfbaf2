/* Rounds of tables of four in two pairs with few repeats, by annealing again and again.
 *
 * Arguments: players, rounds, the weights of repeats of partners, of meetings and of opponents, the
 * cost that is good enough, the most seconds, a seed. The players left over rest in turn. Writes
 * the repeats, and the players of each round, four by four as they sit round the table.
 */
#include "annealing.h"

enum { PLAYERS = 128, ROUNDS = 64, PARTNERS = 64 }; /* a code: 64 * partners + opponents */
static int players, rounds, seats, at[ROUNDS][PLAYERS], best_at[ROUNDS][PLAYERS];
static int codes[PLAYERS][PLAYERS], cost_of[PARTNERS * PARTNERS];

static int repeats(int times) { return times > 1 ? times - 1 : 0; }
static int as(int place, int other) { return (place ^ other) == 2 ? PARTNERS : 1; }

/* Let two meet once more, or once less, and return the rise of the cost. */
static int meet(int one, int two, int change) {
    int before = codes[one][two];
    codes[one][two] = codes[two][one] = before + change;
    return cost_of[before + change] - cost_of[before];
}

/* Seat a player at a place, or take them away (sign -1), but for what they are to one other place. */
static int sit(const int *row, int place, int sign, int but) {
    int rise = 0;
    for (int other = place & ~3, end = other + 4; other < end; other++)
        if (other != place && other != but)
            rise += meet(row[place], row[other], sign * as(place, other));
    return rise;
}

static int exchange(int *row, int one, int two) {
    int rise = sit(row, one, -1, two) + sit(row, two, -1, one);
    swap(&row[one], &row[two]);
    return rise + sit(row, one, 1, two) + sit(row, two, 1, one);
}

static int count(int rows[ROUNDS][PLAYERS]) {
    int cost = 0;
    memset(codes, 0, sizeof codes);
    for (int round = 0; round < rounds; round++)
        for (int place = 0; place < seats; place++)
            for (int other = place & ~3; other < place; other++)
                cost += meet(rows[round][place], rows[round][other], as(place, other));
    return cost;
}

int main(int number, char **given) {
    if (number != 9) return 1;
    players = atoi(given[1]), rounds = atoi(given[2]), seats = players / 4 * 4;
    int resting = players - seats, good = atoi(given[6]), best = -1;
    double most = atof(given[7]), moves = 1e6;
    state = strtoull(given[8], NULL, 10);
    for (int code = 0; code < PARTNERS * PARTNERS; code++) {
        int partners = code / PARTNERS, opponents = code % PARTNERS;
        cost_of[code] = atoi(given[3]) * repeats(partners) + atoi(given[5]) * repeats(opponents) +
                        atoi(given[4]) * repeats(partners + opponents);
    }
    /* each run is twice as long as the last */
    for (; (best < 0 || best > good) && seconds() < most; moves *= 2) {
        for (int round = 0; round < rounds; round++) {
            int from = round * resting;
            for (int k = 0; k < seats; k++) at[round][k] = k < from ? k : k + resting;
            shuffle(at[round], seats);
        }
        int cost = count(at);
        double heat = 0;
        for (double move = 0; move < moves; move++) {
            if ((long)move % 1024 == 0) {
                heat = heat_at(atof(given[4]) + atof(given[5]), 0.1, move / moves);
                if (seconds() > most) break;
            }
            int *row = at[below(rounds)], one = below(seats), two = below(seats);
            if (one == two || (one ^ two) == 2) continue;
            int rise = exchange(row, one, two);
            if (!accept(rise, heat)) {
                exchange(row, one, two);
                continue;
            }
            cost += rise;
            if (best < 0 || cost < best) best = cost, memcpy(best_at, at, sizeof at);
            if (best <= good) break;
        }
    }
    count(best_at);
    int met = 0, partners = 0, opponents = 0;
    for (int one = 0; one < players; one++)
        for (int two = 0; two < one; two++) {
            int as_partners = codes[one][two] / PARTNERS, against = codes[one][two] % PARTNERS;
            partners += repeats(as_partners), opponents += repeats(against);
            met += repeats(as_partners + against);
        }
    printf("%d %d %d\n", partners, met, opponents);
    for (int round = 0; round < rounds; round++) {
        for (int place = 0; place < seats; place++) printf("%d ", best_at[round][place]);
        printf("\n");
    }
    return 0;
}
