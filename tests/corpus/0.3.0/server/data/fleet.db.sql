BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0012');
CREATE TABLE alert (
	id INTEGER NOT NULL, 
	rule INTEGER NOT NULL, 
	subject VARCHAR NOT NULL, 
	text VARCHAR NOT NULL, 
	value FLOAT NOT NULL, 
	began_at FLOAT NOT NULL, 
	ended_at FLOAT, 
	acknowledged_at FLOAT, 
	acknowledged_by VARCHAR NOT NULL, notified JSON DEFAULT '[]' NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(rule) REFERENCES alert_rule (id)
);
INSERT INTO "alert" VALUES(1,1,'press-00','fps 15, above the limit of -1',15.0,1.79578408480669093135e+09,NULL,1.79578408486443758008e+09,'ada','[]');
CREATE TABLE alert_recipient (
	id INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	settings JSON NOT NULL, 
	groups JSON NOT NULL, 
	severities JSON NOT NULL, 
	enabled BOOLEAN NOT NULL, 
	since_at FLOAT NOT NULL, 
	created_at FLOAT NOT NULL, 
	created_by VARCHAR NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (name)
);
INSERT INTO "alert_recipient" VALUES(1,'on call','ntfy','{"url": "http://127.0.0.1:9", "secret": "tk_s3cret", "emails": [], "topic": "fleet", "key": ""}','[]','["critical"]',1,1.79578408488546657564e+09,1.79578408488546657564e+09,'ada');
CREATE TABLE alert_rule (
	id INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	rule JSON NOT NULL, 
	enabled BOOLEAN NOT NULL, 
	silenced_until FLOAT NOT NULL, 
	silenced_by VARCHAR NOT NULL, 
	created_at FLOAT NOT NULL, 
	created_by VARCHAR NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (name)
);
INSERT INTO "alert_rule" VALUES(1,'fast','{"kind": "threshold", "figure": "fps", "above": -2.0, "below": null, "clear": null, "for_s": 0.0, "window_s": 300.0, "deviations": 4.0, "event_kind": null, "event_label": null, "event_rule": null, "pipeline": null, "group": null, "severity": "warning", "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "s"}], "emails": []}',1,1.79578414487594532965e+09,'ada',1.79578407810787916186e+09,'ada');
CREATE TABLE alert_snooze (
	id INTEGER NOT NULL, 
	rule INTEGER, 
	device_group VARCHAR NOT NULL, 
	device VARCHAR NOT NULL, 
	until_at FLOAT NOT NULL, 
	reason VARCHAR NOT NULL, 
	created_at FLOAT NOT NULL, 
	created_by VARCHAR NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(rule) REFERENCES alert_rule (id)
);
INSERT INTO "alert_snooze" VALUES(1,1,'','',1.79578768490603470804e+09,'the fan is replaced',1.79578408491632461542e+09,'ada');
INSERT INTO "alert_snooze" VALUES(2,NULL,'','press-00',1.79578408493245339399e+09,'moved',1.79578408492745256424e+09,'ada');
CREATE TABLE api_token (
	id VARCHAR NOT NULL, 
	hash VARCHAR NOT NULL, 
	user VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	role VARCHAR NOT NULL, 
	created_at FLOAT NOT NULL, 
	expires_at FLOAT NOT NULL, 
	used_at FLOAT, 
	scopes JSON DEFAULT '[]' NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(user) REFERENCES person (name), 
	UNIQUE (hash)
);
INSERT INTO "api_token" VALUES('6f80e594f916','16b9430fc4cfa5023bb4aa3498c5fd5915cea0f7c5d61c07b7d49b2c03155af7','ada','reads','admin',1.79578407480118346214e+09,1.80356007480118346215e+09,NULL,'[]');
INSERT INTO "api_token" VALUES('0b275db849bc','fde2df64ee0d20b098fd44879cb76b5911feedcc34f7c09c2d3ef340341d49e1','ada','proposes','operator',1.79578408512976074214e+09,1.80356008512976074224e+09,1.79578408517315387727e+09,'["propose"]');
CREATE TABLE assignment (
	device VARCHAR NOT NULL, 
	slot VARCHAR NOT NULL, 
	package VARCHAR NOT NULL, 
	attempt VARCHAR NOT NULL, 
	rollout INTEGER NOT NULL, 
	trial_s FLOAT NOT NULL, 
	trial_frames_min INTEGER NOT NULL, 
	hold BOOLEAN DEFAULT 0 NOT NULL, 
	assigned_at FLOAT DEFAULT 0 NOT NULL, 
	atomic BOOLEAN DEFAULT 0 NOT NULL, 
	PRIMARY KEY (device, slot), 
	FOREIGN KEY(device) REFERENCES device (id), 
	FOREIGN KEY(package) REFERENCES package (digest)
);
INSERT INTO "assignment" VALUES('press-00','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','2:press-00:1:back',2,1.0,0,0,1.79578407791958189008e+09,0);
INSERT INTO "assignment" VALUES('press-02','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-02:1',1,1.0,0,0,1.79578407587395405767e+09,0);
INSERT INTO "assignment" VALUES('press-01','detector','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','7:press-01:1',7,1.0,0,0,1.79578407808874344819e+09,1);
INSERT INTO "assignment" VALUES('press-05','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','6:press-05:1:back',6,0.2,10,0,1.79578407808874344819e+09,0);
INSERT INTO "assignment" VALUES('press-03','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','6:press-03:1:back',6,0.2,10,0,1.79578407808874344819e+09,0);
INSERT INTO "assignment" VALUES('press-04','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','6:press-04:1:back',6,0.2,10,0,1.79578407808874344819e+09,0);
INSERT INTO "assignment" VALUES('press-05','shadow-detector','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','3:press-05:1',3,1.0,0,0,1.79578407791958189008e+09,0);
INSERT INTO "assignment" VALUES('press-01','second','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','7:press-01:1',7,1.0,0,0,1.79578407808874344819e+09,1);
CREATE TABLE attempt (
	id VARCHAR NOT NULL, 
	rollout INTEGER NOT NULL, 
	device VARCHAR NOT NULL, 
	wave INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	state VARCHAR NOT NULL, 
	open BOOLEAN NOT NULL, 
	reason VARCHAR NOT NULL, 
	detail VARCHAR NOT NULL, 
	previous VARCHAR, 
	offered_at FLOAT, 
	updated_at FLOAT NOT NULL, 
	finished_at FLOAT, 
	bytes_done INTEGER NOT NULL, 
	bytes_total INTEGER NOT NULL, 
	latest BOOLEAN DEFAULT 1 NOT NULL, 
	staging BOOLEAN DEFAULT 0 NOT NULL, 
	not_before FLOAT DEFAULT 0 NOT NULL, 
	baseline JSON, 
	regressed VARCHAR DEFAULT '' NOT NULL, controls INTEGER, 
	PRIMARY KEY (id), 
	FOREIGN KEY(device) REFERENCES device (id), 
	FOREIGN KEY(rollout) REFERENCES rollout (id)
);
INSERT INTO "attempt" VALUES('1:press-00:1',1,'press-00',0,1,'committed',0,'','',NULL,1.79578407587395405767e+09,1.79578407622571349145e+09,1.79578407622571349145e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-02:1',1,'press-02',0,1,'committed',0,'','',NULL,1.79578407587395405767e+09,1.79578407622571349145e+09,1.79578407622571349145e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-01:1',1,'press-01',0,1,'committed',0,'','',NULL,1.79578407587395405767e+09,1.79578407622571349145e+09,1.79578407622571349145e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-05:1',1,'press-05',0,1,'committed',0,'','',NULL,1.79578407587395405767e+09,1.79578407622571349145e+09,1.79578407622571349145e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-03:1',1,'press-03',0,1,'committed',0,'','',NULL,1.79578407587395405767e+09,1.79578407622571349145e+09,1.79578407622571349145e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-04:1',1,'press-04',0,1,'committed',0,'','',NULL,1.79578407587395405767e+09,1.79578407622571349145e+09,1.79578407622571349145e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('2:press-00:1',2,'press-00',0,1,'rolled_back',0,'operator_rollback','restored to the previous version','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.7957840769509661198e+09,1.79578407820572757717e+09,1.79578407820572757717e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('2:press-01:1',2,'press-01',1,1,'cancelled',0,'wave_skipped','the wave was skipped',NULL,NULL,1.79578407689505720138e+09,1.79578407689505720138e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('3:press-05:1',3,'press-05',0,1,'committed',0,'','',NULL,1.79578407791958189008e+09,1.79578407992339348798e+09,1.79578407992339348798e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('4:press-00:1',4,'press-00',0,1,'cancelled',0,'','',NULL,NULL,1.7957840779415233135e+09,1.7957840779415233135e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('4:press-01:1',4,'press-01',0,1,'cancelled',0,'','',NULL,NULL,1.7957840779415233135e+09,1.7957840779415233135e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('5:press-04:1',5,'press-04',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79578407803046202666e+09,1.79578407803046202666e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('5:press-03:1',5,'press-03',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79578407803046202666e+09,1.79578407803046202666e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('5:press-05:1',5,'press-05',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79578407803046202666e+09,1.79578407803046202666e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('6:press-04:1',6,'press-04',0,1,'cancelled',0,'cancelled','the rollout was stopped','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79578407803046202666e+09,1.79578407808874344819e+09,1.79578407808874344819e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('6:press-03:1',6,'press-03',0,1,'cancelled',0,'cancelled','the rollout was stopped','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79578407803046202666e+09,1.79578407808874344819e+09,1.79578407808874344819e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('6:press-05:1',6,'press-05',0,1,'cancelled',0,'cancelled','the rollout was stopped','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79578407803046202666e+09,1.79578407808874344819e+09,1.79578407808874344819e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('7:press-01:1',7,'press-01',0,1,'committed',0,'','','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79578407808874344819e+09,1.79578407844597554205e+09,1.79578407844597554205e+09,0,0,1,0,0.0,'null','',NULL);
CREATE TABLE attempt_part (
	attempt VARCHAR NOT NULL, 
	slot VARCHAR NOT NULL, 
	previous VARCHAR, 
	PRIMARY KEY (attempt, slot)
);
INSERT INTO "attempt_part" VALUES('7:press-01:1','second',NULL);
CREATE TABLE audit (
	seq INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	actor VARCHAR NOT NULL, 
	role VARCHAR NOT NULL, 
	via VARCHAR NOT NULL, 
	source VARCHAR NOT NULL, 
	action VARCHAR NOT NULL, 
	target VARCHAR NOT NULL, 
	status INTEGER NOT NULL, 
	detail VARCHAR NOT NULL, 
	previous VARCHAR NOT NULL, 
	digest VARCHAR NOT NULL, 
	PRIMARY KEY (seq)
);
INSERT INTO "audit" VALUES(2,1.79578407450593352315e+09,'ada','admin','session','127.0.0.1','sign_in','/session',200,'{"name": "ada", "password": "(hidden)"}','e81c35a548213425ed9f7be206e5d72e4c32ab7e4b54694118e0f861480fd58f','b2290c21a404d10a318f309a8670a10a80640fe01ff02af8dcdcf3c5cbbde22f');
INSERT INTO "audit" VALUES(3,1.79578407476963424686e+09,'ada','admin','session','127.0.0.1','create_user','/users',201,'{"name": "bob", "password": "(hidden)", "role": "operator"}','b2290c21a404d10a318f309a8670a10a80640fe01ff02af8dcdcf3c5cbbde22f','1dbe73a2fd9fcc9b57d2edd721371e340a0b7960ce8b301c31afef55d5c2cf63');
INSERT INTO "audit" VALUES(4,1.79578407478769755366e+09,'ada','admin','session','127.0.0.1','change_user','/users/bob',200,'{"role": "admin"}','1dbe73a2fd9fcc9b57d2edd721371e340a0b7960ce8b301c31afef55d5c2cf63','e92a844a38beb0c54bab29637dd181598cd18243b87740ddad02b5317c9adca9');
INSERT INTO "audit" VALUES(5,1.79578407480285739896e+09,'ada','admin','session','127.0.0.1','create_api_token','/api-tokens',201,'{"name": "reads", "role": "admin"}','e92a844a38beb0c54bab29637dd181598cd18243b87740ddad02b5317c9adca9','0902f5883ff1e3593826c7d175cd3cd43a02ca274ad4ef83783cb6a97089a3a0');
INSERT INTO "audit" VALUES(6,1.79578407482438850398e+09,'ada','admin','session','127.0.0.1','change_settings','/settings',200,'{"values": {"soak_s": 1.0}}','0902f5883ff1e3593826c7d175cd3cd43a02ca274ad4ef83783cb6a97089a3a0','4f8e8d8b2552e2937687729305dbbf575fa1c04d9bb5e37bca207d1283038522');
INSERT INTO "audit" VALUES(7,1.79578407485975980765e+09,'ada','admin','session','127.0.0.1','push_model','/models',201,'{"bytes": 10423}','4f8e8d8b2552e2937687729305dbbf575fa1c04d9bb5e37bca207d1283038522','0eb6fb15a7005f21f557280519e221d6e04792ae923b4f168fe6add82a25a52c');
INSERT INTO "audit" VALUES(8,1.79578407488246178627e+09,'ada','admin','session','127.0.0.1','push_model','/models',201,'{"bytes": 10423}','0eb6fb15a7005f21f557280519e221d6e04792ae923b4f168fe6add82a25a52c','2d1988979d749f97e6c1d7378a45025749e21b63dc766262bda272db53a607c5');
INSERT INTO "audit" VALUES(9,1.79578407489679598807e+09,'ada','admin','session','127.0.0.1','begin_upload','/uploads',201,'{"length_bytes": 10240, "sha256": "7a80730a49003c3f4f11b81c7def98d33d960ba066535a2a97eabf231e44cfe9"}','2d1988979d749f97e6c1d7378a45025749e21b63dc766262bda272db53a607c5','334c84721de8f725f2d167a1ec15bc7c20af3eee40d4e25b0de1c3eec9610640');
INSERT INTO "audit" VALUES(10,1.79578407492103695871e+09,'ada','admin','session','127.0.0.1','finish_upload','/uploads/7270e71bb03081ffcce25b79ee09f199/finish',201,'{}','334c84721de8f725f2d167a1ec15bc7c20af3eee40d4e25b0de1c3eec9610640','d666ec98732c3300bbaa2de56b3ee132b7f13033c51b0d2ac15d2e6628e87d69');
INSERT INTO "audit" VALUES(11,1.79578407494336605076e+09,'ada','admin','session','127.0.0.1','upload_measurements','/models/spotter/1.1.0/measurements',200,'{"digest": "e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129", "machine": "m", "profile": "cpu", "rows": [{"variant": "cpu-int8", "runtime": "lite_rt", "device": "cpu", "threads": 2, "streams": 1, "instances": 1, "batch": 1, "per_s": 10.0, "p50_ms": 5.0, "p95_ms": 6.0, "load_ms": 1.0, "memory_bytes": 1, "best": true}]}','d666ec98732c3300bbaa2de56b3ee132b7f13033c51b0d2ac15d2e6628e87d69','b6314f2955810802e9b89a1e9dc10f5bd71445cd1f7570524f0a6c9b0a039c84');
INSERT INTO "audit" VALUES(12,1.79578407497441935544e+09,'ada','admin','session','127.0.0.1','set_channel','/channels/spotter/stable',200,'{"version": "1.0.0", "note": "first"}','b6314f2955810802e9b89a1e9dc10f5bd71445cd1f7570524f0a6c9b0a039c84','765d92b92f16c501d20203213b11cc7531618a373c1ed413ca9872a9aee140a8');
INSERT INTO "audit" VALUES(13,1.79578407498185777663e+09,'ada','admin','session','127.0.0.1','set_channel','/channels/spotter/stable',200,'{"version": "1.1.0", "note": "first"}','765d92b92f16c501d20203213b11cc7531618a373c1ed413ca9872a9aee140a8','46d12197ecc69a599c1240ac85d347415421cf03fe416d998509c04d88764b14');
INSERT INTO "audit" VALUES(14,1.79578407501432037356e+09,'ada','admin','session','127.0.0.1','prune_models','/models/prune',200,'{"dry_run": true}','46d12197ecc69a599c1240ac85d347415421cf03fe416d998509c04d88764b14','3c207f02009e6f088da5fa2c6259ff55f5dc5fda45b776df839b9fc1735c4256');
INSERT INTO "audit" VALUES(15,1.79578407503445124622e+09,'ada','admin','session','127.0.0.1','create_pipeline','/pipelines',201,'{"text": "name = \"gate\"\n[source]\nkind = \"device\"\n[[stages]]\nname = \"find\"\nkind = \"detect\"\nmodel = \"slot:detector\"\n"}','3c207f02009e6f088da5fa2c6259ff55f5dc5fda45b776df839b9fc1735c4256','f9598227415921751e1978e44597d487a2e777d3f0b374f0c588d1b8fd395bc2');
INSERT INTO "audit" VALUES(16,1.79578407518131780628e+09,'ada','admin','session','127.0.0.1','label_device','/devices/press-00',200,'{"labels": {"site": "north", "lat": "59.3", "lon": "18.1"}}','f9598227415921751e1978e44597d487a2e777d3f0b374f0c588d1b8fd395bc2','c1ce073e2f2c2668e5023154d6c72af4e8c2347ffd4b3044716fa42953c52e39');
INSERT INTO "audit" VALUES(17,1.79578407520432209963e+09,'ada','admin','session','127.0.0.1','put_group','/groups/north',200,'{"selector": {"labels": {"site": "north"}, "query": "not state = blocked"}, "note": "in the north"}','c1ce073e2f2c2668e5023154d6c72af4e8c2347ffd4b3044716fa42953c52e39','acc1810be1643f68b28e1bd5734500837eeddde6ca72f1c637bf0b047d7fb591');
INSERT INTO "audit" VALUES(18,1.79578407521147131922e+09,'ada','admin','session','127.0.0.1','put_configuration','/configurations/plant',200,'{"revision": 0, "resources": [{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef"}]}','acc1810be1643f68b28e1bd5734500837eeddde6ca72f1c637bf0b047d7fb591','7750fecc11d7c62e255271c6cfb9412b4c75a8765f325f06184bc7b45d34a48c');
INSERT INTO "audit" VALUES(19,1.79578407522254776952e+09,'ada','admin','session','127.0.0.1','send_command','/devices/press-00/commands',202,'{"op": "identify", "args": {"n": 1}}','7750fecc11d7c62e255271c6cfb9412b4c75a8765f325f06184bc7b45d34a48c','dace47a09f9efcdb7a3914f78f0f0f90853475d28dd9f9a825cc590a86017764');
INSERT INTO "audit" VALUES(20,1.79578407534850120544e+09,'ada','admin','session','127.0.0.1','take_picture','/devices/press-00/snapshots',202,'{"pipeline": "gate"}','dace47a09f9efcdb7a3914f78f0f0f90853475d28dd9f9a825cc590a86017764','0ceddcbc20eb99418f8b0ed50a2622f9c6d52477f19bc0e13be38ea0e6687629');
INSERT INTO "audit" VALUES(21,1.79578407535959982867e+09,'ada','admin','session','127.0.0.1','bulk_devices','/devices/bulk',200,'{"action": "label", "labels": {"floor": "1"}, "selector": {"ids": ["press-00", "press-01"]}}','0ceddcbc20eb99418f8b0ed50a2622f9c6d52477f19bc0e13be38ea0e6687629','ec2c54d5041830b8e1e7a84400b94316c9341e2652dbeb0643a3bd20dd59f3fe');
INSERT INTO "audit" VALUES(22,1.7957840754265966415e+09,'ada','admin','session','127.0.0.1','review_events','/events/reviews',200,'{"events": [3], "verdict": "confirmed"}','ec2c54d5041830b8e1e7a84400b94316c9341e2652dbeb0643a3bd20dd59f3fe','f72365972c4bcf38947119ce25ac0ae910ab5e6cf62dcee3a7223c1f3ef5bdf1');
INSERT INTO "audit" VALUES(23,1.79578407544936871536e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.0.0", "package": "spotter", "version": "1.0.0", "slot": "detector", "selector": {"all": true}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}','f72365972c4bcf38947119ce25ac0ae910ab5e6cf62dcee3a7223c1f3ef5bdf1','a8b4f9b08c2fc5a4301dd9c837107c6095de8bc9c790c737b7d1400109afd5e9');
INSERT INTO "audit" VALUES(24,1.79578407684018039698e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.1.0", "package": "spotter", "version": "1.1.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "one", "count": 1, "approval": true}, {"name": "rest"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false, "key": "apply/plant/second"}','a8b4f9b08c2fc5a4301dd9c837107c6095de8bc9c790c737b7d1400109afd5e9','8bdd3e63fd53409b94e481b655809d3e2a1a698d582bfbe085336fe58864d457');
INSERT INTO "audit" VALUES(25,1.79578407685352373123e+09,'ada','admin','session','127.0.0.1','start_rollout','/rollouts/2/start',200,'{"reason": "now"}','8bdd3e63fd53409b94e481b655809d3e2a1a698d582bfbe085336fe58864d457','4dcfb8b93334b9291668704f1349c8e2a86ad0a5e944cdb2273528272f2559b7');
INSERT INTO "audit" VALUES(26,1.79578407686406302454e+09,'ada','admin','session','127.0.0.1','pause_rollout','/rollouts/2/pause',200,'{"reason": "a question"}','4dcfb8b93334b9291668704f1349c8e2a86ad0a5e944cdb2273528272f2559b7','9e0b7a602e5615f4de2fa924de97e7b2efab385e547443e4b4a22519e2d2aefe');
INSERT INTO "audit" VALUES(27,1.79578407687556362154e+09,'ada','admin','session','127.0.0.1','resume_rollout','/rollouts/2/resume',200,'{"reason": "answered"}','9e0b7a602e5615f4de2fa924de97e7b2efab385e547443e4b4a22519e2d2aefe','c4f940634aec1c734637977d2a90f12590effe3a1b015992631332e357cef574');
INSERT INTO "audit" VALUES(28,1.79578407688804912571e+09,'ada','admin','session','127.0.0.1','skip_wave','/rollouts/2/skip',200,'{"wave": 1, "reason": "one is enough"}','c4f940634aec1c734637977d2a90f12590effe3a1b015992631332e357cef574','964d042a35e80e570ceec04e2d27e3a5ca51f9738eaa617152a7b075861d1229');
INSERT INTO "audit" VALUES(29,1.79578407690278983111e+09,'ada','admin','session','127.0.0.1','approve_rollout','/rollouts/2/approve',200,'{"wave": 0, "reason": "agreed"}','964d042a35e80e570ceec04e2d27e3a5ca51f9738eaa617152a7b075861d1229','b09f5233ee8d435540c5961ba20e0607728c7bed9285cced1a73b34fe3d529c9');
INSERT INTO "audit" VALUES(30,1.79578407786495161061e+09,'ada','admin','session','127.0.0.1','rollback_rollout','/rollouts/2/rollback',200,'{"reason": "too slow"}','b09f5233ee8d435540c5961ba20e0607728c7bed9285cced1a73b34fe3d529c9','49cfdc7ca3da386b23852eca1cc71f2122e4cfabf096a07cce89f3182fe83e6e');
INSERT INTO "audit" VALUES(31,1.79578407791015386583e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "shadow-detector", "selector": {"ids": ["press-05"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}','49cfdc7ca3da386b23852eca1cc71f2122e4cfabf096a07cce89f3182fe83e6e','904f7d61e3f0af6ab3f993b41d177bbdc0390be78c8a88818080876d16f89ad6');
INSERT INTO "audit" VALUES(32,1.79578407793321371079e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false}','904f7d61e3f0af6ab3f993b41d177bbdc0390be78c8a88818080876d16f89ad6','cc9b3042192d7222e99dd6d8b12c2a33110634132e26063af3e2dc3967a95d41');
INSERT INTO "audit" VALUES(33,1.79578407794356632236e+09,'ada','admin','session','127.0.0.1','abort_rollout','/rollouts/4/abort',200,'{"reason": "the wrong day"}','cc9b3042192d7222e99dd6d8b12c2a33110634132e26063af3e2dc3967a95d41','209baf052cfa438bbc5b0d33acdbafd198bd3bf9dd3a22aa2e3e74f1d1bc681d');
INSERT INTO "audit" VALUES(34,1.79578407799252629277e+09,'ada','admin','session','127.0.0.1','create_experiment','/experiments',201,'{"name": "faster", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','209baf052cfa438bbc5b0d33acdbafd198bd3bf9dd3a22aa2e3e74f1d1bc681d','4978c5220a6116eea0f4c435bd916900a0579ef9470be57fd76c9847432e220c');
INSERT INTO "audit" VALUES(35,1.79578407800702643396e+09,'ada','admin','session','127.0.0.1','choose_experiment_arm','/experiments/1/choose',200,'{"arm": "a", "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','4978c5220a6116eea0f4c435bd916900a0579ef9470be57fd76c9847432e220c','17f38982cba9aee0d2ab3a1d780915767cde2cd3f0d02c0a1649489c9d3b2c32');
INSERT INTO "audit" VALUES(36,1.79578407802012515064e+09,'ada','admin','session','127.0.0.1','create_experiment','/experiments',201,'{"name": "again", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','17f38982cba9aee0d2ab3a1d780915767cde2cd3f0d02c0a1649489c9d3b2c32','fe95996e4e95189af7fec28afa7544f0620e5b101848affa9f127a754c1e60da');
INSERT INTO "audit" VALUES(37,1.79578407804035067559e+09,'ada','admin','session','127.0.0.1','stop_experiment','/experiments/2/stop',200,'{}','fe95996e4e95189af7fec28afa7544f0620e5b101848affa9f127a754c1e60da','5735b43d283731b3dc10ff3532ca7235d48ce2a2e613c50a8bd274f4109245b9');
INSERT INTO "audit" VALUES(38,1.79578407805712389946e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true, "parts": [{"package": "spotter", "slot": "second", "version": "1.1.0"}], "terms": {"follow": true, "prestage": true, "rate": {"per_minute": 60, "grow_after": 10}, "retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}}}','5735b43d283731b3dc10ff3532ca7235d48ce2a2e613c50a8bd274f4109245b9','a2e0eca6c833b428d9df3992632835bb5f3d2a6242559326390fa5e52058cb87');
INSERT INTO "audit" VALUES(39,1.79578407806829309467e+09,'ada','admin','session','127.0.0.1','pin_device','/devices/press-03/pins/detector',200,'{"reason": "a demonstration"}','a2e0eca6c833b428d9df3992632835bb5f3d2a6242559326390fa5e52058cb87','cc2ea1879e4906f7416c1d13b5c25503e5b611c9754b2a04b62b8310a8352780');
INSERT INTO "audit" VALUES(40,1.79578407807680702208e+09,'ada','admin','session','127.0.0.1','pin_device','/devices/press-04/pins/detector',200,'{"reason": "for a day"}','cc2ea1879e4906f7416c1d13b5c25503e5b611c9754b2a04b62b8310a8352780','30f5c78e117f3aed2426ee9d11118d4ab4c7da6bba35c36d6853b8e721564813');
INSERT INTO "audit" VALUES(41,1795784078.08358,'ada','admin','session','127.0.0.1','unpin_device','/devices/press-04/pins/detector',200,'{}','30f5c78e117f3aed2426ee9d11118d4ab4c7da6bba35c36d6853b8e721564813','cb3db5f56457f8139afe036a80d540a59b6e233d62956187b4fa6c56bbac7afa');
INSERT INTO "audit" VALUES(42,1.79578407809631872176e+09,'ada','admin','session','127.0.0.1','release_device','/devices/press-01/release',200,'{}','cb3db5f56457f8139afe036a80d540a59b6e233d62956187b4fa6c56bbac7afa','d0f0369f871f0801a1cf8d0279a23ef1512b694c9b395fb3f637446b20a9ab2b');
INSERT INTO "audit" VALUES(43,1.79578407810860681535e+09,'ada','admin','session','127.0.0.1','create_alert_rule','/alert-rules',201,'{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -1.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "(hidden)"}]}}','d0f0369f871f0801a1cf8d0279a23ef1512b694c9b395fb3f637446b20a9ab2b','f7b2a652ac17a07c2efef481f5c1aa8917d6007ed1f96ccc95b1e3bafe5b61a7');
INSERT INTO "audit" VALUES(44,1.79578408486454272272e+09,'ada','admin','session','127.0.0.1','acknowledge_alert','/alerts/1/acknowledge',204,'{}','f7b2a652ac17a07c2efef481f5c1aa8917d6007ed1f96ccc95b1e3bafe5b61a7','d0fab71a8c009f731db7f579fe0ec911214887676bed521c68c88699af4e6dfb');
INSERT INTO "audit" VALUES(45,1.79578408487039732936e+09,'ada','admin','session','127.0.0.1','change_alert_rule','/alert-rules/1',200,'{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -2.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "(hidden)"}]}}','d0fab71a8c009f731db7f579fe0ec911214887676bed521c68c88699af4e6dfb','90535ddf630af6edfacb009935f6e3bb2b79fce939caee9b99c27f705af92ca2');
INSERT INTO "audit" VALUES(46,1.79578408487624335289e+09,'ada','admin','session','127.0.0.1','silence_alert_rule','/alert-rules/1/silence',200,'{"for_s": 60.0}','90535ddf630af6edfacb009935f6e3bb2b79fce939caee9b99c27f705af92ca2','b90c57b8e04a46465c1b631e1af12e691a8197033ec632e0e3b7f6051a61defb');
INSERT INTO "audit" VALUES(47,1.79578408488575839993e+09,'ada','admin','session','127.0.0.1','create_alert_recipient','/alert-recipients',201,'{"name": "on call", "kind": "ntfy", "url": "http://127.0.0.1:9", "topic": "fleet", "secret": "(hidden)"}','b90c57b8e04a46465c1b631e1af12e691a8197033ec632e0e3b7f6051a61defb','17cb26a45a1fdce03544c4d865776f9c9da9a60eb515d2e8d4493c17cf5d428c');
INSERT INTO "audit" VALUES(48,1.79578408489238429066e+09,'ada','admin','session','127.0.0.1','change_alert_recipient','/alert-recipients/1',200,'{"name": "on call", "kind": "ntfy", "url": "http://127.0.0.1:9", "topic": "fleet", "secret": "(hidden)", "severities": ["critical"]}','17cb26a45a1fdce03544c4d865776f9c9da9a60eb515d2e8d4493c17cf5d428c','a3497489b1591db0b6fafba75ddf08d61267d305ab70d873efc0ac9570e36fe4');
INSERT INTO "audit" VALUES(49,1.79578408489986515042e+09,'ada','admin','session','127.0.0.1','test_alert_recipient','/alert-recipients/1/test',200,'{}','a3497489b1591db0b6fafba75ddf08d61267d305ab70d873efc0ac9570e36fe4','684dd3bec1ffe8961912bee0a2b5910f47bf2b0e046bc74d5e99f8b10d93b260');
INSERT INTO "audit" VALUES(50,1.79578408491686725614e+09,'ada','admin','session','127.0.0.1','create_alert_snooze','/alert-snoozes',201,'{"rule": 1, "until_at": 1795787684.9060347, "reason": "the fan is replaced"}','684dd3bec1ffe8961912bee0a2b5910f47bf2b0e046bc74d5e99f8b10d93b260','f2aa158f331ecd792e2461d9dd74723112f1bc4f403cee31ae925b3b32d45e6f');
INSERT INTO "audit" VALUES(51,1.79578408492807674408e+09,'ada','admin','session','127.0.0.1','create_alert_snooze','/alert-snoozes',201,'{"device": "press-00", "until_at": 1795787684.9247565, "reason": "moved"}','f2aa158f331ecd792e2461d9dd74723112f1bc4f403cee31ae925b3b32d45e6f','619f5d5be8ab717c1cc8fbfebe3e7be21916879cf75e9769cfe2a3a99a2fc62a');
INSERT INTO "audit" VALUES(52,1.79578408493249726297e+09,'ada','admin','session','127.0.0.1','end_alert_snooze','/alert-snoozes/2',204,'{}','619f5d5be8ab717c1cc8fbfebe3e7be21916879cf75e9769cfe2a3a99a2fc62a','6e1ab345ae39cb7b80d980c8958415a38beb9566715a80cdde90cc79ca4de58e');
INSERT INTO "audit" VALUES(53,1.79578408493893980973e+09,'ada','admin','session','127.0.0.1','create_alert_recipient','/alert-recipients',201,'{"name": "second", "kind": "email", "emails": ["ops@example.org"]}','6e1ab345ae39cb7b80d980c8958415a38beb9566715a80cdde90cc79ca4de58e','c5c34402ae2d6eb539470ddb523dc43bc1e9da0bf53b3aae4c21e652cb25672d');
INSERT INTO "audit" VALUES(54,1.79578408494261646272e+09,'ada','admin','session','127.0.0.1','delete_alert_recipient','/alert-recipients/2',204,'{}','c5c34402ae2d6eb539470ddb523dc43bc1e9da0bf53b3aae4c21e652cb25672d','a500ff1d7838c69377aef35b32e1b93532dc77e1f200a3ae0f825f2456e1c6e7');
INSERT INTO "audit" VALUES(55,1.79578408496148276326e+09,'ada','admin','session','127.0.0.1','rotate_trust_key','/trust/rotate',200,'{"role": "snapshot"}','a500ff1d7838c69377aef35b32e1b93532dc77e1f200a3ae0f825f2456e1c6e7','36962a5452d82974933c84c71f6f1719cb7600ea1ba31a00f13640689b736474');
INSERT INTO "audit" VALUES(56,1.79578408499267721176e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"life_s": 100000.0, "devices_max": 3, "approval": true}','36962a5452d82974933c84c71f6f1719cb7600ea1ba31a00f13640689b736474','ddb838d01469ce4d79fc709fb8c2fb63df6f1dd759e8dfe7eb9e4a9fe9cbad3d');
INSERT INTO "audit" VALUES(57,1.79578408501595306392e+09,'ada','admin','session','127.0.0.1','enrol_device','/enrol',202,'{"token": "(hidden)", "device": "image-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHNMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMTBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABJKxgAxUECXznZXMnkzHfWdZ1nzuIVcLRkFVUDdb69wQ6Uo+68PMQ5cW\nvxcBfffUsNh70Gyw/QQflWrZ6a3PMDOgADAKBggqhkjOPQQDAgNJADBGAiEAi4WT\ngmtENwF6E8Zpk6LQJFPSwGxiwwdE6rhpFXCS/hMCIQD8tI1EGdCYXYPgTFIwsemZ\nQfJ7hFi1USiqHJ+5L53ndA==\n-----END CERTIFICATE REQUEST-----\n"}','ddb838d01469ce4d79fc709fb8c2fb63df6f1dd759e8dfe7eb9e4a9fe9cbad3d','57bcd9a2f1ded0bdcd2a0af9d06a04c8aa05ae363663bdc3a2c3787c48ef3663');
INSERT INTO "audit" VALUES(58,1.79578408502752614019e+09,'ada','admin','session','127.0.0.1','enrol_device','/enrol',202,'{"token": "(hidden)", "device": "image-2", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHMMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMjBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABII2RoFBkvXfNR0ONCkWWNbyTRtF4Yv9eNq3Fg6dfXGToPillj0IX10y\n0yBr1h6SmAQX3Vf6P66xDlSDc0uysUigADAKBggqhkjOPQQDAgNIADBFAiBklFDv\nco749aBY8T2nP4Li0EsZHzs+KzO8Vk/sS/wvDAIhANKcWe+Aujw+PbXeSNzlGaau\n+bEfzcY5LbRFVuuXRCvf\n-----END CERTIFICATE REQUEST-----\n"}','57bcd9a2f1ded0bdcd2a0af9d06a04c8aa05ae363663bdc3a2c3787c48ef3663','8bd82e93780cee400b7dca979d3048ff755f91f636492e72af4174cc21de62ff');
INSERT INTO "audit" VALUES(59,1.79578408504313445093e+09,'ada','admin','session','127.0.0.1','decide_enrolment_requests','/enrolment-requests/decisions',200,'{"approve": true, "devices": [{"device": "image-1"}]}','8bd82e93780cee400b7dca979d3048ff755f91f636492e72af4174cc21de62ff','80e36045b15bf3a9f11fd446f592ed4adf39fa8e47ab6fb91d17284258b33af4');
INSERT INTO "audit" VALUES(60,1795784085.05047,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"labels": {"site": "north"}, "life_s": 100000.0}','80e36045b15bf3a9f11fd446f592ed4adf39fa8e47ab6fb91d17284258b33af4','3a11c831fac746d7be31a4c35e696ea20f0ae5559b652dee0b3d6bbbc6fc4180');
INSERT INTO "audit" VALUES(61,1.79578408505791926388e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"labels": {"site": "north"}, "life_s": 100000.0}','3a11c831fac746d7be31a4c35e696ea20f0ae5559b652dee0b3d6bbbc6fc4180','0e3ea5fc650a80c46a018e1e30d2518458b6e89139da22cca0de9f3c36297c45');
INSERT INTO "audit" VALUES(62,1.79578408508191108704e+09,'ada','admin','session','127.0.0.1','enrol_device','/enrol',200,'{"token": "(hidden)", "device": "enrolled-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHOMHcCAQAwFTETMBEGA1UEAwwKZW5yb2xsZWQtMTBZMBMGByqGSM49AgEGCCqG\nSM49AwEHA0IABC+SiYPp/X+jansuPmIttn9n3EAH3WDgBxOESy837yI5n+qVjeTT\nV4RlDDvAr2E635M6nQpyllG9YaMt4bBXhZOgADAKBggqhkjOPQQDAgNHADBEAiAc\nmwPYq1WCCsE6tynRsT5sWS4EaVjGIFWjN/x3axkB/AIgYOJbigwGq0VS7r+30BD6\nQw4dcAFkmzYD3YpKZcfeXYo=\n-----END CERTIFICATE REQUEST-----\n"}','0e3ea5fc650a80c46a018e1e30d2518458b6e89139da22cca0de9f3c36297c45','e483b6b4c44fc7e39618e1b8fe7592019d7193d36a5c4e30027a05487885a377');
INSERT INTO "audit" VALUES(63,1.79578408509764122962e+09,'ada','admin','session','127.0.0.1','block_device','/devices/enrolled-1/block',200,'{"reason": "lost"}','e483b6b4c44fc7e39618e1b8fe7592019d7193d36a5c4e30027a05487885a377','614eb5791b7e949e8d9f9ee97850684ad996f6ed9fd406b41e16cec50bdadc7f');
INSERT INTO "audit" VALUES(64,1.79578408511001467702e+09,'ada','admin','session','127.0.0.1','unblock_device','/devices/enrolled-1/block',200,'{}','614eb5791b7e949e8d9f9ee97850684ad996f6ed9fd406b41e16cec50bdadc7f','0b3267c01c8588cc9ec4585ee184e03c1cbf984745e6233b9d483cbf33c0891c');
INSERT INTO "audit" VALUES(65,1.79578408511811518665e+09,'ada','admin','session','127.0.0.1','block_device','/devices/enrolled-1/block',200,'{"reason": "lost again"}','0b3267c01c8588cc9ec4585ee184e03c1cbf984745e6233b9d483cbf33c0891c','5a23412900628a0c6aad2ebb1f7eb36038e30420f2f7303452b0b0357696ae74');
INSERT INTO "audit" VALUES(66,1.79578408513106179238e+09,'ada','admin','session','127.0.0.1','create_api_token','/api-tokens',201,'{"name": "proposes", "role": "operator", "scopes": ["propose"]}','5a23412900628a0c6aad2ebb1f7eb36038e30420f2f7303452b0b0357696ae74','10024c0f91701a86a7f579c2c5527e61af32cb7560d71fbd51d8900b83808a63');
INSERT INTO "audit" VALUES(67,1.79578408519446778299e+09,'ada','operator','token','127.0.0.1','create_proposal','/groups/south',202,'{"selector": {"labels": {"site": "south"}}, "note": "proposed"}','10024c0f91701a86a7f579c2c5527e61af32cb7560d71fbd51d8900b83808a63','87ca8345ec4444144b6f391b10b436b4fc7f1cd1e5f4294924a360bc8dccdfbb');
INSERT INTO "audit" VALUES(68,1.79578408521076917647e+09,'ada','operator','token','127.0.0.1','create_proposal','/groups/west',202,'{"selector": {"labels": {"site": "west"}}, "note": "proposed"}','87ca8345ec4444144b6f391b10b436b4fc7f1cd1e5f4294924a360bc8dccdfbb','4b304c2d4fe7322004b5af728c32dd27ddf85e01109a37b1355d005207c3618c');
INSERT INTO "audit" VALUES(69,1.79578408522151780125e+09,'ada','operator','token','127.0.0.1','create_proposal','/groups/east',202,'{"selector": {"labels": {"site": "east"}}, "note": "proposed"}','4b304c2d4fe7322004b5af728c32dd27ddf85e01109a37b1355d005207c3618c','d48dfa6e4a0378c469cd4bdc5fbc3e63513ebb88441e5fd99add7023e7fa1425');
INSERT INTO "audit" VALUES(70,1.79578408524302792544e+09,'ada','admin','session','127.0.0.1','approve_proposal','/proposals/1/approve',200,'{"reason": "looked at it"}','d48dfa6e4a0378c469cd4bdc5fbc3e63513ebb88441e5fd99add7023e7fa1425','213c349e59c792d230a15ef40011b40f7b7d4378604f8a544596ff74c99003ba');
INSERT INTO "audit" VALUES(71,1.79578408524925231936e+09,'ada','admin','session','127.0.0.1','put_group','/groups/south',200,'{"selector": {"labels": {"site": "south"}}, "note": "proposed", "proposal": {"id": 1, "proposed_by": "ada", "token": "(hidden)", "token_name": "proposes", "note": ""}}','213c349e59c792d230a15ef40011b40f7b7d4378604f8a544596ff74c99003ba','e65555001093a715f0dc7eed5fab00eb213020bbf1e33f7d0b2714bf2771db0c');
INSERT INTO "audit" VALUES(72,1.79578408526242876055e+09,'ada','admin','session','127.0.0.1','reject_proposal','/proposals/2/reject',200,'{"reason": "not now"}','e65555001093a715f0dc7eed5fab00eb213020bbf1e33f7d0b2714bf2771db0c','58983c487c94022985a29b8bbf83c735011ec8144b6ea4ade5dbc8ca06ebfe7d');
INSERT INTO "audit" VALUES(73,1.79578408585987234118e+09,'ada','admin','session','127.0.0.1','change_password','/session/password',204,'{"current": "(hidden)", "password": "(hidden)"}','58983c487c94022985a29b8bbf83c735011ec8144b6ea4ade5dbc8ca06ebfe7d','cbd2a0402b0cb962e2021aadb7e9817a94bd61cf81472cb9e397861c66249027');
CREATE TABLE audit_archived (
	seq INTEGER NOT NULL, 
	digest VARCHAR NOT NULL, 
	PRIMARY KEY (seq)
);
INSERT INTO "audit_archived" VALUES(1,'e81c35a548213425ed9f7be206e5d72e4c32ab7e4b54694118e0f861480fd58f');
CREATE TABLE blob (
	sha256 VARCHAR NOT NULL, 
	length INTEGER NOT NULL, 
	created_at FLOAT NOT NULL, 
	PRIMARY KEY (sha256)
);
INSERT INTO "blob" VALUES('6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723',388,1.79578407483770656578e+09);
INSERT INTO "blob" VALUES('d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b',500,1.79578407483770656578e+09);
INSERT INTO "blob" VALUES('63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf',30,1.7957840749111318588e+09);
INSERT INTO "blob" VALUES('916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90',56,1.7957840749111318588e+09);
INSERT INTO "blob" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',811,1.79578407483770656578e+09);
INSERT INTO "blob" VALUES('7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410',388,1.79578407487279200554e+09);
INSERT INTO "blob" VALUES('fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de',500,1.79578407487279200554e+09);
INSERT INTO "blob" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129',811,1.79578407487279200554e+09);
INSERT INTO "blob" VALUES('6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb',388,1.7957840749111318588e+09);
INSERT INTO "blob" VALUES('e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d',500,1.7957840749111318588e+09);
INSERT INTO "blob" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01',811,1.7957840749111318588e+09);
INSERT INTO "blob" VALUES('d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a',217,1.79578407502620768544e+09);
INSERT INTO "blob" VALUES('a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66',104,1.79578407502620768544e+09);
INSERT INTO "blob" VALUES('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9',433,1.79578407502620768544e+09);
CREATE TABLE blocked_device (
	device VARCHAR NOT NULL, 
	blocked_at FLOAT NOT NULL, 
	reason VARCHAR NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "blocked_device" VALUES('enrolled-1',1.79578408511600375171e+09,'lost again');
CREATE TABLE camera_hour (
	device VARCHAR NOT NULL, 
	pipeline VARCHAR NOT NULL, 
	at INTEGER NOT NULL, 
	seconds FLOAT NOT NULL, 
	detections FLOAT NOT NULL, 
	PRIMARY KEY (device, pipeline, at)
)
 WITHOUT ROWID

;
INSERT INTO "camera_hour" VALUES('press-00','hall',1795780800,6.0,0.0);
CREATE TABLE channel (
	model VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	package VARCHAR NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	note VARCHAR NOT NULL, 
	PRIMARY KEY (model, name), 
	FOREIGN KEY(package) REFERENCES package (digest)
);
INSERT INTO "channel" VALUES('spotter','stable','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129',1.79578407497950720789e+09,'ada','first');
CREATE TABLE channel_change (
	id INTEGER NOT NULL, 
	model VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	version VARCHAR NOT NULL, 
	"before" VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	"by" VARCHAR NOT NULL, 
	note VARCHAR NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "channel_change" VALUES(1,'spotter','stable','1.0.0','',1.7957840749702351093e+09,'ada','first');
INSERT INTO "channel_change" VALUES(2,'spotter','stable','1.1.0','1.0.0',1.79578407497950720789e+09,'ada','first');
CREATE TABLE checkpoint (
	name VARCHAR NOT NULL, 
	value INTEGER NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "checkpoint" VALUES('rollup hours',1795788000);
INSERT INTO "checkpoint" VALUES('rollup',6);
CREATE TABLE command (
	id VARCHAR NOT NULL, 
	device VARCHAR NOT NULL, 
	op VARCHAR NOT NULL, 
	args JSON NOT NULL, 
	state VARCHAR NOT NULL, 
	detail VARCHAR NOT NULL, 
	result JSON NOT NULL, 
	created_at FLOAT NOT NULL, 
	deadline_at FLOAT NOT NULL, 
	finished_at FLOAT, 
	PRIMARY KEY (id), 
	FOREIGN KEY(device) REFERENCES device (id)
);
INSERT INTO "command" VALUES('ad75bfa7bf78469fbe4e12daca519abe','press-00','identify','{"n": 1}','done','did it','{"n":1}',1.79578407522064256666e+09,1.79578410522064256665e+09,1.7957840753197727204e+09);
INSERT INTO "command" VALUES('f96fb7d60d62492f9e9da95eabafb769','press-00','snapshot','{"overlays": false, "pipeline": "gate"}','done','did it','{"overlays":false,"pipeline":"gate"}',1.79578407534777116779e+09,1.79578413534777116778e+09,1.79578407545091414451e+09);
CREATE TABLE configuration (
	name VARCHAR NOT NULL, 
	revision INTEGER NOT NULL, 
	resources JSON NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "configuration" VALUES('plant',1,'[{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef", "id": null}]',1.79578407520968651774e+09,'ada');
CREATE TABLE cursor (
	device VARCHAR NOT NULL, 
	stream VARCHAR NOT NULL, 
	epoch VARCHAR NOT NULL, 
	seq INTEGER NOT NULL, 
	ahead JSON NOT NULL, 
	gap_at FLOAT NOT NULL, 
	lost INTEGER NOT NULL, 
	refused INTEGER NOT NULL, 
	updated_at FLOAT NOT NULL, 
	PRIMARY KEY (device, stream, epoch)
);
INSERT INTO "cursor" VALUES('press-00','telemetry','press-00-epoch',6,'[]',0.0,0,0,1.79578407813632965088e+09);
INSERT INTO "cursor" VALUES('press-00','events','press-00-epoch',3,'[]',0.0,0,0,1.7957840751171278953e+09);
CREATE TABLE desired (
	device VARCHAR NOT NULL, 
	generation INTEGER NOT NULL, 
	document VARCHAR NOT NULL, 
	published INTEGER NOT NULL, 
	PRIMARY KEY (device), 
	FOREIGN KEY(device) REFERENCES device (id)
);
INSERT INTO "desired" VALUES('press-00',3,'{"device":"press-00","generation":3,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"2:press-00:1:back"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}',3);
INSERT INTO "desired" VALUES('press-02',1,'{"device":"press-02","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-02:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}',1);
INSERT INTO "desired" VALUES('press-01',2,'{"device":"press-01","generation":2,"slots":{"detector":{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","length":811,"attempt":"7:press-01:1","atomic":true},"second":{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","length":811,"attempt":"7:press-01:1","atomic":true}},"policy":{"trial_s":1.0,"trial_frames_min":0}}',2);
INSERT INTO "desired" VALUES('press-05',4,'{"device":"press-05","generation":4,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"6:press-05:1:back"},"shadow-detector":{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","length":811,"attempt":"3:press-05:1"}},"policy":{"trial_s":0.2}}',4);
INSERT INTO "desired" VALUES('press-03',3,'{"device":"press-03","generation":3,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"6:press-03:1:back"}},"policy":{"trial_s":0.2}}',3);
INSERT INTO "desired" VALUES('press-04',3,'{"device":"press-04","generation":3,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"6:press-04:1:back"}},"policy":{"trial_s":0.2}}',3);
CREATE TABLE device (
	id VARCHAR NOT NULL, 
	first_seen_at FLOAT NOT NULL, 
	agent_version VARCHAR NOT NULL, 
	profile VARCHAR NOT NULL, 
	runtimes JSON NOT NULL, 
	hardware JSON NOT NULL, 
	labels JSON NOT NULL, 
	labels_own JSON NOT NULL, 
	label_edits JSON NOT NULL, 
	released_at FLOAT DEFAULT 0 NOT NULL, capabilities JSON DEFAULT '[]' NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "device" VALUES('press-00',1.7957840751171278953e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{"site": "north", "lat": "59.3", "lon": "18.1", "floor": "1"}','{}','{"site": "north", "lat": "59.3", "lon": "18.1", "floor": "1"}',0.0,'[]');
INSERT INTO "device" VALUES('press-01',1.7957840751171278953e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{"floor": "1"}','{}','{"floor": "1"}',1.79578407809606909752e+09,'[]');
INSERT INTO "device" VALUES('press-02',1.7957840751171278953e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
INSERT INTO "device" VALUES('press-03',1.7957840751171278953e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
INSERT INTO "device" VALUES('press-04',1.7957840751171278953e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
INSERT INTO "device" VALUES('press-05',1.7957840751171278953e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
CREATE TABLE device_certificate (
	serial VARCHAR NOT NULL, 
	device VARCHAR NOT NULL, 
	issued_at FLOAT NOT NULL, 
	expires_at FLOAT NOT NULL, 
	revoked_at FLOAT, 
	PRIMARY KEY (serial)
);
INSERT INTO "device_certificate" VALUES('9f65ac3dbb2ece0aadbd3fa305d84b9c8847e93','enrolled-1',1.79578408507293629651e+09,1803560085.0,1.79578408509536910061e+09);
CREATE TABLE device_group (
	name VARCHAR NOT NULL, 
	selector JSON NOT NULL, 
	note VARCHAR NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "device_group" VALUES('north','{"all": false, "ids": [], "labels": {"site": "north"}, "group": null, "query": "not state = blocked"}','in the north',1.79578407520105409623e+09,'ada');
INSERT INTO "device_group" VALUES('south','{"all": false, "ids": [], "labels": {"site": "south"}, "group": null}','proposed',1.79578408524718856811e+09,'ada');
CREATE TABLE device_last (
	device VARCHAR NOT NULL, 
	presence VARCHAR NOT NULL, 
	presence_at FLOAT NOT NULL, 
	boot VARCHAR NOT NULL, 
	boot_before VARCHAR NOT NULL, 
	connection INTEGER NOT NULL, 
	last_seen_at FLOAT NOT NULL, 
	report_boot VARCHAR NOT NULL, 
	report_version INTEGER NOT NULL, 
	generation INTEGER NOT NULL, 
	pipelines JSON NOT NULL, 
	disk_free_bytes INTEGER NOT NULL, 
	attention_slots JSON NOT NULL, 
	attention_sample JSON NOT NULL, 
	attention_count INTEGER NOT NULL, 
	sample_at FLOAT NOT NULL, 
	sample JSON NOT NULL, 
	fps FLOAT NOT NULL, 
	latency_p95_ms FLOAT NOT NULL, 
	dropped_per_s FLOAT NOT NULL, 
	temperature_c FLOAT, 
	cpu_percent FLOAT NOT NULL, 
	births FLOAT DEFAULT 0 NOT NULL, 
	births_at FLOAT DEFAULT 0 NOT NULL, 
	PRIMARY KEY (device), 
	FOREIGN KEY(device) REFERENCES device (id)
);
INSERT INTO "device_last" VALUES('press-00','offline',1.79578408595082139966e+09,'boot-1','',1,1.79578408595082139966e+09,'boot-1',13,3,'{}',10000000000,'[]','[]',0,1.79578407811332297324e+09,'{"at":1795784078.113323,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}',15.0,12.0,0.0,NULL,20.0,1.0,1.7957840751171278953e+09);
INSERT INTO "device_last" VALUES('press-01','offline',1.79578408600635457039e+09,'boot-1','',1,1.79578408600635457039e+09,'boot-1',12,2,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.7957840751171278953e+09);
INSERT INTO "device_last" VALUES('press-02','offline',1.79578408610534596447e+09,'boot-1','',1,1.79578408610534596447e+09,'boot-1',5,1,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.7957840751171278953e+09);
INSERT INTO "device_last" VALUES('press-03','offline',1.79578408615762519836e+09,'boot-1','',1,1.79578408615762519836e+09,'boot-1',10,3,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.7957840751171278953e+09);
INSERT INTO "device_last" VALUES('press-04','offline',1.79578408620979380612e+09,'boot-1','',1,1.79578408620979380612e+09,'boot-1',10,3,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.7957840751171278953e+09);
INSERT INTO "device_last" VALUES('press-05','offline',1.795784086265194416e+09,'boot-1','',1,1.795784086265194416e+09,'boot-1',14,4,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.7957840751171278953e+09);
CREATE TABLE device_slot (
	device VARCHAR NOT NULL, 
	slot VARCHAR NOT NULL, 
	phase VARCHAR NOT NULL, 
	running_package VARCHAR NOT NULL, 
	running_version VARCHAR NOT NULL, 
	running_digest VARCHAR NOT NULL, 
	running JSON, 
	target_digest VARCHAR NOT NULL, 
	attempt VARCHAR NOT NULL, 
	reason VARCHAR NOT NULL, 
	detail VARCHAR NOT NULL, 
	bytes_done INTEGER NOT NULL, 
	bytes_total INTEGER NOT NULL, 
	since_at FLOAT NOT NULL, 
	PRIMARY KEY (device, slot), 
	FOREIGN KEY(device) REFERENCES device (id)
);
INSERT INTO "device_slot" VALUES('press-02','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795784076.1224988}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-02:1','none','',0,0,1.7957840761225078106e+09);
INSERT INTO "device_slot" VALUES('press-00','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795784078.1790357}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','2:press-00:1:back','none','',0,0,1.79578407817904210086e+09);
INSERT INTO "device_slot" VALUES('press-04','detector','committed','spotter','1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795784078.2568448}','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','6:press-04:1','none','',0,0,1.7957840782568540573e+09);
INSERT INTO "device_slot" VALUES('press-03','detector','committed','spotter','1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795784078.303266}','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','6:press-03:1','none','',0,0,1.79578407830327558517e+09);
INSERT INTO "device_slot" VALUES('press-01','detector','committed','spotter','1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795784078.3437357}','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','7:press-01:1','none','',0,0,1.7957840783437423706e+09);
INSERT INTO "device_slot" VALUES('press-01','second','committed','spotter','1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795784078.3439167}','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','7:press-01:1','none','',0,0,1.79578407834391903874e+09);
INSERT INTO "device_slot" VALUES('press-05','detector','committed','spotter','1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795784078.2590725}','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','6:press-05:1','none','',0,0,1.79578407825907635691e+09);
INSERT INTO "device_slot" VALUES('press-05','shadow-detector','committed','spotter','1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795784079.820505}','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','3:press-05:1','none','',0,0,1.7957840798205213546e+09);
CREATE TABLE enrolment_request (
	device VARCHAR NOT NULL, 
	token VARCHAR NOT NULL, 
	key_sha256 VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	requested_at FLOAT NOT NULL, 
	last_requested_at FLOAT NOT NULL, 
	decided_at FLOAT, 
	decided_by VARCHAR NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "enrolment_request" VALUES('image-1','512990c75621','2db87b79c1f102b9201b999300d8bbeda9c934a97953fc0c9e9b390aa34c8501','approved',1.79578408500540375705e+09,1.79578408500540375705e+09,1.79578408504068398479e+09,'ada');
INSERT INTO "enrolment_request" VALUES('image-2','512990c75621','f072d2c775f1271c5a8c051055430e27269cd2b00f7ff7c6ba75880b9b82cc97','waiting',1.79578408502292823792e+09,1.79578408502292823792e+09,NULL,'');
CREATE TABLE enrolment_token (
	id VARCHAR NOT NULL, 
	secret_sha256 VARCHAR NOT NULL, 
	device VARCHAR NOT NULL, 
	labels JSON NOT NULL, 
	created_at FLOAT NOT NULL, 
	expires_at FLOAT NOT NULL, 
	used_at FLOAT, 
	used_by VARCHAR NOT NULL, 
	revoked_at FLOAT, devices_max INTEGER DEFAULT 1 NOT NULL, uses INTEGER DEFAULT 0 NOT NULL, approval BOOLEAN DEFAULT 0 NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (secret_sha256)
);
INSERT INTO "enrolment_token" VALUES('512990c75621','374e19c760ed0254651a67be89bfc651372cacc2236af6df3d34393fd9de4d3e','','{}',1.79578408499009227754e+09,1.7958840849900922775e+09,NULL,'',NULL,3,0,1);
INSERT INTO "enrolment_token" VALUES('376944ea3dde','90d17ac920f3eda7d1ecf204b94e1915452e8254289177da16676e63ebab7b20','','{"site": "north"}',1.79578408504909110073e+09,1.79588408504909110069e+09,1.79578408507293629651e+09,'enrolled-1',NULL,1,1,0);
INSERT INTO "enrolment_token" VALUES('f821503e8d70','aaabc68b1956253b5137a0e6807522f7592571c3759ceb53f6dd921083ce8bc2','','{"site": "north"}',1.79578408505655145641e+09,1.79588408505655145646e+09,NULL,'',NULL,1,0,0);
CREATE TABLE event (
	id INTEGER NOT NULL, 
	device VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	received_at FLOAT NOT NULL, 
	kind VARCHAR NOT NULL, 
	label VARCHAR NOT NULL, 
	record VARCHAR NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "event" VALUES(1,'press-00',1.79578407507431364056e+09,1.7957840751171278953e+09,'visit','person','{"kind":"visit","id":"e0","at":1795784075.0743136,"label":"person","count":0}');
INSERT INTO "event" VALUES(2,'press-00',1.79578407507431507105e+09,1.7957840751171278953e+09,'visit','person','{"kind":"visit","id":"e1","at":1795784075.074315,"label":"person","count":1}');
INSERT INTO "event" VALUES(3,'press-00',1.79578407507431578641e+09,1.7957840751171278953e+09,'visit','person','{"kind":"visit","id":"e2","at":1795784075.0743158,"label":"person","count":2}');
CREATE TABLE event_review (
	event BIGINT NOT NULL, 
	verdict VARCHAR NOT NULL, 
	"by" VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (event)
);
INSERT INTO "event_review" VALUES(3,'confirmed','ada',1795784075.42649);
CREATE TABLE experiment (
	id INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	slot VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	split VARCHAR NOT NULL, 
	label_key VARCHAR NOT NULL, 
	created_at FLOAT NOT NULL, 
	created_by VARCHAR NOT NULL, 
	ended_at FLOAT, 
	ended_by VARCHAR NOT NULL, 
	chosen_arm VARCHAR NOT NULL, 
	chosen_rollout INTEGER, 
	compared VARCHAR DEFAULT '' NOT NULL, 
	review_after_s FLOAT, 
	PRIMARY KEY (id)
);
INSERT INTO "experiment" VALUES(1,'faster','detector','ended','hash','',1.79578407798609280586e+09,'ada',1.79578407800495958327e+09,'ada','a',NULL,'',NULL);
INSERT INTO "experiment" VALUES(2,'again','detector','ended','hash','',1.79578407801446580886e+09,'ada',1.79578407803882670397e+09,'ada','',NULL,'',NULL);
CREATE TABLE experiment_arm (
	experiment INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	package VARCHAR NOT NULL, 
	share FLOAT NOT NULL, 
	value VARCHAR NOT NULL, 
	rollout INTEGER, 
	PRIMARY KEY (experiment, position), 
	FOREIGN KEY(experiment) REFERENCES experiment (id), 
	FOREIGN KEY(package) REFERENCES package (digest)
);
INSERT INTO "experiment_arm" VALUES(1,0,'a','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.0,'',NULL);
INSERT INTO "experiment_arm" VALUES(1,1,'b','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129',1.0,'',5);
INSERT INTO "experiment_arm" VALUES(2,0,'a','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.0,'',NULL);
INSERT INTO "experiment_arm" VALUES(2,1,'b','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129',1.0,'',6);
CREATE TABLE experiment_member (
	experiment INTEGER NOT NULL, 
	device VARCHAR NOT NULL, 
	arm VARCHAR NOT NULL, 
	PRIMARY KEY (experiment, device), 
	FOREIGN KEY(experiment) REFERENCES experiment (id)
);
INSERT INTO "experiment_member" VALUES(1,'press-02','a');
INSERT INTO "experiment_member" VALUES(1,'press-03','b');
INSERT INTO "experiment_member" VALUES(1,'press-04','b');
INSERT INTO "experiment_member" VALUES(1,'press-05','b');
INSERT INTO "experiment_member" VALUES(2,'press-02','a');
INSERT INTO "experiment_member" VALUES(2,'press-03','b');
INSERT INTO "experiment_member" VALUES(2,'press-04','b');
INSERT INTO "experiment_member" VALUES(2,'press-05','b');
CREATE TABLE measurement (
	id INTEGER NOT NULL, 
	package VARCHAR NOT NULL, 
	profile VARCHAR NOT NULL, 
	machine VARCHAR NOT NULL, 
	measured_at FLOAT NOT NULL, 
	variant VARCHAR NOT NULL, 
	runtime VARCHAR NOT NULL, 
	device VARCHAR NOT NULL, 
	threads INTEGER NOT NULL, 
	streams INTEGER NOT NULL, 
	instances INTEGER NOT NULL, 
	batch INTEGER NOT NULL, 
	p50_ms FLOAT NOT NULL, 
	p95_ms FLOAT NOT NULL, 
	per_s FLOAT NOT NULL, 
	memory_bytes INTEGER NOT NULL, 
	load_ms FLOAT NOT NULL, 
	best BOOLEAN NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(package) REFERENCES package (digest)
);
INSERT INTO "measurement" VALUES(1,'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','cpu','m',1.79578407493958425522e+09,'cpu-int8','lite_rt','cpu',2,1,1,1,5.0,6.0,10.0,1,1.0,1);
CREATE TABLE member (
	id VARCHAR NOT NULL, 
	role VARCHAR NOT NULL, 
	host VARCHAR NOT NULL, 
	version VARCHAR NOT NULL, 
	pid INTEGER NOT NULL, 
	messages INTEGER NOT NULL, 
	refused INTEGER NOT NULL, 
	waiting INTEGER NOT NULL, 
	broadcasts INTEGER NOT NULL, 
	sent_alone INTEGER NOT NULL, 
	sent_bytes INTEGER NOT NULL, 
	started_at FLOAT NOT NULL, 
	seen_at FLOAT NOT NULL, 
	broker_up_at FLOAT NOT NULL, 
	samples_per_s FLOAT NOT NULL, 
	wait_p50_s FLOAT NOT NULL, 
	wait_p99_s FLOAT NOT NULL, 
	leads BOOLEAN NOT NULL, 
	ingests BOOLEAN NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "member" VALUES('m-1','all','host','0.2.0',1,0,0,0,0,0,0,1.79578408668245601649e+09,1.79578408668245601649e+09,0.0,0.0,0.0,0.0,0,0);
CREATE TABLE notice (
	id INTEGER NOT NULL, 
	target VARCHAR NOT NULL, 
	alert INTEGER NOT NULL, 
	body VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	tries INTEGER NOT NULL, 
	due_at FLOAT NOT NULL, 
	created_at FLOAT NOT NULL, 
	error VARCHAR NOT NULL, recipient INTEGER, 
	PRIMARY KEY (id)
);
INSERT INTO "notice" VALUES(1,'http://127.0.0.1:9/hook',1,'{"what": "began", "id": 1, "rule": 1, "rule_name": "fast", "severity": "warning", "subject": "press-00", "text": "fps 15, above the limit of -1", "value": 15.0, "began_at": 1795784084.806691, "ended_at": null, "acknowledged_at": null, "acknowledged_by": "", "device": "press-00", "pipeline": null, "rollout": null}','waiting',1,1.79578409577382874491e+09,1.79578408480669093135e+09,'Connection refu(hidden)ed',NULL);
CREATE TABLE openid_login (
	state VARCHAR NOT NULL, 
	browser VARCHAR NOT NULL, 
	nonce VARCHAR NOT NULL, 
	verifier VARCHAR NOT NULL, 
	redirect VARCHAR NOT NULL, 
	started_at FLOAT NOT NULL, 
	PRIMARY KEY (state)
);
INSERT INTO "openid_login" VALUES('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb','nonce','verifier','/',1.79578408668245601649e+09);
CREATE TABLE package (
	digest VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	version VARCHAR NOT NULL, 
	created_at FLOAT NOT NULL, 
	descriptor_bytes INTEGER NOT NULL, 
	length_bytes INTEGER NOT NULL, 
	manifest JSON NOT NULL, 
	files JSON NOT NULL, 
	retired_at FLOAT, 
	PRIMARY KEY (digest)
);
INSERT INTO "package" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','spotter','1.0.0',1.79578407483770656578e+09,811,974,'{"name": "spotter", "version": "1.0.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723"}, {"path": "model.tflite", "length": 500, "sha256": "d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','spotter','1.1.0',1.79578407487279200554e+09,811,974,'{"name": "spotter", "version": "1.1.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410"}, {"path": "model.tflite", "length": 500, "sha256": "fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','spotter','1.2.0',1.7957840749111318588e+09,811,974,'{"name": "spotter", "version": "1.2.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb"}, {"path": "model.tflite", "length": 500, "sha256": "e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9','pipeline-gate','1.0.0',1.79578407502620768544e+09,433,321,'{"name": "pipeline-gate", "version": "1.0.0", "task": "pipeline", "head": {"family": "pipeline"}, "variants": [{"name": "all", "format": "pipeline", "files": ["pipeline.toml"], "runtimes": ["pipelines"]}], "title": "gate", "requires": ["stage:detect"]}','[{"path": "model.toml", "length": 217, "sha256": "d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a"}, {"path": "pipeline.toml", "length": 104, "sha256": "a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66"}]',NULL);
CREATE TABLE package_blob (
	package VARCHAR NOT NULL, 
	sha256 VARCHAR NOT NULL, 
	PRIMARY KEY (package, sha256), 
	FOREIGN KEY(package) REFERENCES package (digest), 
	FOREIGN KEY(sha256) REFERENCES blob (sha256)
);
INSERT INTO "package_blob" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723');
INSERT INTO "package_blob" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b');
INSERT INTO "package_blob" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf');
INSERT INTO "package_blob" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90');
INSERT INTO "package_blob" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509');
INSERT INTO "package_blob" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410');
INSERT INTO "package_blob" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de');
INSERT INTO "package_blob" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf');
INSERT INTO "package_blob" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90');
INSERT INTO "package_blob" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129');
INSERT INTO "package_blob" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb');
INSERT INTO "package_blob" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d');
INSERT INTO "package_blob" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf');
INSERT INTO "package_blob" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90');
INSERT INTO "package_blob" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01');
INSERT INTO "package_blob" VALUES('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9','d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a');
INSERT INTO "package_blob" VALUES('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9','a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66');
INSERT INTO "package_blob" VALUES('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9','8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9');
CREATE TABLE person (
	name VARCHAR NOT NULL, 
	role VARCHAR NOT NULL, 
	password VARCHAR NOT NULL, 
	created_at FLOAT NOT NULL, 
	disabled BOOLEAN NOT NULL, 
	subject VARCHAR, 
	PRIMARY KEY (name)
);
INSERT INTO "person" VALUES('ada','admin','scrypt$15$8$3$eK+am9fD8ILtL29L/BedkQ==$ph3ohiaww41MzgnfH2ryVFYVZ3U9807iEsrPivsaS00=',1.79578407396465086938e+09,0,NULL);
INSERT INTO "person" VALUES('bob','admin','scrypt$15$8$3$ZDpxzD+VLJWguLqimWLZAA==$FtRxG9hoNaeZDjKUfa1D8BcJc3GYBlsz3rfrQFPSSKQ=',1.79578407476847338669e+09,0,NULL);
CREATE TABLE pin (
	device VARCHAR NOT NULL, 
	slot VARCHAR NOT NULL, 
	package VARCHAR NOT NULL, 
	reason VARCHAR NOT NULL, 
	pinned_by VARCHAR NOT NULL, 
	pinned_at FLOAT NOT NULL, 
	PRIMARY KEY (device, slot), 
	FOREIGN KEY(device) REFERENCES device (id), 
	FOREIGN KEY(package) REFERENCES package (digest)
);
INSERT INTO "pin" VALUES('press-03','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','a demonstration','ada',1795784078.06812);
CREATE TABLE proposal (
	id INTEGER NOT NULL, 
	state VARCHAR NOT NULL, 
	token VARCHAR NOT NULL, 
	token_name VARCHAR NOT NULL, 
	proposed_by VARCHAR NOT NULL, 
	operation VARCHAR NOT NULL, 
	summary VARCHAR NOT NULL, 
	needed VARCHAR NOT NULL, 
	method VARCHAR NOT NULL, 
	path VARCHAR NOT NULL, 
	body VARCHAR NOT NULL, 
	note VARCHAR NOT NULL, 
	checked VARCHAR NOT NULL, 
	made_at FLOAT NOT NULL, 
	expires_at FLOAT NOT NULL, 
	decided_at FLOAT, 
	decided_by VARCHAR NOT NULL, 
	reason VARCHAR NOT NULL, 
	status INTEGER NOT NULL, 
	outcome VARCHAR NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "proposal" VALUES(1,'approved','0b275db849bc','proposes','ada','put_group','Create or change a group.','operator','PUT','/groups/south','{"selector":{"labels":{"site":"south"}},"note":"proposed"}','','complete',1.79578408518471789364e+09,1.7963888851847178936e+09,1.79578408524148607251e+09,'ada','looked at it',200,'put_group: name south');
INSERT INTO "proposal" VALUES(2,'rejected','0b275db849bc','proposes','ada','put_group','Create or change a group.','operator','PUT','/groups/west','{"selector":{"labels":{"site":"west"}},"note":"proposed"}','','complete',1.79578408520845174793e+09,1.79638888520845174789e+09,1.79578408526188063615e+09,'ada','not now',0,'');
INSERT INTO "proposal" VALUES(3,'pending','0b275db849bc','proposes','ada','put_group','Create or change a group.','operator','PUT','/groups/east','{"selector":{"labels":{"site":"east"}},"note":"proposed"}','','complete',1.79578408521837115281e+09,1.7963888852183711529e+09,NULL,'','',0,'');
CREATE TABLE request_key (
	hash VARCHAR NOT NULL, 
	who VARCHAR NOT NULL, 
	fingerprint VARCHAR NOT NULL, 
	owner VARCHAR NOT NULL, 
	made_at FLOAT NOT NULL, 
	runs_until FLOAT NOT NULL, 
	committed BOOLEAN NOT NULL, 
	status INTEGER NOT NULL, 
	answer VARCHAR NOT NULL, 
	PRIMARY KEY (hash)
);
INSERT INTO "request_key" VALUES('a32dc5b890aee6382120c5b93aa6080bb600f5e361c364948818a506f5734413','773dd51fd69dd84c1651f5cd32216a55cc783eccb503fb257258bca41dba4779','bbc16cb23d6824048572cd890b58c7fc452abd94a86c57de48344d4a19c100d5','3ed9cf71ac2c49a6',1.79578408490797138217e+09,1.79578420490797138211e+09,1,201,'ZXz10fF5z6wisqdWaBLjJKBVQbvF/qajfBMq41A1/BXdSNOO8loOQCG8rjBmpy+7rCe5dKDRxLc6plbq/wQYKpNwhwr4Lewel/48glXLgTXO58+9LM+dcSZClDPcsv+kWO1VgkS2TVzzgh/kejrq24fiV9d03RYf7Iml3/gzvX7FNjT9Kuxxluxr36xYXsvi9P23wb3ljEijeTVra48TZt/+dbHnzH6YA6Xt7r69IRdeYh8fEuufhJyG/Iyi1cB2WN+xpCu4YzRrrBmB1zCuMjPmxlKLiCit7tpvXHU5O5AlDdMMbmCmWxUSeMhELSkKKA0ioO3IzlFKQXEuUZGSOL5oradakJk/RrHSssVxGiNZVxq4FOW2/73oWaCJvqHx6XlUohN0n+DGmoGPbT4/gOy0b6TLodwGK+3ns2haeXlUNkUZCev0');
CREATE TABLE restricted_device (
	device VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	offence VARCHAR NOT NULL, 
	since_at FLOAT NOT NULL, 
	until_at FLOAT NOT NULL, 
	times INTEGER NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "restricted_device" VALUES('door','throttled','over_quota',1.79578408668245601649e+09,1.79578438668245601653e+09,0);
CREATE TABLE retention (
	kind VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	removed INTEGER NOT NULL, 
	took_s FLOAT NOT NULL, 
	problem VARCHAR NOT NULL, 
	PRIMARY KEY (kind)
);
INSERT INTO "retention" VALUES('samples',1.79578407477034497261e+09,0,3.55405994923785328865e-04,'');
INSERT INTO "retention" VALUES('events',1.79578407477034497261e+09,0,1.82387200038647279143e-03,'');
CREATE TABLE rollout (
	id INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	package VARCHAR NOT NULL, 
	slot VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	state_reason VARCHAR NOT NULL, 
	created_at FLOAT NOT NULL, 
	started_at FLOAT, 
	finished_at FLOAT, 
	changed_at FLOAT NOT NULL, 
	selector JSON NOT NULL, 
	plans JSON NOT NULL, 
	gate JSON NOT NULL, 
	policy JSON NOT NULL, 
	wave_timeout_s FLOAT NOT NULL, 
	terms JSON DEFAULT '{}' NOT NULL, 
	priority INTEGER DEFAULT 500 NOT NULL, 
	created_by VARCHAR DEFAULT '' NOT NULL, 
	approved_by VARCHAR, 
	PRIMARY KEY (id), 
	FOREIGN KEY(package) REFERENCES package (digest)
);
INSERT INTO "rollout" VALUES(1,'spotter 1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','detector','completed','',1.79578407544410967831e+09,1.79578407544410967831e+09,1.79578407677847433094e+09,1.79578407677847433094e+09,'{"all": true, "ids": [], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(2,'spotter 1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','rolled_back','',1.7957840768375942707e+09,1.79578407685029053692e+09,1.79578407820572757717e+09,1.79578407820572757717e+09,'{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}','[{"name": "one", "percent": null, "count": 1, "labels": {}, "approval": true}, {"name": "rest", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(3,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','shadow-detector','completed','',1.79578407790744876866e+09,1.79578407790744876866e+09,1.79578408047702169419e+09,1.79578408047702169419e+09,'{"all": false, "ids": ["press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(4,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','detector','aborted','the wrong day',1.7957840779319114685e+09,NULL,1.7957840779415233135e+09,1.7957840779415233135e+09,'{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(5,'faster: b','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','aborted','',1.79578407798609280586e+09,1.79578407798609280586e+09,1.79578407803046202666e+09,1.79578407803046202666e+09,'{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 120.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 0.2, "trial_frames_min": 10}',3600.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(6,'again: b','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','aborted','',1.79578407801446580886e+09,1.79578407801446580886e+09,1.79578407808874344819e+09,1.79578407808874344819e+09,'{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 120.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 0.2, "trial_frames_min": 10}',3600.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(7,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','detector','completed','',1.79578407805458307262e+09,1.79578407805458307262e+09,1.79578407899855184556e+09,1.79578407899855184556e+09,'{"all": false, "ids": ["press-01"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}, "rate": {"per_minute": 60, "factor": 1.0, "grow_after": 10, "per_minute_max": 1000}, "window": null, "follow": true, "prestage": true}',500,'ada',NULL);
CREATE TABLE rollout_key (
	"key" VARCHAR NOT NULL, 
	rollout INTEGER, 
	PRIMARY KEY ("key"), 
	FOREIGN KEY(rollout) REFERENCES rollout (id)
);
INSERT INTO "rollout_key" VALUES('apply/plant/second',2);
CREATE TABLE rollout_part (
	rollout INTEGER NOT NULL, 
	slot VARCHAR NOT NULL, 
	package VARCHAR NOT NULL, 
	position INTEGER NOT NULL, 
	PRIMARY KEY (rollout, slot), 
	FOREIGN KEY(rollout) REFERENCES rollout (id), 
	FOREIGN KEY(package) REFERENCES package (digest)
);
INSERT INTO "rollout_part" VALUES(7,'second','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129',1);
CREATE TABLE rollup (
	span_s INTEGER NOT NULL, 
	device VARCHAR NOT NULL, 
	at INTEGER NOT NULL, 
	figures BLOB NOT NULL, 
	PRIMARY KEY (span_s, device, at)
)
 WITHOUT ROWID

;
INSERT INTO "rollup" VALUES(60,'press-00',1795783740,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795783800,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795783860,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795783920,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795783980,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795784040,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(3600,'press-00',1795780800,X'85AB6370755F70657263656E749506CB405E000000000000CB4034000000000000CB4034000000000000814B06A36670739506CB4056800000000000CB402E000000000000CB402E000000000000814406B4646574656374696F6E735F7065725F6672616D659506CB0000000000000000CB0000000000000000CB000000000000000081D1800006AF64726F707065645F70657263656E749506CB0000000000000000CB0000000000000000CB000000000000000081D1800006AE6C6174656E63795F7039355F6D739506CB4052000000000000CB4028000000000000CB4028000000000000813F06');
CREATE TABLE secret (
	name VARCHAR NOT NULL, 
	value VARCHAR NOT NULL, 
	made_at FLOAT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "secret" VALUES('server id','a2f45a4de3cbb255403dc300d8baba65',1.7957840736825602054e+09);
INSERT INTO "secret" VALUES('web push','a5197f8450d43dffbaa978dbbba9fa95',1.79578407368699193005e+09);
INSERT INTO "secret" VALUES('corpus','b7f61dfe19abe378bab85932b64ebf27',1.79578408672446823116e+09);
CREATE TABLE session (
	hash VARCHAR NOT NULL, 
	user VARCHAR NOT NULL, 
	created_at FLOAT NOT NULL, 
	seen_at FLOAT NOT NULL, 
	expires_at FLOAT NOT NULL, 
	source VARCHAR NOT NULL, 
	agent VARCHAR NOT NULL, 
	PRIMARY KEY (hash), 
	FOREIGN KEY(user) REFERENCES person (name)
);
INSERT INTO "session" VALUES('773dd51fd69dd84c1651f5cd32216a55cc783eccb503fb257258bca41dba4779','ada',1.79578407424554467195e+09,1.79578407424554467195e+09,1.796388874245544672e+09,'127.0.0.1','python-httpx/0.28.1');
CREATE TABLE setting (
	name VARCHAR NOT NULL, 
	value JSON NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "setting" VALUES('soak_s',1,1.795784074822832346e+09,'ada');
CREATE TABLE telemetry (
	id INTEGER NOT NULL, 
	device VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	received_at FLOAT NOT NULL, 
	record VARCHAR NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "telemetry" VALUES(1,'press-00',1.79578377507429671287e+09,1.7957840751171278953e+09,'{"at":1795783775.0742967,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":0}');
INSERT INTO "telemetry" VALUES(2,'press-00',1795783835.0743,1.7957840751171278953e+09,'{"at":1795783835.0743,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":1}');
INSERT INTO "telemetry" VALUES(3,'press-00',1.79578389507430243488e+09,1.7957840751171278953e+09,'{"at":1795783895.0743024,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":2}');
INSERT INTO "telemetry" VALUES(4,'press-00',1.79578395507430458068e+09,1.7957840751171278953e+09,'{"at":1795783955.0743046,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":3}');
INSERT INTO "telemetry" VALUES(5,'press-00',1.79578401507430624956e+09,1.7957840751171278953e+09,'{"at":1795784015.0743062,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":4}');
INSERT INTO "telemetry" VALUES(6,'press-00',1.79578407811332297324e+09,1.79578407813632965088e+09,'{"at":1795784078.113323,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}');
CREATE TABLE timeline (
	id INTEGER NOT NULL, 
	rollout INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	kind VARCHAR NOT NULL, 
	text VARCHAR NOT NULL, 
	wave INTEGER, 
	device VARCHAR, 
	PRIMARY KEY (id), 
	FOREIGN KEY(rollout) REFERENCES rollout (id)
);
INSERT INTO "timeline" VALUES(1,1,1.79578407544410967831e+09,'created','Created: spotter 1.0.0',NULL,NULL);
INSERT INTO "timeline" VALUES(2,1,1.79578407544410967831e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(3,1,1.79578407587395405767e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(4,1,1.79578407622571349145e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(5,1,1.79578407677847433094e+09,'wave_passed','Wave ''all'' passed: 0 of 6 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(6,1,1.79578407677847433094e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(7,2,1.7957840768375942707e+09,'created','Created: spotter 1.1.0',NULL,NULL);
INSERT INTO "timeline" VALUES(8,2,1.79578407685029053692e+09,'running','Running: now',NULL,NULL);
INSERT INTO "timeline" VALUES(9,2,1.79578407686276507373e+09,'paused','Paused: a question',NULL,NULL);
INSERT INTO "timeline" VALUES(10,2,1.79578407687274193768e+09,'resumed','Running: answered',NULL,NULL);
INSERT INTO "timeline" VALUES(11,2,1.7957840768855421543e+09,'wave_skipped','Wave ''rest'' was skipped by ada: one is enough; 1 device not updated',1,NULL);
INSERT INTO "timeline" VALUES(12,2,1.79578407690094184875e+09,'wave_approved','Wave ''one'' was approved by ada: agreed',0,NULL);
INSERT INTO "timeline" VALUES(13,2,1.7957840769509661198e+09,'wave_running','Wave ''one'' started',0,NULL);
INSERT INTO "timeline" VALUES(14,2,1.79578407729184126853e+09,'wave_soaking','Wave ''one'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(15,2,1.79578407784444212913e+09,'wave_passed','Wave ''one'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(16,2,1.79578407784444212913e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(17,2,1795784077.86349,'rolling_back','Rolling back: too slow',NULL,NULL);
INSERT INTO "timeline" VALUES(18,3,1.79578407790744876866e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(19,3,1.79578407790744876866e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(20,3,1.79578407791958189008e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(21,4,1.7957840779319114685e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(22,4,1.7957840779415233135e+09,'aborted','Aborted: the wrong day',NULL,NULL);
INSERT INTO "timeline" VALUES(23,5,1.79578407798609280586e+09,'created','Created: faster: b',NULL,NULL);
INSERT INTO "timeline" VALUES(24,5,1.79578407798609280586e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(25,5,1.79578407800495958327e+09,'aborting','Aborting: experiment 1 chose arm a',NULL,NULL);
INSERT INTO "timeline" VALUES(26,6,1.79578407801446580886e+09,'created','Created: again: b',NULL,NULL);
INSERT INTO "timeline" VALUES(27,6,1.79578407801446580886e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(28,5,1.79578407803046202666e+09,'wave_skipped','Wave ''all'' was skipped',0,NULL);
INSERT INTO "timeline" VALUES(29,5,1.79578407803046202666e+09,'aborted','Aborted',NULL,NULL);
INSERT INTO "timeline" VALUES(30,6,1.79578407803046202666e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(31,6,1.79578407803882670397e+09,'aborting','Aborting: experiment 2 was stopped',NULL,NULL);
INSERT INTO "timeline" VALUES(32,7,1.79578407805458307262e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(33,7,1.79578407805458307262e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(34,6,1.79578407808874344819e+09,'wave_failed','Wave ''all'' failed: stopped',0,NULL);
INSERT INTO "timeline" VALUES(35,6,1.79578407808874344819e+09,'aborted','Aborted',NULL,NULL);
INSERT INTO "timeline" VALUES(36,7,1.79578407808874344819e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(37,2,1.79578407820572757717e+09,'device_rolled_back','press-00: rolled back: rolled back by an operator; restored to the previous version',0,'press-00');
INSERT INTO "timeline" VALUES(38,2,1.79578407820572757717e+09,'rolled_back','Rolled back',NULL,NULL);
INSERT INTO "timeline" VALUES(39,7,1.79578407844597554205e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(40,7,1.79578407899855184556e+09,'wave_passed','Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(41,7,1.79578407899855184556e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(42,3,1.79578407992339348798e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(43,3,1.79578408047702169419e+09,'wave_passed','Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(44,3,1.79578408047702169419e+09,'completed','Completed',NULL,NULL);
CREATE TABLE version_share (
	at INTEGER NOT NULL, 
	shares JSON NOT NULL, 
	PRIMARY KEY (at)
);
INSERT INTO "version_share" VALUES(1795783800,'[{"slot": "detector", "package": "spotter", "version": "1.1.0", "count": 3}, {"slot": "detector", "package": "spotter", "version": "1.0.0", "count": 2}, {"slot": "second", "package": "spotter", "version": "1.1.0", "count": 1}, {"slot": "detector", "package": "spotter", "version": "1.2.0", "count": 1}, {"slot": "shadow-detector", "package": "spotter", "version": "1.2.0", "count": 1}]');
CREATE TABLE wave (
	rollout INTEGER NOT NULL, 
	"index" INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	total INTEGER NOT NULL, 
	started_at FLOAT, 
	soaking_at FLOAT, 
	finished_at FLOAT, 
	excused_reported INTEGER NOT NULL, 
	excused_failed INTEGER NOT NULL, 
	approval BOOLEAN DEFAULT 0 NOT NULL, 
	approved_by VARCHAR, 
	late_joiners BOOLEAN DEFAULT 0 NOT NULL, 
	PRIMARY KEY (rollout, "index"), 
	FOREIGN KEY(rollout) REFERENCES rollout (id)
);
INSERT INTO "wave" VALUES(1,0,'all','passed',6,1.79578407587395405767e+09,1.79578407622571349145e+09,1.79578407677847433094e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(2,0,'one','passed',1,1.7957840769509661198e+09,1.79578407729184126853e+09,1.79578407784444212913e+09,0,0,1,'ada',0);
INSERT INTO "wave" VALUES(2,1,'rest','skipped',1,NULL,NULL,1.7957840768855421543e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(3,0,'all','passed',1,1.79578407791958189008e+09,1.79578407992339348798e+09,1.79578408047702169419e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(4,0,'all','skipped',2,NULL,NULL,NULL,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(5,0,'all','skipped',3,NULL,NULL,1.79578407803046202666e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(6,0,'all','failed',3,1.79578407803046202666e+09,NULL,1.79578407808874344819e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(7,0,'all','passed',1,1.79578407808874344819e+09,1.79578407844597554205e+09,1.79578407899855184556e+09,0,0,0,NULL,0);
CREATE INDEX ix_device_profile ON device (profile);
CREATE INDEX ix_device_last_attention_count ON device_last (attention_count);
CREATE INDEX ix_device_last_fps ON device_last (fps);
CREATE INDEX ix_device_last_last_seen_at ON device_last (last_seen_at);
CREATE INDEX ix_device_last_latency_p95_ms ON device_last (latency_p95_ms);
CREATE INDEX ix_device_last_presence ON device_last (presence);
CREATE INDEX device_slot_running ON device_slot (running_package, running_version);
CREATE INDEX ix_device_certificate_device ON device_certificate (device);
CREATE INDEX ix_device_certificate_revoked_at ON device_certificate (revoked_at);
CREATE INDEX command_deadline ON command (state, deadline_at);
CREATE INDEX command_device ON command (device, state);
CREATE UNIQUE INDEX package_name_version ON package (name, version);
CREATE INDEX ix_package_blob_sha256 ON package_blob (sha256);
CREATE INDEX ix_channel_package ON channel (package);
CREATE INDEX channel_change_name ON channel_change (model, name, id);
CREATE INDEX measurement_package ON measurement (package, profile);
CREATE INDEX ix_rollout_package ON rollout (package);
CREATE INDEX ix_rollout_state ON rollout (state);
CREATE INDEX attempt_device ON attempt (device, rollout);
CREATE INDEX attempt_ended ON attempt (state, finished_at);
CREATE INDEX attempt_offered ON attempt (rollout, offered_at);
CREATE INDEX attempt_open ON attempt (rollout, open);
CREATE INDEX attempt_rollout ON attempt (rollout, wave, state);
CREATE INDEX ix_timeline_rollout ON timeline (rollout);
CREATE INDEX telemetry_device_at ON telemetry (device, at);
CREATE INDEX event_device ON event (device, id);
CREATE INDEX event_kind ON event (kind, id);
CREATE INDEX event_label ON event (label, id);
CREATE INDEX ix_event_received_at ON event (received_at);
CREATE INDEX rollup_at ON rollup (span_s, at);
CREATE INDEX alert_open ON alert (ended_at, rule);
CREATE INDEX ix_alert_rule ON alert (rule);
CREATE INDEX notice_due ON notice (state, due_at);
CREATE UNIQUE INDEX ix_person_subject ON person (subject);
CREATE INDEX ix_openid_login_started_at ON openid_login (started_at);
CREATE INDEX ix_session_expires_at ON session (expires_at);
CREATE INDEX ix_session_user ON session (user);
CREATE INDEX ix_api_token_user ON api_token (user);
CREATE INDEX ix_audit_action ON audit (action);
CREATE INDEX ix_audit_actor ON audit (actor);
CREATE INDEX ix_audit_at ON audit (at);
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE INDEX ix_proposal_state ON proposal (state);
CREATE INDEX ix_proposal_token ON proposal (token);
CREATE INDEX camera_hour_at ON camera_hour (at);
CREATE INDEX notice_recipient ON notice (recipient);
CREATE INDEX alert_snooze_until ON alert_snooze (until_at);
CREATE INDEX alert_snooze_rule ON alert_snooze (rule);
CREATE INDEX ix_enrolment_request_token ON enrolment_request (token);
CREATE INDEX ix_request_key_who ON request_key (who);
CREATE INDEX ix_request_key_made_at ON request_key (made_at);
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
COMMIT;
PRAGMA user_version = 0;
