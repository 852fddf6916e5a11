#!/bin/sh
mkdir -p /logs/verifier
python3 /tests/game/grade.py > /logs/verifier/reward.txt
