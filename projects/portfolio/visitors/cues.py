"""Words by which questions of visitors are told apart."""

from __future__ import annotations

import re
from typing import Final

GREETING: Final = re.compile(
    r"^\W*(?:hi+|hey+|hello|yo|sup|good (?:morning|afternoon|evening|day)|howdy|greetings|hiya|"
    r"thanks?(?: you)?(?: so much| a lot)?|thank you|thx|cheers|bye|goodbye|see you|ok(?:ay)?|cool|"
    r"great|nice|awesome|lol|what'?s up|how are you(?: doing)?(?: today)?|how'?s it going)\b"
    r"(?:\W+(?:there|everyone|again|friend|mate|you))*\W*$",
    re.IGNORECASE,
)
HOW_IT_WORKS: Final = re.compile(
    r"\b(?:how (?:do|does) (?:you|this|it|the (?:chat|bot|page|site)|this (?:chat|bot|page|thing|site))"
    r" (?:actually )?(?:work|function|answer)\b|what can (?:you|i) (?:do|ask)(?: (?:you|here|about))?\b|"
    r"(?:are|r) (?:you|u) (?:a |an )?(?:real|human|bot|robot|ai|chatbot|llm|gpt|chatgpt|person|machine)\b|"
    r"what are you\W*$|who (?:made|built|programmed|trained) (?:you|this (?:chat|bot|page))\b|"
    r"(?:which|what) (?:language )?model (?:are|do) you|where (?:do|does) (?:your|the) answers? come from|"
    r"what is this (?:chat|page|bot|thing)|do you (?:remember|store|save) (?:my|our|this|what)|"
    r"your (?:system )?(?:prompt|instructions?)\b)",
    re.IGNORECASE,
)
# about anything but the owner
OFF_TOPIC: Final = re.compile(
    r"^\W*(?:(?:can|could|will|would) you |please )?(?:write|tell|compose|translate|summari[sz]e|"
    r"solve|calculate|compute|generate|sing)\b(?: me)? (?:a |an |the |this |my )?(?:poem|joke|story|"
    r"song|essay|haiku|code|script|recipe|equation|email|letter|homework)|"
    r"\bwhat(?:'s| is) (?:the )?(?:weather|time is it|capital of|meaning of life|news|\d+ ?[+*/x-] ?\d+)|"
    r"\bwho (?:won|is the (?:president|king|queen|prime minister))\b",
    re.IGNORECASE,
)
# who and where somebody is: a question to the portfolio, never about the chat
BIO: Final = re.compile(
    r"\b(?:who are you|introduce yourself|tell (?:me|us) (?:a bit |more |something )?about (?:yourself|you)\b|"
    r"about yourself|what do you do(?: for a living)?|your (?:background|story|bio|profile)|"
    r"what'?s your (?:name|job|role|title)|what (?:is|are) your (?:name|job|role|title|interests|hobbies))",
    re.IGNORECASE,
)
PLACE: Final = re.compile(
    r"\b(?:where (?:do|did|are|were|have|is|was) you|where (?:are|is) (?:you|he|she|they)|located|location|based|"
    r"live[sd]?|living|move[d]? to|relocat\w+|travel\w*|been to|visit\w*|abroad|overseas|countr(?:y|ies)|cit(?:y|ies)|"
    r"remote(?:ly)?(?! sensing| control)|time ?zone|commut\w+|from originally|grow up|grew up)\b",
    re.IGNORECASE,
)
BINARY: Final = re.compile(
    r"^\W*(?:(?:so|and|but|ok(?:ay)?|well|hey|hi|hello|also|then|just curious|quick question)[\s,:;—-]+)*"
    r"(?:have|has|had|do|does|did|are|is|was|were|can|could|will|would|should|ever|any|isn'?t|aren'?t|"
    r"don'?t|didn'?t|haven'?t|hasn'?t|wasn'?t|know|familiar|used|worked|got)\b",
    re.IGNORECASE,
)
ANY_TAIL: Final = re.compile(
    r"^\W*(?:any|ever|got any)\b|\b(?:right|correct|yes or no)\s*\?\s*$", re.IGNORECASE
)
LIST: Final = re.compile(
    r"\b(?:which|what (?:other |kinds? of |sorts? of |types? of |are (?:all )?(?:the |your |some )?|"
    r"(?:(?!(?:did|do|does|have|has|can|could|was|were|is|will|would|should|about|it|you)\b)"
    r"[\w&+#./-]+ ){1,3})?"
    r"(?:projects?|jobs?|roles?|positions?|compan(?:y|ies)|employers?|clients?|languages?|frameworks?|tools?|"
    r"technolog(?:y|ies)|skills?|awards?|prizes?|degrees?|schools?|universit(?:y|ies)|publications?|"
    r"places?|countries|cities|internships?|materials?|techniques?|programs?|software|certifications?|"
    r"things|work|experiences?|databases?|apps?|sites?|websites?|entries|exhibitions?|papers?)|"
    r"list\b|show (?:me )?(?:all|every|your|some|the|a few|a couple)|name (?:me )?(?:all|every|some|any|a few|a couple|one|three|two|\d+)|"
    r"(?:share|mention|pick|list|see) (?:with (?:me|us) )?(?:all|every|some|a few|a couple|one|two|three|examples)|"
    r"give (?:me )?(?:all|every|some|a few|a couple|examples|a list|an overview of all)|every (?:project|job|role)|"
    r"all (?:of )?(?:your|the) \w+|where (?:have|did) you (?:work|stud|use|intern|teach|build|exhibit)\w*|"
    r"who (?:have|did) you work(?:ed)? (?:for|with)|how many|examples of|any (?:examples|projects|other)\b)",
    re.IGNORECASE,
)
SOME: Final = re.compile(
    r"\b(?:a couple|a few|some|examples?|for instance|such as|briefly|in short|one or two|two or three|"
    r"a handful|one|two|three|favou?rites?|best|main|top|highlights?|most \w+|latest|recent)\b",
    re.IGNORECASE,
)
ALL: Final = re.compile(
    r"\b(?:all|every|each|everything|complete|full list|any and all|how many)\b", re.IGNORECASE
)
EMPLOYMENT: Final = re.compile(
    r"\b(?:professional(?:ly)?|at work|on the job|jobs?|employ(?:ed|ers?|ment)|(?<!own )compan(?:y|ies)|institutions?|roles?|positions?|career|"
    r"interned|internships?|as (?:an? )?intern|as (?:an? )?(?:freelancer|contractor|employee)|under contract|"
    r"in (?:the )?industry|for a living|work history|tenure|clients?|employers?|"
    r"work(?:ed|ing)? (?:for|at)|full[- ]time|paid|commercial(?:ly)?|in production at)\b",
    re.IGNORECASE,
)
# somewhere by its name: the planner looks whether it is a tool's
AT_NAMED: Final = re.compile(
    r"\b(?:work(?:ed|ing)? in|at|(?:work|buil[dt]|ma[dk]e|do|did|design|ship|creat|develop|writ|wrote)\w*"
    r"(?: [\w'’-]+){0,3}? for) (?P<name>(?-i:[A-ZÀ-Þ])[\w'’&.+#-]*)",
    re.IGNORECASE,
)
# whether somebody would take something on: what was before says nothing of it
AVAILABLE: Final = re.compile(
    r"\b(?:available|availability|open (?:to|for)|looking for|for hire|hir(?:e|ing) you|"
    r"take on|taking on|accept(?:ing)? (?:new )?(?:clients|work|commissions|students|interns))\b",
    re.IGNORECASE,
)
# a question that goes on from the one before: “And at work?”, “What about Scala?”
ELLIPTIC: Final = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|so)\W+)?(?:and|or|but|what about|how about)\b(?:\W+[\w'’+#.-]+){1,5}\W*$",
    re.IGNORECASE,
)
PROJECTS: Final = re.compile(
    r"\b(?:projects?|repos?(?:itor(?:y|ies))?|side projects?|open[- ]source|built|build|made|shipped|portfolio pieces?|"
    r"case stud(?:y|ies)|github|code|apps?|designs?|pieces?|works)\b",
    re.IGNORECASE,
)
STUDY: Final = re.compile(
    r"\b(?:stud(?:y|ied|ies)|degrees?|school|universit\w+|college|educat\w+|graduat\w+|course\w*|major\w*|phd|master'?s?|"
    r"bachelor'?s?|diploma|thesis|academic\w*|train(?:ed|ing))\b",
    re.IGNORECASE,
)
AWARDS: Final = re.compile(
    r"\b(?:awards?|prizes?|hono[u]?rs?|won|win|winning|recognition|fellowships?|scholarships?|grants?)\b",
    re.IGNORECASE,
)
SKILLS: Final = re.compile(
    r"\b(?:skills?|languages?|frameworks?|tools?|technolog(?:y|ies)|tech stack|stack|software|programs?|know|proficien\w+|"
    r"familiar|expert\w*|good at|strengths?|techniques?|materials?|databases?)\b",
    re.IGNORECASE,
)
# sums of attributes, where cards add nothing
ROLLUP: Final = re.compile(
    r"\b(?:(?:what|which|list|all|how many) (?:\w+ ){0,4}?(?:languages?|frameworks?|tools?|technolog(?:y|ies)|skills?|software|"
    r"databases?|programs?|materials?|techniques?)|tech stack|how many|how long|years of)\b",
    re.IGNORECASE,
)
USED_ON: Final = re.compile(
    r"\b(?:projects?|jobs?|roles?|compan(?:y|ies)|positions?)\b", re.IGNORECASE
)
FOLLOW_UP: Final = re.compile(
    r"^\W*(?:(?:and|but|so|ok(?:ay)?|what about|how about|tell me more|more|why|which|when|where|really|"
    r"go on|anything else|what else)\b.{0,40}|.{0,60}\b(?:it|that|this|there|those|these|them|one|ones)\b.{0,30})$",
    re.IGNORECASE,
)
# broad topics that documents name in many ways; narrow tools are never widened
BROAD: Final[dict[str, str]] = {
    "ai": "AI artificial intelligence machine learning ML LLM deep learning computer vision NLP",
    "machine learning": "machine learning ML AI deep learning models",
    "ml": "machine learning ML AI deep learning models",
    "frontend": "frontend front-end web interface React Vue Angular JavaScript TypeScript CSS",
    "front-end": "frontend front-end web interface React Vue Angular JavaScript TypeScript CSS",
    "backend": "backend back-end server API service database",
    "back-end": "backend back-end server API service database",
    "cloud": "cloud AWS Azure GCP serverless infrastructure",
    "devops": "DevOps CI/CD Docker Kubernetes Terraform infrastructure deployment",
    "database": "database SQL PostgreSQL MySQL SQLite MongoDB Redis",
    "databases": "databases SQL PostgreSQL MySQL SQLite MongoDB Redis",
    "data": "data analysis data engineering data science statistics visualisation",
    "mobile": "mobile iOS Android Swift Kotlin Flutter React Native app",
    "print": "print packaging editorial poster letterpress screen printing book",
    "branding": "branding brand identity logo visual identity",
}
ASKS_TO_TELL: Final = re.compile(
    r"^\W*(?:can|could|would|will) you (?:please )?(?:tell|describe|explain|list|show|name|give|walk|compare|share)\b",
    re.IGNORECASE,
)
WHY: Final = re.compile(r"\b(?:tell|describe|why|how)\b", re.IGNORECASE)
ONLY_PROJECTS: Final = re.compile(
    r"\b(?:projects?|repos?\w*|open[- ]source|case stud\w+)\b", re.IGNORECASE
)
COUNTING: Final = re.compile(r"\bhow (?:many|long)\b", re.IGNORECASE)
# words that point at what the last answer was about
POINTING: Final = re.compile(
    r"\b(?:it|that|this|those|these|them|they|there|one|ones|more|its|their)\b", re.IGNORECASE
)
