/* A first round that can be developed: each further round adds 1 to every player.
 *
 * Arguments: players (no multiple of four), rounds, the most seconds, a seed. In these rounds no two
 * meet twice, and nobody rests twice. Two players with a difference d meet in a round if the first
 * round seats some x with x + d, at a shift of as many rounds as they are from these. So the pairs
 * of a difference must be at least as far apart as there are rounds, and so must those who rest.
 * Writes the first round, four by four; nothing if none is found.
 */
#include "annealing.h"

enum { PLAYERS = 128 };
static int players, rounds, seats, at[PLAYERS];
/* by difference, and by the first player of the pair: how many pairs there are; those who rest
 * have the difference 0 */
static int pairs[PLAYERS][PLAYERS];

/* Count a pair, or no more (sign -1), and return the rise of the number of pairs too near. */
static int count(int difference, int first, int sign) {
    int near = 0, *row = pairs[difference];
    if (sign < 0) row[first]--;
    for (int k = 1 - rounds; k < rounds; k++) near += row[(first + k + players) % players];
    if (sign > 0) row[first]++;
    return sign * near;
}

static int meet(int one, int two, int sign) {
    int difference = (two - one + players) % players;
    if (2 * difference == players) return count(difference, one, sign) + count(difference, two, sign);
    return 2 * difference < players ? count(difference, one, sign)
                                    : count(players - difference, two, sign);
}

static int sit(int place, int sign) {
    int rise = 0;
    if (place >= seats) return count(0, at[place], sign);
    for (int other = place & ~3, end = other + 4; other < end; other++)
        if (other != place) rise += meet(at[place], at[other], sign);
    return rise;
}

static int exchange(int one, int two) {
    int rise = sit(one, -1) + sit(two, -1);
    swap(&at[one], &at[two]);
    return rise + sit(one, 1) + sit(two, 1);
}

int main(int number, char **given) {
    if (number != 5) return 1;
    players = atoi(given[1]), rounds = atoi(given[2]), seats = players / 4 * 4;
    double most = atof(given[3]), moves = 1e6;
    state = strtoull(given[4], NULL, 10);
    for (int k = 0; k < players; k++) at[k] = k;
    while (seconds() < most) {
        int cost = 0;
        memset(pairs, 0, sizeof pairs);
        shuffle(at, players);
        for (int place = 0; place < players; place++) {
            if (place >= seats) cost += sit(place, 1);
            else
                for (int other = place & ~3; other < place; other++)
                    cost += meet(at[place], at[other], 1);
        }
        double heat = 0;
        for (double move = 0; move < moves && cost; move++) {
            if ((long)move % 1024 == 0) heat = heat_at(0.7, 0.2, move / moves);
            int one = below(players), two = below(players);
            if (one / 4 == two / 4 || (one >= seats && two >= seats)) continue;
            int rise = exchange(one, two);
            if (accept(rise, heat)) cost += rise;
            else exchange(one, two);
        }
        if (!cost) {
            for (int place = 0; place < seats; place++) printf("%d ", at[place]);
            return 0;
        }
    }
    return 0;
}
