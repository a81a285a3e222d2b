"""The least that Chainlit's own guide asks for; runs in Chainlit's environment, not in ours."""

import os

import chainlit as cl  # type: ignore[import-not-found]
from openai import AsyncOpenAI

client = AsyncOpenAI(max_retries=0)

if address := os.environ.get("CHAINLIT_BENCH_DATABASE"):
    from chainlit.data.sql_alchemy import (  # type: ignore[import-not-found]
        SQLAlchemyDataLayer,
    )

    @cl.data_layer
    def stored() -> SQLAlchemyDataLayer:
        """Keeps conversations, as Futura always does."""
        return SQLAlchemyDataLayer(conninfo=address)


@cl.on_message
async def answer(message: cl.Message) -> None:
    """Streams what the model says to the last message."""
    reply = cl.Message(content="")
    stream = await client.chat.completions.create(
        model="gpt-4o", messages=[{"role": "user", "content": message.content}], stream=True
    )
    async for chunk in stream:
        if chunk.choices and (text := chunk.choices[0].delta.content):
            await reply.stream_token(text)
    await reply.update()
