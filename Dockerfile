# A server or bots, depending on the command. Settings come from the environment (EMPEDOCLES_DATABASE and others).
# Versions are exact: the image's tag, and constraints.txt for everything that pip installs. A tag can be moved to another image, a
# digest cannot: for a deployment, append @sha256:… of an image that you have checked to the tag (docker buildx imagetools inspect).
FROM python:3.11.14-slim-bookworm AS wheel
WORKDIR /source
COPY pyproject.toml constraints.txt hatch_build.py README.md CHANGELOG.md LICENSE ./
COPY src src
# The build runs in an environment of its own, which takes its versions from here too.
ENV PIP_CONSTRAINT=/source/constraints.txt
RUN pip install --no-cache-dir build && python -m build --wheel --outdir /wheel

FROM python:3.11.14-slim-bookworm
COPY constraints.txt /
COPY --from=wheel /wheel /wheel
RUN pip install --no-cache-dir -c /constraints.txt "$(echo /wheel/*.whl)[postgresql]" && rm -r /wheel /constraints.txt \
 && useradd --create-home --uid 1000 empedocles && install --directory --owner empedocles --mode 700 /data
USER empedocles
WORKDIR /home/empedocles
# Machine code is compiled while the image is built, for its kind of processor: build it on the kind that will run it.
ENV NUMBA_CACHE_DIR=/home/empedocles/compiled EMPEDOCLES_DATABASE=/data/empedocles.db PYTHONUNBUFFERED=1
RUN empedocles warm
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ["empedocles", "health", "--url", "http://127.0.0.1:8000"]
CMD ["empedocles", "serve", "--host", "0.0.0.0", "--no-open"]
