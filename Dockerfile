# A server or bots: what the command says. Settings come from the environment (EMPEDOCLES_DATABASE and others).
FROM python:3.11-slim AS wheel
WORKDIR /source
COPY pyproject.toml constraints.txt hatch_build.py README.md CHANGELOG.md LICENSE ./
COPY src src
# The build itself runs in an environment of its own, which takes its versions from here too.
ENV PIP_CONSTRAINT=/source/constraints.txt
RUN pip install --no-cache-dir build && python -m build --wheel --outdir /wheel

FROM python:3.11-slim
COPY constraints.txt /
COPY --from=wheel /wheel /wheel
RUN pip install --no-cache-dir -c /constraints.txt "$(echo /wheel/*.whl)[server]" && rm -r /wheel /constraints.txt \
 && useradd --create-home empedocles && mkdir /data && chown empedocles /data
USER empedocles
WORKDIR /home/empedocles
# Machine code is made while the image is: for the processors of its kind, so build it on the kind that will run it.
ENV NUMBA_CACHE_DIR=/home/empedocles/compiled EMPEDOCLES_DATABASE=/data/empedocles.db PYTHONUNBUFFERED=1
RUN empedocles warm
VOLUME /data
EXPOSE 8000
HEALTHCHECK --start-period=60s CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/api/games', timeout=5)"]
CMD ["empedocles", "serve", "--host", "0.0.0.0", "--no-open"]
