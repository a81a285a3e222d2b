"""The words that extraction and normalisation know: work verbs, their kin, nouns of work."""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


BASES: Final = _words(
    """
    accept access accommodate accompany account accrue achieve acquire act adapt add address
    adjudicate adjust administer administrate admit adopt advertise advise advocate aerate
    aggregate aid alert align allocate allot alter amortise amortize analyse analyze anchor
    anesthetize animate annotate announce anoint answer anticipate apologise apologize apply
    appoint appraise approach approve arbitrate archive argue arrange arrest ask asphalt assay
    assemble assess assign assist attach attend auction audit audition auscultate authorise
    authorize automate award babysit back backfill backup bag bait bake balance bale bandage
    bank baptise baptize baste batch bathe benchmark bend bid bill bind biopsy blanch blast
    bleach bleed blend bless block blog board boil bolt bone book bookkeep boot bore bottle box
    brainstorm braise brand braze break breed brew brick bridge brief bring broadcast brush
    budget buff build bundle burn burnish burp bury butcher butter buy calculate calibrate call
    calve campaign cancel cannulate canvass capture care carry cart carve cash cashier cast
    castrate catalog catalogue catch cater catheterise catheterize caulk cc celebrate centrifuge
    certify chainsaw chair change chaperon chaperone charge chart chase chat check chill chip
    chisel chlorinate chop choreograph cite clad clarify classify clean cleanse clear climb clip
    close co-ordinate coach coat code collaborate collate collect color colour comb combine
    comfort commission commit communicate compact compare compile complete comply compose
    composite compound conceive conduct confer configure confirm connect conserve consolidate
    construct consult contact containerise containerize contract contribute control convert
    convey cook cool coordinate coppice copy copyedit correct correspond counsel count couple
    courier cover craft crane crawl create credit cremate crimp crop cross-check cross-examine
    cross-sell crunch crystallise cuddle cull cultivate culture curate cure customise customize
    cut dance darn de-ice deal debeak debit debone debrief debug deburr decant decide declare
    decline decorate deduct deep-clean defend defibrillate defrost deglaze dehorn deice
    deinstall delegate deliver demolish demonstrate deploy depose depreciate describe design
    detail detect determine develop devise dewater diagnose dial diaper dice dictate
    differentiate dig digitise digitize dilute dip direct discharge discipline disconnect
    discuss disinfect dismantle dispatch dispense display dispose dissect distil distill
    distress distribute dive dock dockerize document dose double-check download draft drain
    drape draw dredge drench dress drill drive drop dry dry-clean dub dust dye e-mail earmark
    edit educate elicit email embalm embroider emcee empathize empty enable encode encourage
    enforce engage engineer engrave enquire enrol enroll ensure enter entertain equip erect
    escalate escort establish estimate etch evaluate evict examine excavate exchange excise
    execute exercise exhibit expedite explain explore export expose extend extinguish extract
    fabricate face facilitate fact-check farrow fasten fax feed fell felt fence ferment ferry
    fertigate fertilise fertilize fetch field fight file fill fillet film filter finalise
    finalize finance find fine-tune finetune fingerprint finish fire fish fit fix flag flash
    flip float fly foal foam fold follow forecast forge form format formulate forward frame
    freeze french-polish fry fuel fumigate fund furnish garnish gather generate geotag gild give
    glaze glue google grade graft graph grease greet grill grind groom groove grout grow guard
    guide gut hammer hand handle hang harvest hatch haul head heal heat help hem herd hire hoe
    hoist hold hone hook hoover host hotdesk humidify hunt hydrate identify illustrate image
    immunise immunize implement import impound improve improvise incorporate incubate index
    inform ingest initiate inject innovate input inseminate inspect inspire install instruct
    instrument insulate insure integrate interact interpret interrogate interview introduce
    intubate invent inventory invest investigate invigilate invite invoice iron irrigate issue
    join journal judge julienne keep kid knead knit label lace lacquer lamb laminate lance land
    landscape lath launch launder lay lead learn lease lecture ledger lend lesson-plan level
    liaise lift light line lint liquidate list listen litigate load lobby lock log look
    look-after lubricate mail maintain make man manage maneuver manipulate manoeuvre manufacture
    map marinate mark market marshal massage master match measure mediate medicate meet melt
    memorise mend mentor merchandise merge message mic milk mill mind mine minute mix mock model
    moderate modify monitor moor mop motivate mould mount move mow muck muck-out muddle mulch
    muster narrate navigate negotiate net network neuter normalise normalize notarise notarize
    notch note notify nurse nurture observe obtain offboard offer officiate oil onboard open
    operate optimise optimize orchestrate ordain order organise organize orient outline
    outsource overhaul oversee pack package paint pair palletise palletize palpate park parole
    parse participate pass paste patch patrol pave pay peel perform phone photograph pick pickle
    pilot pin pipe pipette pitch pivot place plan plant plaster plate play plead plot plough
    plow pluck plug plumb point polish pollard pollinate port portion position post potty
    potty-train pour practice practise pray preach predict premedicate prep prepare prescribe
    present preserve preside press prevent price prime print prioritise prioritize probe process
    proctor procure produce profile program programme project promote proof proofread propagate
    propose prosecute prospect protect prototype prove provide provision prune publish pull pump
    punch punctuate purchase purify push qualify quantify quarantine quarry query question quote
    raise rake ram re-stock read realign rear rearrange reassure rebook reboot rebuild recap
    receive recharge recommend reconcile record recover recruit recycle redact redesign reduce
    reel refactor refer referee refill refine refinish reformat refuel refund regulate
    rehabilitate rehearse reimburse reinforce relay release relocate remediate remind remove
    render renew renovate rent repaint repair replace replenish reply report reposition
    represent request reschedule rescue research reset resolve respond restart restock restore
    restrain resupply resuscitate retouch retrieve return reupholster review revise rewire rig
    ring ring-up rinse rip roast role-play roll roof roster rotate rotoscope route row
    run saddle sail salt sample sand sandblast sanitise sanitize saute sauté saw
    scaffold scale
    scan schedule score
    scout scrape screed screen screw script scrub sculpt seal search season secure seed select
    sell seminar send separate sequence serve service set set-up settle sew shadow shake shampoo
    shape sharpen shave shear shelf shelve shift shine shingle ship shoe shoot shop shovel show
    shred shuck shunt shutter shuttle sieve sift sign signal silage simmer simulate sing sit
    size sketch skid skim skin skype slaughter slice slide sling smoke smooth snake snare soak
    socialise socialize solder solicit solve sort sound-check source sous-vide sow spay speak
    specify spellcheck spin splice split spool spoon-feed spot spot-clean spray spread spruce
    squeegee squeeze stab stabilise stabilize stack staff stage stain stake stamp standardise
    standardize staple starch start stash steam steep steer sterilise sterilize stir stitch
    stock stook stop store storyboard stow strain strategise strategize streamline strengthen
    stretch strip structure study stuff style subedit submit subpoena suck sue suggest summarise
    summarize supervise supply support surf surface survey sustain suture swab swap sweep switch
    synchronise synthesise synthesize syphon systematise tabulate tack tackle tag tailor take
    talk tally tan tap tape tarmac taste tattoo taxi teach tell tend test testify tether text thatch
    thaw thicken thin thread thresh throw ticket tidy tie tile till tin tint titrate toilet
    tokenize top torque touch tour tow trace track trade train transcribe transfer transform
    translate transmit transplant transport trap trawl tread treat trench triage trim
    troubleshoot truck tune turn tutor tweak tweet twist type typeset umpire unblock unclog
    uncouple uncover undertake underwrite unload unlock unpack unwrap update upgrade uphold
    upholster upload upsell upskill use vaccinate vacuum validate value varnish vend ventilate
    verify vet video view visit visualise visualize volunteer wait walk wallpaper warehouse warn
    wash watch water wax wean weatherproof weave weed weigh welcome weld wheel whip whisk
    whitewash whittle winch winnow winterise wipe wire work wrangle wrap wring write x-ray xerox
    zero zone zoom
    """
)
"""Base forms of verbs that people use for what they do at work."""

