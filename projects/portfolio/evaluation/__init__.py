"""`manage.py evaluate portfolio FILE`: questions to invented portfolios, judged stage by stage."""
