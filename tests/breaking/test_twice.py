"""The same thing done several times at once is done once."""

import pytest
from playwright.sync_api import expect

from tests.browser.walk import listed, reply, say, show_list, start_talking

pytestmark = pytest.mark.breaking

_POST_AT_ONCE = """async () => {
  const form = document.querySelector('form[data-composer]');
  const send = () => {
    const data = new FormData();
    data.set('csrfmiddlewaretoken', form.elements.csrfmiddlewaretoken.value);
    data.set('client_id', form.elements.client_id.value);
    data.set('text', 'I write reports for the council.');
    return fetch(form.action, {
      method: 'POST', body: data, headers: {Accept: 'application/json'},
    }).then((answer) => answer.json());
  };
  return Promise.all(Array.from({length: 6}, send));
}"""


def test_a_message_posted_six_times_at_once_is_one_message(product, open_page):
    page = open_page("desk")
    start_talking(page, product.url, "Policy Analyst")
    reply(page, 1)
    told = page.evaluate(_POST_AT_ONCE)
    assert len({item["run"] for item in told}) == 1
    reply(page, 2)
    expect(page.locator(".message--person")).to_have_count(1)
    session_id = page.url.split("/survey/")[1].split("/")[0]
    assert product.rows("SELECT count(*) FROM chat_run WHERE session_id = %s", session_id) == [(2,)]


def test_a_pipeline_run_many_times_at_once_writes_each_task_once(product, open_page):
    page = open_page("desk")
    start_talking(page, product.url, "Policy Analyst")
    reply(page, 1)
    say(page, "I write reports, review draft laws and brief journalists.")
    reply(page, 2)
    show_list(page)
    statements = listed(page).locator(".task__statement").all_inner_texts()
    assert len(statements) == len(set(statements)) == 3
    session_id = page.url.split("/survey/")[1].split("/")[0]
    product.rows(
        "UPDATE tasks_surveyresponse SET step = 'queued', lease = NULL, processed_to_seq = 0"
        " WHERE session_id = %s",
        session_id,
    )
    product.python(
        "from tasks.jobs import process_response\n"
        f"for _ in range(8): process_response.delay('{session_id}')"
    )
    page.reload()
    expect(page.locator("#pipeline .stages")).to_have_count(0)
    assert listed(page).locator(".task__statement").all_inner_texts() == statements
    counted = product.rows(
        "SELECT count(*), count(DISTINCT statement) FROM tasks_worktask WHERE response_id = %s",
        session_id,
    )
    assert counted == [(3, 3)]
