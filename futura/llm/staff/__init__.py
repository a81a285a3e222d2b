"""The staff's view of the call ledger: what calls cost, how long they took, how they ended."""
