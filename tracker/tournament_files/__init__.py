"""Tournament files: export of a tournament with its stages, and import by another club.

A *file* is a zip with a *document*, the JSON that ``FORMAT.md`` explains. A *part* is an object in
it, a *path* says where a value is: ``people[3].name``. A *stage* is a tournament or one that
follows it, such as a final.

- ``logic``: ``format`` and ``tables`` have the models of a document, ``fields`` their types;
  ``reading`` makes refusals of errors, ``packing`` reads and writes the zip
- ``queries``: ``export`` writes the document of a tournament, ``matches`` finds its people here
- ``services``: ``trial`` imports a file into a database in memory, ``importing`` into the site,
  both by ``insertion``
"""