LIGHT_BASES: Final = _words(
    """
    choose do get go have put see spend wind
    """
)
"""Real verbs, but too general to begin an item of a list by themselves."""

NOUN_LIKE: Final = _words(
    """
    account act address aid audit award back bag balance bank batch bid bill block blog board
    book bottle box brand break brick bridge brief brush budget buff bundle butter call campaign
    care cart cash cast catalog catalogue catch chair change charge chart chat check clip coach
    coat code color colour comb commission compound contact contract control cook copy count
    cover craft crane crop culture cure cut deal design detail diet discipline display dock
    document dose draft drain dress drill drive drop dye e-mail email exchange exercise export
    fax feed fence field file fill film filter finance finish fire fish fit fix flag flash float
    fold follow forecast form format frame fuel fund gas grade graph grease grill group guard
    guide hammer hand haul head heat help hire hook host hunt image import index input interview
    inventory invoice iron issue journal judge knit label lace land lead lease lecture ledger
    level lift light line list load lock log look machine mail man manure map mark market mass
    massage master match measure mentor message mike mill mind mine minute mix model mould mount
    move muck mulch net network note nurse offer oil order outline pack package paint park part
    pass paste patch patrol pay permit phone photograph pick pilot pin pipe pitch place plan
    plant plaster plate play plot plug point polish port position post practice present press
    price prime print probe process produce program programme progress project proof pump punch
    purchase query question quote raise rake ram rear record referee release rent repair reply
    report request rescue research return review rig ring roast roll roof roster route row run sail
    salt sample sand saw scaffold scale scan schedule score scout screen screw script seal
    search season seed seminar sequence service set shadow shampoo shape shelf shift ship shoe
    shop show shuttle sign signal sketch skim slate slice sling snare sort sound source split
    spot spray spread stack staff stage stain stake stamp staple start steam stitch stock stop
    store strain stretch strip structure study style supply support surface survey swap sweep
    switch tack tackle tag talk tap tape taste taxi test text thread throw ticket tie tile till
    tin tint toilet top torque touch tour trace track trade train transfer transport trap treat
    trench trim truck tune turn tutor type update upgrade use vacuum value vet video view visit
    volunteer wait walk warehouse wash watch water wax weave weed welcome wheel wire work wrap
    yoke zone
    """
)
"""Bases that are as often nouns; alone at the end of a list they are read as nouns."""

