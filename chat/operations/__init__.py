"""The ledger of operations: the only way in which operable rows change (DESIGN section 5)."""
