"""Staff page: who of staff holds which role, for administrators to give and take."""
