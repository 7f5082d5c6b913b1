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
INSERT INTO "alert" VALUES(1,1,'press-00','fps 15, above the limit of -1',15.0,1.79582508446574282646e+09,NULL,1.79582508452067804343e+09,'ada','["http://127.0.0.1:9/hook"]');
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
INSERT INTO "alert_recipient" VALUES(1,'on call','ntfy','{"url": "http://127.0.0.1:9", "secret": "tk_s3cret", "emails": [], "topic": "fleet", "key": ""}','[]','["critical"]',1,1.79582508457074093823e+09,1.79582508457074093823e+09,'ada');
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
INSERT INTO "alert_rule" VALUES(1,'fast','{"kind": "threshold", "figure": "fps", "above": -2.0, "below": null, "clear": null, "for_s": 0.0, "window_s": 300.0, "deviations": 4.0, "event_kind": null, "event_label": null, "event_rule": null, "pipeline": null, "group": null, "severity": "warning", "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "s"}], "emails": []}',1,1.79582514455319547657e+09,'ada',1.79582508317273473741e+09,'ada');
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
INSERT INTO "alert_snooze" VALUES(1,1,'','',1.79582868460798811913e+09,'the fan is replaced',1.79582508462331724165e+09,'ada');
INSERT INTO "alert_snooze" VALUES(2,NULL,'','press-00',1.79582508468976187704e+09,'moved',1.79582508467203760143e+09,'ada');
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
INSERT INTO "api_token" VALUES('cb6d8c18d698','48a20607dc5c3f85eb26ae9fa56e75423677eb31998d1bf9bff72f596a79a7ba','ada','reads','admin',1.79582507512457680703e+09,1.80360107512457680705e+09,NULL,'[]','[]');
INSERT INTO "api_token" VALUES('d230c69b1f14','48d74ec17c69404fa2a206e8e552e8019dfb8fba51feccc5c422d139de6a3bef','ada','proposes','operator',1.79582508552441167835e+09,1.80360108552441167828e+09,1.7958250855591065884e+09,'["propose"]','[]');
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
INSERT INTO "assignment" VALUES('press-00','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','2:press-00:1:back',2,1.0,0,0,1.79582508291007804865e+09,0,0.0,0.0);
INSERT INTO "assignment" VALUES('press-02','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-02:1',1,1.0,0,0,1.79582508080871272081e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-01','detector','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','7:press-01:1',7,1.0,0,0,1.79582508317556548116e+09,1,60.0,30.0);
INSERT INTO "assignment" VALUES('press-05','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-05:1',1,1.0,0,0,1.79582508080871272081e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-03','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-03:1',1,1.0,0,0,1.79582508080871272081e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-04','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-04:1',1,1.0,0,0,1.79582508080871272081e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-05','shadow-detector','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','3:press-05:1',3,1.0,0,0,1.79582508297924590108e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-01','second','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','7:press-01:1',7,1.0,0,0,1.79582508317556548116e+09,1,60.0,30.0);
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
INSERT INTO "attempt" VALUES('1:press-00:1',1,'press-00',0,1,'committed',0,'','',NULL,1.79582508080871272081e+09,1.79582508117171192173e+09,1.79582508117171192173e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-02:1',1,'press-02',0,1,'committed',0,'','',NULL,1.79582508080871272081e+09,1.79582508117171192173e+09,1.79582508117171192173e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-01:1',1,'press-01',0,1,'committed',0,'','',NULL,1.79582508080871272081e+09,1.79582508117171192173e+09,1.79582508117171192173e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-05:1',1,'press-05',0,1,'committed',0,'','',NULL,1.79582508080871272081e+09,1.79582508117171192173e+09,1.79582508117171192173e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-03:1',1,'press-03',0,1,'committed',0,'','',NULL,1.79582508080871272081e+09,1.79582508117171192173e+09,1.79582508117171192173e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-04:1',1,'press-04',0,1,'committed',0,'','',NULL,1.79582508080871272081e+09,1.79582508117171192173e+09,1.79582508117171192173e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('2:press-00:1',2,'press-00',0,1,'rolled_back',0,'operator_rollback','restored to the previous version','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79582508188473677639e+09,1.79582508324312090878e+09,1.79582508324312090878e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('2:press-01:1',2,'press-01',1,1,'cancelled',0,'wave_skipped','the wave was skipped',NULL,NULL,1.79582508188473677639e+09,1.79582508188473677639e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('3:press-05:1',3,'press-05',0,1,'committed',0,'','',NULL,1.79582508297924590108e+09,1.79582508329804062838e+09,1.79582508329804062838e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('4:press-00:1',4,'press-00',0,1,'cancelled',0,'','',NULL,NULL,1.79582508295555067067e+09,1.79582508295555067067e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('4:press-01:1',4,'press-01',0,1,'cancelled',0,'','',NULL,NULL,1.79582508295555067067e+09,1.79582508295555067067e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('5:press-04:1',5,'press-04',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79582508311172819133e+09,1.79582508311172819133e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('5:press-03:1',5,'press-03',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79582508311172819133e+09,1.79582508311172819133e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('5:press-05:1',5,'press-05',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79582508311172819133e+09,1.79582508311172819133e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('6:press-04:1',6,'press-04',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79582508311172819133e+09,1.79582508311172819133e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('6:press-03:1',6,'press-03',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79582508311172819133e+09,1.79582508311172819133e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('6:press-05:1',6,'press-05',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79582508311172819133e+09,1.79582508311172819133e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('7:press-01:1',7,'press-01',0,1,'committed',0,'','','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79582508317556548116e+09,1.79582508355273962018e+09,1.79582508355273962018e+09,0,0,1,0,0.0,'null','',NULL);
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
INSERT INTO "audit" VALUES(2,1.79582507461758089065e+09,'ada','admin','session','127.0.0.1','sign_in','/session',200,'{"name": "ada", "password": "(hidden)"}','7bc8ce34794f1510d370f83d6ef09669a23ef7e429233d89c01c85c6e041b2cc','c274b5f99f313654a3521cac3030eca58a9ef39b285c0d5ead229a3bfd4c16e1');
INSERT INTO "audit" VALUES(3,1.79582507510297799107e+09,'ada','admin','session','127.0.0.1','create_user','/users',201,'{"name": "bob", "password": "(hidden)", "role": "operator"}','c274b5f99f313654a3521cac3030eca58a9ef39b285c0d5ead229a3bfd4c16e1','9ce3d195b1147e2456f8518f5989aecee81549fcb4c37ec9641fa4433b9c04f7');
INSERT INTO "audit" VALUES(4,1.79582507511696863175e+09,'ada','admin','session','127.0.0.1','change_user','/users/bob',200,'{"role": "admin"}','9ce3d195b1147e2456f8518f5989aecee81549fcb4c37ec9641fa4433b9c04f7','60c3a4e5a9ea4bc342ad8ffa46778e4cc64aeba26fdeeb593f92ac247b252c08');
INSERT INTO "audit" VALUES(5,1.79582507512692403795e+09,'ada','admin','session','127.0.0.1','create_api_token','/api-tokens',201,'{"name": "reads", "role": "admin"}','60c3a4e5a9ea4bc342ad8ffa46778e4cc64aeba26fdeeb593f92ac247b252c08','ac7ebdf2d111f5612eb7c217dc6aeeb2d956c62a1a36ad7e4a260bb5b1036991');
INSERT INTO "audit" VALUES(6,1.79582507518393540385e+09,'ada','admin','session','127.0.0.1','change_settings','/settings',200,'{"values": {"soak_s": 1.0}}','ac7ebdf2d111f5612eb7c217dc6aeeb2d956c62a1a36ad7e4a260bb5b1036991','11ae8e292c9b8a0b966cb0c5f1b52cec9f7a20db4aea887a33859b7d8c6311bb');
INSERT INTO "audit" VALUES(7,1795825075.27597,'ada','admin','session','127.0.0.1','push_model','/models',201,'{"bytes": 10423}','11ae8e292c9b8a0b966cb0c5f1b52cec9f7a20db4aea887a33859b7d8c6311bb','2441a78618e82a420c6687fcc195f15bb1c545d50197a90c393121133dd724d4');
INSERT INTO "audit" VALUES(8,1.79582507535839509967e+09,'ada','admin','session','127.0.0.1','push_model','/models',201,'{"bytes": 10423}','2441a78618e82a420c6687fcc195f15bb1c545d50197a90c393121133dd724d4','66f64506b9c2ac1eee0b5c22fb5fefdca16d5e8df5023ca2b2535cdec29c65cd');
INSERT INTO "audit" VALUES(9,1.79582507544588613514e+09,'ada','admin','session','127.0.0.1','begin_upload','/uploads',201,'{"length_bytes": 10240, "sha256": "7a80730a49003c3f4f11b81c7def98d33d960ba066535a2a97eabf231e44cfe9"}','66f64506b9c2ac1eee0b5c22fb5fefdca16d5e8df5023ca2b2535cdec29c65cd','b557143a555c6b0ab2fc85412656661bdaf12e47832e9c70fe3e768ff606372b');
INSERT INTO "audit" VALUES(10,1795825075.52644,'ada','admin','session','127.0.0.1','finish_upload','/uploads/3861784635974d80f7dc803db972e78f/finish',201,'{}','b557143a555c6b0ab2fc85412656661bdaf12e47832e9c70fe3e768ff606372b','718e3abf7536eefe8e87adba6607cd7b2df5996ab2928c680310f4bf7a194027');
INSERT INTO "audit" VALUES(11,1.79582507562253046039e+09,'ada','admin','session','127.0.0.1','upload_measurements','/models/spotter/1.1.0/measurements',200,'{"digest": "e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129", "machine": "m", "profile": "cpu", "rows": [{"variant": "cpu-int8", "runtime": "lite_rt", "device": "cpu", "threads": 2, "streams": 1, "instances": 1, "batch": 1, "per_s": 10.0, "p50_ms": 5.0, "p95_ms": 6.0, "load_ms": 1.0, "memory_bytes": 1, "best": true}]}','718e3abf7536eefe8e87adba6607cd7b2df5996ab2928c680310f4bf7a194027','8bf932c0488f8226685fa624c82bb904de49e4466cdaabfd796679733051f93a');
INSERT INTO "audit" VALUES(12,1.79582507569616079334e+09,'ada','admin','session','127.0.0.1','set_channel','/channels/spotter/stable',200,'{"version": "1.0.0", "note": "first"}','8bf932c0488f8226685fa624c82bb904de49e4466cdaabfd796679733051f93a','9449209bc73fe2447bc02ed3b6191dfbb4d3a9823fc3dabb38434b5dd2e75853');
INSERT INTO "audit" VALUES(13,1.79582507571448945996e+09,'ada','admin','session','127.0.0.1','set_channel','/channels/spotter/stable',200,'{"version": "1.1.0", "note": "first"}','9449209bc73fe2447bc02ed3b6191dfbb4d3a9823fc3dabb38434b5dd2e75853','134a8d069454b5a22310d0d3c730d343dfe237be11d3c087311b68bfd0e7e39c');
INSERT INTO "audit" VALUES(14,1.79582507578732705113e+09,'ada','admin','session','127.0.0.1','prune_models','/models/prune',200,'{"dry_run": true}','134a8d069454b5a22310d0d3c730d343dfe237be11d3c087311b68bfd0e7e39c','e3c25fc711c7ce1da36d699ecd5b61eb0f71bf35d5c69d7d9d7be4551c6e2299');
INSERT INTO "audit" VALUES(15,1.79582507585817694665e+09,'ada','admin','session','127.0.0.1','create_pipeline','/pipelines',201,'{"text": "name = \"gate\"\n[source]\nkind = \"device\"\n[[stages]]\nname = \"find\"\nkind = \"detect\"\nmodel = \"slot:detector\"\n"}','e3c25fc711c7ce1da36d699ecd5b61eb0f71bf35d5c69d7d9d7be4551c6e2299','74afec98f7737e6aa65742c190581d6ff0552897eeca9e7ef85ca5ef4a0990d7');
INSERT INTO "audit" VALUES(16,1.79582507959926295287e+09,'ada','admin','session','127.0.0.1','label_device','/devices/press-00',200,'{"labels": {"site": "north", "lat": "59.3", "lon": "18.1"}}','74afec98f7737e6aa65742c190581d6ff0552897eeca9e7ef85ca5ef4a0990d7','3e0a9d0b25115970fd5a12214d7b3d38f29567cee3e3a54bdfa27ae483fca5f5');
INSERT INTO "audit" VALUES(17,1.79582507963922786715e+09,'ada','admin','session','127.0.0.1','put_group','/groups/north',200,'{"selector": {"labels": {"site": "north"}, "query": "not state = blocked"}, "note": "in the north"}','3e0a9d0b25115970fd5a12214d7b3d38f29567cee3e3a54bdfa27ae483fca5f5','cfc24dcbc915763c7cfdc74d08544cc47b5513702d4ef4ff4d4ac1b0c88f0c6e');
INSERT INTO "audit" VALUES(18,1.79582507965130710602e+09,'ada','admin','session','127.0.0.1','put_group','/groups/plant',200,'{"selector": {"labels": {"site": "north"}}}','cfc24dcbc915763c7cfdc74d08544cc47b5513702d4ef4ff4d4ac1b0c88f0c6e','363d3fab95d3cbe80fac358dc86c256d659b35a75186b46585f846894887689d');
INSERT INTO "audit" VALUES(19,1.79582508003276801111e+09,'ada','admin','session','127.0.0.1','create_user','/users',201,'{"name": "lea", "password": "(hidden)", "grants": [{"role": "viewer"}, {"role": "operator", "group": "plant"}]}','363d3fab95d3cbe80fac358dc86c256d659b35a75186b46585f846894887689d','6b6cc317860bb729d000e15038df2b204c6405cbc31badeef9e7292465bd32d3');
INSERT INTO "audit" VALUES(20,1.79582508004497885703e+09,'ada','admin','session','127.0.0.1','put_configuration','/configurations/plant',200,'{"revision": 0, "resources": [{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef"}]}','6b6cc317860bb729d000e15038df2b204c6405cbc31badeef9e7292465bd32d3','25b2eaf803c7cba3aed8ed2a00ad34c32ba05187b07ce311e4c220b7b3b2c5cd');
INSERT INTO "audit" VALUES(21,1.79582508005853033064e+09,'ada','admin','session','127.0.0.1','send_command','/devices/press-00/commands',202,'{"op": "identify", "args": {"n": 1}}','25b2eaf803c7cba3aed8ed2a00ad34c32ba05187b07ce311e4c220b7b3b2c5cd','ba08f4b9214cc8af4dcbfcea5dd7f3d0a286a7806b40a6946b1dda5349a4f659');
INSERT INTO "audit" VALUES(22,1.79582508019883823396e+09,'ada','admin','session','127.0.0.1','take_picture','/devices/press-00/snapshots',202,'{"pipeline": "gate"}','ba08f4b9214cc8af4dcbfcea5dd7f3d0a286a7806b40a6946b1dda5349a4f659','e941131011c8cbe728332ccf483e8177206a6bbe919ff3609d1de348abc32df0');
INSERT INTO "audit" VALUES(23,1.79582508021413254735e+09,'ada','admin','session','127.0.0.1','view_logs','/devices/press-00/logs',200,'{}','e941131011c8cbe728332ccf483e8177206a6bbe919ff3609d1de348abc32df0','6d0cd9d6d55f849271652827591731d53cb79d85b4aac9f100ee721e04f7b86a');
INSERT INTO "audit" VALUES(24,1.79582508043131637573e+09,'ada','admin','session','127.0.0.1','get_last_logs','/devices/press-00/logs/last',200,'{}','6d0cd9d6d55f849271652827591731d53cb79d85b4aac9f100ee721e04f7b86a','37a52abdde81a0c01d8fb13b6cf9bc0565bcae39e8521a1ebbd9fb9bccc38a0e');
INSERT INTO "audit" VALUES(25,1.79582508044031262392e+09,'ada','admin','session','127.0.0.1','request_support_bundle','/devices/press-00/support-bundles',202,'{}','37a52abdde81a0c01d8fb13b6cf9bc0565bcae39e8521a1ebbd9fb9bccc38a0e','9abd7e0ab20d8f48076fd11cbee2b0a3966ff9bf65acc2ac4a1a166623223bb5');
INSERT INTO "audit" VALUES(26,1.79582508057676887508e+09,'ada','admin','session','127.0.0.1','delete_support_bundle','/devices/press-00/support-bundles/50508bce36204b488c3b28008c46c61d',204,'{}','9abd7e0ab20d8f48076fd11cbee2b0a3966ff9bf65acc2ac4a1a166623223bb5','07735726ae7c864e9043160c05b242e232febc2da9a82adf01756b5cd749dbc7');
INSERT INTO "audit" VALUES(27,1.79582508058816504477e+09,'ada','admin','session','127.0.0.1','bulk_devices','/devices/bulk',200,'{"action": "label", "labels": {"floor": "1"}, "selector": {"ids": ["press-00", "press-01"]}}','07735726ae7c864e9043160c05b242e232febc2da9a82adf01756b5cd749dbc7','3953665b0c2e5f1d0bb38e4d249937498790941f7f95a1d60adec2d375c23c30');
INSERT INTO "audit" VALUES(28,1.7958250807258603573e+09,'ada','admin','session','127.0.0.1','review_events','/events/reviews',200,'{"events": [3], "verdict": "confirmed"}','3953665b0c2e5f1d0bb38e4d249937498790941f7f95a1d60adec2d375c23c30','00e12b4f55b601e00187da3e5e02f8181431f0772b31c22bdd37da391c2870ee');
INSERT INTO "audit" VALUES(29,1.79582508075680565831e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.0.0", "package": "spotter", "version": "1.0.0", "slot": "detector", "selector": {"all": true}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}','00e12b4f55b601e00187da3e5e02f8181431f0772b31c22bdd37da391c2870ee','e42179c28a765e44a0ca832334b7c19c8b1d1232506f8d7f5be88441828ac94b');
INSERT INTO "audit" VALUES(30,1.79582508176937103274e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.1.0", "package": "spotter", "version": "1.1.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "one", "count": 1, "approval": true}, {"name": "rest"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false, "key": "apply/plant/second"}','e42179c28a765e44a0ca832334b7c19c8b1d1232506f8d7f5be88441828ac94b','efc74ff022500eb46df7c717f689968d46d6cd87fe9843bf91ce7cdc91d33e8d');
INSERT INTO "audit" VALUES(31,1.79582508178543114657e+09,'ada','admin','session','127.0.0.1','start_rollout','/rollouts/2/start',200,'{"reason": "now"}','efc74ff022500eb46df7c717f689968d46d6cd87fe9843bf91ce7cdc91d33e8d','a327b93283715bd0ff16fea3cab31168ea7063ab3f08ec15996216399a466137');
INSERT INTO "audit" VALUES(32,1.79582508179935145375e+09,'ada','admin','session','127.0.0.1','pause_rollout','/rollouts/2/pause',200,'{"reason": "a question"}','a327b93283715bd0ff16fea3cab31168ea7063ab3f08ec15996216399a466137','2e0f4756e23e177b6644f574259dd82a5723405b4dc1e8cf61f049605f763ff0');
INSERT INTO "audit" VALUES(33,1.79582508181412434577e+09,'ada','admin','session','127.0.0.1','resume_rollout','/rollouts/2/resume',200,'{"reason": "answered"}','2e0f4756e23e177b6644f574259dd82a5723405b4dc1e8cf61f049605f763ff0','909762bea44460916b0cc9594428c3141416c2e63952a0387feea74ea904ec41');
INSERT INTO "audit" VALUES(34,1.79582508183324384689e+09,'ada','admin','session','127.0.0.1','skip_wave','/rollouts/2/skip',200,'{"wave": 1, "reason": "one is enough"}','909762bea44460916b0cc9594428c3141416c2e63952a0387feea74ea904ec41','6a661f5241cb5f347fc678e96583d4e679d0e04121fb5eb8aa474ba370b06bfb');
INSERT INTO "audit" VALUES(35,1.79582508184965896607e+09,'ada','admin','session','127.0.0.1','approve_rollout','/rollouts/2/approve',200,'{"wave": 0, "reason": "agreed"}','6a661f5241cb5f347fc678e96583d4e679d0e04121fb5eb8aa474ba370b06bfb','34bccace22cd20268fbb47d88b599c594ab0a4894ac86dda7d428d39e2c993c8');
INSERT INTO "audit" VALUES(36,1.79582508285483765601e+09,'ada','admin','session','127.0.0.1','rollback_rollout','/rollouts/2/rollback',200,'{"reason": "too slow"}','34bccace22cd20268fbb47d88b599c594ab0a4894ac86dda7d428d39e2c993c8','88643fb99e6ca3bff2eeb615370869f0da40f507f0a675c6e83b1ad30de5f6b4');
INSERT INTO "audit" VALUES(37,1.79582508290729117388e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "shadow-detector", "selector": {"ids": ["press-05"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}','88643fb99e6ca3bff2eeb615370869f0da40f507f0a675c6e83b1ad30de5f6b4','8c67f20dee3abc1bb7223fe98e873e906afebf60d4be1171fc197f5cdd1ee37a');
INSERT INTO "audit" VALUES(38,1.79582508294385433198e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false}','8c67f20dee3abc1bb7223fe98e873e906afebf60d4be1171fc197f5cdd1ee37a','5373fdc5b9551f9ae929569692ea80708c16b56d0cc645da457267b271ac836d');
INSERT INTO "audit" VALUES(39,1.79582508295783615116e+09,'ada','admin','session','127.0.0.1','abort_rollout','/rollouts/4/abort',200,'{"reason": "the wrong day"}','5373fdc5b9551f9ae929569692ea80708c16b56d0cc645da457267b271ac836d','51c5070bfe0fc2fb20477ed5e73a0777dd4c99bccc70be6713339e39abf2867c');
INSERT INTO "audit" VALUES(40,1.7958250830299801827e+09,'ada','admin','session','127.0.0.1','create_experiment','/experiments',201,'{"name": "faster", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','51c5070bfe0fc2fb20477ed5e73a0777dd4c99bccc70be6713339e39abf2867c','e10dee63031e6c7383506444f3195040940eb2faff8d448b0f1e09fbe568893f');
INSERT INTO "audit" VALUES(41,1.79582508305221652989e+09,'ada','admin','session','127.0.0.1','choose_experiment_arm','/experiments/1/choose',200,'{"arm": "a", "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','e10dee63031e6c7383506444f3195040940eb2faff8d448b0f1e09fbe568893f','c8beceb3f9d0a2329205e0046c3a76a2192710b2c280367869a0529591050565');
INSERT INTO "audit" VALUES(42,1.79582508308137035364e+09,'ada','admin','session','127.0.0.1','create_experiment','/experiments',201,'{"name": "again", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','c8beceb3f9d0a2329205e0046c3a76a2192710b2c280367869a0529591050565','5cf205269f1c3037d2ac4ece0bb2f5452d62d8d8a6177bae77ef33082b53e322');
INSERT INTO "audit" VALUES(43,1.79582508309045910839e+09,'ada','admin','session','127.0.0.1','stop_experiment','/experiments/2/stop',200,'{}','5cf205269f1c3037d2ac4ece0bb2f5452d62d8d8a6177bae77ef33082b53e322','5822a3c1ed0957f2ca0703653ca169eec20341e0abcc132c62f8c6a04c0e68ae');
INSERT INTO "audit" VALUES(44,1.79582508311342334749e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true, "parts": [{"package": "spotter", "slot": "second", "version": "1.1.0"}], "terms": {"follow": true, "prestage": true, "rate": {"per_minute": 60, "grow_after": 10}, "retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}}}','5822a3c1ed0957f2ca0703653ca169eec20341e0abcc132c62f8c6a04c0e68ae','5ba883b980455e6282f7e1080337b052fe2fee2bb13549fec99f815b2cc0bb07');
INSERT INTO "audit" VALUES(45,1.79582508313882017137e+09,'ada','admin','session','127.0.0.1','pin_device','/devices/press-03/pins/detector',200,'{"reason": "a demonstration"}','5ba883b980455e6282f7e1080337b052fe2fee2bb13549fec99f815b2cc0bb07','f1cd1c063dd93cee76ce5672c29af11ced6a5e71b5c3260de6dc6031757bbaa7');
INSERT INTO "audit" VALUES(46,1.79582508314629769319e+09,'ada','admin','session','127.0.0.1','pin_device','/devices/press-04/pins/detector',200,'{"reason": "for a day"}','f1cd1c063dd93cee76ce5672c29af11ced6a5e71b5c3260de6dc6031757bbaa7','8c807ac2aa84ae40efd67e0cfcbce178d998cf286c52c2cecbdb49dc49a9712a');
INSERT INTO "audit" VALUES(47,1.79582508315299677848e+09,'ada','admin','session','127.0.0.1','unpin_device','/devices/press-04/pins/detector',200,'{}','8c807ac2aa84ae40efd67e0cfcbce178d998cf286c52c2cecbdb49dc49a9712a','2bea4dab6e46e50ac13893e7068687787e7c23835b4d5248ec7b21aace4ba2e2');
INSERT INTO "audit" VALUES(48,1.79582508316282272336e+09,'ada','admin','session','127.0.0.1','release_device','/devices/press-01/release',200,'{}','2bea4dab6e46e50ac13893e7068687787e7c23835b4d5248ec7b21aace4ba2e2','a0a4f0eeb38365533debabff0edf088d707387afe91a5bce2d5159488b7ed77b');
INSERT INTO "audit" VALUES(49,1.79582508317350149156e+09,'ada','admin','session','127.0.0.1','create_alert_rule','/alert-rules',201,'{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -1.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/(hidden-a94bb7e8)", "secret": "(hidden)"}]}}','a0a4f0eeb38365533debabff0edf088d707387afe91a5bce2d5159488b7ed77b','a4e99a81256f713e6cc482b534859badb21a446b030ad8b70b712d290b4bf9a0');
INSERT INTO "audit" VALUES(50,1.79582508452075600624e+09,'ada','admin','session','127.0.0.1','acknowledge_alert','/alerts/1/acknowledge',204,'{}','a4e99a81256f713e6cc482b534859badb21a446b030ad8b70b712d290b4bf9a0','2aad68ee2761de8aff50618bf674774d9233a27a7d2159096d3442e7dcee5a78');
INSERT INTO "audit" VALUES(51,1.79582508454195475576e+09,'ada','admin','session','127.0.0.1','change_alert_rule','/alert-rules/1',200,'{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -2.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/(hidden-a94bb7e8)", "secret": "(hidden)"}]}}','2aad68ee2761de8aff50618bf674774d9233a27a7d2159096d3442e7dcee5a78','4fab176e5fe768d2f88d07700c85fbfe16f04036fad9ceaff266c8da3e0baf44');
INSERT INTO "audit" VALUES(52,1.79582508455372452738e+09,'ada','admin','session','127.0.0.1','silence_alert_rule','/alert-rules/1/silence',200,'{"for_s": 60.0}','4fab176e5fe768d2f88d07700c85fbfe16f04036fad9ceaff266c8da3e0baf44','304f0985f05255096b0306445fae384ef66719e641248ae0bb1d37730227a244');
INSERT INTO "audit" VALUES(53,1.79582508457100820543e+09,'ada','admin','session','127.0.0.1','create_alert_recipient','/alert-recipients',201,'{"name": "on call", "kind": "ntfy", "url": "http://127.0.0.1:9", "topic": "fleet", "secret": "(hidden)"}','304f0985f05255096b0306445fae384ef66719e641248ae0bb1d37730227a244','09b74965a31f1b61048c98308d7d102391f18898dbfb545bc6c9da6073b5fcf3');
INSERT INTO "audit" VALUES(54,1.79582508458239459986e+09,'ada','admin','session','127.0.0.1','change_alert_recipient','/alert-recipients/1',200,'{"name": "on call", "kind": "ntfy", "url": "http://127.0.0.1:9", "topic": "fleet", "secret": "(hidden)", "severities": ["critical"]}','09b74965a31f1b61048c98308d7d102391f18898dbfb545bc6c9da6073b5fcf3','f5d8319830b83d1cb673d1454b146d1ee76e07ac8ce8ff62d8233967c7e4ab33');
INSERT INTO "audit" VALUES(55,1.79582508459468173983e+09,'ada','admin','session','127.0.0.1','test_alert_recipient','/alert-recipients/1/test',200,'{}','f5d8319830b83d1cb673d1454b146d1ee76e07ac8ce8ff62d8233967c7e4ab33','53c1e4b38a58bc3876ecbdd4f75cdd43523b1ad944c1ada957ed21f4ba3925cd');
INSERT INTO "audit" VALUES(56,1.79582508462393450731e+09,'ada','admin','session','127.0.0.1','create_alert_snooze','/alert-snoozes',201,'{"rule": 1, "until_at": 1795828684.607988, "reason": "the fan is replaced"}','53c1e4b38a58bc3876ecbdd4f75cdd43523b1ad944c1ada957ed21f4ba3925cd','1988cf8b5ec73930dbf5fb17bf3c0e77bb55a19eec1640c4bf6a60dc8dc2d92b');
INSERT INTO "audit" VALUES(57,1.7958250846729393005e+09,'ada','admin','session','127.0.0.1','create_alert_snooze','/alert-snoozes',201,'{"device": "press-00", "until_at": 1795828684.6616712, "reason": "moved"}','1988cf8b5ec73930dbf5fb17bf3c0e77bb55a19eec1640c4bf6a60dc8dc2d92b','90fd889c039e16e1c03f05c1056dfe0ca39f8b3ad834041c493541099bc6f898');
INSERT INTO "audit" VALUES(58,1.79582508468984174731e+09,'ada','admin','session','127.0.0.1','end_alert_snooze','/alert-snoozes/2',204,'{}','90fd889c039e16e1c03f05c1056dfe0ca39f8b3ad834041c493541099bc6f898','a8dc43b3dcf4c30bd274c19343b6eb6633af0d4714d79f05bd443782911dcead');
INSERT INTO "audit" VALUES(59,1.79582508471222519873e+09,'ada','admin','session','127.0.0.1','create_alert_recipient','/alert-recipients',201,'{"name": "second", "kind": "email", "emails": ["ops@example.org"]}','a8dc43b3dcf4c30bd274c19343b6eb6633af0d4714d79f05bd443782911dcead','fdf6f2b38b79f71a71a57017f4cb9fa14f17bf2a2396d837d4e07fc04adb40ae');
INSERT INTO "audit" VALUES(60,1.79582508472900509834e+09,'ada','admin','session','127.0.0.1','delete_alert_recipient','/alert-recipients/2',204,'{}','fdf6f2b38b79f71a71a57017f4cb9fa14f17bf2a2396d837d4e07fc04adb40ae','0158c56dc4816d8ccd9bdbccf4a60d3bab90f917c6d850464f266f4bc6a295f8');
INSERT INTO "audit" VALUES(61,1.7958250848121573925e+09,'ada','admin','session','127.0.0.1','rotate_trust_key','/trust/rotate',200,'{"role": "snapshot"}','0158c56dc4816d8ccd9bdbccf4a60d3bab90f917c6d850464f266f4bc6a295f8','069abe61eb241c1eb2dd18a1bd32d0a3ef8efd9b11b807ecabedc59b7351b33a');
INSERT INTO "audit" VALUES(62,1.79582508486729979513e+09,'ada','admin','session','127.0.0.1','withdraw_version','/trust/withdraw',200,'{"package": "pipeline-gate", "version": "1.0.0"}','069abe61eb241c1eb2dd18a1bd32d0a3ef8efd9b11b807ecabedc59b7351b33a','0b9c217b6c40ed27da3e851935e47aa892e5891348ff650bc35b66dd1088d0e9');
INSERT INTO "audit" VALUES(63,1.79582508505713033678e+09,'ada','admin','session','127.0.0.1','begin_authority_rotation','/certificates/rotation',200,'{}','0b9c217b6c40ed27da3e851935e47aa892e5891348ff650bc35b66dd1088d0e9','1de01e6d19acbe334a7673abd966a09718639f8ed0e328c9e8549911679dedb9');
INSERT INTO "audit" VALUES(64,1.79582508508598470689e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"life_s": 100000.0, "devices_max": 3, "approval": true}','1de01e6d19acbe334a7673abd966a09718639f8ed0e328c9e8549911679dedb9','992c75053fe769f2deea9511eb522833b16315dd0f38eb8ea17f68fb5645123a');
INSERT INTO "audit" VALUES(65,1.79582508511581707003e+09,'ada','admin','session','127.0.0.1','enrol_device','/enrol',202,'{"token": "(hidden)", "device": "image-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHMMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMTBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABGw1nPXy9YAwub3gau5FaqGKIxUpiJtn3sVzqElc/5eiZNVIII/dvl3j\n5NWCPe+hiYgf0uJpWwgZcFMiYu33HxugADAKBggqhkjOPQQDAgNIADBFAiApF1hz\nF30DRQwd7/uzpEM6IcEzlle1YS2rPoNSKJaq2gIhAOc7zGcG84rpobYdeh6nfiKU\nWY6PdCzfViEwQMgyuE7g\n-----END CERTIFICATE REQUEST-----\n"}','992c75053fe769f2deea9511eb522833b16315dd0f38eb8ea17f68fb5645123a','822fb84bd88eb8c8b62694eb468dcc069464497c0bb21019b05e1e0269b9d160');
INSERT INTO "audit" VALUES(66,1.79582508514142847062e+09,'ada','admin','session','127.0.0.1','enrol_device','/enrol',202,'{"token": "(hidden)", "device": "image-2", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHMMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMjBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABDwlT9tcDS8nYiwB2NeBuCk0ZdsTV9hE2pEtpiWBXCYIbVzqfUPpkYNc\n6/Cc5bv1JFgRNcHJj7GST2oVKvRxLgygADAKBggqhkjOPQQDAgNIADBFAiBIKhcA\nyqnmMtv+wqOpEg8mKzcnWavheRFkXrs1ROobHwIhAJvvAWoGce4O6pTUqJQvokSk\nhAKLhZgxOO7twMRo74GN\n-----END CERTIFICATE REQUEST-----\n"}','822fb84bd88eb8c8b62694eb468dcc069464497c0bb21019b05e1e0269b9d160','30c751441aa4d9dff9191128fa7d459223d701a2ad56046127f07fd636f63bfc');
INSERT INTO "audit" VALUES(67,1.79582508518618178365e+09,'ada','admin','session','127.0.0.1','decide_enrolment_requests','/enrolment-requests/decisions',200,'{"approve": true, "devices": [{"device": "image-1"}]}','30c751441aa4d9dff9191128fa7d459223d701a2ad56046127f07fd636f63bfc','f13746dc63ec02d1931b811243fbcb78fbdac76289d49b0795ff3110be421e55');
INSERT INTO "audit" VALUES(68,1.79582508520715475081e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"labels": {"site": "north"}, "life_s": 100000.0}','f13746dc63ec02d1931b811243fbcb78fbdac76289d49b0795ff3110be421e55','bf1c1a026b348a4f2d7270494d7d74778e5f42737a29f6cdc3e8dde0d4761abf');
INSERT INTO "audit" VALUES(69,1.79582508521635985376e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"labels": {"site": "north"}, "life_s": 100000.0}','bf1c1a026b348a4f2d7270494d7d74778e5f42737a29f6cdc3e8dde0d4761abf','e55870c906fcfde09f3494bd435575e526a2bd83b3f9dcd5b5f4d298c171a872');
INSERT INTO "audit" VALUES(70,1.79582508525939345362e+09,'ada','admin','session','127.0.0.1','enrol_device','/enrol',200,'{"token": "(hidden)", "device": "enrolled-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHQMHcCAQAwFTETMBEGA1UEAwwKZW5yb2xsZWQtMTBZMBMGByqGSM49AgEGCCqG\nSM49AwEHA0IABFvGJiXl+rZpd4y+hE6DyNqBvNoib5AMKe5DUrh6VfrGM6AvnhB5\nHaflRgBqkUkI3SOqKhHDlisx0jtPYLNbACegADAKBggqhkjOPQQDAgNJADBGAiEA\nmrVFcA3gQgOIL8dlDudP8sFrwDgClDWM8P/zWcPxGhMCIQC6yPogDmDn87Yievi2\nYoDwGeuqsZD6esiZC/SUj7CcGQ==\n-----END CERTIFICATE REQUEST-----\n"}','e55870c906fcfde09f3494bd435575e526a2bd83b3f9dcd5b5f4d298c171a872','0b17a45f9efe9b82fa23ade5563d0f97c2d6ce7c5a3baf2b8c8db4a884ec4501');
INSERT INTO "audit" VALUES(71,1.79582508531337499621e+09,'ada','admin','session','127.0.0.1','block_device','/devices/enrolled-1/block',200,'{"reason": "lost"}','0b17a45f9efe9b82fa23ade5563d0f97c2d6ce7c5a3baf2b8c8db4a884ec4501','ce3337d4de731e01314f6510795d139a177752760a330f9f6c925392ba67a71d');
INSERT INTO "audit" VALUES(72,1.79582508533916592602e+09,'ada','admin','session','127.0.0.1','unblock_device','/devices/enrolled-1/block',200,'{}','ce3337d4de731e01314f6510795d139a177752760a330f9f6c925392ba67a71d','467d1c73540bcc42ce76bd5f2bff58c950805f09c0b6c9479da1072b8ce80eae');
INSERT INTO "audit" VALUES(73,1.79582508535475754733e+09,'ada','admin','session','127.0.0.1','block_device','/devices/enrolled-1/block',200,'{"reason": "lost again"}','467d1c73540bcc42ce76bd5f2bff58c950805f09c0b6c9479da1072b8ce80eae','8264f39e96b50fbdfd5c3cdbc9e6e1b11e5590829b241d8ce20623ffa085b400');
INSERT INTO "audit" VALUES(74,1.79582508550839209555e+09,'ada','admin','session','127.0.0.1','finish_authority_rotation','/certificates/rotation/finish',200,'{"online_days": 0.0}','8264f39e96b50fbdfd5c3cdbc9e6e1b11e5590829b241d8ce20623ffa085b400','f9ab4de9bed6cde267a64fbd4b0356963558c09df56e1dc8fc315a2924815c04');
INSERT INTO "audit" VALUES(75,1.79582508552519822114e+09,'ada','admin','session','127.0.0.1','create_api_token','/api-tokens',201,'{"name": "proposes", "role": "operator", "scopes": ["propose"]}','f9ab4de9bed6cde267a64fbd4b0356963558c09df56e1dc8fc315a2924815c04','a5e087e0fb50a247370d531c4c5279e50ac04ac1f4eae317c25b612fedfe9e0e');
INSERT INTO "audit" VALUES(76,1.79582508558396482462e+09,'ada','operator','token','127.0.0.1','create_proposal','/groups/south',202,'{"selector": {"labels": {"site": "south"}}, "note": "proposed"}','a5e087e0fb50a247370d531c4c5279e50ac04ac1f4eae317c25b612fedfe9e0e','3612b1b7af6ec2c876ad1a19e817321ee3eb4b258d29e0579f38e2b857caec8b');
INSERT INTO "audit" VALUES(77,1.79582508559331965446e+09,'ada','operator','token','127.0.0.1','create_proposal','/groups/west',202,'{"selector": {"labels": {"site": "west"}}, "note": "proposed"}','3612b1b7af6ec2c876ad1a19e817321ee3eb4b258d29e0579f38e2b857caec8b','5ce8397e2e6853596125cde4a7f6f982036b03655232e8eae78244de93dd8d10');
INSERT INTO "audit" VALUES(78,1.79582508560599875451e+09,'ada','operator','token','127.0.0.1','create_proposal','/groups/east',202,'{"selector": {"labels": {"site": "east"}}, "note": "proposed"}','5ce8397e2e6853596125cde4a7f6f982036b03655232e8eae78244de93dd8d10','c1c1f9d36b5a4c41795d45042109185538655a62c52cc2c1018fa49e8fe76fc0');
INSERT INTO "audit" VALUES(79,1.79582508562698245045e+09,'ada','admin','session','127.0.0.1','approve_proposal','/proposals/1/approve',200,'{"reason": "looked at it"}','c1c1f9d36b5a4c41795d45042109185538655a62c52cc2c1018fa49e8fe76fc0','9882ce3b40e2178722002649da2b332bb6dc85eea10013f66129b1e9d0df3ebd');
INSERT INTO "audit" VALUES(80,1.79582508563740634918e+09,'ada','admin','session','127.0.0.1','put_group','/groups/south',200,'{"selector": {"labels": {"site": "south"}}, "note": "proposed", "proposal": {"id": 1, "proposed_by": "ada", "token": "(hidden)", "token_name": "proposes", "note": ""}}','9882ce3b40e2178722002649da2b332bb6dc85eea10013f66129b1e9d0df3ebd','64fd10c97c09e957d869aa8146c0d89f58fbc2905ad30f445ec298d812fec782');
INSERT INTO "audit" VALUES(81,1.79582508565529274944e+09,'ada','admin','session','127.0.0.1','reject_proposal','/proposals/2/reject',200,'{"reason": "not now"}','64fd10c97c09e957d869aa8146c0d89f58fbc2905ad30f445ec298d812fec782','bd4c95ffba7c6bf5ca65bfcc3cad1771847b5671573a0d88977a613ec933119c');
INSERT INTO "audit" VALUES(82,1.79582508569776368146e+09,'ada','admin','session','127.0.0.1','create_dossier','/dossiers',200,'{"component": "numpy", "version": "", "stage": "72h"}','bd4c95ffba7c6bf5ca65bfcc3cad1771847b5671573a0d88977a613ec933119c','d31eb5d3d40b7ea122f7de73e7b53b85e166f73e278c5056c6487cb26b3e3975');
INSERT INTO "audit" VALUES(83,1.7958250863865275383e+09,'ada','admin','session','127.0.0.1','change_password','/session/password',204,'{"current": "(hidden)", "password": "(hidden)"}','d31eb5d3d40b7ea122f7de73e7b53b85e166f73e278c5056c6487cb26b3e3975','e9b3a8deae2e0d69d77cf50c1f5d62eff4b1f8d73eecee4961237da505a75150');
CREATE TABLE audit_archived (
	seq INTEGER NOT NULL, 
	digest VARCHAR NOT NULL, 
	PRIMARY KEY (seq)
);
INSERT INTO "audit_archived" VALUES(1,'7bc8ce34794f1510d370f83d6ef09669a23ef7e429233d89c01c85c6e041b2cc');
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
INSERT INTO "blob" VALUES('6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723',388,1.79582507521039533618e+09);
INSERT INTO "blob" VALUES('d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b',500,1.79582507521039533618e+09);
INSERT INTO "blob" VALUES('63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf',30,1.79582507547540020939e+09);
INSERT INTO "blob" VALUES('916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90',56,1.79582507547540020939e+09);
INSERT INTO "blob" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',811,1.79582507521039533618e+09);
INSERT INTO "blob" VALUES('7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410',388,1.7958250753217220307e+09);
INSERT INTO "blob" VALUES('fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de',500,1.7958250753217220307e+09);
INSERT INTO "blob" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129',811,1.7958250753217220307e+09);
INSERT INTO "blob" VALUES('6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb',388,1.79582507547540020939e+09);
INSERT INTO "blob" VALUES('e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d',500,1.79582507547540020939e+09);
INSERT INTO "blob" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01',811,1.79582507547540020939e+09);
INSERT INTO "blob" VALUES('d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a',217,1.79582507582656264303e+09);
INSERT INTO "blob" VALUES('a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66',104,1.79582507582656264303e+09);
INSERT INTO "blob" VALUES('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9',433,1.79582507582656264303e+09);
CREATE TABLE blocked_device (
	device VARCHAR NOT NULL, 
	blocked_at FLOAT NOT NULL, 
	reason VARCHAR NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "blocked_device" VALUES('enrolled-1',1.79582508534768915176e+09,'lost again');
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
INSERT INTO "camera_hour" VALUES('press-00','hall',1795824000,6.0,0.0);
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
INSERT INTO "channel" VALUES('spotter','stable','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129',1.79582507571157240868e+09,'ada','first');
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
INSERT INTO "channel_change" VALUES(1,'spotter','stable','1.0.0','',1.79582507568998479838e+09,'ada','first');
INSERT INTO "channel_change" VALUES(2,'spotter','stable','1.1.0','1.0.0',1.79582507571157240868e+09,'ada','first');
CREATE TABLE checkpoint (
	name VARCHAR NOT NULL, 
	value INTEGER NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "checkpoint" VALUES('rollup',6);
INSERT INTO "checkpoint" VALUES('rollup hours',1795827600);
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
INSERT INTO "command" VALUES('bill-1b8f4f53da9b4b398116f35b4d2313d0','press-00','bill','{"digest": "08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7"}','done','did it','{}',1.79582507946015095708e+09,1.79582512446015095711e+09,1.79582507956813669201e+09);
INSERT INTO "command" VALUES('37d35de15bab4db5aa3338964fafe41f','press-00','identify','{"n": 1}','done','did it','{"n":1}',1.79582508005723309515e+09,1.79582511005723309514e+09,1.79582508016018676764e+09);
INSERT INTO "command" VALUES('c4ee7ecb648d441a8f96bbcb16b3b10a','press-00','snapshot','{"overlays": false, "pipeline": "gate"}','done','did it','{"overlays":false,"pipeline":"gate"}',1.79582508019794464104e+09,1.79582514019794464111e+09,1.795825080269308567e+09);
INSERT INTO "command" VALUES('logs-a7d8b09db6ea427e9836b82279ed9cbb','press-00','logs','{"source": "service", "level": "debug", "search": "", "lines": 200, "after": ""}','done','did it','{"source":"service","level":"debug","search":"","lines":200,"after":""}',1.79582508021413254735e+09,1.79582510521413254737e+09,1.795825080269308567e+09);
CREATE TABLE configuration (
	name VARCHAR NOT NULL, 
	revision INTEGER NOT NULL, 
	resources JSON NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "configuration" VALUES('plant',1,'[{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef", "id": null}]',1.79582508004248499874e+09,'ada');
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
INSERT INTO "cursor" VALUES('press-00','telemetry','press-00-epoch',6,'[]',0.0,0,0,1.79582508323121213915e+09);
INSERT INTO "cursor" VALUES('press-00','events','press-00-epoch',3,'[]',0.0,0,0,1.79582507599610042572e+09);
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
INSERT INTO "device" VALUES('press-00',1.79582507599610042572e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{"site":"north","lat":"59.3","lon":"18.1","floor":"1"}','{}','{"site":"north","lat":"59.3","lon":"18.1","floor":"1"}',0.0,'[]');
INSERT INTO "device" VALUES('press-01',1.79582507599610042572e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{"floor":"1"}','{}','{"floor":"1"}',1.7958250831627910137e+09,'[]');
INSERT INTO "device" VALUES('press-02',1.79582507599610042572e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
INSERT INTO "device" VALUES('press-03',1.79582507599610042572e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
INSERT INTO "device" VALUES('press-04',1.79582507599610042572e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
INSERT INTO "device" VALUES('press-05',1.79582507599610042572e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
CREATE TABLE device_bill (
	id INTEGER NOT NULL, 
	device VARCHAR NOT NULL, 
	bill VARCHAR NOT NULL, 
	since_at FLOAT NOT NULL, 
	until_at FLOAT, 
	PRIMARY KEY (id), 
	FOREIGN KEY(device) REFERENCES device (id)
);
INSERT INTO "device_bill" VALUES(1,'press-00','08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7',1.79582507599610042572e+09,NULL);
CREATE TABLE device_certificate (
	serial VARCHAR NOT NULL, 
	device VARCHAR NOT NULL, 
	issued_at FLOAT NOT NULL, 
	expires_at FLOAT NOT NULL, 
	revoked_at FLOAT, 
	PRIMARY KEY (serial)
);
INSERT INTO "device_certificate" VALUES('38756c66232aa6c57b608549e41d138d6c5556','enrolled-1',1.79582508524856877332e+09,1803601085.0,1.79582508531099462514e+09);
CREATE TABLE device_group (
	name VARCHAR NOT NULL, 
	selector JSON NOT NULL, 
	note VARCHAR NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "device_group" VALUES('north','{"all": false, "ids": [], "labels": {"site": "north"}, "group": null, "query": "not state = blocked"}','in the north',1.79582507963545298578e+09,'ada');
INSERT INTO "device_group" VALUES('plant','{"all": false, "ids": [], "labels": {"site": "north"}, "group": null}','',1.79582507964893198009e+09,'ada');
INSERT INTO "device_group" VALUES('south','{"all": false, "ids": [], "labels": {"site": "south"}, "group": null}','proposed',1.79582508563604688646e+09,'ada');
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
INSERT INTO "device_last" VALUES('press-00','offline',1.7958250864527266025e+09,'boot-1','',7,1.7958250864527266025e+09,'boot-1',15,3,'{}',10000000000,'[]','[]',0,1.79582508317896580697e+09,'{"at":1795825083.1789658,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}',15.0,12.0,0.0,NULL,20.0,2.99596709821597695366e+00,1.79582508596175599102e+09,'[]');
INSERT INTO "device_last" VALUES('press-01','offline',1.795825086544983387e+09,'boot-1','',7,1.795825086544983387e+09,'boot-1',14,2,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,2.99596709821597695366e+00,1.79582508596175599102e+09,'[]');
INSERT INTO "device_last" VALUES('press-02','offline',1.79582508659879589081e+09,'boot-1','',7,1.79582508659879589081e+09,'boot-1',7,1,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,2.99596709821597695366e+00,1.79582508596175599102e+09,'[]');
INSERT INTO "device_last" VALUES('press-03','offline',1.79582508669687128063e+09,'boot-1','',7,1.79582508669687128063e+09,'boot-1',7,1,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,2.99596709821597695366e+00,1.79582508596175599102e+09,'[]');
INSERT INTO "device_last" VALUES('press-04','offline',1.79582508675262475018e+09,'boot-1','',7,1.79582508675262475018e+09,'boot-1',7,1,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,2.99596709821597695366e+00,1.79582508596175599102e+09,'[]');
INSERT INTO "device_last" VALUES('press-05','offline',1.79582508680622434616e+09,'boot-1','',7,1.79582508680622434616e+09,'boot-1',11,2,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,2.99596709821597695366e+00,1.79582508596175599102e+09,'[]');
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
INSERT INTO "device_slot" VALUES('press-00','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795825083.1798902}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','2:press-00:1:back','none','',0,0,1.79582508317989587788e+09);
INSERT INTO "device_slot" VALUES('press-01','detector','committed','spotter','1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795825083.44045}','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','7:press-01:1','none','',0,0,1.79582508344046115874e+09);
INSERT INTO "device_slot" VALUES('press-01','second','committed','spotter','1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795825083.4408681}','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','7:press-01:1','none','',0,0,1.79582508344087100025e+09);
INSERT INTO "device_slot" VALUES('press-02','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795825081.0862164}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-02:1','none','',0,0,1.79582508108622741693e+09);
INSERT INTO "device_slot" VALUES('press-03','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795825081.0865781}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-03:1','none','',0,0,1.79582508108658289907e+09);
INSERT INTO "device_slot" VALUES('press-04','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795825081.08725}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-04:1','none','',0,0,1.7958250810872590542e+09);
INSERT INTO "device_slot" VALUES('press-05','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795825083.0120008}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-05:1','none','',0,0,1.79582508301200771336e+09);
INSERT INTO "device_slot" VALUES('press-05','shadow-detector','committed','spotter','1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795825083.2697117}','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','3:press-05:1','none','',0,0,1.79582508326972031592e+09);
CREATE TABLE enrolled_labels (
	device VARCHAR NOT NULL, 
	labels JSON NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "enrolled_labels" VALUES('enrolled-1','{"site":"north"}',1.79582508525720882411e+09);
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
INSERT INTO "enrolment_request" VALUES('image-1','0a1d3a769aae','f840ce44b2901169d7687997513850ef546fb28984744274fa809596ce95ce17','approved',1.79582508510111904138e+09,1.79582508510111904138e+09,1.79582508517052721972e+09,'ada');
INSERT INTO "enrolment_request" VALUES('image-2','0a1d3a769aae','03a24ad5a4b2f4c1378dc3e5e2b06572edf696a203587504f6fcbfedc9658212','waiting',1.79582508513728427886e+09,1.79582508513728427886e+09,NULL,'');
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
INSERT INTO "enrolment_token" VALUES('0a1d3a769aae','eadb3d08ba39021902fe2798a228788d0c927a9ec1cca4a835ede3db3a0159d1','','{}',1.79582508508459186549e+09,1.79592508508459186558e+09,NULL,'',NULL,3,0,1);
INSERT INTO "enrolment_token" VALUES('6d5761d7e442','309d55bccb0bcc857fd7ab0779563fcecba4f0831b2df8fe6906266bb75b2875','','{"site": "north"}',1.79582508520601940148e+09,1.79592508520601940157e+09,1.79582508524856877332e+09,'enrolled-1',NULL,1,1,0);
INSERT INTO "enrolment_token" VALUES('dcb40662e56c','f52e2a18cbe780adc93eb379eaae79e3c30bfd0f46243f63999a35e4f7b2c67c','','{"site": "north"}',1.79582508521511816979e+09,1.79592508521511816975e+09,NULL,'',NULL,1,0,0);
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
INSERT INTO "environment_bill" VALUES('08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7',1.79582507956813669201e+09,1.79582513946015095715e+09,1,0,0,'{"agent":"0.3.0","packages":[["numpy","2.3.1"]],"python":"3.11.2","system":"debian"}');
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
INSERT INTO "event" VALUES(1,'press-00',1.79582507598568701743e+09,1.79582507599610042572e+09,'visit','person','{"kind":"visit","id":"e0","at":1795825075.985687,"label":"person","count":0}');
INSERT INTO "event" VALUES(2,'press-00',1.79582507598568820949e+09,1.79582507599610042572e+09,'visit','person','{"kind":"visit","id":"e1","at":1795825075.9856882,"label":"person","count":1}');
INSERT INTO "event" VALUES(3,'press-00',1.79582507598568916315e+09,1.79582507599610042572e+09,'visit','person','{"kind":"visit","id":"e2","at":1795825075.9856892,"label":"person","count":2}');
CREATE TABLE event_review (
	event BIGINT NOT NULL, 
	verdict VARCHAR NOT NULL, 
	"by" VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (event)
);
INSERT INTO "event_review" VALUES(3,'confirmed','ada',1.79582508072573781014e+09);
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
INSERT INTO "experiment" VALUES(1,'faster','detector','ended','hash','',1.79582508302320384982e+09,'ada',1.79582508304961585999e+09,'ada','a',NULL,'',NULL);
INSERT INTO "experiment" VALUES(2,'again','detector','ended','hash','',1.79582508307120227806e+09,'ada',1.79582508308928394313e+09,'ada','',NULL,'',NULL);
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
INSERT INTO "measurement" VALUES(1,'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','cpu','m',1.79582507561265635495e+09,'cpu-int8','lite_rt','cpu',2,1,1,1,5.0,6.0,10.0,1,1.0,1);
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
INSERT INTO "member" VALUES('m-1','all','host','0.2.0',1,0,0,0,0,0,0,1.79582508740785408017e+09,1.79582508740785408017e+09,0.0,0.0,0.0,0.0,0,0);
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
INSERT INTO "notice" VALUES(1,'http://127.0.0.1:9/hook',1,'{"what": "began", "id": 1, "rule": 1, "rule_name": "fast", "severity": "warning", "subject": "press-00", "text": "fps 15, above the limit of -1", "value": 15.0, "began_at": 1795825084.4657428, "ended_at": null, "acknowledged_at": null, "acknowledged_by": "", "device": "press-00", "pipeline": null, "rollout": null}','waiting',1,1.79582509540641951559e+09,1.79582508446574282646e+09,'Connection refu(hidden)ed',NULL);
CREATE TABLE openid_login (
	state VARCHAR NOT NULL, 
	browser VARCHAR NOT NULL, 
	nonce VARCHAR NOT NULL, 
	verifier VARCHAR NOT NULL, 
	redirect VARCHAR NOT NULL, 
	started_at FLOAT NOT NULL, 
	PRIMARY KEY (state)
);
INSERT INTO "openid_login" VALUES('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb','nonce','verifier','/',1.79582508740785408017e+09);
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
INSERT INTO "package" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','spotter','1.0.0',1.79582507521039533618e+09,811,974,'{"name": "spotter", "version": "1.0.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723"}, {"path": "model.tflite", "length": 500, "sha256": "d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','spotter','1.1.0',1.7958250753217220307e+09,811,974,'{"name": "spotter", "version": "1.1.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410"}, {"path": "model.tflite", "length": 500, "sha256": "fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','spotter','1.2.0',1.79582507547540020939e+09,811,974,'{"name": "spotter", "version": "1.2.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb"}, {"path": "model.tflite", "length": 500, "sha256": "e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9','pipeline-gate','1.0.0',1.79582507582656264303e+09,433,321,'{"name": "pipeline-gate", "version": "1.0.0", "task": "pipeline", "head": {"family": "pipeline"}, "variants": [{"name": "all", "format": "pipeline", "files": ["pipeline.toml"], "runtimes": ["pipelines"]}], "title": "gate", "requires": ["stage:detect"]}','[{"path": "model.toml", "length": 217, "sha256": "d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a"}, {"path": "pipeline.toml", "length": 104, "sha256": "a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66"}]',NULL);
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
INSERT INTO "person" VALUES('ada','admin','scrypt$15$8$3$GUYDGnmnu9Jf9Ga9nDmBbg==$PpZ2tF6uTD7VTP5gtMdJb7dZVK0gVjR9CDXX0OltZOI=',1.79582507368614077572e+09,0,NULL);
INSERT INTO "person" VALUES('bob','admin','scrypt$15$8$3$pSmqigQStj2sENRAaZFl7g==$291dK+7TgVz9ywq9sHdq7TaSUbpZl2iYZGKZEzbw3z0=',1.79582507510204315188e+09,0,NULL);
INSERT INTO "person" VALUES('lea','viewer','scrypt$15$8$3$4wXlLwjidmusB4ZXHOauYg==$uU5P4mme27WvrxYMFGFoEZ52vGK5ApvB924GEy+N3GY=',1.79582508003203201291e+09,0,NULL);
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
INSERT INTO "pin" VALUES('press-03','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','a demonstration','ada',1.79582508313867616651e+09);
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
INSERT INTO "proposal" VALUES(1,'approved','d230c69b1f14','proposes','ada','put_group','Create or change a group.','operator','PUT','/groups/south','{"selector":{"labels":{"site":"south"}},"note":"proposed"}','','complete',1.79582508557572245603e+09,1.79642988557572245598e+09,1.79582508562592911725e+09,'ada','looked at it',200,'put_group: name south');
INSERT INTO "proposal" VALUES(2,'rejected','d230c69b1f14','proposes','ada','put_group','Create or change a group.','operator','PUT','/groups/west','{"selector":{"labels":{"site":"west"}},"note":"proposed"}','','complete',1.79582508559128975868e+09,1.79642988559128975864e+09,1.79582508565484690659e+09,'ada','not now',0,'');
INSERT INTO "proposal" VALUES(3,'pending','d230c69b1f14','proposes','ada','put_group','Create or change a group.','operator','PUT','/groups/east','{"selector":{"labels":{"site":"east"}},"note":"proposed"}','','complete',1.79582508560394120216e+09,1.79642988560394120211e+09,NULL,'','',0,'');
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
INSERT INTO "request_key" VALUES('8a5ce3690b13f76f869cd04d2f900171c733069cd74bbf8e0058b9fdf344b198','2b6b6e95e3f3a8bc1efc8ef6b0798ab7de801cb9b74d78bb7f1e3af92415c076','daafcfa9a7db2d9ced01cdefc3d5cc96c6996de1de245a9af897fec59b48c466','cd756655bc588d6d',1.79582508461033439639e+09,1.79582520461033439632e+09,1,201,'dPIYnwrgkJipI3DG6D7wzvi8tt1bRj+ntlYm8dmaKohcugOOOQmH2e5WmRJ68c4xMsN8lRJuZh8Xz3fDvFxpWLrLiLf2OsxUFuBYzfGJ/UJK74RGkGs5asYZzklaEwrXYqlKaDQzVDLVVLfAYYnn6ADaGILTrMlNxjp1JwqcVjzXIUORcFtEqi+GHBg1cBNs5B3a019o270p44/IyzMl8BOQGaQKns4fhVtgbXJJPEOldYd423j3nNUDEAqUHdlU3vmO8H8i6WN9ZZZkmUYO5iXLibJ+0Mq1AIVXDWiZIL8t7GTGPQ/Gi3GsaVU3oNok4lhWS0tzmK7y/pPaknm8EoLDH00aGm+TqxhpUdbwh0DHL9xtP5V61WTwzZ4mrRN618za7DOFX/hGwXOE84WZEtLiE/iXyLeqTBNnRhTV7cU1Tug=');
CREATE TABLE restricted_device (
	device VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	offence VARCHAR NOT NULL, 
	since_at FLOAT NOT NULL, 
	until_at FLOAT NOT NULL, 
	times INTEGER NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "restricted_device" VALUES('door','throttled','over_quota',1.79582508740785408017e+09,1.79582538740785408026e+09,0);
CREATE TABLE retention (
	kind VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	removed INTEGER NOT NULL, 
	took_s FLOAT NOT NULL, 
	problem VARCHAR NOT NULL, 
	PRIMARY KEY (kind)
);
INSERT INTO "retention" VALUES('samples',1.79582507439084458353e+09,0,3.31300994730554521083e-04,'');
INSERT INTO "retention" VALUES('events',1.79582507439084458353e+09,0,3.60403995728120207786e-04,'');
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
INSERT INTO "rollout" VALUES(1,'spotter 1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','detector','completed','',1.79582508074979043007e+09,1.79582508074979043007e+09,1.79582508172841954227e+09,1.79582508172841954227e+09,'{"all": true, "ids": [], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(2,'spotter 1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','rolled_back','',1.79582508176661920541e+09,1.79582508178298711778e+09,1.79582508324312090878e+09,1.79582508324312090878e+09,'{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}','[{"name": "one", "percent": null, "count": 1, "labels": {}, "approval": true}, {"name": "rest", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(3,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','shadow-detector','completed','',1.79582508290514469145e+09,1.79582508290514469145e+09,1.79582508411930632588e+09,1.79582508411930632588e+09,'{"all": false, "ids": ["press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(4,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','detector','aborted','the wrong day',1.7958250829423601627e+09,NULL,1.79582508295555067067e+09,1.79582508295555067067e+09,'{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(5,'faster: b','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','aborted','',1.79582508302320384982e+09,1.79582508302320384982e+09,1.79582508311172819133e+09,1.79582508311172819133e+09,'{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 5.0, "reported_min": 1, "offline_s": 300.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 0.2, "trial_frames_min": 10, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',3600.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(6,'again: b','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','aborted','',1.79582508307120227806e+09,1.79582508307120227806e+09,1.79582508311172819133e+09,1.79582508311172819133e+09,'{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 5.0, "reported_min": 1, "offline_s": 300.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 0.2, "trial_frames_min": 10, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',3600.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(7,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','detector','completed','',1.79582508310523223877e+09,1.79582508310523223877e+09,1.79582508411930632588e+09,1.79582508411930632588e+09,'{"all": false, "ids": ["press-01"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}, "rate": {"per_minute": 60, "factor": 1.0, "grow_after": 10, "per_minute_max": 1000}, "window": null, "follow": true, "prestage": true}',500,'ada',NULL);
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
INSERT INTO "rollup" VALUES(60,'press-00',1795824720,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795824780,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795824840,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795824900,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795824960,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795825080,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(3600,'press-00',1795824000,X'85AB6370755F70657263656E749506CB405E000000000000CB4034000000000000CB4034000000000000814B06A36670739506CB4056800000000000CB402E000000000000CB402E000000000000814406B4646574656374696F6E735F7065725F6672616D659506CB0000000000000000CB0000000000000000CB000000000000000081D1800006AF64726F707065645F70657263656E749506CB0000000000000000CB0000000000000000CB000000000000000081D1800006AE6C6174656E63795F7039355F6D739506CB4052000000000000CB4028000000000000CB4028000000000000813F06');
CREATE TABLE secret (
	name VARCHAR NOT NULL, 
	value VARCHAR NOT NULL, 
	made_at FLOAT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "secret" VALUES('server id','93fc5b9a4e270382819d375bb6dc2e7f',1.79582507315745258332e+09);
INSERT INTO "secret" VALUES('broadcast-blocks','722cb39bd4551bd3a1de3ed2d1a75fd2',1.79582507316977286341e+09);
INSERT INTO "secret" VALUES('web push','22ba272a5c397705114ca1d60ab74379',1.79582507317975139616e+09);
INSERT INTO "secret" VALUES('corpus','8c589f8511792e0161dfe758c4c0b413',1.79582508750110554692e+09);
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
INSERT INTO "session" VALUES('2b6b6e95e3f3a8bc1efc8ef6b0798ab7de801cb9b74d78bb7f1e3af92415c076','ada',1.79582507416340875629e+09,1.79582507416340875629e+09,1.79642987416340875624e+09,'127.0.0.1','python-httpx/0.28.1');
CREATE TABLE setting (
	name VARCHAR NOT NULL, 
	value JSON NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "setting" VALUES('soak_s',1,1.79582507518171882636e+09,'ada');
CREATE TABLE telemetry (
	id INTEGER NOT NULL, 
	device VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	received_at FLOAT NOT NULL, 
	record VARCHAR NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "telemetry" VALUES(1,'press-00',1.79582477598566579821e+09,1.79582507599610042572e+09,'{"at":1795824775.9856658,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":0}');
INSERT INTO "telemetry" VALUES(2,'press-00',1.79582483598566961281e+09,1.79582507599610042572e+09,'{"at":1795824835.9856696,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":1}');
INSERT INTO "telemetry" VALUES(3,'press-00',1.79582489598567223549e+09,1.79582507599610042572e+09,'{"at":1795824895.9856722,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":2}');
INSERT INTO "telemetry" VALUES(4,'press-00',1.79582495598567485816e+09,1.79582507599610042572e+09,'{"at":1795824955.9856749,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":3}');
INSERT INTO "telemetry" VALUES(5,'press-00',1.79582501598567724227e+09,1.79582507599610042572e+09,'{"at":1795825015.9856772,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":4}');
INSERT INTO "telemetry" VALUES(6,'press-00',1.79582508317896580697e+09,1.79582508323121213915e+09,'{"at":1795825083.1789658,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}');
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
INSERT INTO "timeline" VALUES(1,1,1.79582508074979043007e+09,'created','Created: spotter 1.0.0',NULL,NULL);
INSERT INTO "timeline" VALUES(2,1,1.79582508074979043007e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(3,1,1.79582508080871272081e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(4,1,1.79582508117171192173e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(5,1,1.79582508172841954227e+09,'wave_passed','Wave ''all'' passed: 0 of 6 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(6,1,1.79582508172841954227e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(7,2,1.79582508176661920541e+09,'created','Created: spotter 1.1.0',NULL,NULL);
INSERT INTO "timeline" VALUES(8,2,1.79582508178298711778e+09,'running','Running: now',NULL,NULL);
INSERT INTO "timeline" VALUES(9,2,1.79582508179812908172e+09,'paused','Paused: a question',NULL,NULL);
INSERT INTO "timeline" VALUES(10,2,1.79582508181168031694e+09,'resumed','Running: answered',NULL,NULL);
INSERT INTO "timeline" VALUES(11,2,1.79582508182991766937e+09,'wave_skipped','Wave ''rest'' was skipped by ada: one is enough; 1 device not updated',1,NULL);
INSERT INTO "timeline" VALUES(12,2,1.79582508184798812864e+09,'wave_approved','Wave ''one'' was approved by ada: agreed',0,NULL);
INSERT INTO "timeline" VALUES(13,2,1.79582508188473677639e+09,'wave_running','Wave ''one'' started',0,NULL);
INSERT INTO "timeline" VALUES(14,2,1.7958250822459733486e+09,'wave_soaking','Wave ''one'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(15,2,1.79582508280202937126e+09,'wave_passed','Wave ''one'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(16,2,1.79582508280202937126e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(17,2,1.7958250828534114361e+09,'rolling_back','Rolling back: too slow',NULL,NULL);
INSERT INTO "timeline" VALUES(18,3,1.79582508290514469145e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(19,3,1.79582508290514469145e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(20,4,1.7958250829423601627e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(21,4,1.79582508295555067067e+09,'aborted','Aborted: the wrong day',NULL,NULL);
INSERT INTO "timeline" VALUES(22,3,1.79582508297924590108e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(23,5,1.79582508302320384982e+09,'created','Created: faster: b',NULL,NULL);
INSERT INTO "timeline" VALUES(24,5,1.79582508302320384982e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(25,5,1.79582508304961585999e+09,'aborting','Aborting: experiment 1 chose arm a',NULL,NULL);
INSERT INTO "timeline" VALUES(26,6,1.79582508307120227806e+09,'created','Created: again: b',NULL,NULL);
INSERT INTO "timeline" VALUES(27,6,1.79582508307120227806e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(28,6,1.79582508308928394313e+09,'aborting','Aborting: experiment 2 was stopped',NULL,NULL);
INSERT INTO "timeline" VALUES(29,7,1.79582508310523223877e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(30,7,1.79582508310523223877e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(31,5,1.79582508311172819133e+09,'wave_skipped','Wave ''all'' was skipped',0,NULL);
INSERT INTO "timeline" VALUES(32,5,1.79582508311172819133e+09,'aborted','Aborted',NULL,NULL);
INSERT INTO "timeline" VALUES(33,6,1.79582508311172819133e+09,'wave_skipped','Wave ''all'' was skipped',0,NULL);
INSERT INTO "timeline" VALUES(34,6,1.79582508311172819133e+09,'aborted','Aborted',NULL,NULL);
INSERT INTO "timeline" VALUES(35,7,1.79582508317556548116e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(36,2,1.79582508324312090878e+09,'device_rolled_back','press-00: rolled back: rolled back by an operator; restored to the previous version',0,'press-00');
INSERT INTO "timeline" VALUES(37,2,1.79582508324312090878e+09,'rolled_back','Rolled back',NULL,NULL);
INSERT INTO "timeline" VALUES(38,3,1.79582508329804062838e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(39,7,1.79582508355273962018e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(40,3,1.79582508411930632588e+09,'wave_passed','Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(41,3,1.79582508411930632588e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(42,7,1.79582508411930632588e+09,'wave_passed','Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(43,7,1.79582508411930632588e+09,'completed','Completed',NULL,NULL);
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
INSERT INTO "version_share" VALUES(1795824900,'[{"slot": "detector", "package": "spotter", "version": "1.0.0", "count": 5}, {"slot": "second", "package": "spotter", "version": "1.1.0", "count": 1}, {"slot": "detector", "package": "spotter", "version": "1.2.0", "count": 1}, {"slot": "shadow-detector", "package": "spotter", "version": "1.2.0", "count": 1}]');
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
INSERT INTO "wave" VALUES(1,0,'all','passed',6,1.79582508080871272081e+09,1.79582508117171192173e+09,1.79582508172841954227e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(2,0,'one','passed',1,1.79582508188473677639e+09,1.7958250822459733486e+09,1.79582508280202937126e+09,0,0,1,'ada',0);
INSERT INTO "wave" VALUES(2,1,'rest','skipped',1,NULL,NULL,1.79582508182991766937e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(3,0,'all','passed',1,1.79582508297924590108e+09,1.79582508329804062838e+09,1.79582508411930632588e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(4,0,'all','skipped',2,NULL,NULL,NULL,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(5,0,'all','skipped',3,NULL,NULL,1.79582508311172819133e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(6,0,'all','skipped',3,NULL,NULL,1.79582508311172819133e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(7,0,'all','passed',1,1.79582508317556548116e+09,1.79582508355273962018e+09,1.79582508411930632588e+09,0,0,0,NULL,0);
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
