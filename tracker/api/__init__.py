"""The API: what the pages know as JSON, and the acts of a night, for other programs.

``interface`` says who asks and how refusals are answered, ``schemas`` what the JSON has,
``reading`` and ``writing`` are the operations, and ``pages`` has the documentation and the
addresses. Rows, rules and access are those of the pages: an operation only puts them into JSON.
"""
