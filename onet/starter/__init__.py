"""The starter catalogue that ships with Futura, in our own words; see the TOML files here."""
