"""People: user accounts, clubs with their members, players and teams.

A *user* signs in. A *member* is a user with a role in a club: owner, organiser, scorer or member. A
*player* is a name in a club, with or without a user; a user *claims* to be a player, an organiser
*links* the two. A *visitor* is a player from another club, a *team* players who enter tournaments
together. To *merge* is to make two players one, to *erase* is to remove a player's name everywhere.
``services`` write all this, ``pages`` show it.
"""
