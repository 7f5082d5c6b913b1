BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0019');
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
INSERT INTO "alert" VALUES(1,1,'press-00','fps 15, above the limit of -1',15.0,1.79581517408135390287e+09,NULL,1.79581517412565803528e+09,'ada','[]');
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
INSERT INTO "alert_recipient" VALUES(1,'on call','ntfy','{"url": "http://127.0.0.1:9", "secret": "tk_s3cret", "emails": [], "topic": "fleet", "key": ""}','[]','["critical"]',1,1.79581517414192128176e+09,1.79581517414192128176e+09,'ada');
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
INSERT INTO "alert_rule" VALUES(1,'fast','{"kind": "threshold", "figure": "fps", "above": -2.0, "below": null, "clear": null, "for_s": 0.0, "window_s": 300.0, "deviations": 4.0, "event_kind": null, "event_label": null, "event_rule": null, "pipeline": null, "group": null, "severity": "warning", "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "s"}], "emails": []}',1,1.79581523413485765459e+09,'ada',1.79581517251752138136e+09,'ada');
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
INSERT INTO "alert_snooze" VALUES(1,1,'','',1.79581877415607643125e+09,'the fan is replaced',1.79581517416348266603e+09,'ada');
INSERT INTO "alert_snooze" VALUES(2,NULL,'','press-00',1.79581517417719721792e+09,'moved',1.79581517417290043828e+09,'ada');
CREATE TABLE api_token (
	id VARCHAR NOT NULL, 
	hash VARCHAR NOT NULL, 
	user VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	role VARCHAR NOT NULL, 
	created_at FLOAT NOT NULL, 
	expires_at FLOAT NOT NULL, 
	used_at FLOAT, 
	scopes JSON DEFAULT '[]' NOT NULL, groups JSON DEFAULT '[]' NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(user) REFERENCES person (name), 
	UNIQUE (hash)
);
INSERT INTO "api_token" VALUES('ba01e55c3a55','62ffe11312086df1494618b9797122ba6f703f1525de5db0cd1aa96d1e9f728e','ada','reads','admin',1.79581516400236701966e+09,1.80359116400236701958e+09,NULL,'[]','[]');
INSERT INTO "api_token" VALUES('823fcaf73da0','3954006a2208f97af6c08a481791b9deeb188af3675cdb2cf40bac2233525b6f','ada','proposes','operator',1.79581517438982582088e+09,1.80359117438982582094e+09,1.79581517441600775715e+09,'["propose"]','[]');
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
	atomic BOOLEAN DEFAULT 0 NOT NULL, shadow_s FLOAT DEFAULT 0 NOT NULL, shadow_agreement_percent_min FLOAT DEFAULT 0 NOT NULL, 
	PRIMARY KEY (device, slot), 
	FOREIGN KEY(device) REFERENCES device (id), 
	FOREIGN KEY(package) REFERENCES package (digest)
);
INSERT INTO "assignment" VALUES('press-00','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','2:press-00:1:back',2,1.0,0,0,1.79581517231104469296e+09,0,0.0,0.0);
INSERT INTO "assignment" VALUES('press-02','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-02:1',1,1.0,0,0,1.79581517021116042137e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-01','detector','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','7:press-01:1',7,1.0,0,0,1.79581517248801207546e+09,1,60.0,30.0);
INSERT INTO "assignment" VALUES('press-05','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-05:1',1,1.0,0,0,1.79581517021116042137e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-03','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-03:1',1,1.0,0,0,1.79581517021116042137e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-04','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-04:1',1,1.0,0,0,1.79581517021116042137e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-05','shadow-detector','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','3:press-05:1',3,1.0,0,0,1.79581517231104469296e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-01','second','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','7:press-01:1',7,1.0,0,0,1.79581517248801207546e+09,1,60.0,30.0);
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
INSERT INTO "attempt" VALUES('1:press-00:1',1,'press-00',0,1,'committed',0,'','',NULL,1.79581517021116042137e+09,1.79581517056999397279e+09,1.79581517056999397279e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-02:1',1,'press-02',0,1,'committed',0,'','',NULL,1.79581517021116042137e+09,1.79581517056999397279e+09,1.79581517056999397279e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-01:1',1,'press-01',0,1,'committed',0,'','',NULL,1.79581517021116042137e+09,1.79581517056999397279e+09,1.79581517056999397279e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-05:1',1,'press-05',0,1,'committed',0,'','',NULL,1.79581517021116042137e+09,1.79581517056999397279e+09,1.79581517056999397279e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-03:1',1,'press-03',0,1,'committed',0,'','',NULL,1.79581517021116042137e+09,1.79581517056999397279e+09,1.79581517056999397279e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-04:1',1,'press-04',0,1,'committed',0,'','',NULL,1.79581517021116042137e+09,1.79581517056999397279e+09,1.79581517056999397279e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('2:press-00:1',2,'press-00',0,1,'rolled_back',0,'operator_rollback','restored to the previous version','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79581517130568861962e+09,1.79581517265921425819e+09,1.79581517265921425819e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('2:press-01:1',2,'press-01',1,1,'cancelled',0,'wave_skipped','the wave was skipped',NULL,NULL,1.79581517130568861962e+09,1.79581517130568861962e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('3:press-05:1',3,'press-05',0,1,'committed',0,'','',NULL,1.79581517231104469296e+09,1.79581517265921425819e+09,1.79581517265921425819e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('4:press-00:1',4,'press-00',0,1,'cancelled',0,'','',NULL,NULL,1.79581517233078122135e+09,1.79581517233078122135e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('4:press-01:1',4,'press-01',0,1,'cancelled',0,'','',NULL,NULL,1.79581517233078122135e+09,1.79581517233078122135e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('5:press-04:1',5,'press-04',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79581517242400383943e+09,1.79581517242400383943e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('5:press-03:1',5,'press-03',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79581517242400383943e+09,1.79581517242400383943e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('5:press-05:1',5,'press-05',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79581517242400383943e+09,1.79581517242400383943e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('6:press-04:1',6,'press-04',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79581517248801207546e+09,1.79581517248801207546e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('6:press-03:1',6,'press-03',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79581517248801207546e+09,1.79581517248801207546e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('6:press-05:1',6,'press-05',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79581517248801207546e+09,1.79581517248801207546e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('7:press-01:1',7,'press-01',0,1,'committed',0,'','','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79581517248801207546e+09,1.7958151728412973881e+09,1.7958151728412973881e+09,0,0,1,0,0.0,'null','',NULL);
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
INSERT INTO "audit" VALUES(2,1.79581516371643090243e+09,'ada','admin','session','127.0.0.1','sign_in','/session',200,'{"name": "ada", "password": "(hidden)"}','c0301e18fa6465e2da418c8d598c2a2a76cf36b25f5060459ec5f8a0cb04ea7c','84dcb028cfe45a8d761d5f85b01093f3e4765ac4d203e4e75414b437033336f3');
INSERT INTO "audit" VALUES(3,1.79581516398169589035e+09,'ada','admin','session','127.0.0.1','create_user','/users',201,'{"name": "bob", "password": "(hidden)", "role": "operator"}','84dcb028cfe45a8d761d5f85b01093f3e4765ac4d203e4e75414b437033336f3','f4d0e59697bf3bb557dc0e7855bfbe8d97ad12e56458e533fcde6af6bed3cccb');
INSERT INTO "audit" VALUES(4,1.79581516399457168575e+09,'ada','admin','session','127.0.0.1','change_user','/users/bob',200,'{"role": "admin"}','f4d0e59697bf3bb557dc0e7855bfbe8d97ad12e56458e533fcde6af6bed3cccb','dbf65357eac36f9da6d2c1adce086a263d43d78395b2464d203b8abbb1fa6e9e');
INSERT INTO "audit" VALUES(5,1.79581516400435233114e+09,'ada','admin','session','127.0.0.1','create_api_token','/api-tokens',201,'{"name": "reads", "role": "admin"}','dbf65357eac36f9da6d2c1adce086a263d43d78395b2464d203b8abbb1fa6e9e','ffd4156ff635f4df3b04e143756d92d9595457c978b7e41f7d9f33c7478e927e');
INSERT INTO "audit" VALUES(6,1.79581516402689719195e+09,'ada','admin','session','127.0.0.1','change_settings','/settings',200,'{"values": {"soak_s": 1.0}}','ffd4156ff635f4df3b04e143756d92d9595457c978b7e41f7d9f33c7478e927e','fa9a2a958926050d338c92c7a8a149ba7e8ff54ca7c860a308953f573bda55b1');
INSERT INTO "audit" VALUES(7,1.79581516407114052773e+09,'ada','admin','session','127.0.0.1','push_model','/models',201,'{"bytes": 10423}','fa9a2a958926050d338c92c7a8a149ba7e8ff54ca7c860a308953f573bda55b1','56f464f0e302357dffbc21060dc02b945264f4d033b5478334227bbc5e6a23f3');
INSERT INTO "audit" VALUES(8,1.79581516409152841572e+09,'ada','admin','session','127.0.0.1','push_model','/models',201,'{"bytes": 10423}','56f464f0e302357dffbc21060dc02b945264f4d033b5478334227bbc5e6a23f3','a21ec6c0ff6c5ce92b2556b704e1d32fde5d8bac4529d0f7027b2f5aa81a045b');
INSERT INTO "audit" VALUES(9,1.7958151641047255993e+09,'ada','admin','session','127.0.0.1','begin_upload','/uploads',201,'{"length_bytes": 10240, "sha256": "7a80730a49003c3f4f11b81c7def98d33d960ba066535a2a97eabf231e44cfe9"}','a21ec6c0ff6c5ce92b2556b704e1d32fde5d8bac4529d0f7027b2f5aa81a045b','4f2498f42d9b7953cfbf64116e3863ef3ce8fd10ef6abf509406df6e010a87cf');
INSERT INTO "audit" VALUES(10,1.7958151641243183613e+09,'ada','admin','session','127.0.0.1','finish_upload','/uploads/38bff6f129f4a0190e93841b5acd4193/finish',201,'{}','4f2498f42d9b7953cfbf64116e3863ef3ce8fd10ef6abf509406df6e010a87cf','aff2f0de346888441b66852b54f748f6039dafeffed8aa9134edce4b4d0036e0');
INSERT INTO "audit" VALUES(11,1.79581516414669251436e+09,'ada','admin','session','127.0.0.1','upload_measurements','/models/spotter/1.1.0/measurements',200,'{"digest": "e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129", "machine": "m", "profile": "cpu", "rows": [{"variant": "cpu-int8", "runtime": "lite_rt", "device": "cpu", "threads": 2, "streams": 1, "instances": 1, "batch": 1, "per_s": 10.0, "p50_ms": 5.0, "p95_ms": 6.0, "load_ms": 1.0, "memory_bytes": 1, "best": true}]}','aff2f0de346888441b66852b54f748f6039dafeffed8aa9134edce4b4d0036e0','5c24d3390db85c0103bd0c5379e1dafb4c241486ce35fbefd568017e388c8a50');
INSERT INTO "audit" VALUES(12,1.79581516417774152754e+09,'ada','admin','session','127.0.0.1','set_channel','/channels/spotter/stable',200,'{"version": "1.0.0", "note": "first"}','5c24d3390db85c0103bd0c5379e1dafb4c241486ce35fbefd568017e388c8a50','d62041da024c1e5dbfb172477abf24a495584ae82ba71f01a8618796fe1820c7');
INSERT INTO "audit" VALUES(13,1.79581516418497276303e+09,'ada','admin','session','127.0.0.1','set_channel','/channels/spotter/stable',200,'{"version": "1.1.0", "note": "first"}','d62041da024c1e5dbfb172477abf24a495584ae82ba71f01a8618796fe1820c7','fd87d24ad9c2ecba84a9589e88393b102c9bbdc68bb387c98265846774842ceb');
INSERT INTO "audit" VALUES(14,1.79581516421421480186e+09,'ada','admin','session','127.0.0.1','prune_models','/models/prune',200,'{"dry_run": true}','fd87d24ad9c2ecba84a9589e88393b102c9bbdc68bb387c98265846774842ceb','80b025b0393807d5d762e17a05115f8e0afc96dac155eb098fecd9fe539382e4');
INSERT INTO "audit" VALUES(15,1.79581516423089981079e+09,'ada','admin','session','127.0.0.1','create_pipeline','/pipelines',201,'{"text": "name = \"gate\"\n[source]\nkind = \"device\"\n[[stages]]\nname = \"find\"\nkind = \"detect\"\nmodel = \"slot:detector\"\n"}','80b025b0393807d5d762e17a05115f8e0afc96dac155eb098fecd9fe539382e4','b61e2e18f86450063d35af2dee514b02b124d683ebaa3a104e794a444772bd06');
INSERT INTO "audit" VALUES(16,1.79581516924462270736e+09,'ada','admin','session','127.0.0.1','label_device','/devices/press-00',200,'{"labels": {"site": "north", "lat": "59.3", "lon": "18.1"}}','b61e2e18f86450063d35af2dee514b02b124d683ebaa3a104e794a444772bd06','3813365c4b940fbe6d68f680c725089eb9e0b7867d0bf98ba7d0da6a48cab0a2');
INSERT INTO "audit" VALUES(17,1.79581516926592946051e+09,'ada','admin','session','127.0.0.1','put_group','/groups/north',200,'{"selector": {"labels": {"site": "north"}, "query": "not state = blocked"}, "note": "in the north"}','3813365c4b940fbe6d68f680c725089eb9e0b7867d0bf98ba7d0da6a48cab0a2','e86488ed914ca8521bd38f68e3cd159e0357a84dbfb4b218f5290e1d32a88b83');
INSERT INTO "audit" VALUES(18,1.79581516927474713323e+09,'ada','admin','session','127.0.0.1','put_group','/groups/plant',200,'{"selector": {"labels": {"site": "north"}}}','e86488ed914ca8521bd38f68e3cd159e0357a84dbfb4b218f5290e1d32a88b83','bf898760322fee28127b25f0caa35b2755efd67038ab1c7974405fb8199302d9');
INSERT INTO "audit" VALUES(19,1.79581516953389787672e+09,'ada','admin','session','127.0.0.1','create_user','/users',201,'{"name": "lea", "password": "(hidden)", "grants": [{"role": "viewer"}, {"role": "operator", "group": "plant"}]}','bf898760322fee28127b25f0caa35b2755efd67038ab1c7974405fb8199302d9','86031208c5b0413cb85491e20bb039dafdbb2962e47535e67a744e6274f10a1b');
INSERT INTO "audit" VALUES(20,1.79581516954277586937e+09,'ada','admin','session','127.0.0.1','put_configuration','/configurations/plant',200,'{"revision": 0, "resources": [{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef"}]}','86031208c5b0413cb85491e20bb039dafdbb2962e47535e67a744e6274f10a1b','edfad70d3a12c71d38ff6ddc433045928df8a22d6edc1e588fc4c6359921a073');
INSERT INTO "audit" VALUES(21,1.79581516955378746986e+09,'ada','admin','session','127.0.0.1','send_command','/devices/press-00/commands',202,'{"op": "identify", "args": {"n": 1}}','edfad70d3a12c71d38ff6ddc433045928df8a22d6edc1e588fc4c6359921a073','2dcfcc8cb494df7b9fe28c53938eb692dfe0e8aedc29c5d25226227d89ae6460');
INSERT INTO "audit" VALUES(22,1.79581516967822146409e+09,'ada','admin','session','127.0.0.1','take_picture','/devices/press-00/snapshots',202,'{"pipeline": "gate"}','2dcfcc8cb494df7b9fe28c53938eb692dfe0e8aedc29c5d25226227d89ae6460','a36a1fe53f10d7bfd2f20d19105e022283827073be94d3cdc865bc90e825b3dd');
INSERT INTO "audit" VALUES(23,1.79581516968849325176e+09,'ada','admin','session','127.0.0.1','view_logs','/devices/press-00/logs',200,'{}','a36a1fe53f10d7bfd2f20d19105e022283827073be94d3cdc865bc90e825b3dd','276bdf343c230e3e0001dfd373e438aceb1b7ac6d983b6f06f1b9c3a98c054f6');
INSERT INTO "audit" VALUES(24,1.79581516989968657492e+09,'ada','admin','session','127.0.0.1','get_last_logs','/devices/press-00/logs/last',200,'{}','276bdf343c230e3e0001dfd373e438aceb1b7ac6d983b6f06f1b9c3a98c054f6','361a42f575cfaef5b5a121eec703d7d5ad9d3bc657cf4633ad6ce4ff420bc2ce');
INSERT INTO "audit" VALUES(25,1.79581516990706253054e+09,'ada','admin','session','127.0.0.1','request_support_bundle','/devices/press-00/support-bundles',202,'{}','361a42f575cfaef5b5a121eec703d7d5ad9d3bc657cf4633ad6ce4ff420bc2ce','e48dba777447d4646ec495470e7598d5a3420eca7a17636b9146f65b0c3a5e72');
INSERT INTO "audit" VALUES(26,1.79581517003343725199e+09,'ada','admin','session','127.0.0.1','delete_support_bundle','/devices/press-00/support-bundles/4c760b3b44f244908f3306c7d63cc460',204,'{}','e48dba777447d4646ec495470e7598d5a3420eca7a17636b9146f65b0c3a5e72','3540365bc3bfa2436d16a9c7ffc1ec7b9f9c394258ad557ae39892bcaae8b6df');
INSERT INTO "audit" VALUES(27,1.79581517003990292547e+09,'ada','admin','session','127.0.0.1','bulk_devices','/devices/bulk',200,'{"action": "label", "labels": {"floor": "1"}, "selector": {"ids": ["press-00", "press-01"]}}','3540365bc3bfa2436d16a9c7ffc1ec7b9f9c394258ad557ae39892bcaae8b6df','a8a3924970e70f5658f1e46fda18a28b580b1a18da185bdd511a276ab0a6cf90');
INSERT INTO "audit" VALUES(28,1.79581517012869167331e+09,'ada','admin','session','127.0.0.1','review_events','/events/reviews',200,'{"events": [3], "verdict": "confirmed"}','a8a3924970e70f5658f1e46fda18a28b580b1a18da185bdd511a276ab0a6cf90','921e14a5a3435a78045d7373dc948fb265294f23ef9d6dbf71067427e666b9de');
INSERT INTO "audit" VALUES(29,1.79581517015635395051e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.0.0", "package": "spotter", "version": "1.0.0", "slot": "detector", "selector": {"all": true}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}','921e14a5a3435a78045d7373dc948fb265294f23ef9d6dbf71067427e666b9de','ec2d9ab78386b771d7cea75c778e42bde40db4c00eb5bbe9964c66dde01e2ec6');
INSERT INTO "audit" VALUES(30,1.79581517119990253443e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.1.0", "package": "spotter", "version": "1.1.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "one", "count": 1, "approval": true}, {"name": "rest"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false, "key": "apply/plant/second"}','ec2d9ab78386b771d7cea75c778e42bde40db4c00eb5bbe9964c66dde01e2ec6','6a3f4492031792f46b22cf232976d657a17b9a0b92bfdb6d285d3acec401a382');
INSERT INTO "audit" VALUES(31,1.79581517121573162073e+09,'ada','admin','session','127.0.0.1','start_rollout','/rollouts/2/start',200,'{"reason": "now"}','6a3f4492031792f46b22cf232976d657a17b9a0b92bfdb6d285d3acec401a382','d5547b83a7da5776aefcd1c26ab3440957d1149824059996716b09a0ace0fb5b');
INSERT INTO "audit" VALUES(32,1.79581517122731709485e+09,'ada','admin','session','127.0.0.1','pause_rollout','/rollouts/2/pause',200,'{"reason": "a question"}','d5547b83a7da5776aefcd1c26ab3440957d1149824059996716b09a0ace0fb5b','a3c15214ec701d756a9df1b93fad9300491484270e3bce39bd5d0ab3609ab9d4');
INSERT INTO "audit" VALUES(33,1.79581517123975205416e+09,'ada','admin','session','127.0.0.1','resume_rollout','/rollouts/2/resume',200,'{"reason": "answered"}','a3c15214ec701d756a9df1b93fad9300491484270e3bce39bd5d0ab3609ab9d4','d1a0708f9f0f82a9ffec44eabea1fd02636bbf92dc31ac2bccfbf3a8e99e1b13');
INSERT INTO "audit" VALUES(34,1.79581517125353217131e+09,'ada','admin','session','127.0.0.1','skip_wave','/rollouts/2/skip',200,'{"wave": 1, "reason": "one is enough"}','d1a0708f9f0f82a9ffec44eabea1fd02636bbf92dc31ac2bccfbf3a8e99e1b13','5570767e1c1e33c490ccd5da5f11796b36a81a885f404425a753769ee0012d5e');
INSERT INTO "audit" VALUES(35,1.79581517126924085619e+09,'ada','admin','session','127.0.0.1','approve_rollout','/rollouts/2/approve',200,'{"wave": 0, "reason": "agreed"}','5570767e1c1e33c490ccd5da5f11796b36a81a885f404425a753769ee0012d5e','020666a4f07bf4e19b99f17b5e19e95e60a9afc7f2fecf0aaf6b372e256a30b4');
INSERT INTO "audit" VALUES(36,1.79581517225765156745e+09,'ada','admin','session','127.0.0.1','rollback_rollout','/rollouts/2/rollback',200,'{"reason": "too slow"}','020666a4f07bf4e19b99f17b5e19e95e60a9afc7f2fecf0aaf6b372e256a30b4','24fde5d24b1fd7787ea2f2108e5f41174e26cd52eb6c6c31c1741f369fe2f734');
INSERT INTO "audit" VALUES(37,1.7958151722996387482e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "shadow-detector", "selector": {"ids": ["press-05"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}','24fde5d24b1fd7787ea2f2108e5f41174e26cd52eb6c6c31c1741f369fe2f734','3f0a593d2e95772b68835b5558001f1fa837a5ffccffb94c2dbd69d6278a0a86');
INSERT INTO "audit" VALUES(38,1.79581517231708264348e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false}','3f0a593d2e95772b68835b5558001f1fa837a5ffccffb94c2dbd69d6278a0a86','de30c187b88283059483adfa2f3d783b189e5d2d8d28b6ab73c2ea8eeb55bfac');
INSERT INTO "audit" VALUES(39,1.79581517233323502543e+09,'ada','admin','session','127.0.0.1','abort_rollout','/rollouts/4/abort',200,'{"reason": "the wrong day"}','de30c187b88283059483adfa2f3d783b189e5d2d8d28b6ab73c2ea8eeb55bfac','1005245032981f8c191b446fc118a50c2bb242e7b804137c51c0bd4272a1f404');
INSERT INTO "audit" VALUES(40,1.79581517238982653621e+09,'ada','admin','session','127.0.0.1','create_experiment','/experiments',201,'{"name": "faster", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','1005245032981f8c191b446fc118a50c2bb242e7b804137c51c0bd4272a1f404','2ebf4b7ea5f8c3142436d16d2bb62bc523892fe3e446dd842cb70923562ae6b1');
INSERT INTO "audit" VALUES(41,1.79581517240720462801e+09,'ada','admin','session','127.0.0.1','choose_experiment_arm','/experiments/1/choose',200,'{"arm": "a", "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','2ebf4b7ea5f8c3142436d16d2bb62bc523892fe3e446dd842cb70923562ae6b1','89430a9534e03efd1f45727f45a25971dd8896e2d03c27a498ff0580c4edd125');
INSERT INTO "audit" VALUES(42,1.79581517243346452713e+09,'ada','admin','session','127.0.0.1','create_experiment','/experiments',201,'{"name": "again", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','89430a9534e03efd1f45727f45a25971dd8896e2d03c27a498ff0580c4edd125','afac19754e097dbb5873eac2bcc56f90017faab017d9ddf89b9df76b61cd2d13');
INSERT INTO "audit" VALUES(43,1.79581517244494843479e+09,'ada','admin','session','127.0.0.1','stop_experiment','/experiments/2/stop',200,'{}','afac19754e097dbb5873eac2bcc56f90017faab017d9ddf89b9df76b61cd2d13','f1c2dbfcd3231ddc70bf82c40f0b1a30ca50a243650738ff545cf984eb7f38cd');
INSERT INTO "audit" VALUES(44,1.79581517246344923976e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true, "parts": [{"package": "spotter", "slot": "second", "version": "1.1.0"}], "terms": {"follow": true, "prestage": true, "rate": {"per_minute": 60, "grow_after": 10}, "retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}}}','f1c2dbfcd3231ddc70bf82c40f0b1a30ca50a243650738ff545cf984eb7f38cd','bc2bf4975428ed05e46e140ed6f9e37f98f63ce5a8c7b3fb6c6ba7107f7d93de');
INSERT INTO "audit" VALUES(45,1.79581517247713375092e+09,'ada','admin','session','127.0.0.1','pin_device','/devices/press-03/pins/detector',200,'{"reason": "a demonstration"}','bc2bf4975428ed05e46e140ed6f9e37f98f63ce5a8c7b3fb6c6ba7107f7d93de','cbe7eee176df6206091ee269565282547b566e0ce26449a11e2eba17a0d19b31');
INSERT INTO "audit" VALUES(46,1.79581517248593235018e+09,'ada','admin','session','127.0.0.1','pin_device','/devices/press-04/pins/detector',200,'{"reason": "for a day"}','cbe7eee176df6206091ee269565282547b566e0ce26449a11e2eba17a0d19b31','b5f3c8468b0fc379a55c7e631f38e6ed52f5f5c58992e1540711704ba3f347c1');
INSERT INTO "audit" VALUES(47,1795815172.49961,'ada','admin','session','127.0.0.1','unpin_device','/devices/press-04/pins/detector',200,'{}','b5f3c8468b0fc379a55c7e631f38e6ed52f5f5c58992e1540711704ba3f347c1','4a1a74740299dc5494a8e13a87568e5ca6913798b8f04910a43199b625de93f4');
INSERT INTO "audit" VALUES(48,1.79581517250744533533e+09,'ada','admin','session','127.0.0.1','release_device','/devices/press-01/release',200,'{}','4a1a74740299dc5494a8e13a87568e5ca6913798b8f04910a43199b625de93f4','f2a06213861f1195875e34eb68bef83c8ba3b93c8b3abf441a64d3777540a506');
INSERT INTO "audit" VALUES(49,1.79581517251832056044e+09,'ada','admin','session','127.0.0.1','create_alert_rule','/alert-rules',201,'{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -1.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/(hidden-a94bb7e8)", "secret": "(hidden)"}]}}','f2a06213861f1195875e34eb68bef83c8ba3b93c8b3abf441a64d3777540a506','52a6577a9e6bd0297c36f2b48cfe4926ca10603527391bb3a4026799d351e4ce');
INSERT INTO "audit" VALUES(50,1.79581517412573742867e+09,'ada','admin','session','127.0.0.1','acknowledge_alert','/alerts/1/acknowledge',204,'{}','52a6577a9e6bd0297c36f2b48cfe4926ca10603527391bb3a4026799d351e4ce','9b33394a6542fe6423f571903e7bb349fac1e67c0bcbb4e88d95c6e48bae0e48');
INSERT INTO "audit" VALUES(51,1.79581517413066697125e+09,'ada','admin','session','127.0.0.1','change_alert_rule','/alert-rules/1',200,'{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -2.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/(hidden-a94bb7e8)", "secret": "(hidden)"}]}}','9b33394a6542fe6423f571903e7bb349fac1e67c0bcbb4e88d95c6e48bae0e48','0f82d948142abae40a8eeaef78d5d9710c8a813349b476882a51cec30b8da3e6');
INSERT INTO "audit" VALUES(52,1.79581517413507032393e+09,'ada','admin','session','127.0.0.1','silence_alert_rule','/alert-rules/1/silence',200,'{"for_s": 60.0}','0f82d948142abae40a8eeaef78d5d9710c8a813349b476882a51cec30b8da3e6','b771982ae6c3d7f628b9caa8d24b5fbf07f3dcfc6b8d99a23821e39a7e8f9ac3');
INSERT INTO "audit" VALUES(53,1.79581517414215874675e+09,'ada','admin','session','127.0.0.1','create_alert_recipient','/alert-recipients',201,'{"name": "on call", "kind": "ntfy", "url": "http://127.0.0.1:9", "topic": "fleet", "secret": "(hidden)"}','b771982ae6c3d7f628b9caa8d24b5fbf07f3dcfc6b8d99a23821e39a7e8f9ac3','7bfea980fbef6669223f7ca9ad58800fda84e4ee995ae3e405d389e8e5e83085');
INSERT INTO "audit" VALUES(54,1.79581517414621710782e+09,'ada','admin','session','127.0.0.1','change_alert_recipient','/alert-recipients/1',200,'{"name": "on call", "kind": "ntfy", "url": "http://127.0.0.1:9", "topic": "fleet", "secret": "(hidden)", "severities": ["critical"]}','7bfea980fbef6669223f7ca9ad58800fda84e4ee995ae3e405d389e8e5e83085','c22f41c29a9cba545b002c3283ba6b659ef74da8fef6fffa7aaa67266139688d');
INSERT INTO "audit" VALUES(55,1.79581517415145182608e+09,'ada','admin','session','127.0.0.1','test_alert_recipient','/alert-recipients/1/test',200,'{}','c22f41c29a9cba545b002c3283ba6b659ef74da8fef6fffa7aaa67266139688d','3f180dce813f3090f55b5e144bf35e542529464a987039563980b61d0c3c885f');
INSERT INTO "audit" VALUES(56,1.79581517416390085218e+09,'ada','admin','session','127.0.0.1','create_alert_snooze','/alert-snoozes',201,'{"rule": 1, "until_at": 1795818774.1560764, "reason": "the fan is replaced"}','3f180dce813f3090f55b5e144bf35e542529464a987039563980b61d0c3c885f','1ec6194a8772dfba9381ea516fdd47aa7c62a0383e0f3f29241288e20784e158');
INSERT INTO "audit" VALUES(57,1.79581517417346334455e+09,'ada','admin','session','127.0.0.1','create_alert_snooze','/alert-snoozes',201,'{"device": "press-00", "until_at": 1795818774.1709182, "reason": "moved"}','1ec6194a8772dfba9381ea516fdd47aa7c62a0383e0f3f29241288e20784e158','d3aa99deaf633783cfbcb74cd41838ade41d10880834ac55374e992ec067a478');
INSERT INTO "audit" VALUES(58,1.79581517417724847787e+09,'ada','admin','session','127.0.0.1','end_alert_snooze','/alert-snoozes/2',204,'{}','d3aa99deaf633783cfbcb74cd41838ade41d10880834ac55374e992ec067a478','95d1c8aa16c827e78266e4c63fa44b142b34d19e7a871b6c89760f68c2e37bff');
INSERT INTO "audit" VALUES(59,1.79581517418331074718e+09,'ada','admin','session','127.0.0.1','create_alert_recipient','/alert-recipients',201,'{"name": "second", "kind": "email", "emails": ["ops@example.org"]}','95d1c8aa16c827e78266e4c63fa44b142b34d19e7a871b6c89760f68c2e37bff','dcc84fd8d3d3a835f47c77d0c9c8f17c739ddcbe502db227d53460ec130b2cd0');
INSERT INTO "audit" VALUES(60,1.79581517418702054028e+09,'ada','admin','session','127.0.0.1','delete_alert_recipient','/alert-recipients/2',204,'{}','dcc84fd8d3d3a835f47c77d0c9c8f17c739ddcbe502db227d53460ec130b2cd0','787533edc7445743488cb2036bdb62755b252c834d796b3e502c4b7f32b0415b');
INSERT INTO "audit" VALUES(61,1.79581517420443487163e+09,'ada','admin','session','127.0.0.1','rotate_trust_key','/trust/rotate',200,'{"role": "snapshot"}','787533edc7445743488cb2036bdb62755b252c834d796b3e502c4b7f32b0415b','5d65352213641d9562e62a6ee0dcd449d9202242b4e5e0ac1ed16e84935918c2');
INSERT INTO "audit" VALUES(62,1.79581517422120022766e+09,'ada','admin','session','127.0.0.1','withdraw_version','/trust/withdraw',200,'{"package": "pipeline-gate", "version": "1.0.0"}','5d65352213641d9562e62a6ee0dcd449d9202242b4e5e0ac1ed16e84935918c2','ebd4dd4b635a63dc332d97887802a5a5d4a1bf7c920c7a1a247d15839fa7eeae');
INSERT INTO "audit" VALUES(63,1.7958151742585201264e+09,'ada','admin','session','127.0.0.1','begin_authority_rotation','/certificates/rotation',200,'{}','ebd4dd4b635a63dc332d97887802a5a5d4a1bf7c920c7a1a247d15839fa7eeae','4d6164734b2ca3c1be93b567044aa34ea4e3988d35776364906de5f93bdf2627');
INSERT INTO "audit" VALUES(64,1.7958151742735266685e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"life_s": 100000.0, "devices_max": 3, "approval": true}','4d6164734b2ca3c1be93b567044aa34ea4e3988d35776364906de5f93bdf2627','bc42cb2d85d1b475051d840e144850df7635235b7906084f489a62e7e6ab3b41');
INSERT INTO "audit" VALUES(65,1.79581517428913402557e+09,'ada','admin','session','127.0.0.1','enrol_device','/enrol',202,'{"token": "(hidden)", "device": "image-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHMMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMTBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABEPinh1QpctBEVF5583lSvlzFN5HotFGMPrOB5WCKRH3yE6iOJOCIHss\n1mSK/xb75s+0WbybbyeGkG9ky6jLdXSgADAKBggqhkjOPQQDAgNIADBFAiAD+6ma\nY2+iZtDQAu4t8+Pg6Le2iulfmtl+xDSfvKxacgIhAMhzycawE69CZSoZyZAvHqGR\nKPw6/5DMfJUg4XmwXpeg\n-----END CERTIFICATE REQUEST-----\n"}','bc42cb2d85d1b475051d840e144850df7635235b7906084f489a62e7e6ab3b41','5f8a7ded670ac0faec55e67f6c67491ac1058910f74a02c8c437f6bcc8ba9b8b');
INSERT INTO "audit" VALUES(66,1.79581517429775977135e+09,'ada','admin','session','127.0.0.1','enrol_device','/enrol',202,'{"token": "(hidden)", "device": "image-2", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHMMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMjBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABDzmoDxwlC1H3C82A03GHdJnI9KxA9pwdD0UhrTms+FbVV61bgMLd2sL\nkUkbt8UWPikhwe5QwE29jqB2vd+IISWgADAKBggqhkjOPQQDAgNIADBFAiAYBlsI\n6C5ZQPezYu8Ho1GPhPucaY323B1UVe09tjjToQIhAPlA22kzN6BAZ6vK1HUVJXWT\nJYuLUcvfB0bPNj89QLxH\n-----END CERTIFICATE REQUEST-----\n"}','5f8a7ded670ac0faec55e67f6c67491ac1058910f74a02c8c437f6bcc8ba9b8b','cd326d770255d4e1f3385c03e4f516982c486f0808c812c24aeb6bc285e29e18');
INSERT INTO "audit" VALUES(67,1.79581517431012439725e+09,'ada','admin','session','127.0.0.1','decide_enrolment_requests','/enrolment-requests/decisions',200,'{"approve": true, "devices": [{"device": "image-1"}]}','cd326d770255d4e1f3385c03e4f516982c486f0808c812c24aeb6bc285e29e18','68b3d56b2a9730dd192807ddb1cd84b86c7984159644ad70ab21549a946ae95a');
INSERT INTO "audit" VALUES(68,1.79581517431536412236e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"labels": {"site": "north"}, "life_s": 100000.0}','68b3d56b2a9730dd192807ddb1cd84b86c7984159644ad70ab21549a946ae95a','0ad8fcdf6ffbe73f0ffddcefef5c824e191d77c193abb1f5b6a7a53732963289');
INSERT INTO "audit" VALUES(69,1.79581517432027220728e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"labels": {"site": "north"}, "life_s": 100000.0}','0ad8fcdf6ffbe73f0ffddcefef5c824e191d77c193abb1f5b6a7a53732963289','cff1f2e204161b29893a8e00e54b2b52276a493fd24815bb7f9d43252ded638a');
INSERT INTO "audit" VALUES(70,1.79581517433671832085e+09,'ada','admin','session','127.0.0.1','enrol_device','/enrol',200,'{"token": "(hidden)", "device": "enrolled-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHOMHcCAQAwFTETMBEGA1UEAwwKZW5yb2xsZWQtMTBZMBMGByqGSM49AgEGCCqG\nSM49AwEHA0IABDpSWFqOgnq6HgjJtFJGBxm3WfIBsEGkl9l3yZdqlbJTtVtw8fyL\nodLRY1iLJyAPqYazyoYltgNwJv+UR1lWya6gADAKBggqhkjOPQQDAgNHADBEAiAB\n6RU5lBycro6WhNthIo6KNtQbg2rfUkkIgtjJZVQDXwIgd6vDCJ5eAsof3qKDCHM2\n0U5iV/Rc+kkMgiLZHmaiOXQ=\n-----END CERTIFICATE REQUEST-----\n"}','cff1f2e204161b29893a8e00e54b2b52276a493fd24815bb7f9d43252ded638a','2929b007d74e88be4d9d5de4dd502b111e786acd597c7df958663d588d9a4e7f');
INSERT INTO "audit" VALUES(71,1.79581517435061550143e+09,'ada','admin','session','127.0.0.1','block_device','/devices/enrolled-1/block',200,'{"reason": "lost"}','2929b007d74e88be4d9d5de4dd502b111e786acd597c7df958663d588d9a4e7f','b9f47245ce866c9d9fa333dd561786435467c1e1e94e02567237aba530cd307a');
INSERT INTO "audit" VALUES(72,1.79581517435861325263e+09,'ada','admin','session','127.0.0.1','unblock_device','/devices/enrolled-1/block',200,'{}','b9f47245ce866c9d9fa333dd561786435467c1e1e94e02567237aba530cd307a','7a9fc2d14be1b13ee46ff22e4305114217f119f35bffdfb0510352598a948163');
INSERT INTO "audit" VALUES(73,1.79581517436417055131e+09,'ada','admin','session','127.0.0.1','block_device','/devices/enrolled-1/block',200,'{"reason": "lost again"}','7a9fc2d14be1b13ee46ff22e4305114217f119f35bffdfb0510352598a948163','147b1addeefcdb471a743c2c9321990051d42c841c1c89347b62d368f9dba5f4');
INSERT INTO "audit" VALUES(74,1.79581517438387680053e+09,'ada','admin','session','127.0.0.1','finish_authority_rotation','/certificates/rotation/finish',200,'{"online_days": 0.0}','147b1addeefcdb471a743c2c9321990051d42c841c1c89347b62d368f9dba5f4','1ee609bb4f0ae4e6f8f348c2ef0467d212f0352f224fe80b71d1fac86eb27f9f');
INSERT INTO "audit" VALUES(75,1.79581517439051055904e+09,'ada','admin','session','127.0.0.1','create_api_token','/api-tokens',201,'{"name": "proposes", "role": "operator", "scopes": ["propose"]}','1ee609bb4f0ae4e6f8f348c2ef0467d212f0352f224fe80b71d1fac86eb27f9f','88fbc070cce5dc8ac45088ad4a532f64bc0a9199acf233f12ebfe1ee79e4fbca');
INSERT INTO "audit" VALUES(76,1.79581517443649697307e+09,'ada','operator','token','127.0.0.1','create_proposal','/groups/south',202,'{"selector": {"labels": {"site": "south"}}, "note": "proposed"}','88fbc070cce5dc8ac45088ad4a532f64bc0a9199acf233f12ebfe1ee79e4fbca','ee8013e346cd19ab48a0ecf44b137733023e1d7bbda32e0862ca450ce412b1e7');
INSERT INTO "audit" VALUES(77,1.79581517445432066915e+09,'ada','operator','token','127.0.0.1','create_proposal','/groups/west',202,'{"selector": {"labels": {"site": "west"}}, "note": "proposed"}','ee8013e346cd19ab48a0ecf44b137733023e1d7bbda32e0862ca450ce412b1e7','c1eed0846d0fa86e91de80bc902537baa7ab43eaea031db23b73b0bcc6065422');
INSERT INTO "audit" VALUES(78,1.7958151744664931298e+09,'ada','operator','token','127.0.0.1','create_proposal','/groups/east',202,'{"selector": {"labels": {"site": "east"}}, "note": "proposed"}','c1eed0846d0fa86e91de80bc902537baa7ab43eaea031db23b73b0bcc6065422','b37a088910f0d2017d2d34af2db7f062b9a709590e1994f13068559677fb8892');
INSERT INTO "audit" VALUES(79,1.7958151744862067699e+09,'ada','admin','session','127.0.0.1','approve_proposal','/proposals/1/approve',200,'{"reason": "looked at it"}','b37a088910f0d2017d2d34af2db7f062b9a709590e1994f13068559677fb8892','31569ef574cad4de760462a4e62e237266c6edc006ea7ca5ec413b3c2169bd7d');
INSERT INTO "audit" VALUES(80,1.79581517449027347563e+09,'ada','admin','session','127.0.0.1','put_group','/groups/south',200,'{"selector": {"labels": {"site": "south"}}, "note": "proposed", "proposal": {"id": 1, "proposed_by": "ada", "token": "(hidden)", "token_name": "proposes", "note": ""}}','31569ef574cad4de760462a4e62e237266c6edc006ea7ca5ec413b3c2169bd7d','65e9ce968ae4c66b391e9ecbf900ef8357d155146c9f57ef9fca03c390e4f597');
INSERT INTO "audit" VALUES(81,1.79581517450015759468e+09,'ada','admin','session','127.0.0.1','reject_proposal','/proposals/2/reject',200,'{"reason": "not now"}','65e9ce968ae4c66b391e9ecbf900ef8357d155146c9f57ef9fca03c390e4f597','22eba6fbbdc5fd2977f606c0cf9b282f23e38558e8f7cff2038846293cf6173a');
INSERT INTO "audit" VALUES(82,1.79581517454927873603e+09,'ada','admin','session','127.0.0.1','create_dossier','/dossiers',200,'{"component": "numpy", "version": "", "stage": "72h"}','22eba6fbbdc5fd2977f606c0cf9b282f23e38558e8f7cff2038846293cf6173a','598e4e17174859e19898bd765bfca877cbfb294c3280fe1fac1bc220a44db28c');
INSERT INTO "audit" VALUES(83,1.79581517510734939573e+09,'ada','admin','session','127.0.0.1','change_password','/session/password',204,'{"current": "(hidden)", "password": "(hidden)"}','598e4e17174859e19898bd765bfca877cbfb294c3280fe1fac1bc220a44db28c','7b5fc0ef8f9795e3357313034f98b087f918e36db2f94fe852095497b18c1573');
CREATE TABLE audit_archived (
	seq INTEGER NOT NULL, 
	digest VARCHAR NOT NULL, 
	PRIMARY KEY (seq)
);
INSERT INTO "audit_archived" VALUES(1,'c0301e18fa6465e2da418c8d598c2a2a76cf36b25f5060459ec5f8a0cb04ea7c');
CREATE TABLE bill_component (
	bill VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	version VARCHAR NOT NULL, 
	PRIMARY KEY (bill, kind, name), 
	FOREIGN KEY(bill) REFERENCES environment_bill (digest)
);
INSERT INTO "bill_component" VALUES('08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7','agent','edgefleet-agent','0.3.0');
INSERT INTO "bill_component" VALUES('08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7','runtime','python','3.11.2');
INSERT INTO "bill_component" VALUES('08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7','library','numpy','2.3.1');
CREATE TABLE blob (
	sha256 VARCHAR NOT NULL, 
	length INTEGER NOT NULL, 
	created_at FLOAT NOT NULL, 
	PRIMARY KEY (sha256)
);
INSERT INTO "blob" VALUES('6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723',388,1.7958151640402038097e+09);
INSERT INTO "blob" VALUES('d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b',500,1.7958151640402038097e+09);
INSERT INTO "blob" VALUES('63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf',30,1.79581516411854696275e+09);
INSERT INTO "blob" VALUES('916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90',56,1.79581516411854696275e+09);
INSERT INTO "blob" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',811,1.7958151640402038097e+09);
INSERT INTO "blob" VALUES('7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410',388,1.79581516408519101138e+09);
INSERT INTO "blob" VALUES('fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de',500,1.79581516408519101138e+09);
INSERT INTO "blob" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129',811,1.79581516408519101138e+09);
INSERT INTO "blob" VALUES('6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb',388,1.79581516411854696275e+09);
INSERT INTO "blob" VALUES('e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d',500,1.79581516411854696275e+09);
INSERT INTO "blob" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01',811,1.79581516411854696275e+09);
INSERT INTO "blob" VALUES('d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a',217,1.79581516422521948817e+09);
INSERT INTO "blob" VALUES('a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66',104,1.79581516422521948817e+09);
INSERT INTO "blob" VALUES('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9',433,1.79581516422521948817e+09);
CREATE TABLE blocked_device (
	device VARCHAR NOT NULL, 
	blocked_at FLOAT NOT NULL, 
	reason VARCHAR NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "blocked_device" VALUES('enrolled-1',1.79581517436287260054e+09,'lost again');
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
INSERT INTO "camera_hour" VALUES('press-00','hall',1795813200,6.0,0.0);
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
INSERT INTO "channel" VALUES('spotter','stable','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129',1.79581516418259668345e+09,'ada','first');
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
INSERT INTO "channel_change" VALUES(1,'spotter','stable','1.0.0','',1.79581516417378711696e+09,'ada','first');
INSERT INTO "channel_change" VALUES(2,'spotter','stable','1.1.0','1.0.0',1.79581516418259668345e+09,'ada','first');
CREATE TABLE checkpoint (
	name VARCHAR NOT NULL, 
	value INTEGER NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "checkpoint" VALUES('rollup',6);
INSERT INTO "checkpoint" VALUES('rollup hours',1795816800);
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
INSERT INTO "command" VALUES('bill-7a8247c209204186a85cd55c4e91f3b7','press-00','bill','{"digest": "08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7"}','done','did it','{}',1.79581516907827091217e+09,1.79581521407827091217e+09,1.79581516917955374716e+09);
INSERT INTO "command" VALUES('1268c5ba12a94697aa2f0d6838f160af','press-00','identify','{"n": 1}','done','did it','{"n":1}',1.79581516955246114734e+09,1.79581519955246114725e+09,1.79581516965188550953e+09);
INSERT INTO "command" VALUES('ee966c3440d640ed8939cf17ea8f69c5','press-00','snapshot','{"overlays": false, "pipeline": "gate"}','done','did it','{"overlays":false,"pipeline":"gate"}',1.79581516967745041845e+09,1.79581522967745041844e+09,1.79581516974273943908e+09);
INSERT INTO "command" VALUES('logs-f48cf6cb2c134409a8bc35dc6ec07fea','press-00','logs','{"source": "service", "level": "debug", "search": "", "lines": 200, "after": ""}','done','did it','{"source":"service","level":"debug","search":"","lines":200,"after":""}',1.79581516968849325176e+09,1.79581519468849325183e+09,1.79581516974273943908e+09);
CREATE TABLE configuration (
	name VARCHAR NOT NULL, 
	revision INTEGER NOT NULL, 
	resources JSON NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "configuration" VALUES('plant',1,'[{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef", "id": null}]',1.79581516954086804391e+09,'ada');
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
INSERT INTO "cursor" VALUES('press-00','telemetry','press-00-epoch',6,'[]',0.0,0,0,1.79581517256510901454e+09);
INSERT INTO "cursor" VALUES('press-00','events','press-00-epoch',3,'[]',0.0,0,0,1.79581516430894589427e+09);
CREATE TABLE desired (
	device VARCHAR NOT NULL, 
	generation INTEGER NOT NULL, 
	document VARCHAR NOT NULL, 
	published INTEGER NOT NULL, 
	PRIMARY KEY (device), 
	FOREIGN KEY(device) REFERENCES device (id)
);
INSERT INTO "desired" VALUES('press-00',3,'{"device":"press-00","generation":3,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"2:press-00:1:back"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}',3);
INSERT INTO "desired" VALUES('press-02',1,'{"device":"press-02","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-02:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}',1);
INSERT INTO "desired" VALUES('press-01',2,'{"device":"press-01","generation":2,"slots":{"detector":{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","length":811,"attempt":"7:press-01:1","atomic":true},"second":{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","length":811,"attempt":"7:press-01:1","atomic":true}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}',2);
INSERT INTO "desired" VALUES('press-05',2,'{"device":"press-05","generation":2,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-05:1"},"shadow-detector":{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","length":811,"attempt":"3:press-05:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}',2);
INSERT INTO "desired" VALUES('press-03',1,'{"device":"press-03","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-03:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}',1);
INSERT INTO "desired" VALUES('press-04',1,'{"device":"press-04","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-04:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0,"shadow_s":60.0,"shadow_agreement_percent_min":30.0}}',1);
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
INSERT INTO "device" VALUES('press-00',1.79581516430894589427e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{"site":"north","lat":"59.3","lon":"18.1","floor":"1"}','{}','{"site":"north","lat":"59.3","lon":"18.1","floor":"1"}',0.0,'[]');
INSERT INTO "device" VALUES('press-01',1.79581516430894589427e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{"floor":"1"}','{}','{"floor":"1"}',1.7958151725073845386e+09,'[]');
INSERT INTO "device" VALUES('press-02',1.79581516430894589427e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
INSERT INTO "device" VALUES('press-03',1.79581516430894589427e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
INSERT INTO "device" VALUES('press-04',1.79581516430894589427e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
INSERT INTO "device" VALUES('press-05',1.79581516430894589427e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
CREATE TABLE device_bill (
	id INTEGER NOT NULL, 
	device VARCHAR NOT NULL, 
	bill VARCHAR NOT NULL, 
	since_at FLOAT NOT NULL, 
	until_at FLOAT, 
	PRIMARY KEY (id), 
	FOREIGN KEY(device) REFERENCES device (id)
);
INSERT INTO "device_bill" VALUES(1,'press-00','08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7',1.79581516430894589427e+09,NULL);
CREATE TABLE device_certificate (
	serial VARCHAR NOT NULL, 
	device VARCHAR NOT NULL, 
	issued_at FLOAT NOT NULL, 
	expires_at FLOAT NOT NULL, 
	revoked_at FLOAT, 
	PRIMARY KEY (serial)
);
INSERT INTO "device_certificate" VALUES('6d81fdf5d51c575915f17b7e2052127a56a1cec8','enrolled-1',1.79581517433056020733e+09,1803591174.0,1.79581517434910130498e+09);
CREATE TABLE device_group (
	name VARCHAR NOT NULL, 
	selector JSON NOT NULL, 
	note VARCHAR NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "device_group" VALUES('north','{"all": false, "ids": [], "labels": {"site": "north"}, "group": null, "query": "not state = blocked"}','in the north',1.79581516926254153255e+09,'ada');
INSERT INTO "device_group" VALUES('plant','{"all": false, "ids": [], "labels": {"site": "north"}, "group": null}','',1.79581516927253270147e+09,'ada');
INSERT INTO "device_group" VALUES('south','{"all": false, "ids": [], "labels": {"site": "south"}, "group": null}','proposed',1.79581517448885846135e+09,'ada');
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
	births_at FLOAT DEFAULT 0 NOT NULL, authorities JSON DEFAULT '[]' NOT NULL, 
	PRIMARY KEY (device), 
	FOREIGN KEY(device) REFERENCES device (id)
);
INSERT INTO "device_last" VALUES('press-00','offline',1.7958151752013208866e+09,'boot-1','',3,1.7958151752013208866e+09,'boot-1',14,3,'{}',10000000000,'[]','[]',0,1.79581517252122664458e+09,'{"at":1795815172.5212266,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}',15.0,12.0,0.0,NULL,20.0,1.99604456944349895053e+00,1.795815174600978136e+09,'[]');
INSERT INTO "device_last" VALUES('press-01','offline',1.79581517527797174457e+09,'boot-1','',3,1.79581517527797174457e+09,'boot-1',13,2,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.99604456944349895053e+00,1.795815174600978136e+09,'[]');
INSERT INTO "device_last" VALUES('press-02','offline',1.79581517537167239181e+09,'boot-1','',3,1.79581517537167239181e+09,'boot-1',6,1,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.99604456944349895053e+00,1.795815174600978136e+09,'[]');
INSERT INTO "device_last" VALUES('press-03','offline',1.79581517542805838578e+09,'boot-1','',3,1.79581517542805838578e+09,'boot-1',6,1,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.99604456944349895053e+00,1.795815174600978136e+09,'[]');
INSERT INTO "device_last" VALUES('press-04','offline',1.7958151755054786205e+09,'boot-1','',3,1.7958151755054786205e+09,'boot-1',6,1,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.99604456944349895053e+00,1.795815174600978136e+09,'[]');
INSERT INTO "device_last" VALUES('press-05','offline',1.79581517555776119235e+09,'boot-1','',3,1.79581517555776119235e+09,'boot-1',10,2,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.99604456944349895053e+00,1.795815174600978136e+09,'[]');
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
INSERT INTO "device_slot" VALUES('press-04','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795815170.4698892}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-04:1','none','',0,0,1.7958151704698960781e+09);
INSERT INTO "device_slot" VALUES('press-01','detector','committed','spotter','1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795815172.7392309}','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','7:press-01:1','none','',0,0,1.79581517273924040796e+09);
INSERT INTO "device_slot" VALUES('press-01','second','committed','spotter','1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795815172.7394295}','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','7:press-01:1','none','',0,0,1.79581517273943185803e+09);
INSERT INTO "device_slot" VALUES('press-02','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795815170.467281}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-02:1','none','',0,0,1.79581517046728515621e+09);
INSERT INTO "device_slot" VALUES('press-03','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795815170.4674299}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-03:1','none','',0,0,1.79581517046743273737e+09);
INSERT INTO "device_slot" VALUES('press-05','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795815172.3261983}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-05:1','none','',0,0,1.79581517232620263102e+09);
INSERT INTO "device_slot" VALUES('press-05','shadow-detector','committed','spotter','1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795815172.5686805}','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','3:press-05:1','none','',0,0,1.79581517256868839265e+09);
INSERT INTO "device_slot" VALUES('press-00','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795815172.5877633}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','2:press-00:1:back','none','',0,0,1.79581517258777093883e+09);
CREATE TABLE enrolled_labels (
	device VARCHAR NOT NULL, 
	labels JSON NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "enrolled_labels" VALUES('enrolled-1','{"site":"north"}',1.79581517433501720425e+09);
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
INSERT INTO "enrolment_request" VALUES('image-1','694af076d14c','8b2903231f84f150bebab39d5caab7c7f164de2596d49c47244d265ba7cf480f','approved',1.79581517428203582759e+09,1.79581517428203582759e+09,1.79581517430845379827e+09,'ada');
INSERT INTO "enrolment_request" VALUES('image-2','694af076d14c','5706ebba34f0390b7c9ecaec7c64c4dd82b3f3ac23ec664cc397821eef971ab9','waiting',1.79581517429430317879e+09,1.79581517429430317879e+09,NULL,'');
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
INSERT INTO "enrolment_token" VALUES('694af076d14c','2beea66c2217c162792d63b153a6cba9b6aac8231a543fd930746aac65890cc9','','{}',1.79581517427203440667e+09,1.79591517427203440663e+09,NULL,'',NULL,3,0,1);
INSERT INTO "enrolment_token" VALUES('094a9e129967','8af4413391cc26d4ed2e1e21828e13036af16990ebd4aaa0596b2f1e0f51cfef','','{"site": "north"}',1.79581517431464433671e+09,1.79591517431464433671e+09,1.79581517433056020733e+09,'enrolled-1',NULL,1,1,0);
INSERT INTO "enrolment_token" VALUES('3e6447b139c2','5bdddb116ced13127dba9df5390b4c4228d9326820f3627ce87c0fb4f5f93340','','{"site": "north"}',1.79581517431962156298e+09,1.79591517431962156294e+09,NULL,'',NULL,1,0,0);
CREATE TABLE environment_bill (
	digest VARCHAR NOT NULL, 
	received_at FLOAT, 
	ask_at FLOAT NOT NULL, 
	tries INTEGER NOT NULL, 
	refused INTEGER NOT NULL, 
	left_out INTEGER NOT NULL, 
	content VARCHAR NOT NULL, 
	PRIMARY KEY (digest)
);
INSERT INTO "environment_bill" VALUES('08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7',1.79581516917955374716e+09,1.79581522907827091217e+09,1,0,0,'{"agent":"0.3.0","packages":[["numpy","2.3.1"]],"python":"3.11.2","system":"debian"}');
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
INSERT INTO "event" VALUES(1,'press-00',1.79581516426653313642e+09,1.79581516430894589427e+09,'visit','person','{"kind":"visit","id":"e0","at":1795815164.2665331,"label":"person","count":0}');
INSERT INTO "event" VALUES(2,'press-00',1.79581516426653409008e+09,1.79581516430894589427e+09,'visit','person','{"kind":"visit","id":"e1","at":1795815164.266534,"label":"person","count":1}');
INSERT INTO "event" VALUES(3,'press-00',1.79581516426653480531e+09,1.79581516430894589427e+09,'visit','person','{"kind":"visit","id":"e2","at":1795815164.2665348,"label":"person","count":2}');
CREATE TABLE event_review (
	event BIGINT NOT NULL, 
	verdict VARCHAR NOT NULL, 
	"by" VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (event)
);
INSERT INTO "event_review" VALUES(3,'confirmed','ada',1.79581517012859201432e+09);
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
INSERT INTO "experiment" VALUES(1,'faster','detector','ended','hash','',1.79581517237991738315e+09,'ada',1.79581517240468502044e+09,'ada','a',NULL,'',NULL);
INSERT INTO "experiment" VALUES(2,'again','detector','ended','hash','',1.79581517242522549632e+09,'ada',1.79581517244333028785e+09,'ada','',NULL,'',NULL);
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
INSERT INTO "measurement" VALUES(1,'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','cpu','m',1.79581516414250874514e+09,'cpu-int8','lite_rt','cpu',2,1,1,1,5.0,6.0,10.0,1,1.0,1);
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
INSERT INTO "member" VALUES('m-1','all','host','0.2.0',1,0,0,0,0,0,0,1.79581517597815418238e+09,1.79581517597815418238e+09,0.0,0.0,0.0,0.0,0,0);
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
INSERT INTO "notice" VALUES(1,'http://127.0.0.1:9/hook',1,'{"what": "began", "id": 1, "rule": 1, "rule_name": "fast", "severity": "warning", "subject": "press-00", "text": "fps 15, above the limit of -1", "value": 15.0, "began_at": 1795815174.081354, "ended_at": null, "acknowledged_at": null, "acknowledged_by": "", "device": "press-00", "pipeline": null, "rollout": null}','waiting',1,1.79581518503854084016e+09,1.79581517408135390287e+09,'Connection refu(hidden)ed',NULL);
CREATE TABLE openid_login (
	state VARCHAR NOT NULL, 
	browser VARCHAR NOT NULL, 
	nonce VARCHAR NOT NULL, 
	verifier VARCHAR NOT NULL, 
	redirect VARCHAR NOT NULL, 
	started_at FLOAT NOT NULL, 
	PRIMARY KEY (state)
);
INSERT INTO "openid_login" VALUES('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb','nonce','verifier','/',1.79581517597815418238e+09);
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
INSERT INTO "package" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','spotter','1.0.0',1.7958151640402038097e+09,811,974,'{"name": "spotter", "version": "1.0.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723"}, {"path": "model.tflite", "length": 500, "sha256": "d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','spotter','1.1.0',1.79581516408519101138e+09,811,974,'{"name": "spotter", "version": "1.1.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410"}, {"path": "model.tflite", "length": 500, "sha256": "fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','spotter','1.2.0',1.79581516411854696275e+09,811,974,'{"name": "spotter", "version": "1.2.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb"}, {"path": "model.tflite", "length": 500, "sha256": "e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9','pipeline-gate','1.0.0',1.79581516422521948817e+09,433,321,'{"name": "pipeline-gate", "version": "1.0.0", "task": "pipeline", "head": {"family": "pipeline"}, "variants": [{"name": "all", "format": "pipeline", "files": ["pipeline.toml"], "runtimes": ["pipelines"]}], "title": "gate", "requires": ["stage:detect"]}','[{"path": "model.toml", "length": 217, "sha256": "d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a"}, {"path": "pipeline.toml", "length": 104, "sha256": "a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66"}]',NULL);
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
INSERT INTO "person" VALUES('ada','admin','scrypt$15$8$3$l+hiTBnoLhcldMxkQYwqGw==$Cx9cHx8BPGX5uJ7OcW60pEgRYlPUPDEj/Qjzu/n0rhk=',1.79581516315270686146e+09,0,NULL);
INSERT INTO "person" VALUES('bob','admin','scrypt$15$8$3$1LFu3ICSBq9U4oEvLDDc2g==$o0RpvOyulV8bmRfPim7sivA7wbC4ExYyePPJpdvLkS8=',1.79581516398058724402e+09,0,NULL);
INSERT INTO "person" VALUES('lea','viewer','scrypt$15$8$3$Ol+PcVk9VmE34wPYU1TO3w==$1AU8hZ+FkTYNmEBND+jFfLopPBtwhUtYBaoiyAU11dg=',1.79581516953298044201e+09,0,NULL);
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
INSERT INTO "pin" VALUES('press-03','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','a demonstration','ada',1.79581517247695970538e+09);
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
INSERT INTO "proposal" VALUES(1,'approved','823fcaf73da0','proposes','ada','put_group','Create or change a group.','operator','PUT','/groups/south','{"selector":{"labels":{"site":"south"}},"note":"proposed"}','','complete',1.79581517442626070971e+09,1.7964199744262607098e+09,1.79581517448504447936e+09,'ada','looked at it',200,'put_group: name south');
INSERT INTO "proposal" VALUES(2,'rejected','823fcaf73da0','proposes','ada','put_group','Create or change a group.','operator','PUT','/groups/west','{"selector":{"labels":{"site":"west"}},"note":"proposed"}','','complete',1.79581517444951343533e+09,1.79641997444951343537e+09,1.79581517449970173841e+09,'ada','not now',0,'');
INSERT INTO "proposal" VALUES(3,'pending','823fcaf73da0','proposes','ada','put_group','Create or change a group.','operator','PUT','/groups/east','{"selector":{"labels":{"site":"east"}},"note":"proposed"}','','complete',1.79581517446429300309e+09,1.79641997446429300304e+09,NULL,'','',0,'');
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
INSERT INTO "request_key" VALUES('a08d8458249ecb6eca772cc4b37abb8e2ce5e200f0f28d8aafeb8eb379437134','7c3b3e78203a7d65380b9ed1f1d44c9a9a5d8097ed769b77e798838a0ac52151','92a65d39a03722799bc41a79c3c24311d70006205d619a16a23a501949f6bb45','74dd4f2e24c6f46b',1.79581517415766143798e+09,1.79581529415766143796e+09,1,201,'l6/7h9dDybB4rJbXjnOVZnsOnb6EdhT7r4WgJOZkuaPAfVKcN0FMLuckpXLZqTw6Wkh7sE9v5AW7LKkZKORD5CHd+2LDgscJoUElFSTR5xFyQkjEuQDHB0maG1+TvRdWu4bgPMZ5/S3CO3naxXuy2LIOMjHZAQxCEqv2lq22nW8TgYw5r4G4v3Z89i/GkUmB5w5jzTBjjsYsjbsAV6ypMmXq9hA05MWD0DRih6m1lghSBWBsw849JO4id7H7MqdJKNcPSxYlbWIQxUN3wqgfk2K4nHkKV9vMUHR5yi1c/wd7HxZ4TpvBmM6QKtcXzKWYkxqdgR/cWFsXAzGfmzJaIF8PQELisicgzXIPIRrFIxhFDnARJTDyd68WWUaIDfHncLgfD+vEorZtps9RV5MyBHQ+NgI/cezu9biG+sT0n8Jkzmi06vW8');
CREATE TABLE restricted_device (
	device VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	offence VARCHAR NOT NULL, 
	since_at FLOAT NOT NULL, 
	until_at FLOAT NOT NULL, 
	times INTEGER NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "restricted_device" VALUES('door','throttled','over_quota',1.79581517597815418238e+09,1.79581547597815418247e+09,0);
CREATE TABLE retention (
	kind VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	removed INTEGER NOT NULL, 
	took_s FLOAT NOT NULL, 
	problem VARCHAR NOT NULL, 
	PRIMARY KEY (kind)
);
INSERT INTO "retention" VALUES('samples',1.79581516403484272954e+09,0,4.08936000894755125045e-04,'');
INSERT INTO "retention" VALUES('events',1.79581516403484272954e+09,0,8.91561008756980299949e-04,'');
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
INSERT INTO "rollout" VALUES(1,'spotter 1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','detector','completed','',1.79581517015017580983e+09,1.79581517015017580983e+09,1.79581517112395310396e+09,1.79581517112395310396e+09,'{"all": true, "ids": [], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(2,'spotter 1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','rolled_back','',1.79581517119543600082e+09,1795815171.21252,1.79581517265921425819e+09,1.79581517265921425819e+09,'{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}','[{"name": "one", "percent": null, "count": 1, "labels": {}, "approval": true}, {"name": "rest", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(3,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','shadow-detector','completed','',1.79581517229749870303e+09,1.79581517229749870303e+09,1.79581517339435863499e+09,1.79581517339435863499e+09,'{"all": false, "ids": ["press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(4,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','detector','aborted','the wrong day',1.79581517231563401225e+09,NULL,1.79581517233078122135e+09,1.79581517233078122135e+09,'{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(5,'faster: b','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','aborted','',1.79581517237991738315e+09,1.79581517237991738315e+09,1.79581517242400383943e+09,1.79581517242400383943e+09,'{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 5.0, "reported_min": 1, "offline_s": 300.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 0.2, "trial_frames_min": 10, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',3600.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(6,'again: b','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','aborted','',1.79581517242522549632e+09,1.79581517242522549632e+09,1.79581517248801207546e+09,1.79581517248801207546e+09,'{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 5.0, "reported_min": 1, "offline_s": 300.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 0.2, "trial_frames_min": 10, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',3600.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(7,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','detector','completed','',1.79581517246026754384e+09,1.79581517246026754384e+09,1.79581517339435863499e+09,1.79581517339435863499e+09,'{"all": false, "ids": ["press-01"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}, "rate": {"per_minute": 60, "factor": 1.0, "grow_after": 10, "per_minute_max": 1000}, "window": null, "follow": true, "prestage": true}',500,'ada',NULL);
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
INSERT INTO "rollup" VALUES(60,'press-00',1795814820,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795814880,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795814940,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795815000,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795815060,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795815120,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(3600,'press-00',1795813200,X'85AB6370755F70657263656E749506CB405E000000000000CB4034000000000000CB4034000000000000814B06A36670739506CB4056800000000000CB402E000000000000CB402E000000000000814406B4646574656374696F6E735F7065725F6672616D659506CB0000000000000000CB0000000000000000CB000000000000000081D1800006AF64726F707065645F70657263656E749506CB0000000000000000CB0000000000000000CB000000000000000081D1800006AE6C6174656E63795F7039355F6D739506CB4052000000000000CB4028000000000000CB4028000000000000813F06');
CREATE TABLE secret (
	name VARCHAR NOT NULL, 
	value VARCHAR NOT NULL, 
	made_at FLOAT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "secret" VALUES('server id','c58741da4c62a677e53fbbe0b01c96ab',1.79581516294831585889e+09);
INSERT INTO "secret" VALUES('web push','60cf4f6dbd3da17d4e5d2c43637e7d8b',1.79581516295275735858e+09);
INSERT INTO "secret" VALUES('corpus','d628c5a4de682e143084007dde2e18bb',1.79581517617063593861e+09);
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
INSERT INTO "session" VALUES('7c3b3e78203a7d65380b9ed1f1d44c9a9a5d8097ed769b77e798838a0ac52151','ada',1.79581516343570256237e+09,1.79581516343570256237e+09,1.79641996343570256233e+09,'127.0.0.1','python-httpx/0.28.1');
CREATE TABLE setting (
	name VARCHAR NOT NULL, 
	value JSON NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "setting" VALUES('soak_s',1,1.79581516402547216411e+09,'ada');
CREATE TABLE telemetry (
	id INTEGER NOT NULL, 
	device VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	received_at FLOAT NOT NULL, 
	record VARCHAR NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "telemetry" VALUES(1,'press-00',1.79581486426651859285e+09,1.79581516430894589427e+09,'{"at":1795814864.2665186,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":0}');
INSERT INTO "telemetry" VALUES(2,'press-00',1.79581492426652073856e+09,1.79581516430894589427e+09,'{"at":1795814924.2665207,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":1}');
INSERT INTO "telemetry" VALUES(3,'press-00',1.7958149842665228844e+09,1.79581516430894589427e+09,'{"at":1795814984.266523,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":2}');
INSERT INTO "telemetry" VALUES(4,'press-00',1.79581504426652455328e+09,1.79581516430894589427e+09,'{"at":1795815044.2665246,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":3}');
INSERT INTO "telemetry" VALUES(5,'press-00',1.79581510426652693748e+09,1.79581516430894589427e+09,'{"at":1795815104.266527,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":4}');
INSERT INTO "telemetry" VALUES(6,'press-00',1.79581517252122664458e+09,1.79581517256510901454e+09,'{"at":1795815172.5212266,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}');
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
INSERT INTO "timeline" VALUES(1,1,1.79581517015017580983e+09,'created','Created: spotter 1.0.0',NULL,NULL);
INSERT INTO "timeline" VALUES(2,1,1.79581517015017580983e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(3,1,1.79581517021116042137e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(4,1,1.79581517056999397279e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(5,1,1.79581517112395310396e+09,'wave_passed','Wave ''all'' passed: 0 of 6 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(6,1,1.79581517112395310396e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(7,2,1.79581517119543600082e+09,'created','Created: spotter 1.1.0',NULL,NULL);
INSERT INTO "timeline" VALUES(8,2,1795815171.21252,'running','Running: now',NULL,NULL);
INSERT INTO "timeline" VALUES(9,2,1.79581517122605109214e+09,'paused','Paused: a question',NULL,NULL);
INSERT INTO "timeline" VALUES(10,2,1.79581517123713612551e+09,'resumed','Running: answered',NULL,NULL);
INSERT INTO "timeline" VALUES(11,2,1.79581517125057029725e+09,'wave_skipped','Wave ''rest'' was skipped by ada: one is enough; 1 device not updated',1,NULL);
INSERT INTO "timeline" VALUES(12,2,1.79581517126655268671e+09,'wave_approved','Wave ''one'' was approved by ada: agreed',0,NULL);
INSERT INTO "timeline" VALUES(13,2,1.79581517130568861962e+09,'wave_running','Wave ''one'' started',0,NULL);
INSERT INTO "timeline" VALUES(14,2,1.79581517165560078626e+09,'wave_soaking','Wave ''one'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(15,2,1.79581517220779919626e+09,'wave_passed','Wave ''one'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(16,2,1.79581517220779919626e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(17,2,1.79581517225629448894e+09,'rolling_back','Rolling back: too slow',NULL,NULL);
INSERT INTO "timeline" VALUES(18,3,1.79581517229749870303e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(19,3,1.79581517229749870303e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(20,4,1.79581517231563401225e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(21,3,1.79581517231104469296e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(22,4,1.79581517233078122135e+09,'aborted','Aborted: the wrong day',NULL,NULL);
INSERT INTO "timeline" VALUES(23,5,1.79581517237991738315e+09,'created','Created: faster: b',NULL,NULL);
INSERT INTO "timeline" VALUES(24,5,1.79581517237991738315e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(25,5,1.79581517240468502044e+09,'aborting','Aborting: experiment 1 chose arm a',NULL,NULL);
INSERT INTO "timeline" VALUES(26,6,1.79581517242522549632e+09,'created','Created: again: b',NULL,NULL);
INSERT INTO "timeline" VALUES(27,6,1.79581517242522549632e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(28,5,1.79581517242400383943e+09,'wave_skipped','Wave ''all'' was skipped',0,NULL);
INSERT INTO "timeline" VALUES(29,5,1.79581517242400383943e+09,'aborted','Aborted',NULL,NULL);
INSERT INTO "timeline" VALUES(30,6,1.79581517244333028785e+09,'aborting','Aborting: experiment 2 was stopped',NULL,NULL);
INSERT INTO "timeline" VALUES(31,7,1.79581517246026754384e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(32,7,1.79581517246026754384e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(33,6,1.79581517248801207546e+09,'wave_skipped','Wave ''all'' was skipped',0,NULL);
INSERT INTO "timeline" VALUES(34,6,1.79581517248801207546e+09,'aborted','Aborted',NULL,NULL);
INSERT INTO "timeline" VALUES(35,7,1.79581517248801207546e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(36,2,1.79581517265921425819e+09,'device_rolled_back','press-00: rolled back: rolled back by an operator; restored to the previous version',0,'press-00');
INSERT INTO "timeline" VALUES(37,2,1.79581517265921425819e+09,'rolled_back','Rolled back',NULL,NULL);
INSERT INTO "timeline" VALUES(38,3,1.79581517265921425819e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(39,7,1.7958151728412973881e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(40,3,1.79581517339435863499e+09,'wave_passed','Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(41,3,1.79581517339435863499e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(42,7,1.79581517339435863499e+09,'wave_passed','Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(43,7,1.79581517339435863499e+09,'completed','Completed',NULL,NULL);
CREATE TABLE user_grant (
	user VARCHAR NOT NULL, 
	device_group VARCHAR NOT NULL, 
	role VARCHAR NOT NULL, 
	PRIMARY KEY (user, device_group), 
	FOREIGN KEY(user) REFERENCES person (name)
);
INSERT INTO "user_grant" VALUES('lea','plant','operator');
CREATE TABLE version_share (
	at INTEGER NOT NULL, 
	shares JSON NOT NULL, 
	PRIMARY KEY (at)
);
INSERT INTO "version_share" VALUES(1795815000,'[{"slot": "detector", "package": "spotter", "version": "1.0.0", "count": 5}, {"slot": "second", "package": "spotter", "version": "1.1.0", "count": 1}, {"slot": "detector", "package": "spotter", "version": "1.2.0", "count": 1}, {"slot": "shadow-detector", "package": "spotter", "version": "1.2.0", "count": 1}]');
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
INSERT INTO "wave" VALUES(1,0,'all','passed',6,1.79581517021116042137e+09,1.79581517056999397279e+09,1.79581517112395310396e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(2,0,'one','passed',1,1.79581517130568861962e+09,1.79581517165560078626e+09,1.79581517220779919626e+09,0,0,1,'ada',0);
INSERT INTO "wave" VALUES(2,1,'rest','skipped',1,NULL,NULL,1.79581517125057029725e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(3,0,'all','passed',1,1.79581517231104469296e+09,1.79581517265921425819e+09,1.79581517339435863499e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(4,0,'all','skipped',2,NULL,NULL,NULL,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(5,0,'all','skipped',3,NULL,NULL,1.79581517242400383943e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(6,0,'all','skipped',3,NULL,NULL,1.79581517248801207546e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(7,0,'all','passed',1,1.79581517248801207546e+09,1.7958151728412973881e+09,1.79581517339435863499e+09,0,0,0,NULL,0);
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
CREATE INDEX bill_component_name ON bill_component (name);
CREATE INDEX device_bill_device ON device_bill (device);
CREATE INDEX device_bill_bill ON device_bill (bill);
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
COMMIT;
PRAGMA user_version = 0;
