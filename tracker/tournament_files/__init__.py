"""Tournament files: export of a tournament with its stages, and import by another club.

A *file* is a zip with a *document*, the JSON that ``FORMAT.md`` explains. An *index* is the place
of an item in a list of the document, from 0; a *path* says where a value is: ``people[3].name``.
A *stage* is a tournament or one that follows it, such as a final.

- ``logic``: ``format`` has the schemas of a document, made of the types in ``schema``; ``packing``
  reads and writes the zip; ``document`` has the checks that schemas cannot express
- ``queries``: ``export`` writes the document of a tournament, ``preview`` describes a file
- ``services``: ``trial`` imports a file into a database in memory, ``importing`` into the site,
  both by ``insertion``
"""
