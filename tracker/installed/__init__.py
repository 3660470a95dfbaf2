"""The site installed on a phone: what it is called there, its worker, the page without a network.

Only where there is a certificate; on a hall's plain http no browser installs anything.
"""
