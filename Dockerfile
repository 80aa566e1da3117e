# relhash serve: predictions over HTTP.
#   docker build -t relhash .
#   docker run -p 8000:8000 -e RELHASH_TOKEN="$(openssl rand -hex 16)" relhash
#   docker run -p 8000:8000 -v "$PWD":/data:ro relhash serve /data/mine.relhash --host 0.0.0.0 --port 8000
# Without RELHASH_TOKEN a token is made and printed when the server starts (docker logs).
FROM python:3.11-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY src ./src
RUN python -m venv /relhash && /relhash/bin/pip install --no-cache-dir ".[web]"

FROM python:3.11-slim
# numba wants a C++ runtime; slim has it. Compiled kernels are cached where the user may write.
ENV PATH=/relhash/bin:$PATH PYTHONUNBUFFERED=1 XDG_CACHE_HOME=/tmp/cache OMP_NUM_THREADS=1
COPY --from=build /relhash /relhash
RUN useradd --system --uid 10001 --no-create-home relhash
USER 10001
RUN relhash info --warm
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=90s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health', timeout=4)"]
ENTRYPOINT ["relhash"]
CMD ["serve", "ppi", "--host", "0.0.0.0", "--port", "8000"]
