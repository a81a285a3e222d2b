"""The rules of an audit, one file an area; each looks at a Subject and yields findings."""
