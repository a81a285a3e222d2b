# The product for servers: one image for every process (compose.yaml says which runs what).
# The first stage installs what it needs, with a compiler at hand; the second is what runs.

FROM python:3.11-bookworm AS packages
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /srv/venv
WORKDIR /srv/packages
# only what decides which packages there are, so that a change of the code does not install anew
COPY pyproject.toml constraints.txt README.md LICENSE ./
RUN /srv/venv/bin/pip install --constraint constraints.txt .

FROM python:3.11-slim-bookworm AS product
# git: portfolios read repositories
RUN apt-get update && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --user-group --home-dir /srv/data futura \
    && install --directory --owner futura --group futura /srv/data /srv/static
COPY --from=packages /srv/venv /srv/venv
WORKDIR /srv/futura
COPY manage.py pyproject.toml LICENSE ./
COPY futura futura
COPY chat chat
COPY onet onet
COPY tasks tasks
COPY projects projects
COPY templates templates
COPY static static
ENV PATH=/srv/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    OPENBLAS_NUM_THREADS=1 \
    DJANGO_SETTINGS_MODULE=futura.settings \
    FUTURA_ENV_FILE=none \
    FUTURA_DATA_DIR=/srv/data \
    FUTURA_STATIC_ROOT=/srv/static
# compiled once, here; pages, scripts and styles get names that carry their contents
RUN python -m compileall -q . \
    && FUTURA_DATA_DIR=/tmp/build python manage.py collectstatic --noinput --verbosity 0 \
    && rm -r /tmp/build
USER futura
VOLUME /srv/data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-m", "futura.deploy.health", "web"]
CMD ["python", "-m", "futura.serving", "-v", "0", "-b", "0.0.0.0", "-p", "8000", "futura.asgi:application"]
