"""From a source of O*NET files to a release: source, table, reading, catalogue, release."""
