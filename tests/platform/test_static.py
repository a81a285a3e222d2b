"""Static files come from the ASGI process, in both kinds of chains."""

import pytest


async def test_a_file_comes_whole_through_the_asynchronous_chain(async_client):
    answer = await async_client.get("/static/js/theme.js")
    assert answer.status_code == 200
    assert not answer.streaming
    assert answer["Content-Type"].startswith("text/javascript")
    assert b"theme" in answer.content


def test_a_file_comes_through_the_synchronous_chain(client):
    answer = client.get("/static/css/app.css")
    assert answer.status_code == 200
    assert b"@layer" in b"".join(answer.streaming_content)


@pytest.mark.parametrize("path", ["/static/../manage.py", "/static/%2e%2e/manage.py"])
async def test_nothing_outside_is_served(async_client, path):
    assert (await async_client.get(path)).status_code == 404
