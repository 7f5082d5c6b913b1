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
INSERT INTO "alert" VALUES(1,1,'press-00','fps 15, above the limit of -1',15.0,1.79581778745511746403e+09,NULL,1.79581778748158621787e+09,'ada','[]');
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
INSERT INTO "alert_recipient" VALUES(1,'on call','ntfy','{"url": "http://127.0.0.1:9", "secret": "tk_s3cret", "emails": [], "topic": "fleet", "key": ""}','[]','["critical"]',1,1.79581778749854230879e+09,1.79581778749854230879e+09,'ada');
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
INSERT INTO "alert_rule" VALUES(1,'fast','{"kind": "threshold", "figure": "fps", "above": -2.0, "below": null, "clear": null, "for_s": 0.0, "window_s": 300.0, "deviations": 4.0, "event_kind": null, "event_label": null, "event_rule": null, "pipeline": null, "group": null, "severity": "warning", "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "s"}], "emails": []}',1,1.79581784749065804475e+09,'ada',1.79581778586539077754e+09,'ada');
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
INSERT INTO "alert_snooze" VALUES(1,1,'','',1.79582138751353645325e+09,'the fan is replaced',1.79581778752371144292e+09,'ada');
INSERT INTO "alert_snooze" VALUES(2,NULL,'','press-00',1.79581778753897404674e+09,'moved',1.7958177875345926285e+09,'ada');
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
INSERT INTO "api_token" VALUES('c3521cc8b579','6d43b8c6e2ff1cff8740e00f0b24492406f8668d490cafda9bafbc2d7e65731b','ada','reads','admin',1.79581777738294649121e+09,1.80359377738294649126e+09,NULL,'[]','[]');
INSERT INTO "api_token" VALUES('3f221b81ac1c','eb58289211125ad44f745cd9bf3b8b7d1c0d33af38cfe9de41001ea57c88b08f','ada','proposes','operator',1.79581778782909393305e+09,1.80359378782909393311e+09,1.79581778787095189091e+09,'["propose"]','[]');
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
INSERT INTO "assignment" VALUES('press-00','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','2:press-00:1:back',2,1.0,0,0,1.79581778565149831772e+09,0,0.0,0.0);
INSERT INTO "assignment" VALUES('press-02','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-02:1',1,1.0,0,0,1.79581778362677478792e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-01','detector','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','7:press-01:1',7,1.0,0,0,1.79581778582447147371e+09,1,60.0,30.0);
INSERT INTO "assignment" VALUES('press-05','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-05:1',1,1.0,0,0,1.79581778362677478792e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-03','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-03:1',1,1.0,0,0,1.79581778362677478792e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-04','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-04:1',1,1.0,0,0,1.79581778362677478792e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-05','shadow-detector','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','3:press-05:1',3,1.0,0,0,1.79581778571424937251e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-01','second','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','7:press-01:1',7,1.0,0,0,1.79581778582447147371e+09,1,60.0,30.0);
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
INSERT INTO "attempt" VALUES('1:press-00:1',1,'press-00',0,1,'committed',0,'','',NULL,1.79581778362677478792e+09,1.79581778397161746026e+09,1.79581778397161746026e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-02:1',1,'press-02',0,1,'committed',0,'','',NULL,1.79581778362677478792e+09,1.79581778397161746026e+09,1.79581778397161746026e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-01:1',1,'press-01',0,1,'committed',0,'','',NULL,1.79581778362677478792e+09,1.79581778397161746026e+09,1.79581778397161746026e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-05:1',1,'press-05',0,1,'committed',0,'','',NULL,1.79581778362677478792e+09,1.79581778397161746026e+09,1.79581778397161746026e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-03:1',1,'press-03',0,1,'committed',0,'','',NULL,1.79581778362677478792e+09,1.79581778397161746026e+09,1.79581778397161746026e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-04:1',1,'press-04',0,1,'committed',0,'','',NULL,1.79581778362677478792e+09,1.79581778397161746026e+09,1.79581778397161746026e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('2:press-00:1',2,'press-00',0,1,'rolled_back',0,'operator_rollback','restored to the previous version','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.7958177846716427803e+09,1.79581778599793982506e+09,1.79581778599793982506e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('2:press-01:1',2,'press-01',1,1,'cancelled',0,'wave_skipped','the wave was skipped',NULL,NULL,1.79581778461924529075e+09,1.79581778461924529075e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('3:press-05:1',3,'press-05',0,1,'committed',0,'','',NULL,1.79581778571424937251e+09,1.7958177860530154705e+09,1.7958177860530154705e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('4:press-00:1',4,'press-00',0,1,'cancelled',0,'','',NULL,NULL,1.79581778569285774229e+09,1.79581778569285774229e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('4:press-01:1',4,'press-01',0,1,'cancelled',0,'','',NULL,NULL,1.79581778569285774229e+09,1.79581778569285774229e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('5:press-04:1',5,'press-04',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79581778582447147371e+09,1.79581778582447147371e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('5:press-03:1',5,'press-03',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79581778582447147371e+09,1.79581778582447147371e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('5:press-05:1',5,'press-05',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79581778582447147371e+09,1.79581778582447147371e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('6:press-04:1',6,'press-04',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79581778582447147371e+09,1.79581778582447147371e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('6:press-03:1',6,'press-03',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79581778582447147371e+09,1.79581778582447147371e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('6:press-05:1',6,'press-05',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79581778582447147371e+09,1.79581778582447147371e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('7:press-01:1',7,'press-01',0,1,'committed',0,'','','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79581778582447147371e+09,1.79581778615924239159e+09,1.79581778615924239159e+09,0,0,1,0,0.0,'null','',NULL);
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
INSERT INTO "audit" VALUES(2,1.79581777709651923182e+09,'ada','admin','session','127.0.0.1','sign_in','/session',200,'{"name": "ada", "password": "(hidden)"}','7032874f1c0f1d98e17b3e15cd622aa193ca0ad1306b3e9e01772f60d4a6f56f','9f025912be54c30a3330fee866d447fed27b4f31e69cebfc65981f8587ce83b4');
INSERT INTO "audit" VALUES(3,1.7958177773628373146e+09,'ada','admin','session','127.0.0.1','create_user','/users',201,'{"name": "bob", "password": "(hidden)", "role": "operator"}','9f025912be54c30a3330fee866d447fed27b4f31e69cebfc65981f8587ce83b4','7186cc11dfec23dd005a66c4f22808e705ea7b7f7952b0b8f26c878dfdc97f45');
INSERT INTO "audit" VALUES(4,1.79581777737493252758e+09,'ada','admin','session','127.0.0.1','change_user','/users/bob',200,'{"role": "admin"}','7186cc11dfec23dd005a66c4f22808e705ea7b7f7952b0b8f26c878dfdc97f45','0740b6f7f6f71ebcb4b5f6a15f396478a6e3110b8f96cb9be7ceacb05860175f');
INSERT INTO "audit" VALUES(5,1.79581777738485622412e+09,'ada','admin','session','127.0.0.1','create_api_token','/api-tokens',201,'{"name": "reads", "role": "admin"}','0740b6f7f6f71ebcb4b5f6a15f396478a6e3110b8f96cb9be7ceacb05860175f','018404776b86c28ec6d54fcaa3e26530692996a05aa59f874d6d896fe4bacdd5');
INSERT INTO "audit" VALUES(6,1.79581777741725921631e+09,'ada','admin','session','127.0.0.1','change_settings','/settings',200,'{"values": {"soak_s": 1.0}}','018404776b86c28ec6d54fcaa3e26530692996a05aa59f874d6d896fe4bacdd5','c801aa1ac5806e22d99255abe6ac05f293a8190c7e2b822b42459fafd58308d8');
INSERT INTO "audit" VALUES(7,1.79581777746038126941e+09,'ada','admin','session','127.0.0.1','push_model','/models',201,'{"bytes": 10423}','c801aa1ac5806e22d99255abe6ac05f293a8190c7e2b822b42459fafd58308d8','faef1cfee28b9d37c567c2ff8b5e3e8a6f3ebaff3f902ef7ca1977ecbb7adb04');
INSERT INTO "audit" VALUES(8,1.79581777748016715046e+09,'ada','admin','session','127.0.0.1','push_model','/models',201,'{"bytes": 10423}','faef1cfee28b9d37c567c2ff8b5e3e8a6f3ebaff3f902ef7ca1977ecbb7adb04','ed1b8e57f0bb1efc7fc84aca820211a090a3cd36733908e545fe20195f18d470');
INSERT INTO "audit" VALUES(9,1.79581777749487471584e+09,'ada','admin','session','127.0.0.1','begin_upload','/uploads',201,'{"length_bytes": 10240, "sha256": "7a80730a49003c3f4f11b81c7def98d33d960ba066535a2a97eabf231e44cfe9"}','ed1b8e57f0bb1efc7fc84aca820211a090a3cd36733908e545fe20195f18d470','f17d4769e46c2582700527f8b822c17e7a2f4b680db408da2bf024aaf9fc1d3e');
INSERT INTO "audit" VALUES(10,1.79581777752017068862e+09,'ada','admin','session','127.0.0.1','finish_upload','/uploads/aad3e2672898bf9a98a8512c04ecf716/finish',201,'{}','f17d4769e46c2582700527f8b822c17e7a2f4b680db408da2bf024aaf9fc1d3e','fa4c2f5723f03e9665c4a881859f94063ac26083473cfa191db5d3f012d4dfe1');
INSERT INTO "audit" VALUES(11,1.79581777754773092266e+09,'ada','admin','session','127.0.0.1','upload_measurements','/models/spotter/1.1.0/measurements',200,'{"digest": "e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129", "machine": "m", "profile": "cpu", "rows": [{"variant": "cpu-int8", "runtime": "lite_rt", "device": "cpu", "threads": 2, "streams": 1, "instances": 1, "batch": 1, "per_s": 10.0, "p50_ms": 5.0, "p95_ms": 6.0, "load_ms": 1.0, "memory_bytes": 1, "best": true}]}','fa4c2f5723f03e9665c4a881859f94063ac26083473cfa191db5d3f012d4dfe1','54dc8b9b4e6ca9062acf8a70db18c2f14decc836d8dc68be56edb001a46894c3');
INSERT INTO "audit" VALUES(12,1.79581777759220647815e+09,'ada','admin','session','127.0.0.1','set_channel','/channels/spotter/stable',200,'{"version": "1.0.0", "note": "first"}','54dc8b9b4e6ca9062acf8a70db18c2f14decc836d8dc68be56edb001a46894c3','bd2e14c4207e76056d751a20da0a03a7194fe69c396a094294d085395525eb18');
INSERT INTO "audit" VALUES(13,1.79581777760358786586e+09,'ada','admin','session','127.0.0.1','set_channel','/channels/spotter/stable',200,'{"version": "1.1.0", "note": "first"}','bd2e14c4207e76056d751a20da0a03a7194fe69c396a094294d085395525eb18','97e2ed8c905210659ed23a13ddc7e8aeb3eee57c115d0cc3ca790d4024dbcd89');
INSERT INTO "audit" VALUES(14,1.7958177776487092972e+09,'ada','admin','session','127.0.0.1','prune_models','/models/prune',200,'{"dry_run": true}','97e2ed8c905210659ed23a13ddc7e8aeb3eee57c115d0cc3ca790d4024dbcd89','fafa1820839f4bd22154c83328951fdbfe1078f6c605a8018d7d64c8bb511999');
INSERT INTO "audit" VALUES(15,1.79581777767225503924e+09,'ada','admin','session','127.0.0.1','create_pipeline','/pipelines',201,'{"text": "name = \"gate\"\n[source]\nkind = \"device\"\n[[stages]]\nname = \"find\"\nkind = \"detect\"\nmodel = \"slot:detector\"\n"}','fafa1820839f4bd22154c83328951fdbfe1078f6c605a8018d7d64c8bb511999','2a18578d35ebb3def8957064cc8eb47cde014fdb47dc5ae18e87c659a48aaa48');
INSERT INTO "audit" VALUES(16,1.79581778260038542752e+09,'ada','admin','session','127.0.0.1','label_device','/devices/press-00',200,'{"labels": {"site": "north", "lat": "59.3", "lon": "18.1"}}','2a18578d35ebb3def8957064cc8eb47cde014fdb47dc5ae18e87c659a48aaa48','62ac6be85a57c8fde81cd254d857c46d293bdfb45734043b85c3006a64586d89');
INSERT INTO "audit" VALUES(17,1795817782.63469,'ada','admin','session','127.0.0.1','put_group','/groups/north',200,'{"selector": {"labels": {"site": "north"}, "query": "not state = blocked"}, "note": "in the north"}','62ac6be85a57c8fde81cd254d857c46d293bdfb45734043b85c3006a64586d89','400925271205fa6337ad999ffb404dd321adee71d5e5a618cd84f78a3810f4d3');
INSERT INTO "audit" VALUES(18,1.79581778264492845538e+09,'ada','admin','session','127.0.0.1','put_group','/groups/plant',200,'{"selector": {"labels": {"site": "north"}}}','400925271205fa6337ad999ffb404dd321adee71d5e5a618cd84f78a3810f4d3','acda327dd17dd10de235d1a1dd94045767ff12061cb082133088bbd0adeb7771');
INSERT INTO "audit" VALUES(19,1.79581778291391396529e+09,'ada','admin','session','127.0.0.1','create_user','/users',201,'{"name": "lea", "password": "(hidden)", "grants": [{"role": "viewer"}, {"role": "operator", "group": "plant"}]}','acda327dd17dd10de235d1a1dd94045767ff12061cb082133088bbd0adeb7771','5671d217401b7d405cb683de3367b6b9d1e30a3667d0232a7fbe4c40931f18da');
INSERT INTO "audit" VALUES(20,1.79581778292612886426e+09,'ada','admin','session','127.0.0.1','put_configuration','/configurations/plant',200,'{"revision": 0, "resources": [{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef"}]}','5671d217401b7d405cb683de3367b6b9d1e30a3667d0232a7fbe4c40931f18da','b0bbd9bef644a72acf610e990e48ced1a8e81c09b53eb2c2e5de9a59309832d4');
INSERT INTO "audit" VALUES(21,1.79581778293820190431e+09,'ada','admin','session','127.0.0.1','send_command','/devices/press-00/commands',202,'{"op": "identify", "args": {"n": 1}}','b0bbd9bef644a72acf610e990e48ced1a8e81c09b53eb2c2e5de9a59309832d4','1a367cdba0e2a7bdd71ea5e1ae2b8e08dfddda2221a44090d89f29f31a0e0eac');
INSERT INTO "audit" VALUES(22,1.79581778306607842445e+09,'ada','admin','session','127.0.0.1','take_picture','/devices/press-00/snapshots',202,'{"pipeline": "gate"}','1a367cdba0e2a7bdd71ea5e1ae2b8e08dfddda2221a44090d89f29f31a0e0eac','5ac38654ba705bc572065fece0fb05813c78c2a801806e5e4a9049b8d9b2ae79');
INSERT INTO "audit" VALUES(23,1795817783.07813,'ada','admin','session','127.0.0.1','view_logs','/devices/press-00/logs',200,'{}','5ac38654ba705bc572065fece0fb05813c78c2a801806e5e4a9049b8d9b2ae79','524b795dd065bacfa983d03f40d15dc7ec7426d0e2269b1bb16a4fa0488a8cee');
INSERT INTO "audit" VALUES(24,1.7958177832903239727e+09,'ada','admin','session','127.0.0.1','get_last_logs','/devices/press-00/logs/last',200,'{}','524b795dd065bacfa983d03f40d15dc7ec7426d0e2269b1bb16a4fa0488a8cee','af8126d34968578b73895713e5f5aacc98ee6602e20b8a1ec4f3036acdb1c984');
INSERT INTO "audit" VALUES(25,1.79581778330041527745e+09,'ada','admin','session','127.0.0.1','request_support_bundle','/devices/press-00/support-bundles',202,'{}','af8126d34968578b73895713e5f5aacc98ee6602e20b8a1ec4f3036acdb1c984','f7f3fbbfa47a65bb41fe2e0d4baab63ae95573f5f45ff39bc7ca13ed94b7c15a');
INSERT INTO "audit" VALUES(26,1.79581778343989753718e+09,'ada','admin','session','127.0.0.1','delete_support_bundle','/devices/press-00/support-bundles/192c7a1ffae24267bdff0d2086a1d345',204,'{}','f7f3fbbfa47a65bb41fe2e0d4baab63ae95573f5f45ff39bc7ca13ed94b7c15a','c0922237c802cca857294260bc741c51c8ed02763b5933c1c56dbe1499e108ff');
INSERT INTO "audit" VALUES(27,1.79581778344607210159e+09,'ada','admin','session','127.0.0.1','bulk_devices','/devices/bulk',200,'{"action": "label", "labels": {"floor": "1"}, "selector": {"ids": ["press-00", "press-01"]}}','c0922237c802cca857294260bc741c51c8ed02763b5933c1c56dbe1499e108ff','7397ecf256854f518ac450b1521203b64aa8d76610a216e11ed050bdff29151e');
INSERT INTO "audit" VALUES(28,1.79581778354104638103e+09,'ada','admin','session','127.0.0.1','review_events','/events/reviews',200,'{"events": [3], "verdict": "confirmed"}','7397ecf256854f518ac450b1521203b64aa8d76610a216e11ed050bdff29151e','1a069113ecb240dcf843d21a32eca129d33c5e900fbd2668bf87b81d9b20064c');
INSERT INTO "audit" VALUES(29,1.79581778357451772682e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.0.0", "package": "spotter", "version": "1.0.0", "slot": "detector", "selector": {"all": true}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}','1a069113ecb240dcf843d21a32eca129d33c5e900fbd2668bf87b81d9b20064c','633ab5989968250a3520a599323ecc2b0447629d390b5ea3cfbe302738fec0a2');
INSERT INTO "audit" VALUES(30,1.79581778456452131271e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.1.0", "package": "spotter", "version": "1.1.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "one", "count": 1, "approval": true}, {"name": "rest"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false, "key": "apply/plant/second"}','633ab5989968250a3520a599323ecc2b0447629d390b5ea3cfbe302738fec0a2','7210f752c128b30a3f05445d97dc35a0c15973339f0a9cbcd50870ccb4128c27');
INSERT INTO "audit" VALUES(31,1.79581778457748341562e+09,'ada','admin','session','127.0.0.1','start_rollout','/rollouts/2/start',200,'{"reason": "now"}','7210f752c128b30a3f05445d97dc35a0c15973339f0a9cbcd50870ccb4128c27','1e80f1db61d23f82c322416a9421f86018cbefe568867a6fc02c4d9574c3f58c');
INSERT INTO "audit" VALUES(32,1.79581778458855271336e+09,'ada','admin','session','127.0.0.1','pause_rollout','/rollouts/2/pause',200,'{"reason": "a question"}','1e80f1db61d23f82c322416a9421f86018cbefe568867a6fc02c4d9574c3f58c','1af5d2fc3191da5ef31431db41b37dd0938d5b1835eede7928d17c15caa79a07');
INSERT INTO "audit" VALUES(33,1.7958177846006503105e+09,'ada','admin','session','127.0.0.1','resume_rollout','/rollouts/2/resume',200,'{"reason": "answered"}','1af5d2fc3191da5ef31431db41b37dd0938d5b1835eede7928d17c15caa79a07','2d30ebe6aa48e3d2350eb44ac7fe9d80433f2ec974f946230a4a0e6cb4b9b74c');
INSERT INTO "audit" VALUES(34,1.79581778461385726934e+09,'ada','admin','session','127.0.0.1','skip_wave','/rollouts/2/skip',200,'{"wave": 1, "reason": "one is enough"}','2d30ebe6aa48e3d2350eb44ac7fe9d80433f2ec974f946230a4a0e6cb4b9b74c','c0c24bc9761675bf5fc4635b5604f8160da7563071d91f6a079ffff4423cc3e1');
INSERT INTO "audit" VALUES(35,1.79581778463247895239e+09,'ada','admin','session','127.0.0.1','approve_rollout','/rollouts/2/approve',200,'{"wave": 0, "reason": "agreed"}','c0c24bc9761675bf5fc4635b5604f8160da7563071d91f6a079ffff4423cc3e1','4293ae08f0ca2de4f0ff07a814558681c48f59293d62bb9d7d2da9bb2c25beda');
INSERT INTO "audit" VALUES(36,1.79581778559547090533e+09,'ada','admin','session','127.0.0.1','rollback_rollout','/rollouts/2/rollback',200,'{"reason": "too slow"}','4293ae08f0ca2de4f0ff07a814558681c48f59293d62bb9d7d2da9bb2c25beda','765f3bc3ce80a59a15ff9ea1045360f6d94f04670b20304144a4ef726464b7d6');
INSERT INTO "audit" VALUES(37,1.79581778565649342535e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "shadow-detector", "selector": {"ids": ["press-05"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}','765f3bc3ce80a59a15ff9ea1045360f6d94f04670b20304144a4ef726464b7d6','1701a8d261b93883c7591bebe48f7270eac5205cf5495dec6645ce89192b21a2');
INSERT INTO "audit" VALUES(38,1.79581778568397545815e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false}','1701a8d261b93883c7591bebe48f7270eac5205cf5495dec6645ce89192b21a2','36830dc9bb2b9dd1b05ad8b3438fc3ae27d79f06ca4f7258cb0ce3a4c9a40e2c');
INSERT INTO "audit" VALUES(39,1.79581778569521188738e+09,'ada','admin','session','127.0.0.1','abort_rollout','/rollouts/4/abort',200,'{"reason": "the wrong day"}','36830dc9bb2b9dd1b05ad8b3438fc3ae27d79f06ca4f7258cb0ce3a4c9a40e2c','8b9dd3d44ccd0e4697bbfed8ad8087b614326d173cebfe2afbe031a3e54d8f6a');
INSERT INTO "audit" VALUES(40,1.79581778575054430962e+09,'ada','admin','session','127.0.0.1','create_experiment','/experiments',201,'{"name": "faster", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','8b9dd3d44ccd0e4697bbfed8ad8087b614326d173cebfe2afbe031a3e54d8f6a','ad81e900f68f7b8d06920d221f7680712ed66c846eb9d895574f91df167f2933');
INSERT INTO "audit" VALUES(41,1.79581778576987528793e+09,'ada','admin','session','127.0.0.1','choose_experiment_arm','/experiments/1/choose',200,'{"arm": "a", "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','ad81e900f68f7b8d06920d221f7680712ed66c846eb9d895574f91df167f2933','13e4a7d341f46ea960eb280afe81f09eaef6a64e167d0094349ba7ca51d5fb68');
INSERT INTO "audit" VALUES(42,1.79581778578844141955e+09,'ada','admin','session','127.0.0.1','create_experiment','/experiments',201,'{"name": "again", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','13e4a7d341f46ea960eb280afe81f09eaef6a64e167d0094349ba7ca51d5fb68','f50b69eb8339aee330c6ad9ea55031d0c4094a82b33aec5e6b64bd8f4eb13feb');
INSERT INTO "audit" VALUES(43,1.79581778579670786862e+09,'ada','admin','session','127.0.0.1','stop_experiment','/experiments/2/stop',200,'{}','f50b69eb8339aee330c6ad9ea55031d0c4094a82b33aec5e6b64bd8f4eb13feb','efd1971ed19bb1f079c4a36522641cf53fefc69ceaa7ba357ecf5a485b1bb2ff');
INSERT INTO "audit" VALUES(44,1.79581778581645464896e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true, "parts": [{"package": "spotter", "slot": "second", "version": "1.1.0"}], "terms": {"follow": true, "prestage": true, "rate": {"per_minute": 60, "grow_after": 10}, "retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}}}','efd1971ed19bb1f079c4a36522641cf53fefc69ceaa7ba357ecf5a485b1bb2ff','b8881a5a3ccbfe111a93c489c4c37f8a2d7be3176a481327964c2255fb68b9ae');
INSERT INTO "audit" VALUES(45,1.79581778583147382739e+09,'ada','admin','session','127.0.0.1','pin_device','/devices/press-03/pins/detector',200,'{"reason": "a demonstration"}','b8881a5a3ccbfe111a93c489c4c37f8a2d7be3176a481327964c2255fb68b9ae','79785402dbb96940f9ffa9dff585867d8196f4c8a3f6a050f011628177ba2941');
INSERT INTO "audit" VALUES(46,1.79581778584261488916e+09,'ada','admin','session','127.0.0.1','pin_device','/devices/press-04/pins/detector',200,'{"reason": "for a day"}','79785402dbb96940f9ffa9dff585867d8196f4c8a3f6a050f011628177ba2941','30c89d8e07caa5bc92b2e77d28f966754076481d08df8601055ba5b6d2308a54');
INSERT INTO "audit" VALUES(47,1.79581778585005497929e+09,'ada','admin','session','127.0.0.1','unpin_device','/devices/press-04/pins/detector',200,'{}','30c89d8e07caa5bc92b2e77d28f966754076481d08df8601055ba5b6d2308a54','f25e10edd42d44476bae4421a68042d755d97437f202dea7ff2262ed5b702e7b');
INSERT INTO "audit" VALUES(48,1.79581778585688233373e+09,'ada','admin','session','127.0.0.1','release_device','/devices/press-01/release',200,'{}','f25e10edd42d44476bae4421a68042d755d97437f202dea7ff2262ed5b702e7b','e5842f88386567cebe1edc7acd6fe31719e67f903c8027aded1d215639b4d182');
INSERT INTO "audit" VALUES(49,1.79581778586605763431e+09,'ada','admin','session','127.0.0.1','create_alert_rule','/alert-rules',201,'{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -1.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/(hidden-a94bb7e8)", "secret": "(hidden)"}]}}','e5842f88386567cebe1edc7acd6fe31719e67f903c8027aded1d215639b4d182','bd44b1c65a24b970ac04dac9d0724d798d85e379a47849ca68973b377de0dfd7');
INSERT INTO "audit" VALUES(50,1.79581778748166441921e+09,'ada','admin','session','127.0.0.1','acknowledge_alert','/alerts/1/acknowledge',204,'{}','bd44b1c65a24b970ac04dac9d0724d798d85e379a47849ca68973b377de0dfd7','6008beb40c00f5d4a557155d1dcad47c176e35a926d5766958d820bfbd4703c2');
INSERT INTO "audit" VALUES(51,1.79581778748593616492e+09,'ada','admin','session','127.0.0.1','change_alert_rule','/alert-rules/1',200,'{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -2.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/(hidden-a94bb7e8)", "secret": "(hidden)"}]}}','6008beb40c00f5d4a557155d1dcad47c176e35a926d5766958d820bfbd4703c2','ec25c6d53d54291c5c0f4e19ff8c4e7267ca32cff72f7625b1c0dada774be931');
INSERT INTO "audit" VALUES(52,1.79581778749096775049e+09,'ada','admin','session','127.0.0.1','silence_alert_rule','/alert-rules/1/silence',200,'{"for_s": 60.0}','ec25c6d53d54291c5c0f4e19ff8c4e7267ca32cff72f7625b1c0dada774be931','aaf0934b55dc5a39a3e2ce4a6d5a63b815c6fe227bd53b1cb4a4396000931841');
INSERT INTO "audit" VALUES(53,1.79581778749878168098e+09,'ada','admin','session','127.0.0.1','create_alert_recipient','/alert-recipients',201,'{"name": "on call", "kind": "ntfy", "url": "http://127.0.0.1:9", "topic": "fleet", "secret": "(hidden)"}','aaf0934b55dc5a39a3e2ce4a6d5a63b815c6fe227bd53b1cb4a4396000931841','b9d80d0c9fe15606167c9b386faf4b7fee5a40fc98cd422f6a4eb8f615e527db');
INSERT INTO "audit" VALUES(54,1.79581778750312638279e+09,'ada','admin','session','127.0.0.1','change_alert_recipient','/alert-recipients/1',200,'{"name": "on call", "kind": "ntfy", "url": "http://127.0.0.1:9", "topic": "fleet", "secret": "(hidden)", "severities": ["critical"]}','b9d80d0c9fe15606167c9b386faf4b7fee5a40fc98cd422f6a4eb8f615e527db','97eabac3f170f21d74b5597ae1578ebd123fda4415c1b4c49f693d0105836ad6');
INSERT INTO "audit" VALUES(55,1.79581778750869059564e+09,'ada','admin','session','127.0.0.1','test_alert_recipient','/alert-recipients/1/test',200,'{}','97eabac3f170f21d74b5597ae1578ebd123fda4415c1b4c49f693d0105836ad6','719b6cde946fb26946f7c69c328a972202168b7a1efeb954cf6abcd2027fd57b');
INSERT INTO "audit" VALUES(56,1.79581778752428960804e+09,'ada','admin','session','127.0.0.1','create_alert_snooze','/alert-snoozes',201,'{"rule": 1, "until_at": 1795821387.5135365, "reason": "the fan is replaced"}','719b6cde946fb26946f7c69c328a972202168b7a1efeb954cf6abcd2027fd57b','b1ff390e1d04c061cdd657695b929b5990e0c3dd388e8ea5679603707944f266');
INSERT INTO "audit" VALUES(57,1.79581778753512620932e+09,'ada','admin','session','127.0.0.1','create_alert_snooze','/alert-snoozes',201,'{"device": "press-00", "until_at": 1795821387.532444, "reason": "moved"}','b1ff390e1d04c061cdd657695b929b5990e0c3dd388e8ea5679603707944f266','1bd73b08dea707e87918bb53b8ecad2b670d5d51b353b759687335aa728a1d50');
INSERT INTO "audit" VALUES(58,1.79581778753902721402e+09,'ada','admin','session','127.0.0.1','end_alert_snooze','/alert-snoozes/2',204,'{}','1bd73b08dea707e87918bb53b8ecad2b670d5d51b353b759687335aa728a1d50','d6168a519cc436d5ba9a1c75839b9c51044c39a4f7a3581f3d7f2f80a4bf71f2');
INSERT INTO "audit" VALUES(59,1.79581778754534959795e+09,'ada','admin','session','127.0.0.1','create_alert_recipient','/alert-recipients',201,'{"name": "second", "kind": "email", "emails": ["ops@example.org"]}','d6168a519cc436d5ba9a1c75839b9c51044c39a4f7a3581f3d7f2f80a4bf71f2','f20b94b29ffdbb6d8ee0ea0b47962b94ad39b6ad741a73457c64c828bd14f85c');
INSERT INTO "audit" VALUES(60,1.79581778754912686343e+09,'ada','admin','session','127.0.0.1','delete_alert_recipient','/alert-recipients/2',204,'{}','f20b94b29ffdbb6d8ee0ea0b47962b94ad39b6ad741a73457c64c828bd14f85c','75d4e9e1a82517f46faac015c145bc9ead42cd3317ac0f285e0317bc09d413b5');
INSERT INTO "audit" VALUES(61,1.79581778757582569117e+09,'ada','admin','session','127.0.0.1','rotate_trust_key','/trust/rotate',200,'{"role": "snapshot"}','75d4e9e1a82517f46faac015c145bc9ead42cd3317ac0f285e0317bc09d413b5','92b2a84e3e4d12df293b8d10583e3d30ff512cda7c63c44ac39bdf7518293b65');
INSERT INTO "audit" VALUES(62,1.79581778759587740897e+09,'ada','admin','session','127.0.0.1','withdraw_version','/trust/withdraw',200,'{"package": "pipeline-gate", "version": "1.0.0"}','92b2a84e3e4d12df293b8d10583e3d30ff512cda7c63c44ac39bdf7518293b65','1ace2ba28bf3f18db5e432667523c1fe05dd89eec5d8ac590d848a9bf957604b');
INSERT INTO "audit" VALUES(63,1.79581778765358567235e+09,'ada','admin','session','127.0.0.1','begin_authority_rotation','/certificates/rotation',200,'{}','1ace2ba28bf3f18db5e432667523c1fe05dd89eec5d8ac590d848a9bf957604b','2e9b7021d0e53d2475d6643183a8b9a91355ccf305f767ae0edef1b747e91788');
INSERT INTO "audit" VALUES(64,1.7958177876740744114e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"life_s": 100000.0, "devices_max": 3, "approval": true}','2e9b7021d0e53d2475d6643183a8b9a91355ccf305f767ae0edef1b747e91788','4f5ea213baf2f2bb5c1e8ec98502d7b8f0962d7411e32fdee92872a43b7d25e5');
INSERT INTO "audit" VALUES(65,1.79581778769384479521e+09,'ada','admin','session','127.0.0.1','enrol_device','/enrol',202,'{"token": "(hidden)", "device": "image-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHMMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMTBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABDhmU5VuqooiFuJl9zGY/5ou+t6ysrti+nrJN1BtecYx+iiXF6Vojfy1\nmTGzQ6k1sjjKuyh1Z1Vv6ZNikc9Soa6gADAKBggqhkjOPQQDAgNIADBFAiEApa3s\ng2PQyLCwz0JbdHIrtlqiN+h4p4037rEWhvuHil8CIGdVz23grWxIkXUCWh4j6DK3\n/Frz+oXsM8dR/F2MhyFh\n-----END CERTIFICATE REQUEST-----\n"}','4f5ea213baf2f2bb5c1e8ec98502d7b8f0962d7411e32fdee92872a43b7d25e5','8e1842fc0cbfe5edba70b5a35be62632342c76bf9af9b2a89bb64224c6a4cef8');
INSERT INTO "audit" VALUES(66,1.79581778770452070229e+09,'ada','admin','session','127.0.0.1','enrol_device','/enrol',202,'{"token": "(hidden)", "device": "image-2", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHNMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMjBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABAxfBFUHzEzEZWZJHKeP0JU7uFLNMDH04N57y64v0oLTlg857jujnEPi\nnl0y/y7vOY9c4SJnTOW5dJcsXdnCOt2gADAKBggqhkjOPQQDAgNJADBGAiEAoqgg\nU6q10tGcAD8nTGg9fKLQqN9e2JOzBGH8WfsdweQCIQDCVB72+90C/iK4XDsTqu04\nvngIIASwG3NimuJLwk7b1A==\n-----END CERTIFICATE REQUEST-----\n"}','8e1842fc0cbfe5edba70b5a35be62632342c76bf9af9b2a89bb64224c6a4cef8','dd1b26f455d2bb0881cd7273a590ead9eba3bb1f564bc180f213557073d848c2');
INSERT INTO "audit" VALUES(67,1795817787.72058,'ada','admin','session','127.0.0.1','decide_enrolment_requests','/enrolment-requests/decisions',200,'{"approve": true, "devices": [{"device": "image-1"}]}','dd1b26f455d2bb0881cd7273a590ead9eba3bb1f564bc180f213557073d848c2','8cd02a369a931a2ac12b7e03b5c9a084b7a6a6af5bab020e8a27bfce92cf2b82');
INSERT INTO "audit" VALUES(68,1.79581778773060870167e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"labels": {"site": "north"}, "life_s": 100000.0}','8cd02a369a931a2ac12b7e03b5c9a084b7a6a6af5bab020e8a27bfce92cf2b82','d66421bc212ced09d75b8fa8b7b92cba6908ff4cc1f283e7aaf93522305fb5b0');
INSERT INTO "audit" VALUES(69,1.79581778773867344859e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"labels": {"site": "north"}, "life_s": 100000.0}','d66421bc212ced09d75b8fa8b7b92cba6908ff4cc1f283e7aaf93522305fb5b0','ed0660ca98efc5d4943d268377968e4ea577c0026b9e84478faf9744543c2328');
INSERT INTO "audit" VALUES(70,1.79581778776091837888e+09,'ada','admin','session','127.0.0.1','enrol_device','/enrol',200,'{"token": "(hidden)", "device": "enrolled-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHPMHcCAQAwFTETMBEGA1UEAwwKZW5yb2xsZWQtMTBZMBMGByqGSM49AgEGCCqG\nSM49AwEHA0IABJwjphUVx3seR8G80c6YFG1Ga0qprQwLjGhNfNAck12xASUejtu5\nEirdmQSrL+3Apahse4VtXKSBDhXLMI/Vlz+gADAKBggqhkjOPQQDAgNIADBFAiEA\n+BAgGK6Vh5jqjqFY/FNRFUrOrtSTZNYt+Su5DsCu0NoCID54Mxgw5UUFIpbz40LK\nRaOiDvbLrIxKj24WqLNVvA0/\n-----END CERTIFICATE REQUEST-----\n"}','ed0660ca98efc5d4943d268377968e4ea577c0026b9e84478faf9744543c2328','3a0204fa5b4ba5654899eaa9829a876ed36e41895c9adeea250aafd06a186463');
INSERT INTO "audit" VALUES(71,1.79581778777601385119e+09,'ada','admin','session','127.0.0.1','block_device','/devices/enrolled-1/block',200,'{"reason": "lost"}','3a0204fa5b4ba5654899eaa9829a876ed36e41895c9adeea250aafd06a186463','5d9f68db20571ad7c2c70dd53985c266b383a901c8f579332f3b74e55a8b4894');
INSERT INTO "audit" VALUES(72,1795817787.78671,'ada','admin','session','127.0.0.1','unblock_device','/devices/enrolled-1/block',200,'{}','5d9f68db20571ad7c2c70dd53985c266b383a901c8f579332f3b74e55a8b4894','8b9d989e133f92dc4ef6eb469a52bd86639686400071ce9ea5d31263841b7e27');
INSERT INTO "audit" VALUES(73,1.79581778779338479038e+09,'ada','admin','session','127.0.0.1','block_device','/devices/enrolled-1/block',200,'{"reason": "lost again"}','8b9d989e133f92dc4ef6eb469a52bd86639686400071ce9ea5d31263841b7e27','7cf5eb2d1d6bf6fdd898e0b941b4787de77d8126642805b93534bd4322b7b3a4');
INSERT INTO "audit" VALUES(74,1.79581778781728076932e+09,'ada','admin','session','127.0.0.1','finish_authority_rotation','/certificates/rotation/finish',200,'{"online_days": 0.0}','7cf5eb2d1d6bf6fdd898e0b941b4787de77d8126642805b93534bd4322b7b3a4','ea57c3aaee24c440a48b5e45724548d6f8070a3450e927b52864e53fefc02019');
INSERT INTO "audit" VALUES(75,1.7958177878318197727e+09,'ada','admin','session','127.0.0.1','create_api_token','/api-tokens',201,'{"name": "proposes", "role": "operator", "scopes": ["propose"]}','ea57c3aaee24c440a48b5e45724548d6f8070a3450e927b52864e53fefc02019','30d8a4add3dfd6c68bfb229cc575c27cca431ecc0dcb3a0767f529df1a924768');
INSERT INTO "audit" VALUES(76,1.79581778790005016331e+09,'ada','operator','token','127.0.0.1','create_proposal','/groups/south',202,'{"selector": {"labels": {"site": "south"}}, "note": "proposed"}','30d8a4add3dfd6c68bfb229cc575c27cca431ecc0dcb3a0767f529df1a924768','42904a5068db72f2d024e53bff31f685f4e6d87bcdd3b9f821acc15c977d055d');
INSERT INTO "audit" VALUES(77,1.79581778791536259649e+09,'ada','operator','token','127.0.0.1','create_proposal','/groups/west',202,'{"selector": {"labels": {"site": "west"}}, "note": "proposed"}','42904a5068db72f2d024e53bff31f685f4e6d87bcdd3b9f821acc15c977d055d','9c632e46ecfad9d25f1e1f84ce1d39b3b0b8d4126deba497f91d98b0f8dacb71');
INSERT INTO "audit" VALUES(78,1.7958177879266135693e+09,'ada','operator','token','127.0.0.1','create_proposal','/groups/east',202,'{"selector": {"labels": {"site": "east"}}, "note": "proposed"}','9c632e46ecfad9d25f1e1f84ce1d39b3b0b8d4126deba497f91d98b0f8dacb71','2b43fc6e1b260532f9892a7ab6b56e865d531b62907a3d690e8cafb0ba083dee');
INSERT INTO "audit" VALUES(79,1.79581778795279240609e+09,'ada','admin','session','127.0.0.1','approve_proposal','/proposals/1/approve',200,'{"reason": "looked at it"}','2b43fc6e1b260532f9892a7ab6b56e865d531b62907a3d690e8cafb0ba083dee','d104aa44c601e8b0002902313dc91ebe95cab242112a8e7d555c15e9c7fe5dee');
INSERT INTO "audit" VALUES(80,1.79581778795708131785e+09,'ada','admin','session','127.0.0.1','put_group','/groups/south',200,'{"selector": {"labels": {"site": "south"}}, "note": "proposed", "proposal": {"id": 1, "proposed_by": "ada", "token": "(hidden)", "token_name": "proposes", "note": ""}}','d104aa44c601e8b0002902313dc91ebe95cab242112a8e7d555c15e9c7fe5dee','9d4db73c4046612162ece4e869ce3be0f0931822950f736eb209e900489846a7');
INSERT INTO "audit" VALUES(81,1.7958177879695518017e+09,'ada','admin','session','127.0.0.1','reject_proposal','/proposals/2/reject',200,'{"reason": "not now"}','9d4db73c4046612162ece4e869ce3be0f0931822950f736eb209e900489846a7','0ca3e03deab45ef2baea6fba83980c1fc27889990dc59ff488f2aab983f40009');
INSERT INTO "audit" VALUES(82,1.7958177880294709205e+09,'ada','admin','session','127.0.0.1','create_dossier','/dossiers',200,'{"component": "numpy", "version": "", "stage": "72h"}','0ca3e03deab45ef2baea6fba83980c1fc27889990dc59ff488f2aab983f40009','4b8eaf0aa5263229bf47c2bf815665976b176cc46626cf463a8d058bcd931f4c');
INSERT INTO "audit" VALUES(83,1.7958177885561640262e+09,'ada','admin','session','127.0.0.1','change_password','/session/password',204,'{"current": "(hidden)", "password": "(hidden)"}','4b8eaf0aa5263229bf47c2bf815665976b176cc46626cf463a8d058bcd931f4c','6b232d681b5e4ca596ac14ccde27c93bbba30bc84eaebc99671fcc0cd5fc48f1');
CREATE TABLE audit_archived (
	seq INTEGER NOT NULL, 
	digest VARCHAR NOT NULL, 
	PRIMARY KEY (seq)
);
INSERT INTO "audit_archived" VALUES(1,'7032874f1c0f1d98e17b3e15cd622aa193ca0ad1306b3e9e01772f60d4a6f56f');
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
INSERT INTO "blob" VALUES('6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723',388,1.79581777743749022488e+09);
INSERT INTO "blob" VALUES('d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b',500,1.79581777743749022488e+09);
INSERT INTO "blob" VALUES('63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf',30,1.79581777751367521289e+09);
INSERT INTO "blob" VALUES('916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90',56,1.79581777751367521289e+09);
INSERT INTO "blob" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',811,1.79581777743749022488e+09);
INSERT INTO "blob" VALUES('7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410',388,1.79581777747408866878e+09);
INSERT INTO "blob" VALUES('fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de',500,1.79581777747408866878e+09);
INSERT INTO "blob" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129',811,1.79581777747408866878e+09);
INSERT INTO "blob" VALUES('6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb',388,1.79581777751367521289e+09);
INSERT INTO "blob" VALUES('e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d',500,1.79581777751367521289e+09);
INSERT INTO "blob" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01',811,1.79581777751367521289e+09);
INSERT INTO "blob" VALUES('d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a',217,1.79581777766433620452e+09);
INSERT INTO "blob" VALUES('a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66',104,1.79581777766433620452e+09);
INSERT INTO "blob" VALUES('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9',433,1.79581777766433620452e+09);
CREATE TABLE blocked_device (
	device VARCHAR NOT NULL, 
	blocked_at FLOAT NOT NULL, 
	reason VARCHAR NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "blocked_device" VALUES('enrolled-1',1.79581778779225778577e+09,'lost again');
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
INSERT INTO "camera_hour" VALUES('press-00','hall',1795816800,6.0,0.0);
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
INSERT INTO "channel" VALUES('spotter','stable','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129',1.79581777760016942022e+09,'ada','first');
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
INSERT INTO "channel_change" VALUES(1,'spotter','stable','1.0.0','',1.79581777758679056161e+09,'ada','first');
INSERT INTO "channel_change" VALUES(2,'spotter','stable','1.1.0','1.0.0',1.79581777760016942022e+09,'ada','first');
CREATE TABLE checkpoint (
	name VARCHAR NOT NULL, 
	value INTEGER NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "checkpoint" VALUES('rollup',6);
INSERT INTO "checkpoint" VALUES('rollup hours',1795820400);
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
INSERT INTO "command" VALUES('bill-8b88a1224b594691b6c4dd2b16a2c702','press-00','bill','{"digest": "08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7"}','done','did it','{}',1.79581778244855070117e+09,1.79581782744855070112e+09,1.7958177825481939316e+09);
INSERT INTO "command" VALUES('94945111e33a45f6916a01cce60b3a48','press-00','identify','{"n": 1}','done','did it','{"n":1}',1.79581778293676972389e+09,1.79581781293676972393e+09,1.79581778303604865077e+09);
INSERT INTO "command" VALUES('9a7dfc008e054ee38b7ed3ef145ada80','press-00','snapshot','{"overlays": false, "pipeline": "gate"}','done','did it','{"overlays":false,"pipeline":"gate"}',1.7958177830652208328e+09,1.79581784306522083275e+09,1.79581778313333940508e+09);
INSERT INTO "command" VALUES('logs-7b6229043b444982b70953e59d6327d0','press-00','logs','{"source": "service", "level": "debug", "search": "", "lines": 200, "after": ""}','done','did it','{"source":"service","level":"debug","search":"","lines":200,"after":""}',1795817783.07813,1795817808.07813,1.79581778313333940508e+09);
CREATE TABLE configuration (
	name VARCHAR NOT NULL, 
	revision INTEGER NOT NULL, 
	resources JSON NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "configuration" VALUES('plant',1,'[{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef", "id": null}]',1.79581778292213296889e+09,'ada');
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
INSERT INTO "cursor" VALUES('press-00','telemetry','press-00-epoch',6,'[]',0.0,0,0,1.79581778589543557171e+09);
INSERT INTO "cursor" VALUES('press-00','events','press-00-epoch',3,'[]',0.0,0,0,1.7958177777545206547e+09);
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
INSERT INTO "device" VALUES('press-00',1.7958177777545206547e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{"site":"north","lat":"59.3","lon":"18.1","floor":"1"}','{}','{"site":"north","lat":"59.3","lon":"18.1","floor":"1"}',0.0,'[]');
INSERT INTO "device" VALUES('press-01',1.7958177777545206547e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{"floor":"1"}','{}','{"floor":"1"}',1.79581778585678529741e+09,'[]');
INSERT INTO "device" VALUES('press-02',1.7958177777545206547e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
INSERT INTO "device" VALUES('press-03',1.7958177777545206547e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
INSERT INTO "device" VALUES('press-04',1.7958177777545206547e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
INSERT INTO "device" VALUES('press-05',1.7958177777545206547e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
CREATE TABLE device_bill (
	id INTEGER NOT NULL, 
	device VARCHAR NOT NULL, 
	bill VARCHAR NOT NULL, 
	since_at FLOAT NOT NULL, 
	until_at FLOAT, 
	PRIMARY KEY (id), 
	FOREIGN KEY(device) REFERENCES device (id)
);
INSERT INTO "device_bill" VALUES(1,'press-00','08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7',1.7958177777545206547e+09,NULL);
CREATE TABLE device_certificate (
	serial VARCHAR NOT NULL, 
	device VARCHAR NOT NULL, 
	issued_at FLOAT NOT NULL, 
	expires_at FLOAT NOT NULL, 
	revoked_at FLOAT, 
	PRIMARY KEY (serial)
);
INSERT INTO "device_certificate" VALUES('36b942ba61b10a8853b44f61015f7ae80f425b81','enrolled-1',1.79581778775396037105e+09,1803593787.0,1.79581778777441811558e+09);
CREATE TABLE device_group (
	name VARCHAR NOT NULL, 
	selector JSON NOT NULL, 
	note VARCHAR NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "device_group" VALUES('north','{"all": false, "ids": [], "labels": {"site": "north"}, "group": null, "query": "not state = blocked"}','in the north',1.79581778262923240658e+09,'ada');
INSERT INTO "device_group" VALUES('plant','{"all": false, "ids": [], "labels": {"site": "north"}, "group": null}','',1.79581778264232373235e+09,'ada');
INSERT INTO "device_group" VALUES('south','{"all": false, "ids": [], "labels": {"site": "south"}, "group": null}','proposed',1.79581778795568203924e+09,'ada');
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
INSERT INTO "device_last" VALUES('press-00','offline',1.79581778864020299912e+09,'boot-1','',3,1.79581778864020299912e+09,'boot-1',14,3,'{}',10000000000,'[]','[]',0,1.79581778586806941029e+09,'{"at":1795817785.8680694,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}',15.0,12.0,0.0,NULL,20.0,1.99606661676457353138e+00,1.79581778798907256127e+09,'[]');
INSERT INTO "device_last" VALUES('press-01','offline',1.79581778873570132261e+09,'boot-1','',3,1.79581778873570132261e+09,'boot-1',13,2,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.99606661676457353138e+00,1.79581778798907256127e+09,'[]');
INSERT INTO "device_last" VALUES('press-02','offline',1.79581778879408526425e+09,'boot-1','',3,1.79581778879408526425e+09,'boot-1',6,1,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.99606661676457353138e+00,1.79581778798907256127e+09,'[]');
INSERT INTO "device_last" VALUES('press-03','offline',1.79581778889152812953e+09,'boot-1','',3,1.79581778889152812953e+09,'boot-1',6,1,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.99606661676457353138e+00,1.79581778798907256127e+09,'[]');
INSERT INTO "device_last" VALUES('press-04','offline',1.79581778894339680668e+09,'boot-1','',3,1.79581778894339680668e+09,'boot-1',6,1,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.99606661676457353138e+00,1.79581778798907256127e+09,'[]');
INSERT INTO "device_last" VALUES('press-05','offline',1.7958177890381441116e+09,'boot-1','',3,1.7958177890381441116e+09,'boot-1',10,2,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.99606661676457353138e+00,1.79581778798907256127e+09,'[]');
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
INSERT INTO "device_slot" VALUES('press-01','detector','committed','spotter','1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795817786.0761547}','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','7:press-01:1','none','',0,0,1.79581778607616329192e+09);
INSERT INTO "device_slot" VALUES('press-01','second','committed','spotter','1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795817786.0763783}','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','7:press-01:1','none','',0,0,1.79581778607638168328e+09);
INSERT INTO "device_slot" VALUES('press-05','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795817785.721914}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-05:1','none','',0,0,1.79581778572192096712e+09);
INSERT INTO "device_slot" VALUES('press-05','shadow-detector','committed','spotter','1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795817785.96503}','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','3:press-05:1','none','',0,0,1.79581778596503973009e+09);
INSERT INTO "device_slot" VALUES('press-00','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795817785.9177587}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','2:press-00:1:back','none','',0,0,1.79581778591776728632e+09);
INSERT INTO "device_slot" VALUES('press-04','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795817783.880134}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-04:1','none','',0,0,1.79581778388013863561e+09);
INSERT INTO "device_slot" VALUES('press-02','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795817783.8786268}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-02:1','none','',0,0,1.7958177838786361217e+09);
INSERT INTO "device_slot" VALUES('press-03','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795817783.8800185}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-03:1','none','',0,0,1.79581778388002204901e+09);
CREATE TABLE enrolled_labels (
	device VARCHAR NOT NULL, 
	labels JSON NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "enrolled_labels" VALUES('enrolled-1','{"site":"north"}',1.79581778775904488563e+09);
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
INSERT INTO "enrolment_request" VALUES('image-1','0fd1ab56f49f','010ac28e49a31db376845752211f1656fa0a0ef81a418bff5fdf55e374af74be','approved',1.79581778768645572656e+09,1.79581778768645572656e+09,1.79581778771873307228e+09,'ada');
INSERT INTO "enrolment_request" VALUES('image-2','0fd1ab56f49f','ac2d9be633ff152a4c7759ffc3e9889e7617b34e9a91b58a1a2c4d61d3afb5c2','waiting',1.79581778770166087155e+09,1.79581778770166087155e+09,NULL,'');
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
INSERT INTO "enrolment_token" VALUES('0fd1ab56f49f','81ecd287b1c6e57ab1e897a8b715f8f5e441b7f36bd315a80273869a0af17cd3','','{}',1.79581778767265033726e+09,1.79591778767265033717e+09,NULL,'',NULL,3,0,1);
INSERT INTO "enrolment_token" VALUES('f6f5a3a84e6f','b21c5a9914b5c041310607703b97785832f9d989a197c05d760a20e49af2c34a','','{"site": "north"}',1.7958177877296965122e+09,1.79591778772969651225e+09,1.79581778775396037105e+09,'enrolled-1',NULL,1,1,0);
INSERT INTO "enrolment_token" VALUES('b9739e8ef8e1','94bef29ca040ba531472296ffd6bedeaabfd4202520aaabcd286df8c0e8a77f2','','{"site": "north"}',1795817787.73781,1795917787.73781,NULL,'',NULL,1,0,0);
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
INSERT INTO "environment_bill" VALUES('08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7',1.7958177825481939316e+09,1.79581784244855070112e+09,1,0,0,'{"agent":"0.3.0","packages":[["numpy","2.3.1"]],"python":"3.11.2","system":"debian"}');
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
INSERT INTO "event" VALUES(1,'press-00',1.79581777771235918993e+09,1.7958177777545206547e+09,'visit','person','{"kind":"visit","id":"e0","at":1795817777.7123592,"label":"person","count":0}');
INSERT INTO "event" VALUES(2,'press-00',1.79581777771236038212e+09,1.7958177777545206547e+09,'visit','person','{"kind":"visit","id":"e1","at":1795817777.7123604,"label":"person","count":1}');
INSERT INTO "event" VALUES(3,'press-00',1.79581777771236109735e+09,1.7958177777545206547e+09,'visit','person','{"kind":"visit","id":"e2","at":1795817777.712361,"label":"person","count":2}');
CREATE TABLE event_review (
	event BIGINT NOT NULL, 
	verdict VARCHAR NOT NULL, 
	"by" VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (event)
);
INSERT INTO "event_review" VALUES(3,'confirmed','ada',1.79581778354081821437e+09);
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
INSERT INTO "experiment" VALUES(1,'faster','detector','ended','hash','',1.79581778574354362486e+09,'ada',1.79581778576696610453e+09,'ada','a',NULL,'',NULL);
INSERT INTO "experiment" VALUES(2,'again','detector','ended','hash','',1.7958177857822210789e+09,'ada',1.7958177857955288887e+09,'ada','',NULL,'',NULL);
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
INSERT INTO "measurement" VALUES(1,'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','cpu','m',1.79581777754299569136e+09,'cpu-int8','lite_rt','cpu',2,1,1,1,5.0,6.0,10.0,1,1.0,1);
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
INSERT INTO "member" VALUES('m-1','all','host','0.2.0',1,0,0,0,0,0,0,1.7958177895018706322e+09,1.7958177895018706322e+09,0.0,0.0,0.0,0.0,0,0);
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
INSERT INTO "notice" VALUES(1,'http://127.0.0.1:9/hook',1,'{"what": "began", "id": 1, "rule": 1, "rule_name": "fast", "severity": "warning", "subject": "press-00", "text": "fps 15, above the limit of -1", "value": 15.0, "began_at": 1795817787.4551175, "ended_at": null, "acknowledged_at": null, "acknowledged_by": "", "device": "press-00", "pipeline": null, "rollout": null}','waiting',1,1795817798.41178,1.79581778745511746403e+09,'Connection refu(hidden)ed',NULL);
CREATE TABLE openid_login (
	state VARCHAR NOT NULL, 
	browser VARCHAR NOT NULL, 
	nonce VARCHAR NOT NULL, 
	verifier VARCHAR NOT NULL, 
	redirect VARCHAR NOT NULL, 
	started_at FLOAT NOT NULL, 
	PRIMARY KEY (state)
);
INSERT INTO "openid_login" VALUES('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb','nonce','verifier','/',1.7958177895018706322e+09);
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
INSERT INTO "package" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','spotter','1.0.0',1.79581777743749022488e+09,811,974,'{"name": "spotter", "version": "1.0.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723"}, {"path": "model.tflite", "length": 500, "sha256": "d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','spotter','1.1.0',1.79581777747408866878e+09,811,974,'{"name": "spotter", "version": "1.1.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410"}, {"path": "model.tflite", "length": 500, "sha256": "fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','spotter','1.2.0',1.79581777751367521289e+09,811,974,'{"name": "spotter", "version": "1.2.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb"}, {"path": "model.tflite", "length": 500, "sha256": "e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9','pipeline-gate','1.0.0',1.79581777766433620452e+09,433,321,'{"name": "pipeline-gate", "version": "1.0.0", "task": "pipeline", "head": {"family": "pipeline"}, "variants": [{"name": "all", "format": "pipeline", "files": ["pipeline.toml"], "runtimes": ["pipelines"]}], "title": "gate", "requires": ["stage:detect"]}','[{"path": "model.toml", "length": 217, "sha256": "d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a"}, {"path": "pipeline.toml", "length": 104, "sha256": "a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66"}]',NULL);
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
INSERT INTO "person" VALUES('ada','admin','scrypt$15$8$3$5n9rqIQyhPaJMoIFq4Kbfw==$nX99dO1Xlt+ofgWDiE9RlxHtKNbADQOx31nCr82j8wE=',1.79581777652423286439e+09,0,NULL);
INSERT INTO "person" VALUES('bob','admin','scrypt$15$8$3$6I7NKSK14TAMZSu2fn/Fug==$45lUBmXSZjUyuC0IySboLVrcsUgWYHjdTaqIl8VE6o8=',1.79581777736183428764e+09,0,NULL);
INSERT INTO "person" VALUES('lea','viewer','scrypt$15$8$3$a8kQujoyX6P7UQeOOqlqUA==$JhGFtKn64MgO1txFFOBvqgW0Z5yNVieH+7tEfsAVTC8=',1.7958177829129579067e+09,0,NULL);
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
INSERT INTO "pin" VALUES('press-03','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','a demonstration','ada',1.7958177858312323093e+09);
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
INSERT INTO "proposal" VALUES(1,'approved','3f221b81ac1c','proposes','ada','put_group','Create or change a group.','operator','PUT','/groups/south','{"selector":{"labels":{"site":"south"}},"note":"proposed"}','','complete',1.79581778788269948955e+09,1.79642258788269948963e+09,1.79581778795187425616e+09,'ada','looked at it',200,'put_group: name south');
INSERT INTO "proposal" VALUES(2,'rejected','3f221b81ac1c','proposes','ada','put_group','Create or change a group.','operator','PUT','/groups/west','{"selector":{"labels":{"site":"west"}},"note":"proposed"}','','complete',1.79581778791102790828e+09,1.79642258791102790837e+09,1.79581778796905660632e+09,'ada','not now',0,'');
INSERT INTO "proposal" VALUES(3,'pending','3f221b81ac1c','proposes','ada','put_group','Create or change a group.','operator','PUT','/groups/east','{"selector":{"labels":{"site":"east"}},"note":"proposed"}','','complete',1.7958177879236681461e+09,1.79642258792366814618e+09,NULL,'','',0,'');
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
INSERT INTO "request_key" VALUES('fd5411529f849da0d70bcf418c2d78e764f8c8b0ac8a4346c53d776ae0ff2a8a','81f3b99424d0fcc9953d1669daf0cfc063902e0b7c4083c252e8686056d09ccf','4e7a9480e8b0178764f8f2de71f9a3276454f27eb0d6ad2ed2a4f397718110b5','efe7218eb93d6b4d',1.79581778751535105706e+09,1.79581790751535105704e+09,1,201,'Y0aVScJ7+lySaLvVdGxLZiZJDExEhviZN4vJZyFsJzOsY/wErP2rSwM/KOpIAdJCEy8UsEU5mU/r03RoNImyQezQlfO2pw14PD3RMZeQBLL+rF7xwfYCK5Pu8NsM+A5iUnHAhVH+3PAniGTcMz3DqhpNACaL9fsiu7XFzNf7qotaqwqQDnuW1AjCiCC6dLCgsoJ6d+aP3XpMMWbxS2YuJJ58IPPK9k7gKJ2RTqu/5GbHZeX8cRiEVTPdCiDFoCyqGDonfhD1s/ZG/45sdcQ0sTIU14zbIZXDKUi22hxEdfRuQppD/kytF5n9A3frK1ETwp3MTvddPu1EqFHzHZJR0Iu6PCrg62p/jbtjCH+34QhinmspXiTFuanMpfB9l3NkDRfXQ5M2ghckdxeHgHxWrMa34quD8VkElH8AOMzu9wZ8Td2whiPs');
CREATE TABLE restricted_device (
	device VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	offence VARCHAR NOT NULL, 
	since_at FLOAT NOT NULL, 
	until_at FLOAT NOT NULL, 
	times INTEGER NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "restricted_device" VALUES('door','throttled','over_quota',1.7958177895018706322e+09,1.79581808950187063215e+09,0);
CREATE TABLE retention (
	kind VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	removed INTEGER NOT NULL, 
	took_s FLOAT NOT NULL, 
	problem VARCHAR NOT NULL, 
	PRIMARY KEY (kind)
);
INSERT INTO "retention" VALUES('samples',1.79581777740790867804e+09,0,9.45030013099312782287e-04,'');
INSERT INTO "retention" VALUES('events',1.79581777740790867804e+09,0,5.96564001170918345451e-04,'');
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
INSERT INTO "rollout" VALUES(1,'spotter 1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','detector','completed','',1.79581778356847095493e+09,1.79581778356847095493e+09,1.79581778452730679508e+09,1.79581778452730679508e+09,'{"all": true, "ids": [], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(2,'spotter 1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','rolled_back','',1.7958177845614938736e+09,1795817784.57438,1.79581778599793982506e+09,1.79581778599793982506e+09,'{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}','[{"name": "one", "percent": null, "count": 1, "labels": {}, "approval": true}, {"name": "rest", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(3,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','shadow-detector','completed','',1.79581778565120196342e+09,1.79581778565120196342e+09,1.79581778676413464541e+09,1.79581778676413464541e+09,'{"all": false, "ids": ["press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(4,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','detector','aborted','the wrong day',1.79581778568232059475e+09,NULL,1.79581778569285774229e+09,1.79581778569285774229e+09,'{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(5,'faster: b','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','aborted','',1.79581778574354362486e+09,1.79581778574354362486e+09,1.79581778582447147371e+09,1.79581778582447147371e+09,'{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 5.0, "reported_min": 1, "offline_s": 300.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 0.2, "trial_frames_min": 10, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',3600.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(6,'again: b','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','aborted','',1.7958177857822210789e+09,1.7958177857822210789e+09,1.79581778582447147371e+09,1.79581778582447147371e+09,'{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 5.0, "reported_min": 1, "offline_s": 300.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 0.2, "trial_frames_min": 10, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',3600.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(7,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','detector','completed','',1.79581778581198453904e+09,1.79581778581198453904e+09,1.79581778676413464541e+09,1.79581778676413464541e+09,'{"all": false, "ids": ["press-01"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}, "rate": {"per_minute": 60, "factor": 1.0, "grow_after": 10, "per_minute_max": 1000}, "window": null, "follow": true, "prestage": true}',500,'ada',NULL);
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
INSERT INTO "rollup" VALUES(60,'press-00',1795817460,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795817520,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795817580,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795817640,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795817700,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795817760,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(3600,'press-00',1795816800,X'85AB6370755F70657263656E749506CB405E000000000000CB4034000000000000CB4034000000000000814B06A36670739506CB4056800000000000CB402E000000000000CB402E000000000000814406B4646574656374696F6E735F7065725F6672616D659506CB0000000000000000CB0000000000000000CB000000000000000081D1800006AF64726F707065645F70657263656E749506CB0000000000000000CB0000000000000000CB000000000000000081D1800006AE6C6174656E63795F7039355F6D739506CB4052000000000000CB4028000000000000CB4028000000000000813F06');
CREATE TABLE secret (
	name VARCHAR NOT NULL, 
	value VARCHAR NOT NULL, 
	made_at FLOAT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "secret" VALUES('server id','d9cb03ccf5a7facdbdab1bf5e77e2b86',1.79581777632214212424e+09);
INSERT INTO "secret" VALUES('web push','9567123fb4989cdfcbcf642281e3cdf4',1.7958177763263940811e+09);
INSERT INTO "secret" VALUES('corpus','2bcd8420666ed1049e9412f6ddd7ec70',1.79581778970169544224e+09);
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
INSERT INTO "session" VALUES('81f3b99424d0fcc9953d1669daf0cfc063902e0b7c4083c252e8686056d09ccf','ada',1.79581777683599328994e+09,1.79581777683599328994e+09,1.7964225768359932899e+09,'127.0.0.1','python-httpx/0.28.1');
CREATE TABLE setting (
	name VARCHAR NOT NULL, 
	value JSON NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "setting" VALUES('soak_s',1,1.79581777740890026094e+09,'ada');
CREATE TABLE telemetry (
	id INTEGER NOT NULL, 
	device VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	received_at FLOAT NOT NULL, 
	record VARCHAR NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "telemetry" VALUES(1,'press-00',1.79581747771234059331e+09,1.7958177777545206547e+09,'{"at":1795817477.7123406,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":0}');
INSERT INTO "telemetry" VALUES(2,'press-00',1.79581753771234345438e+09,1.7958177777545206547e+09,'{"at":1795817537.7123435,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":1}');
INSERT INTO "telemetry" VALUES(3,'press-00',1.79581759771234583849e+09,1.7958177777545206547e+09,'{"at":1795817597.7123458,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":2}');
INSERT INTO "telemetry" VALUES(4,'press-00',1.79581765771234869956e+09,1.7958177777545206547e+09,'{"at":1795817657.7123487,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":3}');
INSERT INTO "telemetry" VALUES(5,'press-00',1.79581771771235108371e+09,1.7958177777545206547e+09,'{"at":1795817717.712351,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":4}');
INSERT INTO "telemetry" VALUES(6,'press-00',1.79581778586806941029e+09,1.79581778589543557171e+09,'{"at":1795817785.8680694,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}');
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
INSERT INTO "timeline" VALUES(1,1,1.79581778356847095493e+09,'created','Created: spotter 1.0.0',NULL,NULL);
INSERT INTO "timeline" VALUES(2,1,1.79581778356847095493e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(3,1,1.79581778362677478792e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(4,1,1.79581778397161746026e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(5,1,1.79581778452730679508e+09,'wave_passed','Wave ''all'' passed: 0 of 6 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(6,1,1.79581778452730679508e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(7,2,1.7958177845614938736e+09,'created','Created: spotter 1.1.0',NULL,NULL);
INSERT INTO "timeline" VALUES(8,2,1795817784.57438,'running','Running: now',NULL,NULL);
INSERT INTO "timeline" VALUES(9,2,1.79581778458728599551e+09,'paused','Paused: a question',NULL,NULL);
INSERT INTO "timeline" VALUES(10,2,1.79581778459821462634e+09,'resumed','Running: answered',NULL,NULL);
INSERT INTO "timeline" VALUES(11,2,1.79581778461104846003e+09,'wave_skipped','Wave ''rest'' was skipped by ada: one is enough; 1 device not updated',1,NULL);
INSERT INTO "timeline" VALUES(12,2,1.79581778463015389441e+09,'wave_approved','Wave ''one'' was approved by ada: agreed',0,NULL);
INSERT INTO "timeline" VALUES(13,2,1.7958177846716427803e+09,'wave_running','Wave ''one'' started',0,NULL);
INSERT INTO "timeline" VALUES(14,2,1.79581778501549148554e+09,'wave_soaking','Wave ''one'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(15,2,1.79581778556942534439e+09,'wave_passed','Wave ''one'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(16,2,1.79581778556942534439e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(17,2,1.7958177855931739807e+09,'rolling_back','Rolling back: too slow',NULL,NULL);
INSERT INTO "timeline" VALUES(18,3,1.79581778565120196342e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(19,3,1.79581778565120196342e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(20,4,1.79581778568232059475e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(21,4,1.79581778569285774229e+09,'aborted','Aborted: the wrong day',NULL,NULL);
INSERT INTO "timeline" VALUES(22,3,1.79581778571424937251e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(23,5,1.79581778574354362486e+09,'created','Created: faster: b',NULL,NULL);
INSERT INTO "timeline" VALUES(24,5,1.79581778574354362486e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(25,5,1.79581778576696610453e+09,'aborting','Aborting: experiment 1 chose arm a',NULL,NULL);
INSERT INTO "timeline" VALUES(26,6,1.7958177857822210789e+09,'created','Created: again: b',NULL,NULL);
INSERT INTO "timeline" VALUES(27,6,1.7958177857822210789e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(28,6,1.7958177857955288887e+09,'aborting','Aborting: experiment 2 was stopped',NULL,NULL);
INSERT INTO "timeline" VALUES(29,7,1.79581778581198453904e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(30,7,1.79581778581198453904e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(31,5,1.79581778582447147371e+09,'wave_skipped','Wave ''all'' was skipped',0,NULL);
INSERT INTO "timeline" VALUES(32,5,1.79581778582447147371e+09,'aborted','Aborted',NULL,NULL);
INSERT INTO "timeline" VALUES(33,6,1.79581778582447147371e+09,'wave_skipped','Wave ''all'' was skipped',0,NULL);
INSERT INTO "timeline" VALUES(34,6,1.79581778582447147371e+09,'aborted','Aborted',NULL,NULL);
INSERT INTO "timeline" VALUES(35,7,1.79581778582447147371e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(36,2,1.79581778599793982506e+09,'device_rolled_back','press-00: rolled back: rolled back by an operator; restored to the previous version',0,'press-00');
INSERT INTO "timeline" VALUES(37,2,1.79581778599793982506e+09,'rolled_back','Rolled back',NULL,NULL);
INSERT INTO "timeline" VALUES(38,3,1.7958177860530154705e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(39,7,1.79581778615924239159e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(40,3,1.79581778676413464541e+09,'wave_passed','Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(41,3,1.79581778676413464541e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(42,7,1.79581778676413464541e+09,'wave_passed','Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(43,7,1.79581778676413464541e+09,'completed','Completed',NULL,NULL);
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
INSERT INTO "version_share" VALUES(1795817700,'[{"slot": "detector", "package": "spotter", "version": "1.0.0", "count": 5}, {"slot": "second", "package": "spotter", "version": "1.1.0", "count": 1}, {"slot": "detector", "package": "spotter", "version": "1.2.0", "count": 1}, {"slot": "shadow-detector", "package": "spotter", "version": "1.2.0", "count": 1}]');
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
INSERT INTO "wave" VALUES(1,0,'all','passed',6,1.79581778362677478792e+09,1.79581778397161746026e+09,1.79581778452730679508e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(2,0,'one','passed',1,1.7958177846716427803e+09,1.79581778501549148554e+09,1.79581778556942534439e+09,0,0,1,'ada',0);
INSERT INTO "wave" VALUES(2,1,'rest','skipped',1,NULL,NULL,1.79581778461104846003e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(3,0,'all','passed',1,1.79581778571424937251e+09,1.7958177860530154705e+09,1.79581778676413464541e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(4,0,'all','skipped',2,NULL,NULL,NULL,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(5,0,'all','skipped',3,NULL,NULL,1.79581778582447147371e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(6,0,'all','skipped',3,NULL,NULL,1.79581778582447147371e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(7,0,'all','passed',1,1.79581778582447147371e+09,1.79581778615924239159e+09,1.79581778676413464541e+09,0,0,0,NULL,0);
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
