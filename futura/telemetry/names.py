"""Every name that spans carry: of spans, of attributes, of operations.

The `gen_ai.*` and `error.*` names are OpenTelemetry's semantic conventions (of generative
AI: development status, as of semantic conventions 1.41); those under `futura.*` are our own.
"""

from __future__ import annotations

from typing import Final

SERVICE: Final = "futura"

# spans
TURN: Final = "invoke_agent {kind}"
MODEL_CALL: Final = "{operation} {model}"
TOOL: Final = "execute_tool {tool}"

# operations
INVOKE_AGENT: Final = "invoke_agent"
CHAT: Final = "chat"
EMBEDDINGS: Final = "embeddings"
TRANSCRIPTION: Final = "transcription"
MODERATION: Final = "moderation"
EXECUTE_TOOL: Final = "execute_tool"

# attributes by the conventions
OPERATION: Final = "gen_ai.operation.name"
PROVIDER: Final = "gen_ai.provider.name"
AGENT: Final = "gen_ai.agent.name"
CONVERSATION: Final = "gen_ai.conversation.id"
REQUEST_MODEL: Final = "gen_ai.request.model"
RESPONSE_MODEL: Final = "gen_ai.response.model"
RESPONSE_ID: Final = "gen_ai.response.id"
FIRST_CHUNK_S: Final = "gen_ai.response.time_to_first_chunk"
TEMPERATURE: Final = "gen_ai.request.temperature"
MAX_TOKENS: Final = "gen_ai.request.max_tokens"
STREAM: Final = "gen_ai.request.stream"
INPUT_TOKENS: Final = "gen_ai.usage.input_tokens"
CACHED_TOKENS: Final = "gen_ai.usage.cache_read.input_tokens"
OUTPUT_TOKENS: Final = "gen_ai.usage.output_tokens"
REASONING_TOKENS: Final = "gen_ai.usage.reasoning.output_tokens"
TOOL_NAME: Final = "gen_ai.tool.name"
TOOL_CALL: Final = "gen_ai.tool.call.id"
ERROR: Final = "error.type"

# contents: only with FUTURA_TELEMETRY_CONTENTS
INPUT_MESSAGES: Final = "gen_ai.input.messages"
OUTPUT_MESSAGES: Final = "gen_ai.output.messages"
TOOL_ARGUMENTS: Final = "gen_ai.tool.call.arguments"
TOOL_RESULT: Final = "gen_ai.tool.call.result"

# our own
RUN: Final = "futura.run.id"
STAGE_NAME: Final = "futura.stage"
ATTEMPT: Final = "futura.attempt"
OUTCOME: Final = "futura.outcome"
COST_USD: Final = "futura.cost_usd"
BASIC_MODE: Final = "futura.basic_mode"
PROMPT_VERSION: Final = "futura.prompt.version"
ENDED: Final = "futura.run.status"

# The only names whose values may hold what somebody said.
CONTENTS: Final = frozenset({INPUT_MESSAGES, OUTPUT_MESSAGES, TOOL_ARGUMENTS, TOOL_RESULT})
