-- Version 1. One file a run. Designs are content-addressed and never deleted by a run. No clock stands here, so that
-- a resumed run leaves the same rows as an undisturbed one. Measured times are in `gates_cpu_ms` and in metrics only.

CREATE TABLE runs (
    name TEXT PRIMARY KEY,
    facts TEXT NOT NULL                     -- JSON: configuration, versions, data hashes
) WITHOUT ROWID;

CREATE TABLE settings (                     -- what stored ranks were computed with
    name TEXT PRIMARY KEY,
    value REAL NOT NULL
) WITHOUT ROWID;

CREATE TABLE cycles (
    cycle INTEGER PRIMARY KEY,
    state TEXT NOT NULL,                    -- JSON: everything a resume needs beside the weights
    checkpoint TEXT NOT NULL                -- folder that holds the weights of this moment; '' for none
);

CREATE TABLE metrics (
    cycle INTEGER NOT NULL,
    name TEXT NOT NULL,
    value REAL,                             -- NULL where it was not a finite number
    PRIMARY KEY (cycle, name)
) WITHOUT ROWID;

CREATE TABLE documents (
    id TEXT PRIMARY KEY,
    source TEXT NOT NULL,
    version TEXT NOT NULL,
    span_start INTEGER NOT NULL,
    span_end INTEGER NOT NULL,
    licence TEXT NOT NULL,
    text TEXT NOT NULL
);

CREATE TABLE briefs (
    cycle INTEGER NOT NULL,
    id TEXT NOT NULL,
    skill TEXT NOT NULL,
    kind TEXT NOT NULL,
    document_id TEXT,
    seed INTEGER NOT NULL,
    exemplars TEXT NOT NULL,                -- JSON: design ids
    negatives TEXT NOT NULL,                -- JSON: [[mechanic, reason], ...]
    avoid TEXT NOT NULL,                    -- JSON: mechanics
    PRIMARY KEY (cycle, id)
) WITHOUT ROWID;

CREATE TABLE designs (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL,
    hint TEXT NOT NULL,
    skill TEXT NOT NULL,                    -- what the program says it exercises
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    max_turns INTEGER NOT NULL,
    cycle INTEGER NOT NULL,                 -- of its first draft; -1 when it came from elsewhere
    asked_skill TEXT NOT NULL,              -- what its first brief asked for
    document_id TEXT,
    fingerprint TEXT NOT NULL,
    checksum TEXT NOT NULL,                 -- of the row's text, for `memory verify`
    accepted_number INTEGER UNIQUE,         -- counts accepted designs; NULL while none of its drafts was accepted
    novelty REAL                            -- 1 - similarity to the nearest design accepted before it
);
CREATE INDEX designs_by_fingerprint ON designs (fingerprint, accepted_number);
CREATE INDEX designs_by_skill ON designs (asked_skill, number);

CREATE TABLE sketches (
    number INTEGER PRIMARY KEY REFERENCES designs (number),
    program BLOB NOT NULL,
    observations BLOB                       -- NULL until played
);

CREATE TABLE bands (
    band INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (band, number)
) WITHOUT ROWID;

CREATE TABLE verdicts (
    cycle INTEGER NOT NULL,
    draft_id TEXT NOT NULL,
    brief_id TEXT NOT NULL,
    skill TEXT NOT NULL,
    number INTEGER REFERENCES designs (number),      -- NULL when the draft held no readable program
    accepted INTEGER NOT NULL,
    gate TEXT NOT NULL,                     -- that refused it, '' when accepted
    problems TEXT NOT NULL,                 -- JSON: [[gate, message, evidence], ...]
    gates TEXT NOT NULL,                    -- JSON: [[gate, passed, note], ...]
    gates_cpu_ms TEXT NOT NULL,             -- JSON: milliseconds of each gate, in the same order
    reward REAL,
    PRIMARY KEY (cycle, draft_id)
) WITHOUT ROWID;
CREATE INDEX verdicts_by_design ON verdicts (number, cycle);
CREATE INDEX refusals_by_skill ON verdicts (skill, cycle) WHERE NOT accepted AND number IS NOT NULL;

CREATE TABLE playtests (
    number INTEGER NOT NULL REFERENCES designs (number),
    cycle INTEGER NOT NULL,
    policy_version INTEGER NOT NULL,
    replayed INTEGER NOT NULL,
    pairs INTEGER NOT NULL,
    unaided_plays INTEGER NOT NULL,
    solve_rate REAL NOT NULL,
    hinted_solve_rate REAL NOT NULL,
    unaided_return REAL NOT NULL,
    hinted_return REAL NOT NULL,
    regret REAL NOT NULL,
    regret_se REAL NOT NULL,
    learnable REAL NOT NULL,
    seed_solve_rates TEXT NOT NULL,         -- JSON
    hinted_played INTEGER NOT NULL,
    qualified INTEGER NOT NULL,
    fault TEXT NOT NULL,
    PRIMARY KEY (number, cycle)
) WITHOUT ROWID;
CREATE INDEX playtests_by_cycle ON playtests (cycle, number);

CREATE TABLE standings (                    -- where a design stands after its latest playtest
    number INTEGER PRIMARY KEY REFERENCES designs (number),
    skill TEXT NOT NULL,
    kind TEXT NOT NULL,
    document_id TEXT,
    source TEXT,                            -- of that document
    cycle INTEGER NOT NULL,
    value REAL NOT NULL,
    priority REAL NOT NULL,
    value_rank REAL,                        -- log2(value) + cycle / half-life: its order never changes with age
    priority_rank REAL,
    failing TEXT                            -- 'too easy', 'out of reach', 'fault', or NULL
);
CREATE INDEX standings_by_value ON standings (skill, value_rank) WHERE value_rank IS NOT NULL;
CREATE INDEX standings_by_source ON standings (source, kind, value_rank) WHERE value_rank IS NOT NULL;
CREATE INDEX standings_by_priority ON standings (priority_rank) WHERE priority_rank IS NOT NULL;
CREATE INDEX failing_by_skill ON standings (skill, failing, cycle) WHERE failing IS NOT NULL;
CREATE INDEX failing_by_source ON standings (source, kind, failing, cycle) WHERE failing IS NOT NULL;

CREATE TABLE episodes (                     -- index into episodes/cycle_NNNNNN.jsonl.zst, line `line`
    cycle INTEGER NOT NULL,
    line INTEGER NOT NULL,
    number INTEGER NOT NULL REFERENCES designs (number),
    seed INTEGER NOT NULL,
    play INTEGER NOT NULL,
    hinted INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    return REAL NOT NULL,
    cause TEXT NOT NULL,
    turns INTEGER NOT NULL,
    written_tokens INTEGER NOT NULL,
    PRIMARY KEY (cycle, line)
) WITHOUT ROWID;
CREATE INDEX episodes_by_design ON episodes (number, cycle);

CREATE TABLE evaluations (
    cycle INTEGER NOT NULL,
    suite TEXT NOT NULL,
    name TEXT NOT NULL,
    value REAL,
    PRIMARY KEY (cycle, suite, name)
) WITHOUT ROWID;

CREATE TABLE events (
    number INTEGER PRIMARY KEY,
    cycle INTEGER NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL
);
