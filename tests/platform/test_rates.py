"""Rates: exact windows, everybody counted at once, what happens while nobody can count."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from redis import Redis

from futura import limits
from futura.errors import TooMany, Unavailable
from futura.limits import rates
from futura.limits.rates import MINUTE_S, Rate, Window

FEW = Rate("few", person=(Window(3, 60),), address=(Window(5, 60),))
TWO_WINDOWS = Rate("two", person=(Window(2, 60), Window(3, 3600)))


@pytest.fixture
def store(settings):
    """The shared Redis, without rates counted before."""
    with Redis.from_url(settings.REDIS_URL) as client:
        for key in client.scan_iter("rate:*"):
            client.delete(key)
        yield client


@pytest.fixture
def let_pass(store):
    """Makes everything counted so far so many seconds older."""

    def age(seconds):
        for key in store.scan_iter("rate:*"):
            for use in store.zrange(key, 0, -1):
                store.zincrby(key, -seconds * 1_000_000, use)

    return age


def uses(rate, count, **who):
    """How many of so many uses are let through."""
    through = 0
    for _ in range(count):
        try:
            rates.check(rate, **who)
        except TooMany:
            continue
        through += 1
    return through


def refused(rate, **who):
    with pytest.raises(TooMany) as refusal:
        rates.check(rate, **who)
    return refusal.value


def test_fifty_threads_at_once_get_exactly_the_limit_through(store):
    rate = Rate("rush", person=(Window(20, 60),))
    with ThreadPoolExecutor(50) as pool:
        through = list(pool.map(lambda _: uses(rate, 2, person="ann"), range(50)))
    assert sum(through) == 20


def test_people_and_places_are_counted_apart(store):
    assert uses(FEW, 4, person="ann") == 3
    assert uses(FEW, 4, person="bob") == 3
    assert uses(FEW, 4, person="ann", place="elsewhere") == 3


def test_everybody_behind_an_address_shares_its_windows(store):
    assert uses(FEW, 3, person="ann", address="192.0.2.1") == 3
    assert uses(FEW, 3, person="bob", address="192.0.2.1") == 2
    assert uses(FEW, 3, person="cem", address="192.0.2.2") == 3


def test_a_refused_use_counts_for_nobody(store):
    assert uses(FEW, 9, person="ann", address="192.0.2.1") == 3
    assert uses(FEW, 9, person="bob", address="192.0.2.1") == 2  # five, and not nine, are used


def test_the_window_slides_and_tells_exactly_how_long_to_wait(store, let_pass):
    rates.check(FEW, person="ann")
    let_pass(40)
    assert uses(FEW, 2, person="ann") == 2
    assert refused(FEW, person="ann").retry_after_s == 20  # then the first of the three is over
    let_pass(20)
    assert uses(FEW, 2, person="ann") == 1
    assert refused(FEW, person="ann").retry_after_s == 40


def test_the_longest_wait_of_several_windows_is_told(store, let_pass):
    assert uses(TWO_WINDOWS, 3, person="ann") == 2
    assert refused(TWO_WINDOWS, person="ann").retry_after_s == 60
    let_pass(60)
    assert uses(TWO_WINDOWS, 3, person="ann") == 1
    assert refused(TWO_WINDOWS, person="ann").retry_after_s == 3540
    let_pass(3540)
    assert uses(TWO_WINDOWS, 3, person="ann") == 2


def test_a_clock_that_was_set_back_locks_nobody_out_for_longer_than_a_window(store, let_pass):
    assert uses(FEW, 3, person="ann") == 3
    let_pass(-86_400)
    assert refused(FEW, person="ann").retry_after_s == 60
    let_pass(60)
    assert uses(FEW, 3, person="ann") == 3


def test_what_is_counted_goes_away_by_itself_and_stays_small(store, let_pass):
    for _ in range(4):
        uses(TWO_WINDOWS, 3, person="ann")
        let_pass(3_600)
    (key,) = store.scan_iter("rate:two:*")
    assert store.zcard(key) <= 3
    assert 3_590_000 < store.pttl(key) <= 3_600_000


def test_redis_learns_neither_address_nor_person(store):
    rates.check(limits.PORTFOLIO, address="203.0.113.77", place="anna-wood")
    rates.check(limits.SEND, person="user 4711", address="203.0.113.77")
    found = b" ".join(
        [
            *store.scan_iter("rate:*"),
            *(m for k in store.scan_iter("rate:*") for m in store.zrange(k, 0, -1)),
        ]
    )
    for secret in (b"203.0", b"4711", b"anna"):
        assert secret not in found


def test_an_ipv6_household_is_one_address_and_its_neighbours_are_others(store):
    assert uses(FEW, 3, person="ann", address="2001:db8:1:2::1") == 3
    assert uses(FEW, 3, person="bob", address="2001:db8:1:2:ffff::9") == 2
    assert uses(FEW, 3, person="cem", address="2001:db8:1:3::1") == 3


def test_a_public_portfolio_lets_five_a_minute_forty_an_hour_and_120_a_day(store, let_pass):
    visitor = {"address": "198.51.100.7", "place": "one"}
    assert uses(limits.PORTFOLIO, 6, **visitor) == 5
    let_pass(MINUTE_S)
    counts = []
    for _ in range(8):
        counts.append(uses(limits.PORTFOLIO, 6, **visitor))
        let_pass(MINUTE_S)
    assert sum(counts) == 35  # with the first five: forty within the hour
    let_pass(3_600)
    for _ in range(24):
        counts.append(uses(limits.PORTFOLIO, 5, **visitor))
        let_pass(MINUTE_S * 12)
    assert sum(counts) + 5 == 120
    assert 80_000 > refused(limits.PORTFOLIO, **visitor).retry_after_s > 50_000


@pytest.fixture
def nowhere(settings, tmp_path):
    settings.REDIS_URL = f"unix://{tmp_path}/nobody.sock?db=0"


def test_without_redis_ones_own_work_goes_on_and_strangers_wait(nowhere, caplog):
    for _ in range(50):
        rates.check(limits.SEND, person="ann", address="192.0.2.1")
    assert "not counted" in caplog.text
    with pytest.raises(Unavailable) as refusal:
        rates.check(limits.PORTFOLIO, address="192.0.2.1", place="one")
    assert refusal.value.status == 503


@pytest.mark.parametrize("address", ["", "unknown", "999.1.1.1"])
def test_without_an_address_strangers_are_refused_and_ones_own_work_goes_on(store, address):
    with pytest.raises(Unavailable):
        rates.check(limits.PORTFOLIO, address=address, place="one")
    assert uses(FEW, 9, person="ann", address=address) == 3


def test_counting_can_be_switched_off_for_load_tests(settings, store):
    settings.RATE_LIMITS = False
    assert uses(limits.PORTFOLIO, 30, address="192.0.2.1") == 30


@pytest.mark.parametrize(
    ("seconds", "said"), [(1, "0:01"), (23, "0:23"), (245, "4:05"), (10_800, "3:00:00")]
)
def test_waiting_times_are_said_as_people_read_them(seconds, said):
    assert rates.wait_sentence(seconds) == f"You can send again in {said}."


def test_sizes_are_as_they_were_promised():
    assert (limits.JOB_TITLE_CHARS, limits.TASK_STATEMENT_CHARS, limits.AI_TOOLS_CHARS) == (
        200,
        500,
        300,
    )
    assert limits.SURVEY_MESSAGE_CHARS == limits.PROJECT_TEXT_CHARS == 10_000
    assert (limits.NOTE_CHARS, limits.DIMENSION_CHARS) == (20_000, 50_000)
    assert (limits.SOCKET_FRAME_BYTES, limits.REQUEST_BODY_BYTES) == (2**16, 2**20)
    assert limits.AUDIO_BYTES == 20 * 2**20


PROMISED = {
    limits.SEND: ([(30, 60), (600, 3_600)], [(300, 60)]),
    limits.START: ([(10, 60), (60, 3_600)], [(100, 60), (1_000, 3_600)]),
    limits.DRAFT: ([(20, 60), (120, 3_600)], [(200, 60)]),
    limits.TRANSCRIBE: ([(12, 60), (200, 3_600)], [(120, 60)]),
    limits.SUMMARISE: ([(6, 60), (60, 3_600)], []),
    limits.CODE: ([], [(200, 60), (2_000, 3_600)]),
    limits.READ: ([(20, 60), (120, 3_600)], [(200, 60)]),
    limits.API: ([(300, 60), (6_000, 3_600)], []),
    limits.EXPORT: ([(20, 60), (120, 3_600)], []),
    limits.PORTFOLIO: ([], [(5, 60), (40, 3_600), (120, 86_400)]),
}


@pytest.mark.parametrize("rate", PROMISED, ids=lambda rate: rate.name)
def test_rates_are_as_they_were_promised(rate):
    person, address = PROMISED[rate]
    assert [(window.uses, window.seconds) for window in rate.person] == person
    assert [(window.uses, window.seconds) for window in rate.address] == address
    assert rate.fails_closed == (rate in {limits.CODE, limits.PORTFOLIO})
