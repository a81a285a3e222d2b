"""Roles: what each may, how groups are made, who may give them."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser, Group, Permission

from futura import roles

pytestmark = pytest.mark.django_db
PAGE = "/staff/people"


@pytest.fixture
def anna(django_user_model):
    """An administrator."""
    user = django_user_model.objects.create_user("anna", "anna@example.org", is_staff=True)
    user.groups.add(Group.objects.get(name=roles.ADMINISTRATOR))
    return user


def held(user):
    """What a user may, read anew."""
    fresh = type(user).objects.get(pk=user.pk)
    return {right for right in roles.RIGHTS if roles.may(fresh, right)}


def test_a_role_gives_its_rights_to_staff_only(alice, anna):
    alice.groups.add(Group.objects.get(name=roles.REVIEWER))
    assert held(alice) == set()  # not of staff
    alice.is_staff = True
    alice.save()
    assert held(alice) == {"review", "insights", "changes"}
    assert held(anna) == set(roles.RIGHTS)
    anna.is_active = False
    anna.save()
    assert held(anna) == set()
    assert not roles.may(AnonymousUser(), "review")


def test_superusers_may_everything_and_are_listed(django_user_model, alice):
    root = django_user_model.objects.create_superuser("root", "root@example.org", "x")
    assert held(root) == set(roles.RIGHTS)
    assert list(roles.people_with("audit")) == [root]


def test_groups_are_made_once_and_what_an_administrator_changed_stays():
    group = Group.objects.get(name=roles.REVIEWER)
    group.permissions.clear()
    Group.objects.filter(name=roles.CAMPAIGN_MANAGER).delete()
    roles.make_groups()
    assert not group.permissions.exists()
    made = Group.objects.get(name=roles.CAMPAIGN_MANAGER)
    assert set(made.permissions.values_list("codename", flat=True)) == {
        "campaigns", "insights", "export",
    }  # fmt: skip


def test_a_right_that_came_with_a_new_version_goes_to_administrators():
    administrators = Group.objects.get(name=roles.ADMINISTRATOR)
    administrators.permissions.remove(*Permission.objects.filter(codename="conversations"))
    administrators.permissions.remove(*Permission.objects.filter(codename="review"))
    roles.make_groups()
    kept = set(administrators.permissions.values_list("codename", flat=True))
    assert kept == set(roles.RIGHTS) - {"review"}  # reviewers hold that one


def test_an_administrator_gives_and_takes_roles(browser, anna, alice):
    office = browser(anna)
    assert "alice@example.org" not in office.get(PAGE).text
    assert "not staff" in office.get(f"{PAGE}?q=alice").text
    form = {"account": str(alice.pk), "roles": [roles.REVIEWER, roles.CAMPAIGN_MANAGER]}
    assert office.post(PAGE, form).status_code == 303
    assert held(alice) >= {"review", "campaigns"}
    without = {"account": str(alice.pk), "held": [roles.REVIEWER, roles.CAMPAIGN_MANAGER]}
    assert office.post(PAGE, without).status_code == 303
    assert held(alice) == set()
    assert office.post(PAGE, {"account": str(alice.pk), "roles": "root"}).status_code == 400
    own = {"account": str(anna.pk), "held": roles.ADMINISTRATOR}
    assert office.post(PAGE, own).status_code == 409
    assert held(anna) == set(roles.RIGHTS)


def test_a_search_without_a_match_says_how_a_colleague_gets_an_account(browser, anna):
    assert "sign up first" in browser(anna).get("/staff/people?q=new@x.org").text


def test_two_administrators_give_one_account_both_their_roles(browser, anna, alice, stan):
    for role in (roles.REVIEWER, roles.CAMPAIGN_MANAGER):  # from pages that were open before
        form = {"account": str(alice.pk), "held": "", "roles": role}
        assert browser(anna).post(PAGE, form).status_code == 303
    assert held(alice) >= {"review", "campaigns"}
    assert 'name="held" value="reviewer"' in browser(anna).get(PAGE).text
    without = {"account": str(alice.pk), "held": roles.REVIEWER}
    assert browser(anna).post(PAGE, without).status_code == 303
    assert held(alice) == {"campaigns", "insights", "export"}


def test_staff_without_the_right_are_told_which_it_is(browser, django_user_model):
    newt = django_user_model.objects.create_user("newt", "newt@example.org", is_staff=True)
    answer = browser(newt).get("/staff/sessions")
    assert answer.status_code == 403
    assert "This needs the right to read survey conversations" in answer.text
    assert "An administrator can give it." in answer.text