PARTICLES: Final = _words(
    """
    about along apart around aside away back down forward in off on out over through together up
    """
)
"""Words that belong to the verb before them ("write up", "sign off")."""

DOUBLING: Final = _words(
    """
    admit bag blog cancel channel chop commit confer control counsel cut dam dial dig dip distil
    dot drop dub enrol equip fit flag format fuel get grin hem hop input jog label lag level log
    map marshal model mop nap net occur output patrol pin plan plot pot prep program put quarrel
    ram refer regret reset rig rub run scan scrub set shed ship signal sit skim slot spin star
    stir stop strip submit sum swap tag tap thin tin total transfer transmit travel trim tunnel
    unclog unplug vet war wed whip wrap zip
    """
)
"""Verbs that double their last letter before -ing and -ed."""

NOT_GERUNDS: Final = _words(
    """
    according amazing annoying anything bearing bedding being boring ceiling challenging cling
    clothing concerning darling demanding depending duckling during earring engineering evening
    everything exciting excluding exhausting existing frustrating herring housing including
    interesting king living morning nothing ongoing outstanding pudding regarding rewarding ring
    shilling sibling sing sling something spring sterling string surprising swing thing tiring
    upcoming wedding willing wing wiring
    """
)
"""Words in -ing that are no action."""

NOT_ACTIONS: Final = _words(
    """
    apartment compartment condition conditions connection department direction document
    education element environment equipment experience generation government information
    instrument location medication moment monument nation occupation organisation parliament
    population position profession question regulation relation section segment situation
    station supplement tradition vacation
    """
)
"""Nouns in -tion and -ment that are no action."""

IRREGULAR: Final = {
    "bring": "brought brought",
    "build": "built built",
    "burn": "burnt burnt",
    "buy": "bought bought",
    "catch": "caught caught",
    "choose": "chose chosen",
    "cut": "cut cut",
    "deal": "dealt dealt",
    "dig": "dug dug",
    "do": "did done",
    "draw": "drew drawn",
    "drive": "drove driven",
    "feed": "fed fed",
    "fight": "fought fought",
    "find": "found found",
    "fly": "flew flown",
    "get": "got gotten",
    "give": "gave given",
    "go": "went gone",
    "grind": "ground ground",
    "grow": "grew grown",
    "hang": "hung hung",
    "have": "had had",
    "hold": "held held",
    "keep": "kept kept",
    "lay": "laid laid",
    "lead": "led led",
    "lend": "lent lent",
    "make": "made made",
    "meet": "met met",
    "oversee": "oversaw overseen",
    "pay": "paid paid",
    "put": "put put",
    "read": "read read",
    "ring": "rang rung",
    "run": "ran run",
    "see": "saw seen",
    "sell": "sold sold",
    "send": "sent sent",
    "set": "set set",
    "sew": "sewed sewn",
    "shoot": "shot shot",
    "show": "showed shown",
    "sing": "sang sung",
    "sit": "sat sat",
    "speak": "spoke spoken",
    "spend": "spent spent",
    "split": "split split",
    "spread": "spread spread",
    "sweep": "swept swept",
    "take": "took taken",
    "teach": "taught taught",
    "tell": "told told",
    "think": "thought thought",
    "throw": "threw thrown",
    "undertake": "undertook undertaken",
    "weave": "wove woven",
    "wind": "wound wound",
    "write": "wrote written",
}
"""Base → past and participle of irregular verbs."""

