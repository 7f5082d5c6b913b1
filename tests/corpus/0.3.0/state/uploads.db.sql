BEGIN TRANSACTION;
CREATE TABLE budget (one INTEGER PRIMARY KEY CHECK (one = 1), day INTEGER NOT NULL, spent INTEGER NOT NULL);
INSERT INTO "budget" VALUES(1,0,0);
CREATE TABLE files (
    event TEXT, kind TEXT, name TEXT NOT NULL, at REAL NOT NULL, rank INTEGER NOT NULL, PRIMARY KEY (event, kind)) WITHOUT ROWID;
INSERT INTO "files" VALUES('e-1','clip','gate/e-1.mp4',1780000000.0,1);
INSERT INTO "files" VALUES('e-1','snapshot','gate/e-1.jpg',1780000000.0,0);
COMMIT;
PRAGMA user_version = 0;
