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
INSERT INTO "alert" VALUES(1,1,'press-00','fps 15, above the limit of -1',15.0,1.79581556992934155466e+09,NULL,1.7958155699473347664e+09,'ada','[]');
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
INSERT INTO "alert_recipient" VALUES(1,'on call','ntfy','{"url": "http://127.0.0.1:9", "secret": "tk_s3cret", "emails": [], "topic": "fleet", "key": ""}','[]','["critical"]',1,1.79581556996658349032e+09,1.79581556996658349032e+09,'ada');
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
INSERT INTO "alert_rule" VALUES(1,'fast','{"kind": "threshold", "figure": "fps", "above": -2.0, "below": null, "clear": null, "for_s": 0.0, "window_s": 300.0, "deviations": 4.0, "event_kind": null, "event_label": null, "event_rule": null, "pipeline": null, "group": null, "severity": "warning", "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "s"}], "emails": []}',1,1.79581562995776271816e+09,'ada',1.79581556826010751721e+09,'ada');
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
INSERT INTO "alert_snooze" VALUES(1,1,'','',1.79581916998531031606e+09,'the fan is replaced',1.79581556999503469474e+09,'ada');
INSERT INTO "alert_snooze" VALUES(2,NULL,'','press-00',1.79581557001349353787e+09,'moved',1.79581557000756478312e+09,'ada');
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
INSERT INTO "api_token" VALUES('15748cf37a1f','a7c046581a6162deb90c311ba315ecbfe0b900990be28f24673aa3e683da000f','ada','reads','admin',1.79581555978849720951e+09,1.8035915597884972096e+09,NULL,'[]','[]');
INSERT INTO "api_token" VALUES('d74c5f4168fe','31f8e740e90c152829ea7578e7effb5ef3b00a7f990099cbeac2a9d0d56b35e1','ada','proposes','operator',1.79581557026107406613e+09,1.80359157026107406619e+09,1.79581557028524017331e+09,'["propose"]','[]');
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
INSERT INTO "assignment" VALUES('press-00','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','2:press-00:1:back',2,1.0,0,0,1.79581556809028673174e+09,0,0.0,0.0);
INSERT INTO "assignment" VALUES('press-02','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-02:1',1,1.0,0,0,1.79581556600140476221e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-01','detector','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','7:press-01:1',7,1.0,0,0,1.79581556826239299769e+09,1,60.0,30.0);
INSERT INTO "assignment" VALUES('press-05','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-05:1',1,1.0,0,0,1.79581556600140476221e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-03','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-03:1',1,1.0,0,0,1.79581556600140476221e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-04','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-04:1',1,1.0,0,0,1.79581556600140476221e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-05','shadow-detector','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','3:press-05:1',3,1.0,0,0,1.79581556809028673174e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-01','second','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','7:press-01:1',7,1.0,0,0,1.79581556826239299769e+09,1,60.0,30.0);
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
INSERT INTO "attempt" VALUES('1:press-00:1',1,'press-00',0,1,'committed',0,'','',NULL,1.79581556600140476221e+09,1.79581556636039781568e+09,1.79581556636039781568e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-02:1',1,'press-02',0,1,'committed',0,'','',NULL,1.79581556600140476221e+09,1.79581556636039781568e+09,1.79581556636039781568e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-01:1',1,'press-01',0,1,'committed',0,'','',NULL,1.79581556600140476221e+09,1.79581556636039781568e+09,1.79581556636039781568e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-05:1',1,'press-05',0,1,'committed',0,'','',NULL,1.79581556600140476221e+09,1.79581556636039781568e+09,1.79581556636039781568e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-03:1',1,'press-03',0,1,'committed',0,'','',NULL,1.79581556600140476221e+09,1.79581556636039781568e+09,1.79581556636039781568e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-04:1',1,'press-04',0,1,'committed',0,'','',NULL,1.79581556600140476221e+09,1.79581556636039781568e+09,1.79581556636039781568e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('2:press-00:1',2,'press-00',0,1,'rolled_back',0,'operator_rollback','restored to the previous version','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79581556706578826902e+09,1.79581556844806170458e+09,1.79581556844806170458e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('2:press-01:1',2,'press-01',1,1,'cancelled',0,'wave_skipped','the wave was skipped',NULL,NULL,1.79581556706578826902e+09,1.79581556706578826902e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('3:press-05:1',3,'press-05',0,1,'committed',0,'','',NULL,1.79581556809028673174e+09,1.79581556844806170458e+09,1.79581556844806170458e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('4:press-00:1',4,'press-00',0,1,'cancelled',0,'','',NULL,NULL,1.79581556811191082002e+09,1.79581556811191082002e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('4:press-01:1',4,'press-01',0,1,'cancelled',0,'','',NULL,NULL,1.79581556811191082002e+09,1.79581556811191082002e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('5:press-04:1',5,'press-04',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79581556820074319841e+09,1.79581556820074319841e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('5:press-03:1',5,'press-03',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79581556820074319841e+09,1.79581556820074319841e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('5:press-05:1',5,'press-05',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79581556820074319841e+09,1.79581556820074319841e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('6:press-04:1',6,'press-04',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79581556820074319841e+09,1.79581556820074319841e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('6:press-03:1',6,'press-03',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79581556820074319841e+09,1.79581556820074319841e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('6:press-05:1',6,'press-05',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79581556820074319841e+09,1.79581556820074319841e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('7:press-01:1',7,'press-01',0,1,'committed',0,'','','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79581556826239299769e+09,1.79581556861153793331e+09,1.79581556861153793331e+09,0,0,1,0,0.0,'null','',NULL);
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
INSERT INTO "audit" VALUES(2,1.79581555950971078873e+09,'ada','admin','session','127.0.0.1','sign_in','/session',200,'{"name": "ada", "password": "(hidden)"}','51e2d15bd531721b0548afe09eef1ae76b3be790295ec5829a9af7f8ea8350a4','8da5a4ca6aa2cf06bb5c9f66a79e90bedef91cd1e279049220d1635c571b3ff9');
INSERT INTO "audit" VALUES(3,1.79581555977208113671e+09,'ada','admin','session','127.0.0.1','create_user','/users',201,'{"name": "bob", "password": "(hidden)", "role": "operator"}','8da5a4ca6aa2cf06bb5c9f66a79e90bedef91cd1e279049220d1635c571b3ff9','a776b0049967dd35ffe52887f8598029e896fc42f6a18f7954d04e2a839539a0');
INSERT INTO "audit" VALUES(4,1.79581555978231406211e+09,'ada','admin','session','127.0.0.1','change_user','/users/bob',200,'{"role": "admin"}','a776b0049967dd35ffe52887f8598029e896fc42f6a18f7954d04e2a839539a0','28197da5a2a588c8b952c1a1f87be0f83da801815aed53876ee158d9fe2e7a1e');
INSERT INTO "audit" VALUES(5,1.7958155597899603844e+09,'ada','admin','session','127.0.0.1','create_api_token','/api-tokens',201,'{"name": "reads", "role": "admin"}','28197da5a2a588c8b952c1a1f87be0f83da801815aed53876ee158d9fe2e7a1e','9594f851a376cd961fd5d9434bdeb58e1563dc5f9f6929fdef671a5d6d7fa551');
INSERT INTO "audit" VALUES(6,1795815559.80988,'ada','admin','session','127.0.0.1','change_settings','/settings',200,'{"values": {"soak_s": 1.0}}','9594f851a376cd961fd5d9434bdeb58e1563dc5f9f6929fdef671a5d6d7fa551','37e0b8607a3ae6c925dc6bfe2bd77a99e5a5ff4375144922eb3d77b73f98c725');
INSERT INTO "audit" VALUES(7,1.7958155598353281021e+09,'ada','admin','session','127.0.0.1','push_model','/models',201,'{"bytes": 10423}','37e0b8607a3ae6c925dc6bfe2bd77a99e5a5ff4375144922eb3d77b73f98c725','620cdab8f5b38cbf7084e64d577c4a833d25ae8df44b745f5449b6cd8b852b4e');
INSERT INTO "audit" VALUES(8,1.79581555985329246517e+09,'ada','admin','session','127.0.0.1','push_model','/models',201,'{"bytes": 10423}','620cdab8f5b38cbf7084e64d577c4a833d25ae8df44b745f5449b6cd8b852b4e','5ddce7f070478d5b21448b99b9cb6377341cfa0f00c388e93142099455d5c206');
INSERT INTO "audit" VALUES(9,1.79581555986526966101e+09,'ada','admin','session','127.0.0.1','begin_upload','/uploads',201,'{"length_bytes": 10240, "sha256": "7a80730a49003c3f4f11b81c7def98d33d960ba066535a2a97eabf231e44cfe9"}','5ddce7f070478d5b21448b99b9cb6377341cfa0f00c388e93142099455d5c206','8937263111d2b96cc212911a68b3843880db74a7469834fc347e8c4d859eddca');
INSERT INTO "audit" VALUES(10,1.79581555988166356088e+09,'ada','admin','session','127.0.0.1','finish_upload','/uploads/61543f6be3c4582ba009f6be07d4cf04/finish',201,'{}','8937263111d2b96cc212911a68b3843880db74a7469834fc347e8c4d859eddca','576b3c88043035db8995be9e6843df1be91a6ec8ec79a927a0d813a510cf50b5');
INSERT INTO "audit" VALUES(11,1.79581555990901112554e+09,'ada','admin','session','127.0.0.1','upload_measurements','/models/spotter/1.1.0/measurements',200,'{"digest": "e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129", "machine": "m", "profile": "cpu", "rows": [{"variant": "cpu-int8", "runtime": "lite_rt", "device": "cpu", "threads": 2, "streams": 1, "instances": 1, "batch": 1, "per_s": 10.0, "p50_ms": 5.0, "p95_ms": 6.0, "load_ms": 1.0, "memory_bytes": 1, "best": true}]}','576b3c88043035db8995be9e6843df1be91a6ec8ec79a927a0d813a510cf50b5','233d68f3bc202688ec3b1c4c2bba4f09dd93de49304de405d104d37bdcf30de6');
INSERT INTO "audit" VALUES(12,1.79581555994627118117e+09,'ada','admin','session','127.0.0.1','set_channel','/channels/spotter/stable',200,'{"version": "1.0.0", "note": "first"}','233d68f3bc202688ec3b1c4c2bba4f09dd93de49304de405d104d37bdcf30de6','5e02e3599aa2857584b6d8e9692feb598b2ddb951d33c1c788df4cee1f67c35b');
INSERT INTO "audit" VALUES(13,1.79581555995252203938e+09,'ada','admin','session','127.0.0.1','set_channel','/channels/spotter/stable',200,'{"version": "1.1.0", "note": "first"}','5e02e3599aa2857584b6d8e9692feb598b2ddb951d33c1c788df4cee1f67c35b','27b84295ac7048561f472ebfcbd45e826928ba15541a685a372ffd9f9978c31d');
INSERT INTO "audit" VALUES(14,1.79581555998099732401e+09,'ada','admin','session','127.0.0.1','prune_models','/models/prune',200,'{"dry_run": true}','27b84295ac7048561f472ebfcbd45e826928ba15541a685a372ffd9f9978c31d','188cba675555d2b11826b2f3b45f1ac2ee1e0679e1ee1a6f13381a07c1f262c8');
INSERT INTO "audit" VALUES(15,1.79581555999709558488e+09,'ada','admin','session','127.0.0.1','create_pipeline','/pipelines',201,'{"text": "name = \"gate\"\n[source]\nkind = \"device\"\n[[stages]]\nname = \"find\"\nkind = \"detect\"\nmodel = \"slot:detector\"\n"}','188cba675555d2b11826b2f3b45f1ac2ee1e0679e1ee1a6f13381a07c1f262c8','4bd7af8160b9e7adbfe18b695f42033588dec061a9f368050f668aabbee08374');
INSERT INTO "audit" VALUES(16,1.79581556505434131619e+09,'ada','admin','session','127.0.0.1','label_device','/devices/press-00',200,'{"labels": {"site": "north", "lat": "59.3", "lon": "18.1"}}','4bd7af8160b9e7adbfe18b695f42033588dec061a9f368050f668aabbee08374','75ff204f965d258426f242ccd8b9d8f9d9d3134ab5207af73244798ee8e64ff2');
INSERT INTO "audit" VALUES(17,1.79581556507550168036e+09,'ada','admin','session','127.0.0.1','put_group','/groups/north',200,'{"selector": {"labels": {"site": "north"}, "query": "not state = blocked"}, "note": "in the north"}','75ff204f965d258426f242ccd8b9d8f9d9d3134ab5207af73244798ee8e64ff2','cc9185ad61caae1c08f24a4cb557cd49475ecd6c6d3275e9ab88772c43a842b6');
INSERT INTO "audit" VALUES(18,1.79581556508347964283e+09,'ada','admin','session','127.0.0.1','put_group','/groups/plant',200,'{"selector": {"labels": {"site": "north"}}}','cc9185ad61caae1c08f24a4cb557cd49475ecd6c6d3275e9ab88772c43a842b6','2cfee78da6763e1d771987f9d1bae105a1d753dfb83dcc20a8ab474cdff12c0d');
INSERT INTO "audit" VALUES(19,1.79581556534682464597e+09,'ada','admin','session','127.0.0.1','create_user','/users',201,'{"name": "lea", "password": "(hidden)", "grants": [{"role": "viewer"}, {"role": "operator", "group": "plant"}]}','2cfee78da6763e1d771987f9d1bae105a1d753dfb83dcc20a8ab474cdff12c0d','287b4c86d4cf5c31854004689eb50cb6e40aba537c09abe35ce3df6b68a3056a');
INSERT INTO "audit" VALUES(20,1.79581556535556340222e+09,'ada','admin','session','127.0.0.1','put_configuration','/configurations/plant',200,'{"revision": 0, "resources": [{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef"}]}','287b4c86d4cf5c31854004689eb50cb6e40aba537c09abe35ce3df6b68a3056a','77c939616e274b64caa7b24e6009c1c8426b9469fe3685d6611f3263a2ec1839');
INSERT INTO "audit" VALUES(21,1.79581556536577868462e+09,'ada','admin','session','127.0.0.1','send_command','/devices/press-00/commands',202,'{"op": "identify", "args": {"n": 1}}','77c939616e274b64caa7b24e6009c1c8426b9469fe3685d6611f3263a2ec1839','4571740f4bb4385b57830b2fff75ab6e563ef7b3e467d26e9e78714c4a70cb53');
INSERT INTO "audit" VALUES(22,1.79581556548914289474e+09,'ada','admin','session','127.0.0.1','take_picture','/devices/press-00/snapshots',202,'{"pipeline": "gate"}','4571740f4bb4385b57830b2fff75ab6e563ef7b3e467d26e9e78714c4a70cb53','f1e1e2fa5e7b6ac68e37de1b93ca7ad517cf65f8b985666b51d57d758be4e491');
INSERT INTO "audit" VALUES(23,1.79581556549912714961e+09,'ada','admin','session','127.0.0.1','view_logs','/devices/press-00/logs',200,'{}','f1e1e2fa5e7b6ac68e37de1b93ca7ad517cf65f8b985666b51d57d758be4e491','ee5e88d436f433d028f55338b4ee68d16beaa19737193ca5210939e6db3708a5');
INSERT INTO "audit" VALUES(24,1.7958155657096629143e+09,'ada','admin','session','127.0.0.1','get_last_logs','/devices/press-00/logs/last',200,'{}','ee5e88d436f433d028f55338b4ee68d16beaa19737193ca5210939e6db3708a5','28ff987b9bae14b4e1e72c137ae9978ee324b2a371561a1200fc172cf23e87bb');
INSERT INTO "audit" VALUES(25,1.79581556571648526189e+09,'ada','admin','session','127.0.0.1','request_support_bundle','/devices/press-00/support-bundles',202,'{}','28ff987b9bae14b4e1e72c137ae9978ee324b2a371561a1200fc172cf23e87bb','11138b5ead27c11e70f456c79af9fd1eaa3a5129fba20d40820e93f824c12020');
INSERT INTO "audit" VALUES(26,1.79581556584138655663e+09,'ada','admin','session','127.0.0.1','delete_support_bundle','/devices/press-00/support-bundles/4ebd317fb18444d489a50ce6dc5e7635',204,'{}','11138b5ead27c11e70f456c79af9fd1eaa3a5129fba20d40820e93f824c12020','e10b06b1ad5cf4a04dd423066daa52ddd78c05529f13b69d610ddb24f0dee049');
INSERT INTO "audit" VALUES(27,1.79581556584706568714e+09,'ada','admin','session','127.0.0.1','bulk_devices','/devices/bulk',200,'{"action": "label", "labels": {"floor": "1"}, "selector": {"ids": ["press-00", "press-01"]}}','e10b06b1ad5cf4a04dd423066daa52ddd78c05529f13b69d610ddb24f0dee049','1964904491bb21333424f6a2ce56c5579bc8f1b922c2936821ae3e7b3d5e63fd');
INSERT INTO "audit" VALUES(28,1.79581556592568874356e+09,'ada','admin','session','127.0.0.1','review_events','/events/reviews',200,'{"events": [3], "verdict": "confirmed"}','1964904491bb21333424f6a2ce56c5579bc8f1b922c2936821ae3e7b3d5e63fd','e878e5da215db4e81ad7bb45e994cbf6be26c36e35e2d3293589a38ae2719295');
INSERT INTO "audit" VALUES(29,1.79581556594895768168e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.0.0", "package": "spotter", "version": "1.0.0", "slot": "detector", "selector": {"all": true}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}','e878e5da215db4e81ad7bb45e994cbf6be26c36e35e2d3293589a38ae2719295','d8592557381740240e18303172e049de2be2dc255beb13b3659aa182dfe4179e');
INSERT INTO "audit" VALUES(30,1.79581556695537686348e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.1.0", "package": "spotter", "version": "1.1.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "one", "count": 1, "approval": true}, {"name": "rest"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false, "key": "apply/plant/second"}','d8592557381740240e18303172e049de2be2dc255beb13b3659aa182dfe4179e','771e93152b157ac3d04c9947e3d5662ab5d25863305b3515cfc3c93583681ee0');
INSERT INTO "audit" VALUES(31,1.79581556697529983518e+09,'ada','admin','session','127.0.0.1','start_rollout','/rollouts/2/start',200,'{"reason": "now"}','771e93152b157ac3d04c9947e3d5662ab5d25863305b3515cfc3c93583681ee0','2c1fe3160c4ba3bfb5348c549d0bc2c06db5167c4b3763f78a1c75d4f632266e');
INSERT INTO "audit" VALUES(32,1.79581556699138021474e+09,'ada','admin','session','127.0.0.1','pause_rollout','/rollouts/2/pause',200,'{"reason": "a question"}','2c1fe3160c4ba3bfb5348c549d0bc2c06db5167c4b3763f78a1c75d4f632266e','63fe0586d64bd672f6e26ac661319952fc743d36b1edafcd8899403ecf4b343f');
INSERT INTO "audit" VALUES(33,1795815567.0076,'ada','admin','session','127.0.0.1','resume_rollout','/rollouts/2/resume',200,'{"reason": "answered"}','63fe0586d64bd672f6e26ac661319952fc743d36b1edafcd8899403ecf4b343f','a489a01375be439c6dacbd5db9665de6b103ef76cfca74275579233f6db224bf');
INSERT INTO "audit" VALUES(34,1.79581556702313733099e+09,'ada','admin','session','127.0.0.1','skip_wave','/rollouts/2/skip',200,'{"wave": 1, "reason": "one is enough"}','a489a01375be439c6dacbd5db9665de6b103ef76cfca74275579233f6db224bf','3c3588a4952eee9e6df5fde19b4e1b8310150f731371298ab0c88f44b65389e8');
INSERT INTO "audit" VALUES(35,1.79581556703857326507e+09,'ada','admin','session','127.0.0.1','approve_rollout','/rollouts/2/approve',200,'{"wave": 0, "reason": "agreed"}','3c3588a4952eee9e6df5fde19b4e1b8310150f731371298ab0c88f44b65389e8','4cf539074431e56c2c83e8d490dcfa195c8578cfbdb78930186c326bcea53409');
INSERT INTO "audit" VALUES(36,1.79581556803588485715e+09,'ada','admin','session','127.0.0.1','rollback_rollout','/rollouts/2/rollback',200,'{"reason": "too slow"}','4cf539074431e56c2c83e8d490dcfa195c8578cfbdb78930186c326bcea53409','a8008c1a7fd4eae007d3da6a98354698a970780c6c971a0b35400f5ed9c73691');
INSERT INTO "audit" VALUES(37,1.79581556808374047276e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "shadow-detector", "selector": {"ids": ["press-05"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}','a8008c1a7fd4eae007d3da6a98354698a970780c6c971a0b35400f5ed9c73691','3359e9943b6d8464ac6fc07b5093dc2779416127a0bf007bdb2532d13fc669a4');
INSERT INTO "audit" VALUES(38,1.79581556810468101503e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false}','3359e9943b6d8464ac6fc07b5093dc2779416127a0bf007bdb2532d13fc669a4','62d7c7591dedb35d26499e838f2edc4253cf306d412a890a524aeefd68c194f8');
INSERT INTO "audit" VALUES(39,1.79581556811397194863e+09,'ada','admin','session','127.0.0.1','abort_rollout','/rollouts/4/abort',200,'{"reason": "the wrong day"}','62d7c7591dedb35d26499e838f2edc4253cf306d412a890a524aeefd68c194f8','a826bb13cb1115113becaaec8f70b7cc8878d27def73fb01d8ac7a2fef416766');
INSERT INTO "audit" VALUES(40,1.79581556816343402864e+09,'ada','admin','session','127.0.0.1','create_experiment','/experiments',201,'{"name": "faster", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','a826bb13cb1115113becaaec8f70b7cc8878d27def73fb01d8ac7a2fef416766','d5092c3b88ea4cbbee9c2578cbfd70b5de7a86cb4c3253edac95a3f4da5a6c6d');
INSERT INTO "audit" VALUES(41,1.79581556817704367633e+09,'ada','admin','session','127.0.0.1','choose_experiment_arm','/experiments/1/choose',200,'{"arm": "a", "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','d5092c3b88ea4cbbee9c2578cbfd70b5de7a86cb4c3253edac95a3f4da5a6c6d','e18cf8b83379d139500c85d26118c688be8ccad29a3be7c987cdf152be6a0840');
INSERT INTO "audit" VALUES(42,1.79581556818999600417e+09,'ada','admin','session','127.0.0.1','create_experiment','/experiments',201,'{"name": "again", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','e18cf8b83379d139500c85d26118c688be8ccad29a3be7c987cdf152be6a0840','627defa643497e0535fac204c79fe0d85b2a638cb9c4d8dea0451f7aab9bddc6');
INSERT INTO "audit" VALUES(43,1.79581556819922757151e+09,'ada','admin','session','127.0.0.1','stop_experiment','/experiments/2/stop',200,'{}','627defa643497e0535fac204c79fe0d85b2a638cb9c4d8dea0451f7aab9bddc6','bfb5c7f92c370bc40d416f022b179faa267f4ed942b12354d6d6ebb5a28f298e');
INSERT INTO "audit" VALUES(44,1.79581556821801948545e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true, "parts": [{"package": "spotter", "slot": "second", "version": "1.1.0"}], "terms": {"follow": true, "prestage": true, "rate": {"per_minute": 60, "grow_after": 10}, "retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}}}','bfb5c7f92c370bc40d416f022b179faa267f4ed942b12354d6d6ebb5a28f298e','009a558e6f84ed0c7390cc1310d479c3cbf0e1b5ddc55e3832129124d0295f4c');
INSERT INTO "audit" VALUES(45,1.79581556822866177558e+09,'ada','admin','session','127.0.0.1','pin_device','/devices/press-03/pins/detector',200,'{"reason": "a demonstration"}','009a558e6f84ed0c7390cc1310d479c3cbf0e1b5ddc55e3832129124d0295f4c','7610bfb25c40796fba080e5328f83effa69b6d11ffb3b8a0ee4f9344373dc69d');
INSERT INTO "audit" VALUES(46,1.7958155682374093532e+09,'ada','admin','session','127.0.0.1','pin_device','/devices/press-04/pins/detector',200,'{"reason": "for a day"}','7610bfb25c40796fba080e5328f83effa69b6d11ffb3b8a0ee4f9344373dc69d','9e2183c9249a08a554cc6e4919cab2ebe87752b233973ab09f05dd575c9804b1');
INSERT INTO "audit" VALUES(47,1.79581556824593234064e+09,'ada','admin','session','127.0.0.1','unpin_device','/devices/press-04/pins/detector',200,'{}','9e2183c9249a08a554cc6e4919cab2ebe87752b233973ab09f05dd575c9804b1','f8068c5bc8e491a24dc70b1c90d189fc4564604f5a8c8f2c801a886ce3f21a2e');
INSERT INTO "audit" VALUES(48,1.79581556825349068643e+09,'ada','admin','session','127.0.0.1','release_device','/devices/press-01/release',200,'{}','f8068c5bc8e491a24dc70b1c90d189fc4564604f5a8c8f2c801a886ce3f21a2e','2e31395b6cc1676aa6fbdd89ffe6324c7278ceeb0bd1be04d2c93a8568616642');
INSERT INTO "audit" VALUES(49,1.79581556826086401936e+09,'ada','admin','session','127.0.0.1','create_alert_rule','/alert-rules',201,'{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -1.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/(hidden-a94bb7e8)", "secret": "(hidden)"}]}}','2e31395b6cc1676aa6fbdd89ffe6324c7278ceeb0bd1be04d2c93a8568616642','e0981b656b61a3e8288bbe5daf3445585431f39b6857e46e7651408a6bd3ae56');
INSERT INTO "audit" VALUES(50,1.79581556994742608072e+09,'ada','admin','session','127.0.0.1','acknowledge_alert','/alerts/1/acknowledge',204,'{}','e0981b656b61a3e8288bbe5daf3445585431f39b6857e46e7651408a6bd3ae56','ee1754a9dd93cf04a5d03a3adb11869ce75f694bba18d6fa6461287f08065619');
INSERT INTO "audit" VALUES(51,1.79581556995264410977e+09,'ada','admin','session','127.0.0.1','change_alert_rule','/alert-rules/1',200,'{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -2.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/(hidden-a94bb7e8)", "secret": "(hidden)"}]}}','ee1754a9dd93cf04a5d03a3adb11869ce75f694bba18d6fa6461287f08065619','e606d4aecd1c08f5f799a47cce5cd684cd7163c5f8b8293f2873dbd055292af7');
INSERT INTO "audit" VALUES(52,1795815569.95809,'ada','admin','session','127.0.0.1','silence_alert_rule','/alert-rules/1/silence',200,'{"for_s": 60.0}','e606d4aecd1c08f5f799a47cce5cd684cd7163c5f8b8293f2873dbd055292af7','d5f5031dae84caf787163709edb9015880d3f1e9569720a9de800d910966b81e');
INSERT INTO "audit" VALUES(53,1.79581556996682715414e+09,'ada','admin','session','127.0.0.1','create_alert_recipient','/alert-recipients',201,'{"name": "on call", "kind": "ntfy", "url": "http://127.0.0.1:9", "topic": "fleet", "secret": "(hidden)"}','d5f5031dae84caf787163709edb9015880d3f1e9569720a9de800d910966b81e','52e7aa7fe8852e113329ab8aba4b09c63504d636abc3fce1f618279026f3d470');
INSERT INTO "audit" VALUES(54,1.79581556997209525108e+09,'ada','admin','session','127.0.0.1','change_alert_recipient','/alert-recipients/1',200,'{"name": "on call", "kind": "ntfy", "url": "http://127.0.0.1:9", "topic": "fleet", "secret": "(hidden)", "severities": ["critical"]}','52e7aa7fe8852e113329ab8aba4b09c63504d636abc3fce1f618279026f3d470','e7a91cdfd9b25d18c8d095d7718d0e959ad072a5fbd76e2ee305eb225a5cb163');
INSERT INTO "audit" VALUES(55,1.79581556997912406923e+09,'ada','admin','session','127.0.0.1','test_alert_recipient','/alert-recipients/1/test',200,'{}','e7a91cdfd9b25d18c8d095d7718d0e959ad072a5fbd76e2ee305eb225a5cb163','0130ab9f086136f9b63302e04cdf839cd453c53aa2ac0c245411f225386cef34');
INSERT INTO "audit" VALUES(56,1.79581556999559521672e+09,'ada','admin','session','127.0.0.1','create_alert_snooze','/alert-snoozes',201,'{"rule": 1, "until_at": 1795819169.9853103, "reason": "the fan is replaced"}','0130ab9f086136f9b63302e04cdf839cd453c53aa2ac0c245411f225386cef34','db38e7aa4785c9ad710af2720eea991719ef0d9512d226033aa8134a161d0e14');
INSERT INTO "audit" VALUES(57,1.79581557000838184351e+09,'ada','admin','session','127.0.0.1','create_alert_snooze','/alert-snoozes',201,'{"device": "press-00", "until_at": 1795819170.004688, "reason": "moved"}','db38e7aa4785c9ad710af2720eea991719ef0d9512d226033aa8134a161d0e14','5c1b6ab4174e0c3a4b68ed84cd6c495cf709604ae34b61d3517ed8ef850247d0');
INSERT INTO "audit" VALUES(58,1.79581557001357507707e+09,'ada','admin','session','127.0.0.1','end_alert_snooze','/alert-snoozes/2',204,'{}','5c1b6ab4174e0c3a4b68ed84cd6c495cf709604ae34b61d3517ed8ef850247d0','252164d09670b28ca2930267529c0702e9ff97e179958115a11c0c74af4a003f');
INSERT INTO "audit" VALUES(59,1.79581557002129697797e+09,'ada','admin','session','127.0.0.1','create_alert_recipient','/alert-recipients',201,'{"name": "second", "kind": "email", "emails": ["ops@example.org"]}','252164d09670b28ca2930267529c0702e9ff97e179958115a11c0c74af4a003f','6e6b0286b5cdbca7c78e09ec9473d927fffa051df400b0d3760d09eb3a617dfb');
INSERT INTO "audit" VALUES(60,1.79581557002652072909e+09,'ada','admin','session','127.0.0.1','delete_alert_recipient','/alert-recipients/2',204,'{}','6e6b0286b5cdbca7c78e09ec9473d927fffa051df400b0d3760d09eb3a617dfb','f5adb63a505e2dbd683aca0844a91568860099caed0f66f7cd88955058b21aae');
INSERT INTO "audit" VALUES(61,1.79581557004818487171e+09,'ada','admin','session','127.0.0.1','rotate_trust_key','/trust/rotate',200,'{"role": "snapshot"}','f5adb63a505e2dbd683aca0844a91568860099caed0f66f7cd88955058b21aae','f08cc9b405c1728a10f118af7d6f9de12fecdb59e6b8a705f5e1c62b900cd150');
INSERT INTO "audit" VALUES(62,1.79581557006660556797e+09,'ada','admin','session','127.0.0.1','withdraw_version','/trust/withdraw',200,'{"package": "pipeline-gate", "version": "1.0.0"}','f08cc9b405c1728a10f118af7d6f9de12fecdb59e6b8a705f5e1c62b900cd150','e2c0809b37039117c4a30ea0db8549df44e921219e5d705ca3f0820a22b24d8a');
INSERT INTO "audit" VALUES(63,1.79581557011030459401e+09,'ada','admin','session','127.0.0.1','begin_authority_rotation','/certificates/rotation',200,'{}','e2c0809b37039117c4a30ea0db8549df44e921219e5d705ca3f0820a22b24d8a','a878dfae4d6f9ae91eccc7e971901bbcb693e95d7ff5fce1659ec2b1a88dbbc0');
INSERT INTO "audit" VALUES(64,1.79581557012838554385e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"life_s": 100000.0, "devices_max": 3, "approval": true}','a878dfae4d6f9ae91eccc7e971901bbcb693e95d7ff5fce1659ec2b1a88dbbc0','3a8b091d19b1376ba6f27e6b8774d23ad59817d83628ffc55a1662a72dba30c4');
INSERT INTO "audit" VALUES(65,1.79581557014871764184e+09,'ada','admin','session','127.0.0.1','enrol_device','/enrol',202,'{"token": "(hidden)", "device": "image-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHNMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMTBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABL1QPO2aHZwZ72agidHFdyDNXNkN4122x7m09jiEjaMplsyFKKaIV43J\nT9lPhW7lh2DJbUwBMfOygavF2vmsePSgADAKBggqhkjOPQQDAgNJADBGAiEAzcuV\naJqbJLs2cr8nVxkFoVyt7uDPUMGm5lZnforfJMACIQCqoShFkU3iaBbK+OCzx54i\ndlNbmfz7Mw5ata1t9jbDDA==\n-----END CERTIFICATE REQUEST-----\n"}','3a8b091d19b1376ba6f27e6b8774d23ad59817d83628ffc55a1662a72dba30c4','e7f03c2187f93685cc8177ee1ab30f70ce16694bc15e94e4a06568ab2e2ed32b');
INSERT INTO "audit" VALUES(66,1.79581557015796732901e+09,'ada','admin','session','127.0.0.1','enrol_device','/enrol',202,'{"token": "(hidden)", "device": "image-2", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHMMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMjBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABNwn4OUvY4EehIo6WDmGmBS6ErSgB7196PYkMc1xYkhmU9SYSVC9Mmdw\nZhlPupUzBF+2wZ1zS5HB9tXzGLY59RigADAKBggqhkjOPQQDAgNIADBFAiAlBDpc\nyHbgpnuO+DVQHJZcBLIR4SAI3oLQtZ1HtRTvqwIhAIPNz2w5v92INItB9X91lLsM\nss7VLGEsHZ88GvMSfSUR\n-----END CERTIFICATE REQUEST-----\n"}','e7f03c2187f93685cc8177ee1ab30f70ce16694bc15e94e4a06568ab2e2ed32b','98601827db01724ae08e31a92dddafe8ab2d01209636bc45e7df9131c1276243');
INSERT INTO "audit" VALUES(67,1.79581557017250442506e+09,'ada','admin','session','127.0.0.1','decide_enrolment_requests','/enrolment-requests/decisions',200,'{"approve": true, "devices": [{"device": "image-1"}]}','98601827db01724ae08e31a92dddafe8ab2d01209636bc45e7df9131c1276243','acf0b85f6ce0881c9abbfc60156a7ab286ca00fa12ba2a4a33667986bde0b490');
INSERT INTO "audit" VALUES(68,1.79581557017925214766e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"labels": {"site": "north"}, "life_s": 100000.0}','acf0b85f6ce0881c9abbfc60156a7ab286ca00fa12ba2a4a33667986bde0b490','4aac573f4d030c4f8d0b287ceaca97d579b3fb489d5bfad3726b7d6b13557804');
INSERT INTO "audit" VALUES(69,1.79581557018576097486e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"labels": {"site": "north"}, "life_s": 100000.0}','4aac573f4d030c4f8d0b287ceaca97d579b3fb489d5bfad3726b7d6b13557804','413d9b80e64bd9fdbfabb052658024742a52f3baa0caff14d33b9d4f2b6ea956');
INSERT INTO "audit" VALUES(70,1.79581557020496344564e+09,'ada','admin','session','127.0.0.1','enrol_device','/enrol',200,'{"token": "(hidden)", "device": "enrolled-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHPMHcCAQAwFTETMBEGA1UEAwwKZW5yb2xsZWQtMTBZMBMGByqGSM49AgEGCCqG\nSM49AwEHA0IABHljgVhJ6SqJR0YEcG+fYo5dMC0vKOvg7fLkSEZuJqW7J0hnxCUn\n6uMogcRU/KbY/g8OuEz5P+3qBiaWIWwVp/+gADAKBggqhkjOPQQDAgNIADBFAiBi\nEsAlA7SFaka4gmRqp/G/wfhYhtczoW6XLsgZqjXbRwIhAP74iRc80ASj1VUptsn/\nwAoulWQziTxY4EXVzeab4DFk\n-----END CERTIFICATE REQUEST-----\n"}','413d9b80e64bd9fdbfabb052658024742a52f3baa0caff14d33b9d4f2b6ea956','87ccf6cd744f7422789853970db53152b0edf36452c708f884831fa9c9be7a04');
INSERT INTO "audit" VALUES(71,1.79581557021834564203e+09,'ada','admin','session','127.0.0.1','block_device','/devices/enrolled-1/block',200,'{"reason": "lost"}','87ccf6cd744f7422789853970db53152b0edf36452c708f884831fa9c9be7a04','4da3b398d742532e0604182848bfbd66b34ba9d5ded9bd139720fdfe01f4035c');
INSERT INTO "audit" VALUES(72,1.79581557022793698308e+09,'ada','admin','session','127.0.0.1','unblock_device','/devices/enrolled-1/block',200,'{}','4da3b398d742532e0604182848bfbd66b34ba9d5ded9bd139720fdfe01f4035c','158f890d4e704b19180ea6f9b8e0fe4f001d25baedc09e7b3f1756a6323795ce');
INSERT INTO "audit" VALUES(73,1.79581557023394513131e+09,'ada','admin','session','127.0.0.1','block_device','/devices/enrolled-1/block',200,'{"reason": "lost again"}','158f890d4e704b19180ea6f9b8e0fe4f001d25baedc09e7b3f1756a6323795ce','2f92172f8ee72015abeb5babf9798b232ca81ed6eaac1f493014e24d1258a86a');
INSERT INTO "audit" VALUES(74,1.79581557025531911853e+09,'ada','admin','session','127.0.0.1','finish_authority_rotation','/certificates/rotation/finish',200,'{"online_days": 0.0}','2f92172f8ee72015abeb5babf9798b232ca81ed6eaac1f493014e24d1258a86a','bfa12814c958f6d6e08d133879388231160448c13bf63bb0841ef55cafb49405');
INSERT INTO "audit" VALUES(75,1.79581557026178264616e+09,'ada','admin','session','127.0.0.1','create_api_token','/api-tokens',201,'{"name": "proposes", "role": "operator", "scopes": ["propose"]}','bfa12814c958f6d6e08d133879388231160448c13bf63bb0841ef55cafb49405','9b1042e909d41ab189ed9242df71f134f549e346d2b01e8f4308a1e66952f86b');
INSERT INTO "audit" VALUES(76,1.79581557030033659933e+09,'ada','operator','token','127.0.0.1','create_proposal','/groups/south',202,'{"selector": {"labels": {"site": "south"}}, "note": "proposed"}','9b1042e909d41ab189ed9242df71f134f549e346d2b01e8f4308a1e66952f86b','12443550abab2c91f9e18a44cee47d4513697e3d6db9607a31ef4a07336aa261');
INSERT INTO "audit" VALUES(77,1.7958155703133382797e+09,'ada','operator','token','127.0.0.1','create_proposal','/groups/west',202,'{"selector": {"labels": {"site": "west"}}, "note": "proposed"}','12443550abab2c91f9e18a44cee47d4513697e3d6db9607a31ef4a07336aa261','5280e72b86ac036ff6bcff1f90ecf7a3bc52b61cfb4adb7cb90670cf00b80e30');
INSERT INTO "audit" VALUES(78,1.79581557032544136048e+09,'ada','operator','token','127.0.0.1','create_proposal','/groups/east',202,'{"selector": {"labels": {"site": "east"}}, "note": "proposed"}','5280e72b86ac036ff6bcff1f90ecf7a3bc52b61cfb4adb7cb90670cf00b80e30','a86ba98d5b7d2bd59b1225048930448cda4f15dddf62449b439593ec0fbcf36f');
INSERT INTO "audit" VALUES(79,1.79581557034931945803e+09,'ada','admin','session','127.0.0.1','approve_proposal','/proposals/1/approve',200,'{"reason": "looked at it"}','a86ba98d5b7d2bd59b1225048930448cda4f15dddf62449b439593ec0fbcf36f','af9095a2f9bb311c6666977b8a134b31ad361db5a3ee849491b303bb4369e171');
INSERT INTO "audit" VALUES(80,1.79581557035465955735e+09,'ada','admin','session','127.0.0.1','put_group','/groups/south',200,'{"selector": {"labels": {"site": "south"}}, "note": "proposed", "proposal": {"id": 1, "proposed_by": "ada", "token": "(hidden)", "token_name": "proposes", "note": ""}}','af9095a2f9bb311c6666977b8a134b31ad361db5a3ee849491b303bb4369e171','7d26592c00c22fae51187b4701e1e2431b1dd754fed08fd7e011c95cef10dfbb');
INSERT INTO "audit" VALUES(81,1.7958155703653080463e+09,'ada','admin','session','127.0.0.1','reject_proposal','/proposals/2/reject',200,'{"reason": "not now"}','7d26592c00c22fae51187b4701e1e2431b1dd754fed08fd7e011c95cef10dfbb','7af08d457cac7611ab4f780bfd9c85133fcd79e66522cbc2e79af495107132fe');
INSERT INTO "audit" VALUES(82,1.79581557041321372984e+09,'ada','admin','session','127.0.0.1','create_dossier','/dossiers',200,'{"component": "numpy", "version": "", "stage": "72h"}','7af08d457cac7611ab4f780bfd9c85133fcd79e66522cbc2e79af495107132fe','e2342d21a865ce5ded0c46d174ee8479003b7928762587ffa08bdafd3ad47cc1');
INSERT INTO "audit" VALUES(83,1.79581557094790363309e+09,'ada','admin','session','127.0.0.1','change_password','/session/password',204,'{"current": "(hidden)", "password": "(hidden)"}','e2342d21a865ce5ded0c46d174ee8479003b7928762587ffa08bdafd3ad47cc1','5101ec376ce9ac6768791d99b067bd5590e6edd895c0f7f48f87031130a0dd00');
CREATE TABLE audit_archived (
	seq INTEGER NOT NULL, 
	digest VARCHAR NOT NULL, 
	PRIMARY KEY (seq)
);
INSERT INTO "audit_archived" VALUES(1,'51e2d15bd531721b0548afe09eef1ae76b3be790295ec5829a9af7f8ea8350a4');
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
INSERT INTO "blob" VALUES('6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723',388,1.79581555981678843503e+09);
INSERT INTO "blob" VALUES('d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b',500,1.79581555981678843503e+09);
INSERT INTO "blob" VALUES('63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf',30,1.79581555987701535223e+09);
INSERT INTO "blob" VALUES('916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90',56,1.79581555987701535223e+09);
INSERT INTO "blob" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',811,1.79581555981678843503e+09);
INSERT INTO "blob" VALUES('7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410',388,1.79581555984798693658e+09);
INSERT INTO "blob" VALUES('fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de',500,1.79581555984798693658e+09);
INSERT INTO "blob" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129',811,1.79581555984798693658e+09);
INSERT INTO "blob" VALUES('6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb',388,1.79581555987701535223e+09);
INSERT INTO "blob" VALUES('e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d',500,1.79581555987701535223e+09);
INSERT INTO "blob" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01',811,1.79581555987701535223e+09);
INSERT INTO "blob" VALUES('d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a',217,1.79581555999161481852e+09);
INSERT INTO "blob" VALUES('a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66',104,1.79581555999161481852e+09);
INSERT INTO "blob" VALUES('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9',433,1.79581555999161481852e+09);
CREATE TABLE blocked_device (
	device VARCHAR NOT NULL, 
	blocked_at FLOAT NOT NULL, 
	reason VARCHAR NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "blocked_device" VALUES('enrolled-1',1.79581557023255634309e+09,'lost again');
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
INSERT INTO "channel" VALUES('spotter','stable','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129',1.79581555995042228693e+09,'ada','first');
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
INSERT INTO "channel_change" VALUES(1,'spotter','stable','1.0.0','',1.79581555994251179696e+09,'ada','first');
INSERT INTO "channel_change" VALUES(2,'spotter','stable','1.1.0','1.0.0',1.79581555995042228693e+09,'ada','first');
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
INSERT INTO "command" VALUES('bill-47760bf56a2d4e96be0769ac6de14c02','press-00','bill','{"digest": "08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7"}','done','did it','{}',1.79581556492553377152e+09,1.79581560992553377156e+09,1.79581556502384328839e+09);
INSERT INTO "command" VALUES('6e0389d9545342c1b98cae50c8d8b69c','press-00','identify','{"n": 1}','done','did it','{"n":1}',1.79581556536440038688e+09,1.79581559536440038679e+09,1.79581556546370339397e+09);
INSERT INTO "command" VALUES('f044e32e9e28442ea56a012c54d20999','press-00','snapshot','{"overlays": false, "pipeline": "gate"}','done','did it','{"overlays":false,"pipeline":"gate"}',1.79581556548831462859e+09,1.79581562548831462867e+09,1.79581556555357623101e+09);
INSERT INTO "command" VALUES('logs-b3273016a9e84bfbb76561b4737f87b0','press-00','logs','{"source": "service", "level": "debug", "search": "", "lines": 200, "after": ""}','done','did it','{"source":"service","level":"debug","search":"","lines":200,"after":""}',1.79581556549912714961e+09,1.79581559049912714955e+09,1.79581556555357623101e+09);
CREATE TABLE configuration (
	name VARCHAR NOT NULL, 
	revision INTEGER NOT NULL, 
	resources JSON NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "configuration" VALUES('plant',1,'[{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef", "id": null}]',1.7958155653536243438e+09,'ada');
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
INSERT INTO "cursor" VALUES('press-00','telemetry','press-00-epoch',6,'[]',0.0,0,0,1.79581556832749319073e+09);
INSERT INTO "cursor" VALUES('press-00','events','press-00-epoch',3,'[]',0.0,0,0,1.79581556007286524774e+09);
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
INSERT INTO "device" VALUES('press-00',1.79581556007286524774e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{"site":"north","lat":"59.3","lon":"18.1","floor":"1"}','{}','{"site":"north","lat":"59.3","lon":"18.1","floor":"1"}',0.0,'[]');
INSERT INTO "device" VALUES('press-01',1.79581556007286524774e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{"floor":"1"}','{}','{"floor":"1"}',1.79581556825343179699e+09,'[]');
INSERT INTO "device" VALUES('press-02',1.79581556007286524774e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
INSERT INTO "device" VALUES('press-03',1.79581556007286524774e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
INSERT INTO "device" VALUES('press-04',1.79581556007286524774e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
INSERT INTO "device" VALUES('press-05',1.79581556007286524774e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
CREATE TABLE device_bill (
	id INTEGER NOT NULL, 
	device VARCHAR NOT NULL, 
	bill VARCHAR NOT NULL, 
	since_at FLOAT NOT NULL, 
	until_at FLOAT, 
	PRIMARY KEY (id), 
	FOREIGN KEY(device) REFERENCES device (id)
);
INSERT INTO "device_bill" VALUES(1,'press-00','08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7',1.79581556007286524774e+09,NULL);
CREATE TABLE device_certificate (
	serial VARCHAR NOT NULL, 
	device VARCHAR NOT NULL, 
	issued_at FLOAT NOT NULL, 
	expires_at FLOAT NOT NULL, 
	revoked_at FLOAT, 
	PRIMARY KEY (serial)
);
INSERT INTO "device_certificate" VALUES('5dd50bf4306f778b97e4b97c6746d25de78dd717','enrolled-1',1.79581557019751620295e+09,1803591570.0,1.79581557021688103682e+09);
CREATE TABLE device_group (
	name VARCHAR NOT NULL, 
	selector JSON NOT NULL, 
	note VARCHAR NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "device_group" VALUES('north','{"all": false, "ids": [], "labels": {"site": "north"}, "group": null, "query": "not state = blocked"}','in the north',1.79581556507267308233e+09,'ada');
INSERT INTO "device_group" VALUES('plant','{"all": false, "ids": [], "labels": {"site": "north"}, "group": null}','',1.79581556508129143714e+09,'ada');
INSERT INTO "device_group" VALUES('south','{"all": false, "ids": [], "labels": {"site": "south"}, "group": null}','proposed',1.79581557035325670244e+09,'ada');
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
INSERT INTO "device_last" VALUES('press-00','offline',1.79581557101420879367e+09,'boot-1','',4,1.79581557101420879367e+09,'boot-1',14,3,'{}',10000000000,'[]','[]',0,1.79581556826273274415e+09,'{"at":1795815568.2627327,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}',15.0,12.0,0.0,NULL,20.0,1.99599597268567618968e+00,1.79581557049160027506e+09,'[]');
INSERT INTO "device_last" VALUES('press-01','offline',1.79581557101420879367e+09,'boot-1','',4,1.79581557101420879367e+09,'boot-1',13,2,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.99599597268567618968e+00,1.79581557049160027506e+09,'[]');
INSERT INTO "device_last" VALUES('press-02','offline',1.79581557116356372834e+09,'boot-1','',4,1.79581557116356372834e+09,'boot-1',6,1,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.99599597268567618968e+00,1.79581557049160027506e+09,'[]');
INSERT INTO "device_last" VALUES('press-03','offline',1.79581557126450681687e+09,'boot-1','',4,1.79581557126450681687e+09,'boot-1',6,1,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.99599597268567618968e+00,1.79581557049160027506e+09,'[]');
INSERT INTO "device_last" VALUES('press-04','offline',1.79581557136526608463e+09,'boot-1','',4,1.79581557136526608463e+09,'boot-1',6,1,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.99599597268567618968e+00,1.79581557049160027506e+09,'[]');
INSERT INTO "device_last" VALUES('press-05','offline',1.79581557142219376565e+09,'boot-1','',4,1.79581557142219376565e+09,'boot-1',10,2,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.99599597268567618968e+00,1.79581557049160027506e+09,'[]');
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
INSERT INTO "device_slot" VALUES('press-00','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795815568.3539436}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','2:press-00:1:back','none','',0,0,1.79581556835395312306e+09);
INSERT INTO "device_slot" VALUES('press-01','detector','committed','spotter','1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795815568.5035238}','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','7:press-01:1','none','',0,0,1.79581556850353693966e+09);
INSERT INTO "device_slot" VALUES('press-01','second','committed','spotter','1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795815568.5049016}','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','7:press-01:1','none','',0,0,1.79581556850490808483e+09);
INSERT INTO "device_slot" VALUES('press-02','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795815566.2595606}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-02:1','none','',0,0,1.79581556625956535342e+09);
INSERT INTO "device_slot" VALUES('press-03','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795815566.2575517}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-03:1','none','',0,0,1.79581556625755548481e+09);
INSERT INTO "device_slot" VALUES('press-04','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795815566.257177}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-04:1','none','',0,0,1.79581556625719141956e+09);
INSERT INTO "device_slot" VALUES('press-05','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795815568.099966}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-05:1','none','',0,0,1.79581556809997439387e+09);
INSERT INTO "device_slot" VALUES('press-05','shadow-detector','committed','spotter','1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795815568.3456962}','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','3:press-05:1','none','',0,0,1.79581556834570479387e+09);
CREATE TABLE enrolled_labels (
	device VARCHAR NOT NULL, 
	labels JSON NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "enrolled_labels" VALUES('enrolled-1','{"site":"north"}',1.79581557020286941526e+09);
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
INSERT INTO "enrolment_request" VALUES('image-1','52133fa227c8','8ac29e76bf694c04de8edfd3d9088b04747a650604f896f27d73f1d5ec91f1cc','approved',1.79581557013922047619e+09,1.79581557013922047619e+09,1.79581557017032122612e+09,'ada');
INSERT INTO "enrolment_request" VALUES('image-2','52133fa227c8','54abaf46e20f3e0a1f36ea201fbfb72166d8a5b3e3d4008e3d8571704e53c106','waiting',1.79581557015495586393e+09,1.79581557015495586393e+09,NULL,'');
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
INSERT INTO "enrolment_token" VALUES('52133fa227c8','b618810a134ff5d6746330fc690411f8646e934e77c3a1dabd45f46ad4485b97','','{}',1.79581557012663269043e+09,1.79591557012663269039e+09,NULL,'',NULL,3,0,1);
INSERT INTO "enrolment_token" VALUES('4513ba5e8aac','f9294eff6bd37e3d4c3bd93548ca14352a43d0bf3c57160370d5009e4a8dedec','','{"site": "north"}',1.79581557017767190929e+09,1.79591557017767190938e+09,1.79581557019751620295e+09,'enrolled-1',NULL,1,1,0);
INSERT INTO "enrolment_token" VALUES('7a72b3d153c6','471b3f1e6dbc19cc2fa18cdf3a5eb6e9c966b50ee61fffadbdae0cd93e2cae90','','{"site": "north"}',1.79581557018494153022e+09,1.79591557018494153022e+09,NULL,'',NULL,1,0,0);
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
INSERT INTO "environment_bill" VALUES('08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7',1.79581556502384328839e+09,1.79581562492553377147e+09,1,0,0,'{"agent":"0.3.0","packages":[["numpy","2.3.1"]],"python":"3.11.2","system":"debian"}');
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
INSERT INTO "event" VALUES(1,'press-00',1.79581556003025269506e+09,1.79581556007286524774e+09,'visit','person','{"kind":"visit","id":"e0","at":1795815560.0302527,"label":"person","count":0}');
INSERT INTO "event" VALUES(2,'press-00',1.79581556003025388712e+09,1.79581556007286524774e+09,'visit','person','{"kind":"visit","id":"e1","at":1795815560.030254,"label":"person","count":1}');
INSERT INTO "event" VALUES(3,'press-00',1.79581556003025460239e+09,1.79581556007286524774e+09,'visit','person','{"kind":"visit","id":"e2","at":1795815560.0302546,"label":"person","count":2}');
CREATE TABLE event_review (
	event BIGINT NOT NULL, 
	verdict VARCHAR NOT NULL, 
	"by" VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (event)
);
INSERT INTO "event_review" VALUES(3,'confirmed','ada',1.79581556592556405068e+09);
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
INSERT INTO "experiment" VALUES(1,'faster','detector','ended','hash','',1.79581556815709018708e+09,'ada',1.79581556817497396466e+09,'ada','a',NULL,'',NULL);
INSERT INTO "experiment" VALUES(2,'again','detector','ended','hash','',1.79581556818452525142e+09,'ada',1.79581556819816780092e+09,'ada','',NULL,'',NULL);
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
INSERT INTO "measurement" VALUES(1,'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','cpu','m',1.7958155599012813568e+09,'cpu-int8','lite_rt','cpu',2,1,1,1,5.0,6.0,10.0,1,1.0,1);
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
INSERT INTO "member" VALUES('m-1','all','host','0.2.0',1,0,0,0,0,0,0,1.79581557186124753959e+09,1.79581557186124753959e+09,0.0,0.0,0.0,0.0,0,0);
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
INSERT INTO "notice" VALUES(1,'http://127.0.0.1:9/hook',1,'{"what": "began", "id": 1, "rule": 1, "rule_name": "fast", "severity": "warning", "subject": "press-00", "text": "fps 15, above the limit of -1", "value": 15.0, "began_at": 1795815569.9293416, "ended_at": null, "acknowledged_at": null, "acknowledged_by": "", "device": "press-00", "pipeline": null, "rollout": null}','waiting',1,1.79581558089897632595e+09,1.79581556992934155466e+09,'Connection refu(hidden)ed',NULL);
CREATE TABLE openid_login (
	state VARCHAR NOT NULL, 
	browser VARCHAR NOT NULL, 
	nonce VARCHAR NOT NULL, 
	verifier VARCHAR NOT NULL, 
	redirect VARCHAR NOT NULL, 
	started_at FLOAT NOT NULL, 
	PRIMARY KEY (state)
);
INSERT INTO "openid_login" VALUES('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb','nonce','verifier','/',1.79581557186124753959e+09);
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
INSERT INTO "package" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','spotter','1.0.0',1.79581555981678843503e+09,811,974,'{"name": "spotter", "version": "1.0.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723"}, {"path": "model.tflite", "length": 500, "sha256": "d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','spotter','1.1.0',1.79581555984798693658e+09,811,974,'{"name": "spotter", "version": "1.1.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410"}, {"path": "model.tflite", "length": 500, "sha256": "fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','spotter','1.2.0',1.79581555987701535223e+09,811,974,'{"name": "spotter", "version": "1.2.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb"}, {"path": "model.tflite", "length": 500, "sha256": "e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9','pipeline-gate','1.0.0',1.79581555999161481852e+09,433,321,'{"name": "pipeline-gate", "version": "1.0.0", "task": "pipeline", "head": {"family": "pipeline"}, "variants": [{"name": "all", "format": "pipeline", "files": ["pipeline.toml"], "runtimes": ["pipelines"]}], "title": "gate", "requires": ["stage:detect"]}','[{"path": "model.toml", "length": 217, "sha256": "d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a"}, {"path": "pipeline.toml", "length": 104, "sha256": "a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66"}]',NULL);
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
INSERT INTO "person" VALUES('ada','admin','scrypt$15$8$3$AwEllZTmeE+3OudX5Rr9jA==$cFO/fnMTzvo/aD9gfLpjkfNWKwH5Jim4KX9U2DgRlfU=',1.7958155589881176948e+09,0,NULL);
INSERT INTO "person" VALUES('bob','admin','scrypt$15$8$3$clVZ2DhKj1Cpfq35hbE02A==$0TDwxaukrvTRJxRhh5T6fnWgStIcJLZQQJ6XwMi8jl4=',1.79581555977111673354e+09,0,NULL);
INSERT INTO "person" VALUES('lea','viewer','scrypt$15$8$3$Uh0dNHx4EEuFwvx4SCuFdA==$F7T+F2AeDVsCcvwojiyhP72lN/ea5jSt8NwOaA+Qc3w=',1.79581556534600806241e+09,0,NULL);
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
INSERT INTO "pin" VALUES('press-03','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','a demonstration','ada',1.79581556822847843166e+09);
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
INSERT INTO "proposal" VALUES(1,'approved','d74c5f4168fe','proposes','ada','put_group','Create or change a group.','operator','PUT','/groups/south','{"selector":{"labels":{"site":"south"}},"note":"proposed"}','','complete',1.79581557029397749902e+09,1.79642037029397749897e+09,1.79581557034828829763e+09,'ada','looked at it',200,'put_group: name south');
INSERT INTO "proposal" VALUES(2,'rejected','d74c5f4168fe','proposes','ada','put_group','Create or change a group.','operator','PUT','/groups/west','{"selector":{"labels":{"site":"west"}},"note":"proposed"}','','complete',1.79581557031131768225e+09,1.79642037031131768221e+09,1.79581557036467885971e+09,'ada','not now',0,'');
INSERT INTO "proposal" VALUES(3,'pending','d74c5f4168fe','proposes','ada','put_group','Create or change a group.','operator','PUT','/groups/east','{"selector":{"labels":{"site":"east"}},"note":"proposed"}','','complete',1.79581557032344412807e+09,1.79642037032344412802e+09,NULL,'','',0,'');
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
INSERT INTO "request_key" VALUES('1b284562f54e4560c7344142f05c0cbf8f632b966fa635d43dafccfe32930fc1','1a43792f7e98d6a75db9e18a71af0327abcc9a4a5efcc933e16e818e8cc8d452','9b7d5e9778d6539abed60d4ba5763afed0b40536c6702ec58747c523da7dd34b','e31f31be74313864',1.79581556998734688762e+09,1.79581568998734688756e+09,1,201,'Y6WySu/o5I/g9EQrCgwdutsVG2KquZPB3tjWOZ63UaBV0KXV+a53dRTx/vT1ufm52X+ufRbUEyXTM2uBoksFppKYg6dfNdRihl3CGWQeSlTbeKNhobDSQ2RZIaK0PbyEep+lHctAaisWmnm2n8rgPQNoNt6He3YT1Vqvn2CSeD4UsFLxZ+nI8RRNNMz1KuTM7Ztk5S6n1sspNKUaB+o3OW6iFoP9YCUXrQk/C7lLn86KJAj/qmh3lqeHOJ7Elsh1SeHGwT3TxISeWokUooF8Ujq+EBErej7cnMcGBrDv3BO+6MfhekFBteraN4fxWgv0Rg4tE0tqMupW9OgYs8sETdBwWONI97q+eFSgx68LHnZNSuU0L3g/6MLuTbY3oQPp7now54yLF/H6QZqO61ElzqTh0YagHUBGkCHAPPeF4dtNaXbg1UEJ');
CREATE TABLE restricted_device (
	device VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	offence VARCHAR NOT NULL, 
	since_at FLOAT NOT NULL, 
	until_at FLOAT NOT NULL, 
	times INTEGER NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "restricted_device" VALUES('door','throttled','over_quota',1.79581557186124753959e+09,1.79581587186124753954e+09,0);
CREATE TABLE retention (
	kind VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	removed INTEGER NOT NULL, 
	took_s FLOAT NOT NULL, 
	problem VARCHAR NOT NULL, 
	PRIMARY KEY (kind)
);
INSERT INTO "retention" VALUES('samples',1.79581555989529252051e+09,0,1.36548301088623702526e-03,'');
INSERT INTO "retention" VALUES('events',1.79581555989529252051e+09,0,2.75450099434237927198e-03,'');
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
INSERT INTO "rollout" VALUES(1,'spotter 1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','detector','completed','',1.79581556594391179089e+09,1.79581556594391179089e+09,1.79581556691393709186e+09,1.79581556691393709186e+09,'{"all": true, "ids": [], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(2,'spotter 1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','rolled_back','',1.79581556695141172407e+09,1.79581556697051525112e+09,1.79581556844806170458e+09,1.79581556844806170458e+09,'{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}','[{"name": "one", "percent": null, "count": 1, "labels": {}, "approval": true}, {"name": "rest", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(3,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','shadow-detector','completed','',1.79581556808130908013e+09,1.79581556808130908013e+09,1.79581556916639733319e+09,1.79581556916639733319e+09,'{"all": false, "ids": ["press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(4,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','detector','aborted','the wrong day',1.79581556810333013533e+09,NULL,1.79581556811191082002e+09,1.79581556811191082002e+09,'{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(5,'faster: b','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','aborted','',1.79581556815709018708e+09,1.79581556815709018708e+09,1.79581556820074319841e+09,1.79581556820074319841e+09,'{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 5.0, "reported_min": 1, "offline_s": 300.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 0.2, "trial_frames_min": 10, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',3600.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(6,'again: b','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','aborted','',1.79581556818452525142e+09,1.79581556818452525142e+09,1.79581556820074319841e+09,1.79581556820074319841e+09,'{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 5.0, "reported_min": 1, "offline_s": 300.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 0.2, "trial_frames_min": 10, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',3600.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(7,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','detector','completed','',1.79581556821534299851e+09,1.79581556821534299851e+09,1.79581556916639733319e+09,1.79581556916639733319e+09,'{"all": false, "ids": ["press-01"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}, "rate": {"per_minute": 60, "factor": 1.0, "grow_after": 10, "per_minute_max": 1000}, "window": null, "follow": true, "prestage": true}',500,'ada',NULL);
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
INSERT INTO "rollup" VALUES(60,'press-00',1795815240,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795815300,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795815360,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795815420,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795815480,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795815540,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(3600,'press-00',1795813200,X'85AB6370755F70657263656E749506CB405E000000000000CB4034000000000000CB4034000000000000814B06A36670739506CB4056800000000000CB402E000000000000CB402E000000000000814406B4646574656374696F6E735F7065725F6672616D659506CB0000000000000000CB0000000000000000CB000000000000000081D1800006AF64726F707065645F70657263656E749506CB0000000000000000CB0000000000000000CB000000000000000081D1800006AE6C6174656E63795F7039355F6D739506CB4052000000000000CB4028000000000000CB4028000000000000813F06');
CREATE TABLE secret (
	name VARCHAR NOT NULL, 
	value VARCHAR NOT NULL, 
	made_at FLOAT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "secret" VALUES('server id','4367093af19cec6d544b1ccbcea40d3f',1.79581555881824278834e+09);
INSERT INTO "secret" VALUES('web push','1aa2f158884edb770037439eae354c87',1.79581555882204031942e+09);
INSERT INTO "secret" VALUES('corpus','3126c129be34c3197aa1298cb93a6a03',1.7958155720664076805e+09);
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
INSERT INTO "session" VALUES('1a43792f7e98d6a75db9e18a71af0327abcc9a4a5efcc933e16e818e8cc8d452','ada',1795815559.25613,1795815559.25613,1796420359.25613,'127.0.0.1','python-httpx/0.28.1');
CREATE TABLE setting (
	name VARCHAR NOT NULL, 
	value JSON NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "setting" VALUES('soak_s',1,1.79581555980850577358e+09,'ada');
CREATE TABLE telemetry (
	id INTEGER NOT NULL, 
	device VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	received_at FLOAT NOT NULL, 
	record VARCHAR NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "telemetry" VALUES(1,'press-00',1.79581526003023743626e+09,1.79581556007286524774e+09,'{"at":1795815260.0302374,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":0}');
INSERT INTO "telemetry" VALUES(2,'press-00',1.7958153200302398205e+09,1.79581556007286524774e+09,'{"at":1795815320.0302398,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":1}');
INSERT INTO "telemetry" VALUES(3,'press-00',1.79581538003024125099e+09,1.79581556007286524774e+09,'{"at":1795815380.0302413,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":2}');
INSERT INTO "telemetry" VALUES(4,'press-00',1.79581544003024315839e+09,1.79581556007286524774e+09,'{"at":1795815440.0302432,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":3}');
INSERT INTO "telemetry" VALUES(5,'press-00',1.79581550003024506567e+09,1.79581556007286524774e+09,'{"at":1795815500.030245,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":4}');
INSERT INTO "telemetry" VALUES(6,'press-00',1.79581556826273274415e+09,1.79581556832749319073e+09,'{"at":1795815568.2627327,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}');
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
INSERT INTO "timeline" VALUES(1,1,1.79581556594391179089e+09,'created','Created: spotter 1.0.0',NULL,NULL);
INSERT INTO "timeline" VALUES(2,1,1.79581556594391179089e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(3,1,1.79581556600140476221e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(4,1,1.79581556636039781568e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(5,1,1.79581556691393709186e+09,'wave_passed','Wave ''all'' passed: 0 of 6 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(6,1,1.79581556691393709186e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(7,2,1.79581556695141172407e+09,'created','Created: spotter 1.1.0',NULL,NULL);
INSERT INTO "timeline" VALUES(8,2,1.79581556697051525112e+09,'running','Running: now',NULL,NULL);
INSERT INTO "timeline" VALUES(9,2,1.79581556698910737041e+09,'paused','Paused: a question',NULL,NULL);
INSERT INTO "timeline" VALUES(10,2,1.79581556700454711915e+09,'resumed','Running: answered',NULL,NULL);
INSERT INTO "timeline" VALUES(11,2,1.79581556702033853529e+09,'wave_skipped','Wave ''rest'' was skipped by ada: one is enough; 1 device not updated',1,NULL);
INSERT INTO "timeline" VALUES(12,2,1.79581556703638911248e+09,'wave_approved','Wave ''one'' was approved by ada: agreed',0,NULL);
INSERT INTO "timeline" VALUES(13,2,1.79581556706578826902e+09,'wave_running','Wave ''one'' started',0,NULL);
INSERT INTO "timeline" VALUES(14,2,1.79581556740918517117e+09,'wave_soaking','Wave ''one'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(15,2,1.79581556796701669693e+09,'wave_passed','Wave ''one'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(16,2,1.79581556796701669693e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(17,2,1.7958155680344688892e+09,'rolling_back','Rolling back: too slow',NULL,NULL);
INSERT INTO "timeline" VALUES(18,3,1.79581556808130908013e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(19,3,1.79581556808130908013e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(20,3,1.79581556809028673174e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(21,4,1.79581556810333013533e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(22,4,1.79581556811191082002e+09,'aborted','Aborted: the wrong day',NULL,NULL);
INSERT INTO "timeline" VALUES(23,5,1.79581556815709018708e+09,'created','Created: faster: b',NULL,NULL);
INSERT INTO "timeline" VALUES(24,5,1.79581556815709018708e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(25,5,1.79581556817497396466e+09,'aborting','Aborting: experiment 1 chose arm a',NULL,NULL);
INSERT INTO "timeline" VALUES(26,6,1.79581556818452525142e+09,'created','Created: again: b',NULL,NULL);
INSERT INTO "timeline" VALUES(27,6,1.79581556818452525142e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(28,6,1.79581556819816780092e+09,'aborting','Aborting: experiment 2 was stopped',NULL,NULL);
INSERT INTO "timeline" VALUES(29,5,1.79581556820074319841e+09,'wave_skipped','Wave ''all'' was skipped',0,NULL);
INSERT INTO "timeline" VALUES(30,5,1.79581556820074319841e+09,'aborted','Aborted',NULL,NULL);
INSERT INTO "timeline" VALUES(31,6,1.79581556820074319841e+09,'wave_skipped','Wave ''all'' was skipped',0,NULL);
INSERT INTO "timeline" VALUES(32,6,1.79581556820074319841e+09,'aborted','Aborted',NULL,NULL);
INSERT INTO "timeline" VALUES(33,7,1.79581556821534299851e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(34,7,1.79581556821534299851e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(35,7,1.79581556826239299769e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(36,2,1.79581556844806170458e+09,'device_rolled_back','press-00: rolled back: rolled back by an operator; restored to the previous version',0,'press-00');
INSERT INTO "timeline" VALUES(37,2,1.79581556844806170458e+09,'rolled_back','Rolled back',NULL,NULL);
INSERT INTO "timeline" VALUES(38,3,1.79581556844806170458e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(39,7,1.79581556861153793331e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(40,3,1.79581556916639733319e+09,'wave_passed','Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(41,3,1.79581556916639733319e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(42,7,1.79581556916639733319e+09,'wave_passed','Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(43,7,1.79581556916639733319e+09,'completed','Completed',NULL,NULL);
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
INSERT INTO "version_share" VALUES(1795815300,'[{"slot": "detector", "package": "spotter", "version": "1.0.0", "count": 5}, {"slot": "second", "package": "spotter", "version": "1.1.0", "count": 1}, {"slot": "detector", "package": "spotter", "version": "1.2.0", "count": 1}, {"slot": "shadow-detector", "package": "spotter", "version": "1.2.0", "count": 1}]');
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
INSERT INTO "wave" VALUES(1,0,'all','passed',6,1.79581556600140476221e+09,1.79581556636039781568e+09,1.79581556691393709186e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(2,0,'one','passed',1,1.79581556706578826902e+09,1.79581556740918517117e+09,1.79581556796701669693e+09,0,0,1,'ada',0);
INSERT INTO "wave" VALUES(2,1,'rest','skipped',1,NULL,NULL,1.79581556702033853529e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(3,0,'all','passed',1,1.79581556809028673174e+09,1.79581556844806170458e+09,1.79581556916639733319e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(4,0,'all','skipped',2,NULL,NULL,NULL,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(5,0,'all','skipped',3,NULL,NULL,1.79581556820074319841e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(6,0,'all','skipped',3,NULL,NULL,1.79581556820074319841e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(7,0,'all','passed',1,1.79581556826239299769e+09,1.79581556861153793331e+09,1.79581556916639733319e+09,0,0,0,NULL,0);
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
