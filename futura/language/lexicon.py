"""The words that the phrase finder knows: work verbs, their kin, nouns of work."""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


BASES: Final = _words(
    """
    accept access accommodate accompany account achieve acquire act adapt add address adjust
    administer admit advertise advise advocate aid alert align allocate alter analyze anchor
    animate annotate announce answer anticipate apologize apply appraise approach approve
    archive argue arrange arrest ask asphalt assay assemble assess assign assist attach attend
    auction audit audition authorize automate award babysit back backfill backup bag bake
    balance bandage bank batch bathe benchmark bend bid bill bind biopsy blast bleach bleed
    blend block blog board boil bolt bone book bookkeep bore bottle box brainstorm brand braze
    break breed brick bridge brief bring broadcast brush budget buff build bundle burn bury
    butcher butter buy calculate calibrate call calve campaign cancel capture care carry cart
    carve cash cashier cast catalog catalogue catch cater caulk centrifuge certify chainsaw
    chair change charge chart chase chat check chill chip chisel chop clarify classify clean
    cleanse clear climb clip close coach coat code collaborate collate collect color colour comb
    combine comfort commission communicate compact compare compile complete comply compose
    compound conduct confer configure confirm connect conserve consolidate construct consult
    contact contract contribute control convert convey cook cool coordinate copy correct
    correspond counsel count couple courier cover craft crane create credit cremate crop cuddle
    cultivate culture cure customize cut dance deal debone debrief debug deburr decide decline
    decorate deduct defend delegate deliver demolish demonstrate deploy describe design detail
    detect determine develop devise diagnose dial dictate dig digitize dilute dip direct
    discharge discipline disconnect discuss disinfect dismantle dispatch dispense display
    dispose distill distress distribute dive dock document dose double-check download draft
    drain drape draw dredge dress drill drive drop dry dub dust dye edit educate email embalm
    embroider empty enable encourage enforce engage engineer engrave enrol ensure enter
    entertain equip erect escalate escort establish estimate etch evaluate examine excavate
    exchange execute exercise exhibit expedite explain explore export expose extend extinguish
    extract fabricate face facilitate fasten fax feed fell felt fence ferment ferry fertilize
    fetch field fight file fill fillet film filter finance find fingerprint finish fire fish fit
    fix flag flash float fly foam fold follow forecast forge form format formulate forward frame
    fry fuel fund furnish garnish gather generate give glaze glue google grade graft graph
    grease greet grill grind groom groove grout grow guard guide gut hammer hand handle hang
    harvest hatch haul head heat help hem herd hire hit hoe hoist hold hone hook hoover host
    hunt identify illustrate image implement import improve incorporate incubate index inform
    ingest initiate inject innovate input inspect install instruct instrument insulate insure
    integrate interact interpret interrogate interview introduce inventory invest investigate
    invite invoice iron issue join journal judge keep kid knit label lacquer lamb laminate land
    landscape lath launch launder lay lead learn lease lecture ledger lend level liaise lift
    light line list listen litigate load lobby lock log look lubricate mail maintain make manage
    maneuver manipulate manufacture map mark market massage master match measure mediate meet
    melt mentor merchandise merge message milk mill mine minute mix model moderate modify
    monitor mop motivate mount move mow muck mulch negotiate net network neuter note notify
    nurse nurture observe obtain offboard offer oil onboard open operate optimize orchestrate
    order organize orient outline outsource overhaul oversee pack package paint park parole
    participate pass paste patch patrol pave pay peel perform phone photograph pick pickle pilot
    pin pipe pitch place plan plant plaster plate play plead plot plough plow pluck plug plumb
    point polish port portion position post pour practice preach predict prep prepare prescribe
    present preserve preside press prevent price prime print prioritize probe process proctor
    procure produce profile program programme project promote proof proofread propose prospect
    protect prototype provide provision prune publish pull pump punch purchase push qualify
    quantify quarantine query question quote raise rake ram read realign rear reassure rebook
    reboot rebuild recap receive recommend reconcile record recover recruit recycle redesign
    reduce reel refactor refer refill refine refinish refuel refund regulate rehabilitate
    rehearse reimburse reinforce relay release remind remove render renew renovate rent repaint
    repair replace replenish reply report reposition represent request reschedule rescue
    research reset resolve respond restart restock restore restrain retouch retrieve return
    review revise rewire rig ring rinse rip roast roll roof roster rotate route run sail salt
    sample sand sandblast sanitize saw scaffold scale scan schedule score scout scrape screed
    screen screw script scrub sculpt seal search season secure seed select sell seminar send
    separate sequence serve service set set-up settle sew shadow shake shampoo shape sharpen
    shave shear shelf shelve shift shingle ship shoe shoot shop shovel show shred shutter
    shuttle sieve sign signal simulate sing sit size sketch skid skim skin slaughter slice slide
    sling smoke smooth snake soak solder solicit solve sort source sow spay speak specify
    spellcheck spin splice split spool spot spray spread stabilize stack staff stage stain stake
    stamp standardize staple starch start steam steer sterilize stir stitch stock stop store
    storyboard stow strain strategize strengthen stretch strip structure study stuff style
    submit subpoena sue suggest summarize supervise supply support surf surface survey suture
    swab swap sweep switch synthesize tack tackle tag tailor take talk tap tape taste tattoo
    taxi teach tell tend test testify tether text thaw thin thread throw ticket tidy tie tile
    till tint toilet top touch tour tow trace track trade train transcribe transfer transform
    translate transmit transplant transport trap tread treat trench triage trim troubleshoot
    truck tune turn tutor tweak twist type typeset unblock unclog uncouple uncover underwrite
    unload unlock unpack unwrap update upgrade upholster upload upsell upskill use vaccinate
    vacuum validate value varnish vend ventilate verify vet video view visit volunteer wait walk
    warehouse warn wash watch water wax wean weave weed weigh welcome weld wheel whip whisk
    winch wipe wire work wrap write x-ray zone zoom
    """
)
"""Base forms of verbs that people use for what they do at work."""

