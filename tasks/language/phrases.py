"""Turns of phrase as patterns over plain words: leads, times, frames, and who a subject is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tasks.language.tokens import Token, plain


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


DETERMINERS: Final = _set(
    "the a an my our his her their its your this that these those some any all every each both "
    "another no other few several many most various different new"
)
PREPOSITIONS: Final = _set(
    "of in on at by for from to with without into onto over under about between among during "
    "after before through across against along around behind beside beyond despite inside near "
    "outside per since than toward towards until upon via within like as if when while where"
)
OWN_SUBJECTS: Final = _set("i we you")
OTHER_PRONOUNS: Final = _set(
    "he she they it this that these those someone somebody everyone everybody nobody noone "
    "others people another anyone"
)
AUXILIARIES: Final = _set(
    "is are was were has have had does do did will would can could should gets must might"
)
CONDITIONS: Final = _set(
    "if when whenever while before after until unless because since cause cos cuz as whereas "
    "whether once where"
)
RELATIVES: Final = CONDITIONS | _set(
    "that what which who whom how than why so whatever whoever everything anything all stuff "
    "things way time ones sure"
)
PERSONS: Final = _set(
    """
    boss manager colleague colleagues team teams department departments office company crew hr
    it finance management procurement agency kitchen engineering compliance legal accounts guy
    guys lady ladies partner partners husband wife brother sister son daughter father mother dad
    mum mom chef staff people kids children client clients customer customers vet foreman lead
    leads head heads board committee nurse nurses deputy assistant assistants secretary clerk
    clerks intern interns apprentice apprentices principal parents patients students residents
    guests headquarters marketing sales logistics purchasing payroll maintenance security
    reception police bank council union government contractor ops warehouse bakery bar-staff
    coworker coworkers co-pilot captain pilot pilots vendor vendors everyone pharmacist
    accountant friend friends boys girls lads owner owners ceo cfo cto pm pms dev devs qa
    officer officers chief analyst analysts plant machine robot software system computer app
    tutor tutors machines systems gc lab spouse mate mates pal housekeeping housekeeper
    bookkeeper senior seniors junior juniors supplier suppliers
    """
)
SINGULAR_IN_S: Final = _set("sales accounts logistics ops headquarters gps systems")
_PERSON_ENDINGS: Final = re.compile(r"(?:[^aeiou]er|or|ist|man|men|woman|women|ian|ant|ee|ess)s?$")
_NO_PERSONS: Final = _set(
    """
    paper papers order orders computer number numbers letter letters water weather newsletter
    newsletters printer printers dinner register folder folders server servers cover offer
    offers filter filters container containers trailer trailers timber rubber copper pepper
    butter border borders corner corners floor floors door doors motor motors tractor tractors
    monitor monitors error errors mirror color elevator reactor sensor sensors generator sector
    factor minor major flavor list lists checklist plant plants powder other over under after
    never later together counter order quarter winter summer either neither another ever or for
    error restaurant important relevant coffee committee fee fees degree process business access
    address mess less press class glass doctor's pressure career tour indoor poster posters
    buffer cancer layer layers leather ladder matter meter meters user's power proper shower
    tower trigger wonder equipment consultant's variant invoice blister plaster master roster
    rosters disaster transfer transfers answer answers
    """
)
_DAY: Final = r"(?:mon|tues?|wednes|thurs?|fri|satur|sun)days?"
_SPAN: Final = (
    r"(?:(?:month|year|quarter|week)[- ]end|"
    r"mornings?|evenings?|afternoons?|nights?|noon|midday|midnight|dawn|days?|weeks?|months?|"
    r"years?|yrs?|quarters?|weekends?|weekdays?|shifts?|seasons?|summers?|winters?|spring|autumn|"
    r"minutes?|hours?|holidays|moment|time|times|term|start|end|beginning|breakfast|lunch|dinner|"
    rf"break|pick ?up|{_DAY}|january|february|march|april|may|june|july|"
    r"august|september|october|november|december|christmas|easter|flight|harvest|service|visit)"
)
_COUNT: Final = (
    r"(?:\d\S*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|few|couple|several|"
    r"many|multiple|half)"
)
TIME: Final = (
    r"(?:"
    rf"(?:in|on|at|during|after|before|by|over|throughout|for|from|towards) "
    rf"(?:the |a |an |my |our |this |that |each |every |most |some )?"
    rf"(?:(?:typical|normal|average|usual|early|late|very|first|last|next|whole|busy|quiet|given|"
    rf"same|rest of the|other|{_COUNT}) )*{_SPAN}"
    rf"(?: (?:of|in) (?:the |a |my |each |every )?{_SPAN})?"
    rf"|(?:every|each|most|all|some|many|other|this|per|next|last) (?:(?:other|second|single|day|"
    rf"{_COUNT}) )*{_SPAN}"
    rf"(?: long)?"
    rf"|(?:about |around |maybe |roughly )?(?:once|twice|thrice|(?:a )?{_COUNT} (?:of )?times|\d+x)"
    rf" (?:or (?:twice|{_COUNT}(?: times)?) )?(?:a|an|per|every|each|in a) {_SPAN}"
    rf"|(?<!one )(?:at|around|about|from|by|until|till|to) (?:about |around )?"
    rf"(?:\d[\d:.]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    rf"(?: ?(?:am|pm|a\.m\.|p\.m\.|o'clock|sharp|ish))?"
    rf"|on {_DAY}|{_DAY}|on (?:a |an )?(?:daily|weekly|monthly|regular|hourly) basis"
    r"|daily|weekly|monthly|yearly|hourly|quarterly|annually|nightly|fortnightly|regularly"
    r"|(?:every )?now and (?:then|again)|from time to time|most of the time|all the time"
    r"|at the (?:same time|moment|very end|end|start|beginning)|right now|these days|nowadays"
    r"|(?:first|last|next) thing(?: in the (?:morning|day))?|at once|as (?:and )?when (?:needed|"
    r"required)|"
    r"(?:when|if|as|where) (?:needed|required|necessary|possible|asked)|on (?:call|demand|"
    r"request|site days)"
    rf"|(?:a lot|a bit|a little)(?! of)|(?:all )?year round|\d+ hours (?:a|per) {_SPAN}|day to day|"
    rf"at peak times"
    r")"
)
_LEAD_WORDS: Final = (
    r"also|then|and|so|well|ok|okay|yeah|yes|yep|yup|sure|usually|mostly|mainly|basically|"
    r"sometimes|"
    r"occasionally|often|generally|typically|normally|actually|honestly|just|only|really|always|"
    r"still|"
    r"currently|now|plus|maybe|probably|obviously|obvs|sadly|first|firstly|second|secondly|third|"
    r"thirdly|next|finally|lastly|afterwards|afterward|later|besides|otherwise|additionally|"
    r"furthermore|moreover|too|again|um+|uh+|er+m?|hmm+|oh|ah|hey|hi|hello|lol|haha+|etc|"
    r"either|frequently|rarely|primarily|largely|essentially|literally|specifically|personally|"
    r"regularly|mind|today|thankfully|unfortunately|ultimately|equally|further|constantly|"
    r"periodically|especially|particularly|even|ofc|tbh|like|throughout|alongside that|"
    r"after (?:that|this)|before that|"
    r"in addition|on top of (?:that|this|it)|apart from that|other than that|as well|of course|"
    r"for example|for instance|e\.g\.|i\.e\.|in general|in particular|at times|to be honest|"
    r"you know|i mean|i guess|i think|i suppose|i'd say|i would say|as i (?:said|mentioned)|"
    r"let me (?:see|think)|kind of|sort of|more or less|pretty much|here and there|"
    r"(?:a )?(?:lots?|bit|ton|load|loads|tons|little bit|fair bit|bunch|good deal|great deal) of|"
    r"mid-\w+|dunno|don't know|no idea|not sure|"
    r"plenty of|things like|stuff like|that kind of thing|that sort of thing|"
    r"(?:some |any |the )?(?:\S+ )?(?:stuff|things|bits|tasks|duties|jobs|work|admin) (?:like|"
    r"such as)|"
    r"such as|including|that is|that means|in short|and so on|so on|good question|thanks|thank you|"
    r"as well as|together with|along with|what else|there is also|anyway|sorry|right"
)
LEAD: Final = re.compile(rf"(?:(?:{TIME}|{_LEAD_WORDS}) )*(?:(?:{TIME}|{_LEAD_WORDS})$)?")
_TAIL_WORDS: Final = (
    r"also|too|as well|aswell|mostly|mainly|usually|sometimes|occasionally|often|generally|"
    r"obviously|obvs|really|etc|etc\.|and so on|so on|and stuff|stuff like that|things like that|"
    r"that kind of thing|that sort of thing|and such|lol|haha+|tbh|myself|ourselves|"
    r"if that makes sense|you know|i guess|i think|i suppose|to be honest|actually|basically|"
    r"again|then|and|or|with|for|of|to|the|a|afterwards|later|today|yesterday|now|"
    r"of course|for example|in general|at times|or so|or something|or whatever|whatever|"
    r"by hand as well|each time|every time|all (?:day|night)|quite|more|sadly|though|regularly|"
    r"as part of (?:my|your|the|this|our) (?:job|role|work)|at work|as a rule|in my (?:job|role|"
    r"work)"
)
_TAIL: Final = re.compile(
    rf"(?:^| )(?:{_TAIL_WORDS}|an? (?:day|week|month|year|shift|night)|{TIME})$"
)
TAIL_CUTS: Final = _set(
    "because cos cuz which who since whereas although though except besides unlike despite instead "
    "otherwise thats hence whom"
)
_TAIL_CUT_PHRASES: Final = re.compile(
    r" (?:(?:when|if|whenever|once|where) (?:it|there|they|he|she)|so that|"
    r"so (?:i|we|they|it|he|she|the|people|everyone)|rather than|apart from|other than|"
    r"instead of|and so on|as (?:i|we|my|our|it|they) |in case|things like that|stuff like that|"
    r"that(?:'s| is) (?:why|how|what)|this (?:is|takes)|that takes|together with my|"
    r"like (?:i|we) |even though|even if|for (?:about |over |almost |nearly )?\d+ (?:years|"
    r"months))\b"
)

_ADV: Final = (
    r"(?:(?:also|mostly|mainly|usually|basically|really|often|always|just|still|now|currently|then|"
    r"generally|typically|primarily|probably|sometimes|largely|only) )*"
)
_JOB_WORD: Final = (
    r"(?:jobs?|roles?|work|days?|weeks?|time|duties|duty|responsibilit(?:y|ies)|tasks?|shifts?|"
    r"mornings?|afternoons?|evenings?|focus|bulk|position|activities|workload|routine|rest|hours|"
    r"function|remit|thing|things|part|mondays?|fridays?|main ones|winters?|summers?)"
)
JOB_FRAME: Final = re.compile(
    rf"(?:(?:about|around|roughly|almost|nearly|a|an|the|my|our|most|part|parts|much|half|some|lot|lots|big|large|huge|"
    rf"good|main|"
    rf"other|of|"
    r"typical|normal|average|biggest|rest|core|daily|usual|key|current|primary|first|second|third|"
    r"day to day|day-to-day|whole|working|regular|everyday|another|one|only|weekly|percent|chunk|"
    rf"share|\d+) )*{_JOB_WORD}(?: (?:of|at|in|for|here|there|as|on|this|the|my|a|it|work|job|role|"
    r"day|week|time|team|shop|site|office))*? "
    rf"{_ADV}(?P<verb>is|are|goes|go|involves?|includes?|consists?|means|entails?|covers?|"
    rf"revolves?|"
    rf"starts?|begins?|ends?|comes? down|gets|get|looks|mostly|mainly|contains?|comprises?|was|"
    rf"were) "
    rf"(?P<not>not )?{_ADV}(?:(?:spent|to|about|on|in|into|for|of|around|with|by|like|doing|the|"
    rf"taken up|"
    rf"made up|making|filled|up) )*(?=\S)"
)
JOB_COLON: Final = re.compile(
    rf"(?:\S+ ){{0,5}}?{_JOB_WORD}(?: (?:is|are|include|includes|involves|here|at work|as a \S+|"
    rf"the following))*$"
)
IT_FRAME: Final = re.compile(
    rf"(?:it|this|that) (?:is|involves?|includes?|means|was) {_ADV}"
    r"(?:(?:my (?:job|role|responsibility|task|duty)|up to (?:me|us)|down to (?:me|us)|on me|"
    r"me (?:who|that)|about|all about|a lot of|lots of|a matter of|a mix of|"
    r"a mixture of) ?)*(?:to )?"
)
THERE_FRAME: Final = re.compile(
    rf"there (?:is|are) {_ADV}(?:(?:the|a|some|a lot of|lots of|plenty of|a bit of|loads of|"
    rf"always) )*"
)
DONE_BY_OTHERS: Final = re.compile(
    r"^(?!i |we )(?:\S+ ){1,6}(?:is|are|gets?|was|were|being|been) (?:\S+ly |all |also |now )?"
    r"(?:\S+ed|done|made|taken|run|sent|kept|dealt with|taken care of|set|built|written) "
    r"(?:(?:\S+ ){0,2}by (?!me\b|myself|hand|us\b|machine)|externally|elsewhere|automatically|"
    r"in another|at head)"
)
ME_TO: Final = re.compile(r"(?:\S+ ){1,8}?(?:me|us|on me|for me) to (?=\S)")
ME_TO_VERBS: Final = re.compile(
    r"\b(?:ask|asks|expect|expects|need|needs|rely|relies|pay|pays|require|requires|get|"
    r"gets|trust|trusts|up|down|job|falls|fall)\b"
)
MINE: Final = re.compile(
    rf"(?P<what>(?:\S+ ){{1,6}}?)(?:is|are) {_ADV}(?P<not>not )?{_ADV}"
    r"(?:my (?:job|responsibility|task|thing|duty|area|domain|department|baby|call)|mine|on me|"
    r"up to me|down to me|done by me|part of (?:my|the) (?:job|role|work))$"
)
OWN_FRAGMENT: Final = re.compile(
    r"(?:the rest (?:goes )?(?:into|on|to)|responsible for|in charge of|involved in|tasked with|"
    r"busy with|accountable for|responsible of|duties include|tasks include|"
    r"looking after|dealing with) "
)
PAST_JOB: Final = re.compile(
    r"\b(?:(?:my|a|an|the) (?:last|previous|old|former|first|earlier|prior|past|other|summer) "
    r"(?:job|role|position|firm|company|employer|work|career|workplace|life|post|place|gig|school|"
    r"hospital|office|shop|restaurant|team|department)|used to|"
    r"when i was|years ago|back (?:in|when|then)|formerly|previously|in the past|before (?:this|"
    r"i joined|"
    r"that|i became|becoming|i started|my current)|last year|at uni(?:versity)?|in college|"
    r"as a student|"
    r"until (?:last|recently|\d{4})|in (?:19|20)\d\d|no longer|anymore|any more|not any longer|"
    r"earlier in my career|in a former|once was|(?:i|we) once)\b"
)
FUTURE: Final = re.compile(
    r"\b(?:next (?:year|month|week|spring|summer|autumn|fall|winter|quarter)|soon|someday|one day|"
    r"in (?:the )?(?:future|spring|summer|autumn|a few)|eventually|tomorrow|from now on|starting|"
    r"after my|once i (?:qualify|finish|get|have|am))\b"
)
RECENT: Final = re.compile(
    r"\b(?:today|yesterday|this (?:morning|week|afternoon|month)|last (?:week|night|monday|friday)|"
    r"just|recently|so far)\b"
)
FEELING_VERBS: Final = _set("love enjoy like adore prefer")
DISLIKE_VERBS: Final = _set("hate dislike mind loathe")
WISHES: Final = _set(
    "want hope plan wish intend aim wanna dream prefer love like hate used decided aspire expect "
    "offered promised agreed learned learnt"
)
STATIVES: Final = _set(
    """
    know think believe guess mean feel live belong remember understand wish suppose agree hear
    say said mentioned mention earn commute arrive come sleep eat graduate retire join joined
    depend see look hope appreciate miss care own like love prefer enjoy hate dislike want need
    seem become stay wake am are was were be been learn studied trained study forget doubt
    imagine consider worry notice realise realize admire find leave let wonder specialise
    specialize qualify swear assume outsource avoid refuse skip thought felt lived began stopped
    quit quitting laugh cry drink chat relax rest wait hang suffer struggle aspire wanted have
    had get got hold-on speak finished
    """
)
MODALS_FOREIGN: Final = _set("would could can should might may")
_OTHERS_BASES: Final = _set(
    "come complain want like say ask think know love arrive expect prefer need decide behave "
    "argue insist demand forget lose suffer die cry live sleep eat drink leave"
)
OTHERS_DO: Final = _OTHERS_BASES | {f"{base}s" for base in _OTHERS_BASES} | {"dies", "cries"}
"""What people are said to do that is hardly anyone's task, after "customers" or "the vet"."""
VAGUE: Final = _set(
    """
    morning mornings afternoon afternoons evening evenings night nights noon midday weekend
    weekends weekday weekdays monday mondays tuesday tuesdays wednesday wednesdays thursday
    thursdays friday fridays saturday saturdays sunday sundays weeks months years winter winters
    summer summers spring autumn daily weekly monthly yearly early late first last next
    stuff thing things everything work job jobs task tasks day days bit bits lot lots duty
    duties role it that this them one ones same whatever something anything nothing else rest
    various other usual etc more general random misc miscellaneous different kind sort type way
    time week month year hour hours minute minutes much many few own able please thanks thank
    okay ok good great fine sure question answer example yes no yeah yep nope nah hello hi hey
    lol haha guess think know idea true exactly right correct definitely absolutely course
    lovely nice cool awesome perfect maybe often sometimes always never rarely daily weekly
    monthly mostly mainly usually depends depending people person team colleagues colleague boss
    manager company office home money fun busy tired stressful quiet hard easy boring
    interesting exhausting important new old big small really very quite pretty years experience
    degree shift morning evening night part full-time part-time ad-hoc adhoc ad hoc above
    mentioned said already covered all both neither none first second third last latter former
    two three four five half most everyone someone typical normal main regular regularly sorry
    well basically occasionally occasional front back lunch break while dunno idk continue
    proceed skip next stop finish let's lets external internal
    """
)
TOOLS: Final = _set(
    """
    sql python excel tableau powerbi sap autocad word outlook photoshop illustrator figma jira
    salesforce hubspot r matlab java javascript c++ powerpoint sheets slack teams trello asana
    quickbooks xero stata spss sas linux windows aws azure docker git github crm erp word
    powerquery looker vba indesign canva zoom notion confluence revit solidworks sketchup spark
    pandas snowflake bigquery databases database epic cerner servicenow zendesk workday oracle
    access google docs gmail chatgpt copilot
    """
)
BINOMIALS: Final = frozenset(
    tuple(pair.split("+"))
    for pair in """
    salt+pepper terms+conditions research+development health+safety profit+loss food+drink
    food+drinks supply+demand pros+cons arts+crafts mergers+acquisitions payable+receivable
    receivable+payable learning+development policies+procedures wear+tear nuts+bolts trial+error
    questions+answers ins+outs lost+found fruit+vegetables fruit+veg fruits+vegetables
    search+rescue copy+paste cut+paste meet+greet bits+pieces odds+ends back+forth up+down
    in+out day+night up+running bed+breakfast fish+chips tools+equipment wine+dine drag+drop
    policy+procedure hvac+r plumbing+heating heating+cooling track+trace safe+sound news+events
    diversity+inclusion rules+regulations black+white over+over again+again more+more p+l q+a
    r+d h+s up+dressed washed+dressed soap+water bread+butter mac+cheese peace+quiet
    husband+wife ladies+gentlemen parents+teachers time+attendance goods+services now+then
    now+again front+centre quality+safety safety+quality cost+benefit men+women boys+girls
    inputs+outputs
    """.split()
)