ACTION_NOUNS: Final = {
    "administration": "administer",
    "analyses": "analyze",
    "analysis": "analyze",
    "assembly": "assemble",
    "assessment": "conduct",
    "assessments": "conduct",
    "changes": "change",
    "collection": "collect",
    "communication": "communicate",
    "coordination": "coordinate",
    "creation": "create",
    "deliveries": "make",
    "delivery": "deliver",
    "demonstration": "give",
    "demonstrations": "give",
    "deployment": "deploy",
    "design": "design",
    "development": "develop",
    "diagnosis": "diagnose",
    "distribution": "distribute",
    "documentation": "write",
    "evaluation": "evaluate",
    "evaluations": "evaluate",
    "implementation": "implement",
    "inspection": "conduct",
    "inspections": "conduct",
    "installation": "install",
    "installations": "install",
    "interpretation": "interpret",
    "investigation": "investigate",
    "investigations": "conduct",
    "maintenance": "maintain",
    "management": "manage",
    "monitoring": "monitor",
    "negotiation": "negotiate",
    "negotiations": "conduct",
    "observation": "observe",
    "observations": "make",
    "operation": "operate",
    "optimisation": "optimize",
    "optimization": "optimize",
    "organisation": "organize",
    "organization": "organize",
    "preparation": "prepare",
    "procurement": "procure",
    "production": "produce",
    "promotion": "promote",
    "reconciliation": "reconcile",
    "reconciliations": "perform",
    "recruitment": "recruit",
    "registration": "register",
    "rehabilitation": "rehabilitate",
    "removal": "remove",
    "repair": "repair",
    "research": "research",
    "resolution": "resolve",
    "restoration": "restore",
    "selection": "select",
    "supervision": "supervise",
    "translation": "translate",
    "translations": "translate",
    "validation": "validate",
    "verification": "verify",
    "visualisation": "visualize",
    "visualization": "visualize",
}
"""Nouns that name an action → the verb of the same action."""

WORK_NOUNS: Final = {
    "admin": "do",
    "appointment": "keep",
    "article": "write",
    "audit": "conduct",
    "bandage": "change",
    "baptism": "perform",
    "bath": "give",
    "bill": "process",
    "blow": "do",
    "book": "keep",
    "booking": "handle",
    "care": "provide",
    "bookkeeping": "do",
    "briefing": "give",
    "budget": "prepare",
    "calculation": "do",
    "calendar": "keep",
    "call": "make",
    "campaign": "run",
    "check": "do",
    "checklist": "complete",
    "checkup": "do",
    "class": "teach",
    "cleanup": "do",
    "close": "do",
    "complaint": "handle",
    "conference": "attend",
    "consultation": "conduct",
    "contract": "prepare",
    "dashboard": "build",
    "demo": "give",
    "drawing": "produce",
    "email": "answer",
    "enquiry": "answer",
    "entry": "do",
    "errand": "run",
    "estimate": "prepare",
    "event": "organize",
    "exam": "conduct",
    "experiment": "run",
    "filing": "do",
    "follow-up": "do",
    "forecast": "prepare",
    "forecasts": "prepare",
    "form": "complete",
    "funeral": "conduct",
    "handover": "do",
    "inquiry": "answer",
    "interview": "conduct",
    "inventory": "do",
    "invoice": "process",
    "lecture": "give",
    "lesson": "teach",
    "letter": "write",
    "listing": "write",
    "log": "keep",
    "logistics": "handle",
    "logo": "design",
    "mailing": "send",
    "marketing": "do",
    "meeting": "attend",
    "memo": "write",
    "minute": "take",
    "newsletter": "write",
    "order": "handle",
    "packaging": "design",
    "paperwork": "do",
    "patrol": "do",
    "payroll": "run",
    "permit": "obtain",
    "planning": "do",
    "post": "write",
    "presentation": "give",
    "proposal": "write",
    "purchase": "make",
    "quote": "prepare",
    "reading": "hold",
    "record": "keep",
    "repair": "do",
    "report": "prepare",
    "reporting": "do",
    "request": "handle",
    "review": "conduct",
    "rota": "prepare",
    "round": "do",
    "safety": "look after",
    "sale": "make",
    "sampling": "do",
    "schedule": "prepare",
    "screen": "conduct",
    "sermon": "prepare",
    "session": "run",
    "slide": "prepare",
    "spec": "write",
    "specification": "write",
    "spreadsheet": "keep",
    "statement": "prepare",
    "stocktake": "do",
    "stocktaking": "do",
    "study": "conduct",
    "summary": "prepare",
    "survey": "conduct",
    "test": "run",
    "ticket": "answer",
    "tour": "give",
    "training": "give",
    "trial": "run",
    "troubleshooting": "do",
    "visit": "make",
    "walkthrough": "give",
    "webinar": "run",
    "wedding": "conduct",
    "workshop": "run",
}
"""Nouns (singular) that stand for a task when named alone → the plainest verb for them."""