LIGHT_BASES: Final = _words("choose do get go have put see spend wind")
"""Real verbs, but too general to begin an item of a list by themselves."""

NOUN_LIKE: Final = _words(
    """
    account act address aid audit award back bag balance bank batch bid bill block blog board
    book bottle box brand break brick bridge brief brush budget buff bundle butter call campaign
    care cart cash cast catalog catalogue catch chair change charge chart chat check clip coach
    coat code color colour comb commission compound contact contract control cook copy count
    cover craft crane crop culture cure cut deal design detail discipline display dock document
    dose draft drain dress drill drive drop dye email exchange exercise export fax feed fence
    field file fill film filter finance finish fire fish fit fix flag flash float fold follow
    forecast form format frame fuel fund grade graph grease grill guard guide hammer hand haul
    head heat help hire hook host hunt image import index input interview inventory invoice iron
    issue journal judge knit label land lead lease lecture ledger level lift light line list
    load lock log look mail map mark market massage master match measure mentor message mill
    mine minute mix model mount move muck mulch net network note nurse offer oil order outline
    pack package paint park pass paste patch patrol pay phone photograph pick pilot pin pipe
    pitch place plan plant plaster plate play plot plug point polish port position post practice
    present press price prime print probe process produce program programme project proof pump
    punch purchase query question quote raise rake ram rear record release rent repair reply
    report request rescue research return review rig ring roast roll roof roster route run sail
    salt sample sand saw scaffold scale scan schedule score scout screen screw script seal
    search season seed seminar sequence service set shadow shampoo shape shelf shift ship shoe
    shop show shuttle sign signal sketch skim slice sling sort source split spot spray spread
    stack staff stage stain stake stamp staple start steam stitch stock stop store strain
    stretch strip structure study style supply support surface survey swap sweep switch tack
    tackle tag talk tap tape taste taxi test text thread throw ticket tie tile till tint toilet
    top touch tour trace track trade train transfer transport trap treat trench trim truck tune
    turn tutor type update upgrade use vacuum value vet video view visit volunteer wait walk
    warehouse wash watch water wax weave weed welcome wheel wire work wrap zone
    """
)
"""Bases that are as often nouns; alone at the end of a list they are read as nouns."""

PARTICLES: Final = _words(
    """
    about along apart around aside away back down forward in off on out over through together up
    """
)
"""Words that belong to the verb before them ("write up", "sign off")."""

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
    entry.partition("+")[0]: entry.split("+")[1:]
    for entry in """
    bring+brought build+built burn+burnt buy+bought catch+caught choose+chose+chosen cut+cut
    deal+dealt dig+dug do+did+done draw+drew+drawn drive+drove+driven feed+fed fight+fought
    find+found fly+flew+flown get+got+gotten give+gave+given go+went+gone grind+ground
    grow+grew+grown hang+hung have+had hold+held keep+kept lay+laid lead+led lend+lent make+made
    meet+met oversee+oversaw+overseen pay+paid put+put read+read ring+rang+rung run+ran+run
    see+saw+seen sell+sold send+sent set+set sew+sewed+sewn shoot+shot show+showed+shown
    sing+sang+sung sit+sat speak+spoke+spoken spend+spent split+split spread+spread sweep+swept
    take+took+taken teach+taught tell+told think+thought throw+threw+thrown
    undertake+undertook+undertaken weave+wove+woven wind+wound write+wrote+written
    """.split()
}
"""Base → past and participle of irregular verbs."""

WORK_NOUNS: Final = _words(
    """
    admin analyses analysis article assembly assessments audit bandage baptism bath bill blow
    book booking budget calendar call campaign care changes check checklist checkup class
    cleanup close complaint conference contract dashboard deliveries delivery demo design
    diagnosis drawing email enquiry entry errand estimate event exam filing follow-up forecast
    forecasts form funeral handover inquiry interview inventory invoice lecture lesson letter
    listing log logistics logo mailing maintenance meeting memo minute newsletter order
    paperwork patrol payroll permit post proposal purchase quote reading record removal repair
    report request research review rota round safety sale schedule screen sermon session slide
    spec spreadsheet stocktake study summary supervision survey test ticket tour trial visit
    walkthrough webinar wedding workshop
    """
)
"""Nouns (singular) that name work when they stand alone."""