def count_of(match: re.Match[str] | None) -> int:
    """How many whole words a match from the start of a plain line covers."""
    if match is None or not match.group():
        return 0
    covered = match.group()
    return covered.count(" ") + (0 if covered.endswith(" ") else 1)


_LEAD_REACH: Final = 30


def without_leads(tokens: Sequence[Token]) -> list[Token]:
    """The tokens without fillers, adverbs and times before the first word that matters."""
    rest = list(tokens)
    while rest:
        skipped = count_of(LEAD.match(plain(rest[:_LEAD_REACH]) + " "))
        if not skipped and rest[0].kind != "word":
            skipped = 1
        if not skipped:
            break
        rest = rest[skipped:]
    return rest


def _is_relative(tokens: Sequence[Token], index: int) -> bool:
    """Whether "that" tells of others what they do with a thing: "data that the team exports"."""
    if tokens[index].lower != "that" or index < 2 or index + 2 >= len(tokens):
        return False
    is_content = tokens[1].lower == "that" or tokens[index - 1].lower in _BEFORE_CONTENT
    return not is_content and tokens[index + 1].lower in DETERMINERS | OTHER_PRONOUNS | OWN_SUBJECTS


_BEFORE_CONTENT: Final = _set(
    "sure certain ensure check confirm verify see decide tell explain show prove note say clear is "
    "checking ensuring confirming verifying seeing deciding telling explaining showing proving so"
)


_NEEDS_FOR: Final = _set("looking asking waiting paying caring")


def without_tail(tokens: Sequence[Token]) -> list[Token]:
    """The tokens without reasons, times and fillers after the last word that matters."""
    rest = list(tokens)
    for index, token in enumerate(rest):
        if index and (token.lower in TAIL_CUTS or _is_relative(rest, index)):
            rest = rest[:index]
            break
    cut = _TAIL_CUT_PHRASES.search(plain(rest) + " ")
    if cut:
        rest = rest[: plain(rest)[: cut.start()].count(" ") + 1] if cut.start() else []
    while rest:
        tail = _TAIL.search(plain(rest[-10:]))
        is_needed = len(rest) > 2 and rest[-1].lower == "for" and rest[-2].lower in _NEEDS_FOR
        if tail is None or is_needed:
            break
        rest = rest[: len(rest) - len(tail.group().split())]
    return rest


def is_person(word: str) -> bool:
    """Whether a noun names people or an organisation that does things."""
    return word in PERSONS or (
        len(word) > 4 and word not in _NO_PERSONS and bool(_PERSON_ENDINGS.search(word))
    )
