-- What Chainlit's SQLAlchemy layer expects to find; of its tables those that a conversation fills.
CREATE TABLE threads (
    "id" text PRIMARY KEY, "createdAt" text, "name" text, "userId" text, "userIdentifier" text,
    "tags" text[], "metadata" jsonb
);
CREATE TABLE steps (
    "id" text PRIMARY KEY, "name" text, "type" text, "threadId" text REFERENCES threads,
    "parentId" text, "command" text, "modes" jsonb, "streaming" boolean,
    "waitForAnswer" boolean, "isError" boolean, "metadata" jsonb, "tags" text[], "input" text,
    "output" text, "createdAt" text, "start" text, "end" text, "generation" jsonb,
    "showInput" text, "defaultOpen" boolean, "autoCollapse" boolean, "language" text, "icon" text
);
