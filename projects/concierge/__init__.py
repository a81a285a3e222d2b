"""The concierge: one assistant over everything that a person has.

For pages that show it beside other things (the home page):

    from projects.concierge import context, queries, page

    briefing = context.of_owners(identity.participant_ids)   # typed, see briefing.py
    session = queries.current_session(identity)              # the running conversation, or None
    shown = page.context_for(request, session, briefing)     # what the partials below need

    {% include "projects/concierge/_conversation.html" %}    log, or first suggestions without one
    {% include "projects/concierge/_composer.html" %}        text field; begins one if needed
    {% include "projects/concierge/_scripts.html" %}         in the head; the page needs hx-ws:
        {% block htmx %}{% htmx_script extensions="hx-ws" %}{% endblock %}

Addresses: `concierge:page` (/concierge), `concierge:talk` (/concierge/<uuid:concierge_id>),
`concierge:say` (POST text: begins or goes on), `concierge:new` (POST), `concierge:greet` (POST).
The greeting comes by itself once a day: the partial asks for it when the page is open.
"""
