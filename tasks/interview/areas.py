"""The bank of questions for rules: areas of work in general terms, each with several wordings.

An area stands for one work activity of O*NET's content model (or for none); its questions are
broad on purpose, so that a reference occupation that fits badly cannot lead astray. No two
wordings of different areas are near-duplicates, which a test holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from onet.groups import ActivityGroup

Words = str | Promise

INFO = ActivityGroup.INFORMATION_INPUT
MIND = ActivityGroup.MENTAL_PROCESSES
OUTPUT = ActivityGroup.WORK_OUTPUT
PEOPLE = ActivityGroup.INTERACTING


@dataclass(frozen=True)
class Area:
    """A general area of work. `yes_means` is the task that a plain yes confirms.

    `is_general`: worth asking in any job, also where nothing is known of the occupation.
    `topics` are word stems which show that the area was spoken about.
    """

    id: str
    label: Words
    group: ActivityGroup | None
    element: str
    yes_means: str
    wordings: tuple[Words, ...]
    topics: frozenset[str]
    is_general: bool = False


def _area(
    key: str,
    label: Words,
    group: ActivityGroup | None,
    element: str,
    yes_means: str,
    *wordings: Words,
    topics: str = "",
    general: bool = False,
) -> Area:
    return Area(key, label, group, element, yes_means, wordings, frozenset(topics.split()), general)


AREAS: Final = (
    _area(
        "periodic", _("things that come round now and then"), None, "", "do periodic tasks",
        _("What comes round only now and then, say once a month, each quarter or once a year?"),
        _("Which jobs are there that a single ordinary week would not show?"),
        topics="month monthli quarter quarter annual annualli year yearli season", general=True,
    ),
    _area(
        "problems", _("putting right what goes wrong"), MIND, "4.A.2.b.1",
        "solve problems when something goes wrong",
        _("When something goes wrong without warning, which part of putting it right is yours?"),
        _("What kinds of problems end up with you, and what do you do about them?"),
        topics="problem troubleshoot solv fix escal emerg decid decis", general=True,
    ),
    _area(
        "paperwork", _("administrative work"), PEOPLE, "4.A.4.c.1", "handle forms and paperwork",
        _("What administrative work comes with the job?"),
        _("How much paperwork is there on the side, and which of it falls to you?"),
        topics="paperwork admin administr file form expens", general=True,
    ),
    _area(
        "learning", _("staying current"), MIND, "4.A.2.b.3", "keep up with the field",
        _("What keeps your knowledge up to date?"),
        _("What does it take to keep up with new methods in your field?"),
        topics="learn cours train studi certif licens skill", general=True,
    ),
    _area(
        "finding out", _("finding information"), INFO, "4.A.1.a.1", "gather information",
        _("Where does the information come from that your work rests on?"),
        _("Before you can act, what do you have to look up, read or ask about?"),
        topics="research gather read interview survey inform", general=True,
    ),
    _area(
        "watching", _("keeping watch"), INFO, "4.A.1.a.2", "monitor how things are running",
        _("What do you keep an eye on through the day so that trouble shows early?"),
        _("What has to be watched closely, and how much of that is on you?"),
        topics="monitor watch observ track surveil round", general=True,
    ),
    _area(
        "noticing", _("spotting changes"), INFO, "4.A.1.b.1", "spot changes and warning signs",
        _("Which changes or warning signs matter most, and who notices them first?"),
        _("What would a layman overlook that you see at once?"),
        topics="identifi detect recogn notic spot",
    ),
    _area(
        "inspecting", _("checking equipment and results"), INFO, "4.A.1.b.2",
        "inspect equipment, materials or finished work",
        _("What do you check over or inspect with your own eyes before it may be used or leave?"),
        _("Are tests or inspections of equipment, materials or premises yours to do?"),
        topics="inspect check test examin",
    ),
    _area(
        "estimating", _("estimating"), INFO, "4.A.1.b.3", "estimate costs, times or quantities",
        _("Do you estimate costs or hours before a job begins?"),
        _("What goes into sizing up a job beforehand?"),
        topics="estim measur quot size forecast",
    ),
    _area(
        "judging", _("judging quality"), MIND, "4.A.2.a.1", "judge the quality of work or goods",
        _("Whose performance, or which goods, are you asked to judge?"),
        _("What makes a result good enough, and who decides that?"),
        topics="evalu assess grade apprais rate judg qualiti",
    ),
    _area(
        "figures", _("working with figures and records"), MIND, "4.A.2.a.2",
        "calculate, sort or verify figures",
        _("How much calculating, sorting or cross-checking of numbers is there for you?"),
        _("Do you compile or verify data?"),
        topics="calcul comput tabul reconcil verifi compil audit count",
    ),
    _area(
        "rules", _("rules and standards"), MIND, "4.A.2.a.3", "make sure that rules are kept",
        _("Which rules, laws or standards apply, and what is your part in keeping them?"),
        _("Whose job is it to see that safety or legal requirements are met?"),
        topics="complianc complet regul law legal standard safeti polici", general=True,
    ),
    _area(
        "analysing", _("analysis"), MIND, "4.A.2.a.4", "analyse data or information",
        _("What does the analytical side of the job look like?"),
        _("Do you analyse data or test results?"),
        topics="analyz analysi analys analyt metric trend diagnos interpret", general=True,
    ),
    _area(
        "inventing", _("new ideas and designs"), MIND, "4.A.2.b.2", "develop ideas or designs",
        _("Where is there room for new designs, ideas or better ways of doing things?"),
        _("What have you created or redesigned that was not there before?"),
        topics="design creat idea develop invent concept", general=True,
    ),
    _area(
        "goals", _("goals and strategy"), MIND, "4.A.2.b.4", "set goals or strategy",
        _("Who sets the goals and the strategy for the longer run, and how far is that you?"),
        _("What is your part in deciding where everything should stand in five years?"),
        topics="strategi goal object roadmap vision",
    ),
    _area(
        "timetables", _("schedules"), MIND, "4.A.2.b.5", "schedule work or appointments",
        _("Who draws up the rota, the appointments or the timetable, and how much of it is you?"),
        _("Do you schedule appointments or shifts?"),
        topics="schedul rota appoint book calendar timet",
    ),
    _area(
        "planning", _("planning one's own work"), MIND, "4.A.2.b.6", "plan and prioritise work",
        _("What goes into preparing and prioritising before the actual work can start?"),
        _("How does a day get planned, and what decides the order?"),
        topics="plan priorit organ prepar prioritis", general=True,
    ),
    _area(
        "body", _("physical work"), OUTPUT, "4.A.3.a.1", "do physical work such as lifting",
        _("How physically demanding is it, and in which way?"),
        _("What needs muscle and stamina?"),
        topics="lift carri climb walk physic dig clean",
    ),
    _area(
        "hands", _("handling things"), OUTPUT, "4.A.3.a.2", "load, pack or set up materials",
        _("What passes through your hands, to be packed, loaded, fitted or set up?"),
        _("Do you handle goods or materials yourself?"),
        topics="load unload pack instal assembl stock move handl",
    ),
    _area(
        "machines", _("running machines"), OUTPUT, "4.A.3.a.3", "operate machines",
        _("Which machines or processes are under your control?"),
        _("What apparatus runs only with you at it?"),
        topics="machin oper control adjust press",
    ),
    _area(
        "driving", _("driving"), OUTPUT, "4.A.3.a.4", "drive vehicles",
        _("How much driving is there, whether on the road or on a site?"),
        _("Do you drive a vehicle for work?"),
        topics="drive truck van vehicl forklift rout deliv deliveri haul",
    ),
    _area(
        "computer", _("computer work"), OUTPUT, "4.A.3.b.1", "work with software or databases",
        _("What happens on a computer, and with which programs?"),
        _("Which software or databases would stand empty without you?"),
        topics="comput softwar databas code program spreadsheet excel sql python", general=True,
    ),
    _area(
        "specifying", _("drawings and instructions"), OUTPUT, "4.A.3.b.2",
        "write instructions or specifications",
        _("Do you write instructions or specifications?"),
        _("What do you lay out or specify for others to build or carry out?"),
        topics="specif spec instruct draw draft blueprint protocol",
    ),
    _area(
        "upkeep", _("upkeep and repair"), OUTPUT, "4.A.3.b.4", "maintain or repair equipment",
        _("What upkeep or small repairs of tools and machinery are left to you?"),
        _("Who maintains the equipment, and what part of that is yours?"),
        topics="repair mainten maintain servic fix greas oil",
    ),
    _area(
        "electronics", _("instruments and electronics"), OUTPUT, "4.A.3.b.5",
        "calibrate or repair electronic equipment",
        _("Do you calibrate or repair electronic instruments?"),
        _("What happens when an electronic device stops working near you?"),
        topics="calibr electron wire electr circuit",
    ),
    _area(
        "recording", _("records and reports"), OUTPUT, "4.A.3.b.6", "keep records or write reports",
        _("What do you have to write up or keep on record?"),
        _("Which notes, logs or reports exist only thanks to you?"),
        topics="record report document log note chart write documentari", general=True,
    ),
    _area(
        "explaining", _("explaining things"), PEOPLE, "4.A.4.a.1", "explain information to others",
        _("Which explanations are expected from you, and by whom?"),
        _("Do you explain complicated matters to {audience}?"),
        topics="explain translat interpret clarifi", general=True,
    ),
    _area(
        "colleagues", _("keeping colleagues informed"), PEOPLE, "4.A.4.a.2",
        "keep colleagues and supervisors informed",
        _("How does news travel between you and your colleagues?"),
        _("What does your manager hear from you, and what does your team?"),
        topics="meet colleagu team manag handov email brief updat supervisor standup", general=True,
    ),
    _area(
        "outsiders", _("dealing with people outside"), PEOPLE, "4.A.4.a.3",
        "deal with people outside the organisation",
        _("Which people outside your own organisation take up your time?"),
        _("How often is it you who speaks for your employer to the outside?"),
        topics="supplier vendor client custom partner agenc stakehold extern", general=True,
    ),
    _area(
        "relations", _("working relationships"), PEOPLE, "4.A.4.a.4", "look after relationships",
        _("Which working relationships need regular attention from you?"),
        _("Is building trust over time a part of what you do, and with whom?"),
        topics="relationship network trust rapport",
    ),
    _area(
        "caring", _("looking after people"), PEOPLE, "4.A.4.a.5", "look after or support people",
        _("Is there a caring side to it, and towards whom?"),
        _("What kind of help goes to people who cannot manage alone?"),
        topics="care patient comfort assist bath feed support",
    ),
    _area(
        "persuading", _("selling and persuading"), PEOPLE, "4.A.4.a.6", "sell or promote something",
        _("Do you sell or promote anything?"),
        _("When is somebody to be won over, and by what means?"),
        topics="sell sale pitch promot market persuad upsel",
    ),
    _area(
        "conflicts", _("complaints and negotiation"), PEOPLE, "4.A.4.a.7",
        "deal with complaints or negotiations",
        _("How do complaints, disputes or negotiations reach you?"),
        _("What happens when {audience} are upset or two sides want different things?"),
        topics="complaint disput negoti conflict mediat argu angri",
    ),
    _area(
        "public", _("serving the public"), PEOPLE, "4.A.4.a.8", "serve people face to face",
        _("How much of the day goes by face to face with {audience}?"),
        _("Do you receive or serve visitors?"),
        topics="custom guest visitor public serv counter front",
    ),
    _area(
        "coordinating", _("coordinating others"), PEOPLE, "4.A.4.b.1", "coordinate other people",
        _("Whom do you have to bring together so that a job runs smoothly?"),
        _("Who coordinates everybody's part, and how much of that lands with you?"),
        topics="coordin collabor liais align organ", general=True,
    ),
    _area(
        "team spirit", _("keeping a team together"), PEOPLE, "4.A.4.b.2", "build team spirit",
        _("What do you contribute to getting a group to pull together?"),
        _("How is the morale in your crew kept up?"),
        topics="moral teambuild cooper",
    ),
    _area(
        "teaching", _("training others"), PEOPLE, "4.A.4.b.3", "train or instruct others",
        _("Do you train new starters or apprentices?"),
        _("What have you had to teach others lately?"),
        topics="train teach instruct lesson onboard apprentic newcom", general=True,
    ),
    _area(
        "leading", _("leading people"), PEOPLE, "4.A.4.b.4", "direct the work of others",
        _("Are there people whose work you direct, and what does leading them take?"),
        _("Does anyone report to you?"),
        topics="supervis lead direct manag deleg assign",
    ),
    _area(
        "mentoring", _("helping others grow"), PEOPLE, "4.A.4.b.5", "mentor colleagues",
        _("Do you mentor or coach colleagues?"),
        _("How does feedback on somebody's progress reach them?"),
        topics="mentor coach feedback",
    ),
    _area(
        "advising", _("giving advice"), PEOPLE, "4.A.4.b.6", "give expert advice",
        _("What kind of expert advice is expected from you?"),
        _("Whose decisions rest on your recommendation?"),
        topics="advis advic consult recommend counsel", general=True,
    ),
    _area(
        "hiring", _("finding and hiring people"), PEOPLE, "4.A.4.c.2", "help to hire people",
        _("When somebody new is to be hired, what is your part?"),
        _("Do you interview candidates?"),
        topics="hire recruit candid staf vacanc",
    ),
    _area(
        "resources", _("money, orders and stock"), PEOPLE, "4.A.4.c.3", "manage supplies",
        _("Do budgets, orders or stock pass across your desk?"),
        _("How are supplies and spending kept under control, and what is your share in that?"),
        topics="budget order stock suppli inventori invoic purchas spend", general=True,
    ),
)  # fmt: skip

GENERAL_GAPS: Final = ("periodic", "problems", "paperwork", "learning")
"""The four general gap areas (spec 1, gap detection), asked first where no occupation is known."""

BY_ID: Final = {area.id: area for area in AREAS}

ANYTHING_ELSE: Final = (
    ("regular", _("Is there anything else you do regularly that we have not touched on?")),
    ("quiet days", _("And on a quiet day, what do you turn to when nobody needs you?")),
    ("missed", _("If you were away for two weeks, what would be left undone?")),
    ("unseen", _("Which part of your work does hardly anyone see?")),
    ("only you", _("What do people come to you for, rather than to someone else?")),
    ("morning", _("What are the first things you do when you arrive in the morning?")),
    ("evening", _("And how does a day usually end for you, what do you finish off?")),
    ("time", _("What takes up more hours than an outsider would guess?")),
    ("yesterday", _("Thinking back to yesterday, which tasks are still missing here?")),
    ("newcomer", _("What would somebody taking over your position have to be told first?")),
    ("between", _("What fills the gaps between the bigger jobs you described?")),
    ("favourite", _("Which bit of the job do you enjoy most?")),
    ("dislike", _("And what would you gladly hand over to another person?")),
    ("changed", _("What has been added to your plate over the past year?")),
    ("busy", _("When the pressure is high, what changes in what you actually do?")),
    ("proud", _("What achievement of yours should be on this list and is not yet?")),
    ("phone", _("What do calls and messages usually want from you?")),
    ("advert", _("What was in your job advert that really does happen?")),
    ("never advertised", _("And what else happens that stands in no contract?")),
    ("friend", _("How would a good friend at work describe what you get done?")),
    ("other places", _("Does anything happen elsewhere, on the road, on site or from home?")),
    ("small", _("What small chores belong to it that are too ordinary to mention?")),
)
"""Ways to ask for more without naming an area, each with a key of its own."""

GENERAL_CARDS: Final = (
    ("Look up regulations, prices or instructions before starting", INFO),
    ("Read incoming messages and pick out what needs action", INFO),
    ("Check finished work for mistakes", INFO),
    ("Gather numbers for a regular overview", INFO),
    ("Follow news and changes in the field", INFO),
    ("Ask customers what they need", INFO),
    ("Plan the coming week", MIND),
    ("Decide what is urgent and what can wait", MIND),
    ("Find the cause of recurring faults", MIND),
    ("Compare offers and choose between them", MIND),
    ("Estimate how long a job will take", MIND),
    ("Think up better ways to do routine jobs", MIND),
    ("Set targets and review whether they were met", MIND),
    ("Draw up rotas or timetables", MIND),
    ("Write reports on what was done", OUTPUT),
    ("Enter details into a database", OUTPUT),
    ("Prepare presentations or handouts", OUTPUT),
    ("Draft letters and contracts", OUTPUT),
    ("Train newcomers in daily routines", PEOPLE),
    ("Hand over to the next shift or a stand-in", PEOPLE),
    ("Answer questions by phone", PEOPLE),
    ("Calm down people who complain", PEOPLE),
    ("Agree deadlines with other departments", PEOPLE),
    ("Advise colleagues on tricky cases", PEOPLE),
    ("Order supplies and keep to the budget", PEOPLE),
    ("File forms, receipts and expense claims", PEOPLE),
)
"""Our own cards for any job, where the catalogue offers nothing."""

HANDS_ON_CARDS: Final = (
    ("Keep an eye on stock and reorder in time", INFO),
    ("Inspect tools or rooms for damage", INFO),
    ("Set up equipment before use", OUTPUT),
    ("Clean and put away materials", OUTPUT),
    ("Carry out small repairs", OUTPUT),
    ("Pack and send out deliveries", OUTPUT),
)
"""The same for jobs with things to handle; they come last."""
