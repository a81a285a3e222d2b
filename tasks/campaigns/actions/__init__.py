"""Every write of campaigns, one verb each; `tasks.campaigns.queries` has the doors."""
