"""A feature as small as can be: one stage, one streamed model call. Measures the engine alone."""
