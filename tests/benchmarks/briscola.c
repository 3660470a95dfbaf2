/* Briscola for two by lot in plain C, as a yardstick: briscola SECONDS FIRST
 *
 * Plays the usual house's deals, the seat FIRST playing first, for so much processor time.
 * Prints deals, moves and seconds; then the last deals, one a line: the pack, the points by
 * seat, and the moves, -1 for a swap. A card is suit * 10 + strength.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CARDS = 40, RANKS = 10, SEATS = 2, SIZE = 3, DEALT = SEATS * SIZE, DRAWS = CARDS - DEALT };
enum { TRICKS = CARDS / SEATS, DRAWING = DRAWS / SEATS, SEVEN = 4, SWAP = -1 };
enum { KEPT = 32, AT_ONCE = 20000, MOST_MOVES = CARDS + 1 };

static const int VALUES[RANKS] = {0, 0, 0, 0, 0, 2, 3, 4, 10, 11};

typedef struct {
    int order[CARDS], points[SEATS], moves[MOST_MOVES], noted;
} Deal;

static uint64_t dice = 88172645463325252u;

/* One of so many ways by lot (Marsaglia's xorshift, its upper half). */
static inline int way(int ways)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return (int)(((dice >> 32) * (uint64_t)ways) >> 32);
}

static inline int takes(int best, int card, int trump)
{
    return card / RANKS == best / RANKS ? card > best : card / RANKS == trump;
}

static void shuffle(int *order)
{
    for (int card = 0; card < CARDS; card++)
        order[card] = card;
    for (int last = CARDS - 1; last > 0; last--) {
        int place = way(last + 1), card = order[last];
        order[last] = order[place];
        order[place] = card;
    }
}

static void play(Deal *deal, int leader)
{
    int hands[SEATS][SIZE], draws[DRAWS], won[SEATS] = {0}, held = SIZE, drawn = 0, able = 1;
    int *next = deal->moves;

    shuffle(deal->order);
    for (int card = 0; card < DEALT; card++)
        hands[(leader + card) % SEATS][card / SEATS] = deal->order[card];
    for (int card = 0; card < DRAWS - 1; card++)
        draws[card] = deal->order[DEALT + 1 + card];
    draws[DRAWS - 1] = deal->order[DEALT];
    int trump = draws[DRAWS - 1] / RANKS, seven = trump * RANKS + SEVEN;
    for (int seat = 0; seat < SEATS; seat++)
        deal->points[seat] = 0;

    for (int trick = 0; trick < TRICKS; trick++) {
        int places[SEATS], best = -1, pile = 0, owner = leader;
        for (int step = 0; step < SEATS; step++) {
            int seat = (leader + step) % SEATS, *hand = hands[seat];
            if (able && won[seat] && trick < DRAWING)
                for (int place = 0; place < SIZE; place++)
                    if (hand[place] == seven && way(SIZE + 1) == 0) {
                        hand[place] = draws[DRAWS - 1];
                        draws[DRAWS - 1] = seven;
                        *next++ = SWAP;
                        able = 0;
                    }
            int place = places[seat] = way(held), card = *next++ = hand[place];
            if (card == seven)
                able = 0;
            pile += VALUES[card % RANKS];
            if (best < 0 || takes(best, card, trump)) {
                best = card;
                owner = seat;
            }
        }
        deal->points[owner] += pile;
        won[owner] = 1;
        leader = owner;
        if (trick >= DRAWING)
            held--;
        for (int step = 0; step < SEATS; step++) {
            int seat = (leader + step) % SEATS;
            hands[seat][places[seat]] = trick < DRAWING ? draws[drawn++] : hands[seat][held];
        }
    }
    deal->noted = (int)(next - deal->moves);
}

int main(int argc, char **argv)
{
    static Deal kept[KEPT];
    double seconds = argc > 1 ? atof(argv[1]) : 1, spent = 0;
    int first = argc > 2 ? atoi(argv[2]) : 0;
    long deals = 0, moves = 0;
    clock_t begun = clock();

    dice ^= (uint64_t)time(NULL) << 20;
    do {
        for (int deal = 0; deal < AT_ONCE; deal++) {
            play(&kept[deal % KEPT], first);
            moves += kept[deal % KEPT].noted;
        }
        deals += AT_ONCE;
        spent = (double)(clock() - begun) / CLOCKS_PER_SEC;
    } while (spent < seconds);

    printf("%ld %ld %f\n", deals, moves, spent);
    for (int deal = 0; deal < KEPT; deal++) {
        for (int card = 0; card < CARDS; card++)
            printf("%d ", kept[deal].order[card]);
        for (int seat = 0; seat < SEATS; seat++)
            printf("%d ", kept[deal].points[seat]);
        for (int move = 0; move < kept[deal].noted; move++)
            printf("%d ", kept[deal].moves[move]);
        printf("\n");
    }
    return 0;
}
