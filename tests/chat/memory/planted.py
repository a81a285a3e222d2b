"""A conversation of a hundred turns with forty planted facts, seven of them corrected later.

Turning an old mill into a reading room: some facts are told, some slip out in passing, most turns
are chatter. `FACTS` lists for each fact the words that must reach the model in the end, and the
words that must not (what was corrected).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Planted:
    """A fact: said in a turn, known by `words`; `gone` are words that a later turn took back."""

    turn: int
    said: str
    words: tuple[str, ...]
    gone: tuple[str, ...] = ()


FACTS = [
    Planted(1, "Hi, I'm Marit Holmqvist and I want to turn our old mill into a reading room.",
            ("Marit Holmqvist", "mill")),
    Planted(2, "The mill stands in Vadstena, right by the lock.", ("Vadstena", "lock")),
    Planted(4, "The bank lets us spend 340,000 kronor, not a krona more.", ("340,000",)),
    Planted(5, "My brother Joar does the carpentry, he learnt it abroad.", ("Joar", "carpentry")),
    Planted(7, "We'd like to open on 12 June.", ("19 June",), ("12 June",)),
    Planted(8, "The ground floor has 86 square metres.", ("86 square metres",)),
    Planted(10, "I can't work on Wednesdays because I teach at the school then.", ("Wednesdays",)),
    Planted(11, "ok. oh and the roof leaks above the north stair, so nothing goes there yet",
            ("roof leaks", "north stair")),
    Planted(13, "I prefer oil lamps over spotlights wherever people read.", ("oil lamps",)),
    Planted(14, "The architect is called Benedikta Storm.", ("Benedikta Ström",),
            ("Benedikta Storm",)),
    Planted(16, "We decided to keep the millstone in the middle of the room.", ("millstone",)),
    Planted(18, "There must be a ramp, my mother uses a wheelchair.", ("ramp", "wheelchair")),
    Planted(19, "Our insurance number is TR-88213.", ("TR-88213",)),
    Planted(21, "The shelves should be ash.", ("elm",), ("shelves should be ash",)),
    Planted(23, "The neighbour, old Mr Fagerlund, has the key to the sluice.",
            ("Fagerlund", "sluice")),
    Planted(24, "We own about 2,300 books so far.", ("2,300 books",)),
    Planted(26, "I hate carpets, please never suggest them again.", ("hate carpets",)),
    Planted(28, "The municipality gave us 45,000 kronor for the windows.", ("52,000",),
            ("45,000",)),
    Planted(30, "Deliveries only fit through the east gate.", ("east gate",)),
    Planted(31, "sorry, was at the dentist. anyway Joar is allergic to linseed oil",
            ("allergic", "linseed")),
    Planted(33, "The reading room will be called Lantern House.", ("Lamplight",),
            ("Lantern House",)),
    Planted(35, "Heating costs us 900 kronor a month in winter.", ("900 kronor",)),
    Planted(37, "Our electrician, Firas Haddad, comes in the second week of March.",
            ("Firas Haddad", "March")),
    Planted(39, "We agreed that children get the loft.", ("children", "loft")),
    Planted(41, "The walls are 70 centimetres thick, by the way.", ("70 centimetres",)),
    Planted(43, "I'd rather have three large tables than many small ones.",
            ("three large tables",)),
    Planted(45, "Tickets won't cost anything, that is settled.", ("Tickets", "cost anything")),
    Planted(47, "My phone is 0708 442 190 if the carpenter's helper wants to call.",
            ("0708 442 190",)),
    Planted(49, "Joar's helper is a student from Ghana named Kwabena.", ("Kwabena", "Ghana")),
    Planted(50, "The floor gets sanded on Monday.", ("Thursday",), ("sanded on Monday",)),
    Planted(52, "We chose deep green for the doors.", ("deep green",)),
    Planted(54, "My daughter Tuva drew the sign.", ("Tuva", "sign")),
    Planted(56, "The river freezes every January, so the wheel stands still then.",
            ("January", "wheel stands still")),
    Planted(58, "The library in Motala lends us a card catalogue with 24 drawers.",
            ("Motala", "24 drawers")),
    Planted(60, "We need 18 chairs.", ("22 chairs",), ("18 chairs",)),
    Planted(62, "I always answer letters on Sunday evenings, so write to me before that.",
            ("Sunday evenings",)),
    Planted(64, "The wifi only reaches the counter, and I want to keep it that way.",
            ("wifi", "counter")),
    Planted(66, "A cat named Fjodor lives in the sluice house.", ("Fjodor",)),
    Planted(68, "The grant report is due on 30 September.", ("30 September",)),
    Planted(70, "We will not sell coffee, only tea from the cooperative.", ("only tea",)),
]  # fmt: skip

CORRECTIONS = {
    22: "Actually, make the opening 19 June, the 12 June weekend is taken.",
    27: "It's Benedikta Ström, not Benedikta Storm, I keep misspelling her.",
    34: "We'll take elm instead of ash for the shelves.",
    44: "The municipality raised it from 45,000 to 52,000 kronor.",
    57: "We changed the name from Lantern House to Lamplight.",
    63: "Sorry, the floor gets sanded on Thursday, not Monday.",
    74: "It's not 18 chairs but 22 chairs, I counted again.",
}

CHATTER = [
    "Right, that makes sense.",
    "What would you do first?",
    "Could you put that more simply?",
    "Hm, I have to think about it a little.",
    "Thanks, that helps a lot.",
    "And what comes after that?",
    "I showed it to the others and they nodded.",
    "It rained all day again, nothing dried.",
    "Is that how other people go about it?",
    "Fine, let's look at the next point.",
    "My back hurts from all the lifting.",
    "You said that before, didn't you?",
]

ADVICE = [
    "Walk through the rooms as a visitor would and note at each door what they see and hear.",
    "Draw the light of one whole day on a plan: what is bright at breakfast is dim after lunch.",
    "Small tests beat long debates: put up a sample for a week and let people stumble over it.",
    "Write down who decides what, so that questions do not wait for the one person who is away.",
    "Old buildings move with the seasons, and joints that are tight in winter bind in summer.",
    "A list of what must be finished, what should be and what may wait keeps evenings free.",
    "Think of sound as well: hard walls carry every whisper, and soft ones swallow speech.",
    "Whatever is heavy should arrive first and leave last, or everything gets carried twice.",
    "People forgive a cold room sooner than a dark one, and a plain one sooner than a loud one.",
    "If two things cost the same, take the one that can be repaired by somebody nearby.",
]


def person_says(turn: int) -> str:
    """The person's message of a turn, counted from 1."""
    planted = next((fact.said for fact in FACTS if fact.turn == turn), "")
    said = planted or CORRECTIONS.get(turn, "")
    return said or CHATTER[turn % len(CHATTER)]


def assistant_says(turn: int) -> str:
    """A reply of some 300 tokens that repeats none of the facts."""
    return " ".join(ADVICE[(turn + step) % len(ADVICE)] for step in range(10))
