FROM python:3.12.12-slim-bookworm
COPY . /tests
