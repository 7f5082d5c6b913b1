BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0018');
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
INSERT INTO "alert" VALUES(1,1,'press-00','fps 15, above the limit of -1',15.0,1.79581491545152878755e+09,NULL,1.79581491548278093339e+09,'ada','[]');
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
INSERT INTO "alert_recipient" VALUES(1,'on call','ntfy','{"url": "http://127.0.0.1:9", "secret": "tk_s3cret", "emails": [], "topic": "fleet", "key": ""}','[]','["critical"]',1,1.79581491549922633169e+09,1.79581491549922633169e+09,'ada');
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
INSERT INTO "alert_rule" VALUES(1,'fast','{"kind": "threshold", "figure": "fps", "above": -2.0, "below": null, "clear": null, "for_s": 0.0, "window_s": 300.0, "deviations": 4.0, "event_kind": null, "event_label": null, "event_rule": null, "pipeline": null, "group": null, "severity": "warning", "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "s"}], "emails": []}',1,1.79581497549123334889e+09,'ada',1.79581491391265177723e+09,'ada');
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
INSERT INTO "alert_snooze" VALUES(1,1,'','',1.79581851551613593106e+09,'the fan is replaced',1795814915.52413,'ada');
INSERT INTO "alert_snooze" VALUES(2,NULL,'','press-00',1.79581491553972077369e+09,'moved',1.79581491553490328787e+09,'ada');
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
INSERT INTO "api_token" VALUES('863086be5cb3','76af7c24592f5cc521a5241830c4a9bbefd1f9b53fe023b621707faa3ca96414','ada','reads','admin',1.79581490540090751642e+09,1.80359090540090751652e+09,NULL,'[]','[]');
INSERT INTO "api_token" VALUES('905c44c41cd7','bba9cd68f12821b8a75633455b1bbac2da20edb1ceabe24d9b2cd78e32cdef74','ada','proposes','operator',1.79581491579043531423e+09,1.80359091579043531415e+09,1.7958149158276920319e+09,'["propose"]','[]');
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
INSERT INTO "assignment" VALUES('press-00','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','2:press-00:1:back',2,1.0,0,0,1.79581491364067745214e+09,0,0.0,0.0);
INSERT INTO "assignment" VALUES('press-02','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-02:1',1,1.0,0,0,1.79581491160137057304e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-01','detector','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','7:press-01:1',7,1.0,0,0,1.79581491388731312756e+09,1,60.0,30.0);
INSERT INTO "assignment" VALUES('press-05','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-05:1',1,1.0,0,0,1.79581491160137057304e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-03','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-03:1',1,1.0,0,0,1.79581491160137057304e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-04','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-04:1',1,1.0,0,0,1.79581491160137057304e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-05','shadow-detector','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','3:press-05:1',3,1.0,0,0,1.79581491369772362712e+09,0,60.0,30.0);
INSERT INTO "assignment" VALUES('press-01','second','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','7:press-01:1',7,1.0,0,0,1.79581491388731312756e+09,1,60.0,30.0);
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
INSERT INTO "attempt" VALUES('1:press-00:1',1,'press-00',0,1,'committed',0,'','',NULL,1.79581491160137057304e+09,1.79581491195928406715e+09,1.79581491195928406715e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-02:1',1,'press-02',0,1,'committed',0,'','',NULL,1.79581491160137057304e+09,1.79581491195928406715e+09,1.79581491195928406715e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-01:1',1,'press-01',0,1,'committed',0,'','',NULL,1.79581491160137057304e+09,1.79581491195928406715e+09,1.79581491195928406715e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-05:1',1,'press-05',0,1,'committed',0,'','',NULL,1.79581491160137057304e+09,1.79581491195928406715e+09,1.79581491195928406715e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-03:1',1,'press-03',0,1,'committed',0,'','',NULL,1.79581491160137057304e+09,1.79581491195928406715e+09,1.79581491195928406715e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('1:press-04:1',1,'press-04',0,1,'committed',0,'','',NULL,1.79581491160137057304e+09,1.79581491195928406715e+09,1.79581491195928406715e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('2:press-00:1',2,'press-00',0,1,'rolled_back',0,'operator_rollback','restored to the previous version','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79581491267240476606e+09,1.79581491395640683176e+09,1.79581491395640683176e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('2:press-01:1',2,'press-01',1,1,'cancelled',0,'wave_skipped','the wave was skipped',NULL,NULL,1.79581491267240476606e+09,1.79581491267240476606e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('3:press-05:1',3,'press-05',0,1,'committed',0,'','',NULL,1.79581491369772362712e+09,1.79581491401054763792e+09,1.79581491401054763792e+09,0,0,1,0,0.0,'null','',NULL);
INSERT INTO "attempt" VALUES('4:press-00:1',4,'press-00',0,1,'cancelled',0,'','',NULL,NULL,1.79581491368053674691e+09,1.79581491368053674691e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('4:press-01:1',4,'press-01',0,1,'cancelled',0,'','',NULL,NULL,1.79581491368053674691e+09,1.79581491368053674691e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('5:press-04:1',5,'press-04',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79581491382678794859e+09,1.79581491382678794859e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('5:press-03:1',5,'press-03',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79581491382678794859e+09,1.79581491382678794859e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('5:press-05:1',5,'press-05',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79581491382678794859e+09,1.79581491382678794859e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('6:press-04:1',6,'press-04',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79581491382678794859e+09,1.79581491382678794859e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('6:press-03:1',6,'press-03',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79581491382678794859e+09,1.79581491382678794859e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('6:press-05:1',6,'press-05',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79581491382678794859e+09,1.79581491382678794859e+09,0,0,1,0,0.0,NULL,'',NULL);
INSERT INTO "attempt" VALUES('7:press-01:1',7,'press-01',0,1,'committed',0,'','','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79581491388731312756e+09,1.79581491424949359894e+09,1.79581491424949359894e+09,0,0,1,0,0.0,'null','',NULL);
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
INSERT INTO "audit" VALUES(2,1.7958149050986390114e+09,'ada','admin','session','127.0.0.1','sign_in','/session',200,'{"name": "ada", "password": "(hidden)"}','67872292a07d6d75e56369cf051ce1f1a36e5895798c624983106eac932a190e','09da8cf917a0b92e7b212b23a16f7588f42f8bff689f352d0aa26ca5fa355234');
INSERT INTO "audit" VALUES(3,1.79581490537497758864e+09,'ada','admin','session','127.0.0.1','create_user','/users',201,'{"name": "bob", "password": "(hidden)", "role": "operator"}','09da8cf917a0b92e7b212b23a16f7588f42f8bff689f352d0aa26ca5fa355234','11a16c633ded0ac20d9f57de0d7c267df51999493ec488bdd313de764052e215');
INSERT INTO "audit" VALUES(4,1.79581490539144754412e+09,'ada','admin','session','127.0.0.1','change_user','/users/bob',200,'{"role": "admin"}','11a16c633ded0ac20d9f57de0d7c267df51999493ec488bdd313de764052e215','bacf265da5b52392f4392fccc8e690b933523fbff1dfda468989ac458d2e41e3');
INSERT INTO "audit" VALUES(5,1.79581490540351128575e+09,'ada','admin','session','127.0.0.1','create_api_token','/api-tokens',201,'{"name": "reads", "role": "admin"}','bacf265da5b52392f4392fccc8e690b933523fbff1dfda468989ac458d2e41e3','2269426e2f92f40fdc864e308bb730a0b1111655d1d91bfe6fc19f217852bd64');
INSERT INTO "audit" VALUES(6,1.79581490544970178609e+09,'ada','admin','session','127.0.0.1','change_settings','/settings',200,'{"values": {"soak_s": 1.0}}','2269426e2f92f40fdc864e308bb730a0b1111655d1d91bfe6fc19f217852bd64','ed8240a13b37fcfcd6c3343c75a01b102fd622743c9ea31d2fef1449af33f54c');
INSERT INTO "audit" VALUES(7,1.7958149054767634868e+09,'ada','admin','session','127.0.0.1','push_model','/models',201,'{"bytes": 10423}','ed8240a13b37fcfcd6c3343c75a01b102fd622743c9ea31d2fef1449af33f54c','ff80aa17ba145927d0a2783f9ab78bf007af5d5c3185f70ae85a45e1e80fbe53');
INSERT INTO "audit" VALUES(8,1.79581490550073957441e+09,'ada','admin','session','127.0.0.1','push_model','/models',201,'{"bytes": 10423}','ff80aa17ba145927d0a2783f9ab78bf007af5d5c3185f70ae85a45e1e80fbe53','ee03fa26542cb6337303e390f80879c4062067f356b62fe009b143b77c5ac496');
INSERT INTO "audit" VALUES(9,1.79581490551405501369e+09,'ada','admin','session','127.0.0.1','begin_upload','/uploads',201,'{"length_bytes": 10240, "sha256": "7a80730a49003c3f4f11b81c7def98d33d960ba066535a2a97eabf231e44cfe9"}','ee03fa26542cb6337303e390f80879c4062067f356b62fe009b143b77c5ac496','a2a8d0a43f35676f97f750ba377a6ea08f1593e6deb6d6bbda3c18ffc44dbd78');
INSERT INTO "audit" VALUES(10,1.79581490553546166419e+09,'ada','admin','session','127.0.0.1','finish_upload','/uploads/958b4798f78f82cba094fd0dc1dfecf0/finish',201,'{}','a2a8d0a43f35676f97f750ba377a6ea08f1593e6deb6d6bbda3c18ffc44dbd78','f3b2d9a801e99caf5b1d692c44036b485dd443f7ece6aa12473ce9d89fccbac3');
INSERT INTO "audit" VALUES(11,1.79581490556605458258e+09,'ada','admin','session','127.0.0.1','upload_measurements','/models/spotter/1.1.0/measurements',200,'{"digest": "e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129", "machine": "m", "profile": "cpu", "rows": [{"variant": "cpu-int8", "runtime": "lite_rt", "device": "cpu", "threads": 2, "streams": 1, "instances": 1, "batch": 1, "per_s": 10.0, "p50_ms": 5.0, "p95_ms": 6.0, "load_ms": 1.0, "memory_bytes": 1, "best": true}]}','f3b2d9a801e99caf5b1d692c44036b485dd443f7ece6aa12473ce9d89fccbac3','5db21807905efe0eaacfd60ef2ced084f3a934ac0b2621f75c00e124d4f58cf9');
INSERT INTO "audit" VALUES(12,1.79581490560304284096e+09,'ada','admin','session','127.0.0.1','set_channel','/channels/spotter/stable',200,'{"version": "1.0.0", "note": "first"}','5db21807905efe0eaacfd60ef2ced084f3a934ac0b2621f75c00e124d4f58cf9','c8ab34b4355a87513f4ed06123b1ab98350561f6e639d8679ed0ae78bbc8f05d');
INSERT INTO "audit" VALUES(13,1.79581490561161470414e+09,'ada','admin','session','127.0.0.1','set_channel','/channels/spotter/stable',200,'{"version": "1.1.0", "note": "first"}','c8ab34b4355a87513f4ed06123b1ab98350561f6e639d8679ed0ae78bbc8f05d','390082b92e482bb4208e15deff51a03fd099eff4fef257c5513f64e67b4973cf');
INSERT INTO "audit" VALUES(14,1.795814905647614479e+09,'ada','admin','session','127.0.0.1','prune_models','/models/prune',200,'{"dry_run": true}','390082b92e482bb4208e15deff51a03fd099eff4fef257c5513f64e67b4973cf','08fb3615e146cd0e2bc0a063a2a1beb8dbb134a98789ed5847fadca8c53af2a0');
INSERT INTO "audit" VALUES(15,1.79581490566791200638e+09,'ada','admin','session','127.0.0.1','create_pipeline','/pipelines',201,'{"text": "name = \"gate\"\n[source]\nkind = \"device\"\n[[stages]]\nname = \"find\"\nkind = \"detect\"\nmodel = \"slot:detector\"\n"}','08fb3615e146cd0e2bc0a063a2a1beb8dbb134a98789ed5847fadca8c53af2a0','871ec2c96cb79a175b95a166def0f16eaf80dc082f10f763e17b4dab391a0269');
INSERT INTO "audit" VALUES(16,1.79581491058116507527e+09,'ada','admin','session','127.0.0.1','label_device','/devices/press-00',200,'{"labels": {"site": "north", "lat": "59.3", "lon": "18.1"}}','871ec2c96cb79a175b95a166def0f16eaf80dc082f10f763e17b4dab391a0269','8b01e3fefb8d1e58f47791b52553fd81baeac40ce6260583f940f265759f3355');
INSERT INTO "audit" VALUES(17,1.79581491060260081292e+09,'ada','admin','session','127.0.0.1','put_group','/groups/north',200,'{"selector": {"labels": {"site": "north"}, "query": "not state = blocked"}, "note": "in the north"}','8b01e3fefb8d1e58f47791b52553fd81baeac40ce6260583f940f265759f3355','0ca6c7b3debc04102603ec81d4f4b194de8b2d2dc78d02f7ae14b14ccb8831d2');
INSERT INTO "audit" VALUES(18,1.795814910608538866e+09,'ada','admin','session','127.0.0.1','put_group','/groups/plant',200,'{"selector": {"labels": {"site": "north"}}}','0ca6c7b3debc04102603ec81d4f4b194de8b2d2dc78d02f7ae14b14ccb8831d2','6fecfbb97e03a6a933be67dae8209d52f19296846e8fe0a2f3fd84d6e5338e9c');
INSERT INTO "audit" VALUES(19,1.79581491087127065658e+09,'ada','admin','session','127.0.0.1','create_user','/users',201,'{"name": "lea", "password": "(hidden)", "grants": [{"role": "viewer"}, {"role": "operator", "group": "plant"}]}','6fecfbb97e03a6a933be67dae8209d52f19296846e8fe0a2f3fd84d6e5338e9c','e65306157d68632961cc85c2145006f692bedbc33c51a8d023ddee3d0289993e');
INSERT INTO "audit" VALUES(20,1.79581491088044118884e+09,'ada','admin','session','127.0.0.1','put_configuration','/configurations/plant',200,'{"revision": 0, "resources": [{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef"}]}','e65306157d68632961cc85c2145006f692bedbc33c51a8d023ddee3d0289993e','3ad374148c3c7bf11c65d97f808d3e100e434313943537b87ba0cbb36c11856e');
INSERT INTO "audit" VALUES(21,1.7958149108916475773e+09,'ada','admin','session','127.0.0.1','send_command','/devices/press-00/commands',202,'{"op": "identify", "args": {"n": 1}}','3ad374148c3c7bf11c65d97f808d3e100e434313943537b87ba0cbb36c11856e','f05e0635f21abb2b4f34fc15de97b94fa5a757471867e8677293f733b54142d3');
INSERT INTO "audit" VALUES(22,1.79581491102304458612e+09,'ada','admin','session','127.0.0.1','take_picture','/devices/press-00/snapshots',202,'{"pipeline": "gate"}','f05e0635f21abb2b4f34fc15de97b94fa5a757471867e8677293f733b54142d3','d7c259229312c1ede61f2c3491a2bf8193db587266840ebaf8a6f50ca4f75627');
INSERT INTO "audit" VALUES(23,1.79581491103812909129e+09,'ada','admin','session','127.0.0.1','view_logs','/devices/press-00/logs',200,'{}','d7c259229312c1ede61f2c3491a2bf8193db587266840ebaf8a6f50ca4f75627','476443de069fff95f08b35672a15df35b9f1c902d96cb6c1057c90e4c5ee37a2');
INSERT INTO "audit" VALUES(24,1.7958149112561650276e+09,'ada','admin','session','127.0.0.1','get_last_logs','/devices/press-00/logs/last',200,'{}','476443de069fff95f08b35672a15df35b9f1c902d96cb6c1057c90e4c5ee37a2','b76e198290a7901266ffd169f0e37a287a80f94372b5b87c2d4c909911ace998');
INSERT INTO "audit" VALUES(25,1.79581491126421284674e+09,'ada','admin','session','127.0.0.1','request_support_bundle','/devices/press-00/support-bundles',202,'{}','b76e198290a7901266ffd169f0e37a287a80f94372b5b87c2d4c909911ace998','358eab3208c46376f47f72974b6ad3438dba1fcabfee9a2a158bf7b9a7bbfecc');
INSERT INTO "audit" VALUES(26,1.79581491140067481997e+09,'ada','admin','session','127.0.0.1','delete_support_bundle','/devices/press-00/support-bundles/4ff0092e96b64b2cb2f82c57f789ebc5',204,'{}','358eab3208c46376f47f72974b6ad3438dba1fcabfee9a2a158bf7b9a7bbfecc','736bc83be525878b92773dfec303200a55a8c3ec914d1f7abf74afc12806aae3');
INSERT INTO "audit" VALUES(27,1.79581491140798449519e+09,'ada','admin','session','127.0.0.1','bulk_devices','/devices/bulk',200,'{"action": "label", "labels": {"floor": "1"}, "selector": {"ids": ["press-00", "press-01"]}}','736bc83be525878b92773dfec303200a55a8c3ec914d1f7abf74afc12806aae3','bd17f2c26aa6239c9766e79d7e11798bd14fac95db98be71cd698764abb4cbd3');
INSERT INTO "audit" VALUES(28,1.79581491151862096783e+09,'ada','admin','session','127.0.0.1','review_events','/events/reviews',200,'{"events": [3], "verdict": "confirmed"}','bd17f2c26aa6239c9766e79d7e11798bd14fac95db98be71cd698764abb4cbd3','e5e0cc71516cc7e8c74ed96295bdba239ea516597e1b0992d78664a1d1b3fd3c');
INSERT INTO "audit" VALUES(29,1.7958149115487885475e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.0.0", "package": "spotter", "version": "1.0.0", "slot": "detector", "selector": {"all": true}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}','e5e0cc71516cc7e8c74ed96295bdba239ea516597e1b0992d78664a1d1b3fd3c','6a135e204ec967e892039ff092a8e5b9c08b2eeeb381179612c230264db06ea5');
INSERT INTO "audit" VALUES(30,1.79581491256656980513e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.1.0", "package": "spotter", "version": "1.1.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "one", "count": 1, "approval": true}, {"name": "rest"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false, "key": "apply/plant/second"}','6a135e204ec967e892039ff092a8e5b9c08b2eeeb381179612c230264db06ea5','d34244e6f075dcc661b47c6bb4d1273a7e017075fb7553bee2baed12405c3e20');
INSERT INTO "audit" VALUES(31,1.79581491258396267894e+09,'ada','admin','session','127.0.0.1','start_rollout','/rollouts/2/start',200,'{"reason": "now"}','d34244e6f075dcc661b47c6bb4d1273a7e017075fb7553bee2baed12405c3e20','85b85b46b825f9dd02c77077524cb0ebc45ed4299e5e5bfc970cc661e5ead073');
INSERT INTO "audit" VALUES(32,1.79581491259842967989e+09,'ada','admin','session','127.0.0.1','pause_rollout','/rollouts/2/pause',200,'{"reason": "a question"}','85b85b46b825f9dd02c77077524cb0ebc45ed4299e5e5bfc970cc661e5ead073','a1bc11bba941992d35f99538b4ea835b0f48ad5a725e78d7ed1eb9e979f68144');
INSERT INTO "audit" VALUES(33,1.79581491261403632161e+09,'ada','admin','session','127.0.0.1','resume_rollout','/rollouts/2/resume',200,'{"reason": "answered"}','a1bc11bba941992d35f99538b4ea835b0f48ad5a725e78d7ed1eb9e979f68144','faa8da116a269390bc0731c10a2f471d693439b87d88f4fc1f6fd16d4b4cedb8');
INSERT INTO "audit" VALUES(34,1.79581491262909889216e+09,'ada','admin','session','127.0.0.1','skip_wave','/rollouts/2/skip',200,'{"wave": 1, "reason": "one is enough"}','faa8da116a269390bc0731c10a2f471d693439b87d88f4fc1f6fd16d4b4cedb8','278e2e0d94b2a237e83cc288d47bee504ab52c37304e78c58ab22638761c88d7');
INSERT INTO "audit" VALUES(35,1.7958149126439967155e+09,'ada','admin','session','127.0.0.1','approve_rollout','/rollouts/2/approve',200,'{"wave": 0, "reason": "agreed"}','278e2e0d94b2a237e83cc288d47bee504ab52c37304e78c58ab22638761c88d7','331e0ea5b3b39fb7e3e95768c0535156f4eba839881a5ef2d4cd280c218e4c92');
INSERT INTO "audit" VALUES(36,1.79581491358602070807e+09,'ada','admin','session','127.0.0.1','rollback_rollout','/rollouts/2/rollback',200,'{"reason": "too slow"}','331e0ea5b3b39fb7e3e95768c0535156f4eba839881a5ef2d4cd280c218e4c92','af5eb954369694a57ad4c14434e9075b7c06edd5af6b29526eabb3c74141fe77');
INSERT INTO "audit" VALUES(37,1.79581491363950586318e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "shadow-detector", "selector": {"ids": ["press-05"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}','af5eb954369694a57ad4c14434e9075b7c06edd5af6b29526eabb3c74141fe77','379bbebb161f7dc247e67628fa16e07ced09159905a9a2a917d41be466dbe22b');
INSERT INTO "audit" VALUES(38,1.79581491366789340971e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false}','379bbebb161f7dc247e67628fa16e07ced09159905a9a2a917d41be466dbe22b','e61b8edb102ad2e4371fde03813e8151b76db097a93ea9356a67fa9e8eff6cc9');
INSERT INTO "audit" VALUES(39,1.79581491368448972704e+09,'ada','admin','session','127.0.0.1','abort_rollout','/rollouts/4/abort',200,'{"reason": "the wrong day"}','e61b8edb102ad2e4371fde03813e8151b76db097a93ea9356a67fa9e8eff6cc9','cbc8e2f8311e8412caba1207fc0e30639cd1b33e3949410aa007afee04a66af6');
INSERT INTO "audit" VALUES(40,1.79581491377715229984e+09,'ada','admin','session','127.0.0.1','create_experiment','/experiments',201,'{"name": "faster", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','cbc8e2f8311e8412caba1207fc0e30639cd1b33e3949410aa007afee04a66af6','66fcf04a13b300aca7a6c4d2828adc40b858c05d4a4a6e8a03ae88eaa3616a7d');
INSERT INTO "audit" VALUES(41,1.79581491379435038567e+09,'ada','admin','session','127.0.0.1','choose_experiment_arm','/experiments/1/choose',200,'{"arm": "a", "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','66fcf04a13b300aca7a6c4d2828adc40b858c05d4a4a6e8a03ae88eaa3616a7d','0f63ce59b0ba17469e17155156e91284297bb6d919e256d6966f630e8c414850');
INSERT INTO "audit" VALUES(42,1.79581491381197810167e+09,'ada','admin','session','127.0.0.1','create_experiment','/experiments',201,'{"name": "again", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','0f63ce59b0ba17469e17155156e91284297bb6d919e256d6966f630e8c414850','83139db9327ce03d872f7c25bf9b4584b01ffce2315387cc8df1c9e4f35fd4f8');
INSERT INTO "audit" VALUES(43,1.7958149138241474628e+09,'ada','admin','session','127.0.0.1','stop_experiment','/experiments/2/stop',200,'{}','83139db9327ce03d872f7c25bf9b4584b01ffce2315387cc8df1c9e4f35fd4f8','bcb2ea46e34b4ad5b6318f580073de1e382862ede7a681483c3a7c5e121750f6');
INSERT INTO "audit" VALUES(44,1.79581491384862184526e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true, "parts": [{"package": "spotter", "slot": "second", "version": "1.1.0"}], "terms": {"follow": true, "prestage": true, "rate": {"per_minute": 60, "grow_after": 10}, "retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}}}','bcb2ea46e34b4ad5b6318f580073de1e382862ede7a681483c3a7c5e121750f6','b0f6315ccd4c7ea467ea023988c4ad2ab9ebbe45dc954b8b694e21e8962ee515');
INSERT INTO "audit" VALUES(45,1.79581491386233353616e+09,'ada','admin','session','127.0.0.1','pin_device','/devices/press-03/pins/detector',200,'{"reason": "a demonstration"}','b0f6315ccd4c7ea467ea023988c4ad2ab9ebbe45dc954b8b694e21e8962ee515','c0b08ebd9073b442824729e8cd5b90794fb0d4b288a7ac9535fb569fbf33e665');
INSERT INTO "audit" VALUES(46,1.79581491387181305888e+09,'ada','admin','session','127.0.0.1','pin_device','/devices/press-04/pins/detector',200,'{"reason": "for a day"}','c0b08ebd9073b442824729e8cd5b90794fb0d4b288a7ac9535fb569fbf33e665','1ea2403a71d030de69e50b04be65f9d7997b2d882ad3d8ee6ff74f0bf559f5c6');
INSERT INTO "audit" VALUES(47,1.79581491388027048115e+09,'ada','admin','session','127.0.0.1','unpin_device','/devices/press-04/pins/detector',200,'{}','1ea2403a71d030de69e50b04be65f9d7997b2d882ad3d8ee6ff74f0bf559f5c6','6dae981fe93c5eaf97afcd5fd2343d347706ebf738f3b05fae4bbdb16e2ec94c');
INSERT INTO "audit" VALUES(48,1.79581491389465498927e+09,'ada','admin','session','127.0.0.1','release_device','/devices/press-01/release',200,'{}','6dae981fe93c5eaf97afcd5fd2343d347706ebf738f3b05fae4bbdb16e2ec94c','94ff1fe84941feaac8272dbe4ec792762087ba2dbbeb60ccee1401c14111f6cd');
INSERT INTO "audit" VALUES(49,1.79581491391354632373e+09,'ada','admin','session','127.0.0.1','create_alert_rule','/alert-rules',201,'{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -1.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/(hidden-a94bb7e8)", "secret": "(hidden)"}]}}','94ff1fe84941feaac8272dbe4ec792762087ba2dbbeb60ccee1401c14111f6cd','d3486a99e104c0eb89f9486239238125d70fa9ce0c08a18aebb5b0c458266372');
INSERT INTO "audit" VALUES(50,1.79581491548285698887e+09,'ada','admin','session','127.0.0.1','acknowledge_alert','/alerts/1/acknowledge',204,'{}','d3486a99e104c0eb89f9486239238125d70fa9ce0c08a18aebb5b0c458266372','149df72155ae4e6f0ceb28f98fe92fe13f5494b5495891b28d6c4d731f41b180');
INSERT INTO "audit" VALUES(51,1.79581491548696804043e+09,'ada','admin','session','127.0.0.1','change_alert_rule','/alert-rules/1',200,'{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -2.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/(hidden-a94bb7e8)", "secret": "(hidden)"}]}}','149df72155ae4e6f0ceb28f98fe92fe13f5494b5495891b28d6c4d731f41b180','1cffdf589d9c03d3a736f2046136f95d2268eda6a909cfc1d3d6148d7ec31de4');
INSERT INTO "audit" VALUES(52,1.79581491549158167838e+09,'ada','admin','session','127.0.0.1','silence_alert_rule','/alert-rules/1/silence',200,'{"for_s": 60.0}','1cffdf589d9c03d3a736f2046136f95d2268eda6a909cfc1d3d6148d7ec31de4','73fb641f1a37adfa937fa31c90672b9ff203e5a7182b35007295bd41a54fc400');
INSERT INTO "audit" VALUES(53,1.79581491549948072438e+09,'ada','admin','session','127.0.0.1','create_alert_recipient','/alert-recipients',201,'{"name": "on call", "kind": "ntfy", "url": "http://127.0.0.1:9", "topic": "fleet", "secret": "(hidden)"}','73fb641f1a37adfa937fa31c90672b9ff203e5a7182b35007295bd41a54fc400','14d0de204afa1ff498d7435db6748a1827636d57079c3420e41f6b117419f25c');
INSERT INTO "audit" VALUES(54,1.79581491550434684751e+09,'ada','admin','session','127.0.0.1','change_alert_recipient','/alert-recipients/1',200,'{"name": "on call", "kind": "ntfy", "url": "http://127.0.0.1:9", "topic": "fleet", "secret": "(hidden)", "severities": ["critical"]}','14d0de204afa1ff498d7435db6748a1827636d57079c3420e41f6b117419f25c','c57afaa1841db7448a01ee04888ae7eca2fa714f05b6830f3b30975f0d79d752');
INSERT INTO "audit" VALUES(55,1.79581491551083707804e+09,'ada','admin','session','127.0.0.1','test_alert_recipient','/alert-recipients/1/test',200,'{}','c57afaa1841db7448a01ee04888ae7eca2fa714f05b6830f3b30975f0d79d752','1c6925921ccbb6260d9b835b05fccaf80f9c78bc8c3a71309d7e7709ef06f587');
INSERT INTO "audit" VALUES(56,1.7958149155246555805e+09,'ada','admin','session','127.0.0.1','create_alert_snooze','/alert-snoozes',201,'{"rule": 1, "until_at": 1795818515.516136, "reason": "the fan is replaced"}','1c6925921ccbb6260d9b835b05fccaf80f9c78bc8c3a71309d7e7709ef06f587','fdbab62658798c1f2bd44a5672675ae2e5964644d3736633c70d5731519e3770');
INSERT INTO "audit" VALUES(57,1.79581491553555703168e+09,'ada','admin','session','127.0.0.1','create_alert_snooze','/alert-snoozes',201,'{"device": "press-00", "until_at": 1795818515.5327303, "reason": "moved"}','fdbab62658798c1f2bd44a5672675ae2e5964644d3736633c70d5731519e3770','c367fba6a61456a1304cd15b64f7603945f3d033abf714ca6cb1016ffd6305e0');
INSERT INTO "audit" VALUES(58,1.79581491553982257845e+09,'ada','admin','session','127.0.0.1','end_alert_snooze','/alert-snoozes/2',204,'{}','c367fba6a61456a1304cd15b64f7603945f3d033abf714ca6cb1016ffd6305e0','767a5a883aa9ae07355f05133749d00b87f043a2e335d53d8c1674747784f5a1');
INSERT INTO "audit" VALUES(59,1.79581491554782891276e+09,'ada','admin','session','127.0.0.1','create_alert_recipient','/alert-recipients',201,'{"name": "second", "kind": "email", "emails": ["ops@example.org"]}','767a5a883aa9ae07355f05133749d00b87f043a2e335d53d8c1674747784f5a1','6f06b1c462f4110ca1c269c5a96fe51fe5e606f48f3ed862f93f97c97729d02c');
INSERT INTO "audit" VALUES(60,1.79581491555296635627e+09,'ada','admin','session','127.0.0.1','delete_alert_recipient','/alert-recipients/2',204,'{}','6f06b1c462f4110ca1c269c5a96fe51fe5e606f48f3ed862f93f97c97729d02c','2ad035ee6a7a007877874940de6421f8588971a580cfb687fcce6cf833c18e91');
INSERT INTO "audit" VALUES(61,1.7958149155762841701e+09,'ada','admin','session','127.0.0.1','rotate_trust_key','/trust/rotate',200,'{"role": "snapshot"}','2ad035ee6a7a007877874940de6421f8588971a580cfb687fcce6cf833c18e91','c4bae526b062a0bfd9b80362a8519dfe434a341986a0a6dde81e598472d521ad');
INSERT INTO "audit" VALUES(62,1795814915.59691,'ada','admin','session','127.0.0.1','withdraw_version','/trust/withdraw',200,'{"package": "pipeline-gate", "version": "1.0.0"}','c4bae526b062a0bfd9b80362a8519dfe434a341986a0a6dde81e598472d521ad','1845195ac054633624e6e7497d1aa92e65e1c9d18f97a51568cc463024a05d37');
INSERT INTO "audit" VALUES(63,1.79581491564321064947e+09,'ada','admin','session','127.0.0.1','begin_authority_rotation','/certificates/rotation',200,'{}','1845195ac054633624e6e7497d1aa92e65e1c9d18f97a51568cc463024a05d37','2e50baf4143b418774f833031db7b2441e99c6bda33e8a79ad35bdd2c4d33e7a');
INSERT INTO "audit" VALUES(64,1.79581491566039800648e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"life_s": 100000.0, "devices_max": 3, "approval": true}','2e50baf4143b418774f833031db7b2441e99c6bda33e8a79ad35bdd2c4d33e7a','7580dba9cedf8f850356bb545f57b11aee2dcce09420498e4bbe7c432c433e80');
INSERT INTO "audit" VALUES(65,1.79581491567962837222e+09,'ada','admin','session','127.0.0.1','enrol_device','/enrol',202,'{"token": "(hidden)", "device": "image-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHLMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMTBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABK6hSJepOpREfWB90SUFtNzwtNw4vLKE9/BPovOFpqV/JyQGcMuB7UUw\nGeC61mLVaUSaN23rwqTcpQdHI1UKDrSgADAKBggqhkjOPQQDAgNHADBEAiAzt44C\nA2wp8DutWg3+MEE2EVMBaK5z+TpAapLzBqkEggIgEk0mVbUr9e9utGnwXCwrlOFo\nym36NZKdtqTpT9zK9yU=\n-----END CERTIFICATE REQUEST-----\n"}','7580dba9cedf8f850356bb545f57b11aee2dcce09420498e4bbe7c432c433e80','3c28616ef68187b6508e3a17ac1c021601b19fcb3530c6c8cfffb52a0169969f');
INSERT INTO "audit" VALUES(66,1.79581491568941283227e+09,'ada','admin','session','127.0.0.1','enrol_device','/enrol',202,'{"token": "(hidden)", "device": "image-2", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHMMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMjBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABLozskFqjvUbMtDP3hpx5CQY4RIvTXG/4YhgdPIeibdoPcrmP821JQkt\nlBOTAUXskzF2usOieB5vEcUDhubkWOegADAKBggqhkjOPQQDAgNIADBFAiBpb5Ng\ncdlnHIod+G5l1mGdDPhH7DcbYaLfekJ2nhe6zwIhAOzqTUMe1sOqLogr6aVAsjpd\n8HnoSBtwoAcRIyKQejy3\n-----END CERTIFICATE REQUEST-----\n"}','3c28616ef68187b6508e3a17ac1c021601b19fcb3530c6c8cfffb52a0169969f','81eca99eaf178b00bdea0848153a59e04d5719b8478908ec93592b910164b3b9');
INSERT INTO "audit" VALUES(67,1.79581491570275115967e+09,'ada','admin','session','127.0.0.1','decide_enrolment_requests','/enrolment-requests/decisions',200,'{"approve": true, "devices": [{"device": "image-1"}]}','81eca99eaf178b00bdea0848153a59e04d5719b8478908ec93592b910164b3b9','6b1bc89aa8d2a19d96dc1b8f60e3760bde1c7625095c27d619ee025861d06e86');
INSERT INTO "audit" VALUES(68,1.79581491570833444602e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"labels": {"site": "north"}, "life_s": 100000.0}','6b1bc89aa8d2a19d96dc1b8f60e3760bde1c7625095c27d619ee025861d06e86','9df18318c9388e7ad31548e9943f33b0614d3026d39b6f0017c1435854a549ff');
INSERT INTO "audit" VALUES(69,1.79581491571417307855e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"labels": {"site": "north"}, "life_s": 100000.0}','9df18318c9388e7ad31548e9943f33b0614d3026d39b6f0017c1435854a549ff','72f3995dd318b40b5d33a38782099131821e260bb0b3741955f71bc56c2da549');
INSERT INTO "audit" VALUES(70,1.79581491573270297045e+09,'ada','admin','session','127.0.0.1','enrol_device','/enrol',200,'{"token": "(hidden)", "device": "enrolled-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHQMHcCAQAwFTETMBEGA1UEAwwKZW5yb2xsZWQtMTBZMBMGByqGSM49AgEGCCqG\nSM49AwEHA0IABOELoAqGd4VWqPh1t7sl4hyB9Z5dqP76jVVtRxwUPtkin6pNhmwk\nKOD6tMcuLb5ka6AvqFLniSq/6MI6UerZlougADAKBggqhkjOPQQDAgNJADBGAiEA\n4BtQXeb9C8OPALyQAXtNKzC8EaqbJ9YEJDtOUdJX2vACIQCkeNvXOe+rjUvi+QH+\nOG02QQ7rNHap8ndV5FSvD4s8/g==\n-----END CERTIFICATE REQUEST-----\n"}','72f3995dd318b40b5d33a38782099131821e260bb0b3741955f71bc56c2da549','63f4bac670aa394493967459bdee13da30879377aa36f612d6572c4ecf847a9b');
INSERT INTO "audit" VALUES(71,1.7958149157463848591e+09,'ada','admin','session','127.0.0.1','block_device','/devices/enrolled-1/block',200,'{"reason": "lost"}','63f4bac670aa394493967459bdee13da30879377aa36f612d6572c4ecf847a9b','5dde0ced3635738619e4cfb99b44d2a719a23dc7716f21cd1b2a328d6853e5fa');
INSERT INTO "audit" VALUES(72,1.79581491575453639029e+09,'ada','admin','session','127.0.0.1','unblock_device','/devices/enrolled-1/block',200,'{}','5dde0ced3635738619e4cfb99b44d2a719a23dc7716f21cd1b2a328d6853e5fa','f85a21b9412e08583493ad1a2083a0b35afaeaa661e3b3ff8f29df6c3bde8382');
INSERT INTO "audit" VALUES(73,1.79581491576140832898e+09,'ada','admin','session','127.0.0.1','block_device','/devices/enrolled-1/block',200,'{"reason": "lost again"}','f85a21b9412e08583493ad1a2083a0b35afaeaa661e3b3ff8f29df6c3bde8382','370a87002da0c4e7b3fe3136debaee1c80ee637552ce508e4ca853cd3af2d93c');
INSERT INTO "audit" VALUES(74,1.79581491578324484821e+09,'ada','admin','session','127.0.0.1','finish_authority_rotation','/certificates/rotation/finish',200,'{"online_days": 0.0}','370a87002da0c4e7b3fe3136debaee1c80ee637552ce508e4ca853cd3af2d93c','57740dd574e533e1c4a5db3889dc8eec51bfff89cb21f4e4e410abf67c8aa759');
INSERT INTO "audit" VALUES(75,1.79581491579110813137e+09,'ada','admin','session','127.0.0.1','create_api_token','/api-tokens',201,'{"name": "proposes", "role": "operator", "scopes": ["propose"]}','57740dd574e533e1c4a5db3889dc8eec51bfff89cb21f4e4e410abf67c8aa759','285f4362fe4a21057a5c4793028c3b3af3bb53e49c1f3ff5a8983b15e3b62373');
INSERT INTO "audit" VALUES(76,1.79581491584221458433e+09,'ada','operator','token','127.0.0.1','create_proposal','/groups/south',202,'{"selector": {"labels": {"site": "south"}}, "note": "proposed"}','285f4362fe4a21057a5c4793028c3b3af3bb53e49c1f3ff5a8983b15e3b62373','c4865998bae183e8daf85c50f534338891865235fb6e869d085af7912400f77a');
INSERT INTO "audit" VALUES(77,1.79581491585888195034e+09,'ada','operator','token','127.0.0.1','create_proposal','/groups/west',202,'{"selector": {"labels": {"site": "west"}}, "note": "proposed"}','c4865998bae183e8daf85c50f534338891865235fb6e869d085af7912400f77a','a03799a0c12f0dd838738fadfa07e16956f1cd9d5a6b6c8055245a7f7854b952');
INSERT INTO "audit" VALUES(78,1.79581491587317204476e+09,'ada','operator','token','127.0.0.1','create_proposal','/groups/east',202,'{"selector": {"labels": {"site": "east"}}, "note": "proposed"}','a03799a0c12f0dd838738fadfa07e16956f1cd9d5a6b6c8055245a7f7854b952','6ff1e5b0824e55ca3c2f7c44da3d6a5c3b784176dc937016ae32a3f8859124fd');
INSERT INTO "audit" VALUES(79,1.79581491589300370212e+09,'ada','admin','session','127.0.0.1','approve_proposal','/proposals/1/approve',200,'{"reason": "looked at it"}','6ff1e5b0824e55ca3c2f7c44da3d6a5c3b784176dc937016ae32a3f8859124fd','e0c5b3bc579ba3e7aeb28327e1ec665ac8bc879d78a9dc3c84d97d61f4fc0bcb');
INSERT INTO "audit" VALUES(80,1.79581491589713263508e+09,'ada','admin','session','127.0.0.1','put_group','/groups/south',200,'{"selector": {"labels": {"site": "south"}}, "note": "proposed", "proposal": {"id": 1, "proposed_by": "ada", "token": "(hidden)", "token_name": "proposes", "note": ""}}','e0c5b3bc579ba3e7aeb28327e1ec665ac8bc879d78a9dc3c84d97d61f4fc0bcb','1702e884f92f653fc6aecafec5d56532612e1703caf68f8fa78fb255fba2b5aa');
INSERT INTO "audit" VALUES(81,1.79581491590833854671e+09,'ada','admin','session','127.0.0.1','reject_proposal','/proposals/2/reject',200,'{"reason": "not now"}','1702e884f92f653fc6aecafec5d56532612e1703caf68f8fa78fb255fba2b5aa','ffe9b1200e84fdb8ba6c646b4998775468f2daea8a7c4f5a0a1746bb5acf08be');
INSERT INTO "audit" VALUES(82,1.7958149159606916905e+09,'ada','admin','session','127.0.0.1','create_dossier','/dossiers',200,'{"component": "numpy", "version": "", "stage": "72h"}','ffe9b1200e84fdb8ba6c646b4998775468f2daea8a7c4f5a0a1746bb5acf08be','fda42c2d266ef18fb5912146e95239d516eec17010ca625a7ca080c2e3154496');
INSERT INTO "audit" VALUES(83,1.7958149165010302067e+09,'ada','admin','session','127.0.0.1','change_password','/session/password',204,'{"current": "(hidden)", "password": "(hidden)"}','fda42c2d266ef18fb5912146e95239d516eec17010ca625a7ca080c2e3154496','b5de0cabd1db0955d69304efa957c173ce5f32298474a698a907fbd12bd16945');
CREATE TABLE audit_archived (
	seq INTEGER NOT NULL, 
	digest VARCHAR NOT NULL, 
	PRIMARY KEY (seq)
);
INSERT INTO "audit_archived" VALUES(1,'67872292a07d6d75e56369cf051ce1f1a36e5895798c624983106eac932a190e');
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
INSERT INTO "blob" VALUES('6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723',388,1.7958149054575181007e+09);
INSERT INTO "blob" VALUES('d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b',500,1.7958149054575181007e+09);
INSERT INTO "blob" VALUES('63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf',30,1.79581490552926492688e+09);
INSERT INTO "blob" VALUES('916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90',56,1.79581490552926492688e+09);
INSERT INTO "blob" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',811,1.7958149054575181007e+09);
INSERT INTO "blob" VALUES('7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410',388,1.79581490549412751194e+09);
INSERT INTO "blob" VALUES('fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de',500,1.79581490549412751194e+09);
INSERT INTO "blob" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129',811,1.79581490549412751194e+09);
INSERT INTO "blob" VALUES('6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb',388,1.79581490552926492688e+09);
INSERT INTO "blob" VALUES('e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d',500,1.79581490552926492688e+09);
INSERT INTO "blob" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01',811,1.79581490552926492688e+09);
INSERT INTO "blob" VALUES('d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a',217,1.79581490566064763073e+09);
INSERT INTO "blob" VALUES('a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66',104,1.79581490566064763073e+09);
INSERT INTO "blob" VALUES('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9',433,1.79581490566064763073e+09);
CREATE TABLE blocked_device (
	device VARCHAR NOT NULL, 
	blocked_at FLOAT NOT NULL, 
	reason VARCHAR NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "blocked_device" VALUES('enrolled-1',1.79581491575998854638e+09,'lost again');
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
INSERT INTO "channel" VALUES('spotter','stable','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129',1.79581490560876297956e+09,'ada','first');
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
INSERT INTO "channel_change" VALUES(1,'spotter','stable','1.0.0','',1.79581490559870719913e+09,'ada','first');
INSERT INTO "channel_change" VALUES(2,'spotter','stable','1.1.0','1.0.0',1.79581490560876297956e+09,'ada','first');
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
INSERT INTO "command" VALUES('bill-62218b8a25eb45a3a4bca31171a3c8bb','press-00','bill','{"digest": "08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7"}','done','did it','{}',1.79581491044702577591e+09,1.79581495544702577586e+09,1.79581491054385256772e+09);
INSERT INTO "command" VALUES('4e8ee69d21ea47b2a425068adbac69b6','press-00','identify','{"n": 1}','done','did it','{"n":1}',1.79581491089025783534e+09,1.79581494089025783542e+09,1.79581491098787832255e+09);
INSERT INTO "command" VALUES('1e345418c03549208e1a9ab5e34a0963','press-00','snapshot','{"overlays": false, "pipeline": "gate"}','done','did it','{"overlays":false,"pipeline":"gate"}',1.79581491102172780037e+09,1.79581497102172780036e+09,1.79581491109954810144e+09);
INSERT INTO "command" VALUES('logs-6340f824b97c4ed6b98142260ec0e258','press-00','logs','{"source": "service", "level": "debug", "search": "", "lines": 200, "after": ""}','done','did it','{"source":"service","level":"debug","search":"","lines":200,"after":""}',1.79581491103812909129e+09,1.79581493603812909123e+09,1.79581491109954810144e+09);
CREATE TABLE configuration (
	name VARCHAR NOT NULL, 
	revision INTEGER NOT NULL, 
	resources JSON NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "configuration" VALUES('plant',1,'[{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef", "id": null}]',1.79581491087833476066e+09,'ada');
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
INSERT INTO "cursor" VALUES('press-00','telemetry','press-00-epoch',6,'[]',0.0,0,0,1.79581491395016336438e+09);
INSERT INTO "cursor" VALUES('press-00','events','press-00-epoch',3,'[]',0.0,0,0,1.79581490574722337722e+09);
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
INSERT INTO "device" VALUES('press-00',1.79581490574722337722e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{"site":"north","lat":"59.3","lon":"18.1","floor":"1"}','{}','{"site":"north","lat":"59.3","lon":"18.1","floor":"1"}',0.0,'[]');
INSERT INTO "device" VALUES('press-01',1.79581490574722337722e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{"floor":"1"}','{}','{"floor":"1"}',1.79581491389460110659e+09,'[]');
INSERT INTO "device" VALUES('press-02',1.79581490574722337722e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
INSERT INTO "device" VALUES('press-03',1.79581490574722337722e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
INSERT INTO "device" VALUES('press-04',1.79581490574722337722e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
INSERT INTO "device" VALUES('press-05',1.79581490574722337722e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
CREATE TABLE device_bill (
	id INTEGER NOT NULL, 
	device VARCHAR NOT NULL, 
	bill VARCHAR NOT NULL, 
	since_at FLOAT NOT NULL, 
	until_at FLOAT, 
	PRIMARY KEY (id), 
	FOREIGN KEY(device) REFERENCES device (id)
);
INSERT INTO "device_bill" VALUES(1,'press-00','08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7',1.79581490574722337722e+09,NULL);
CREATE TABLE device_certificate (
	serial VARCHAR NOT NULL, 
	device VARCHAR NOT NULL, 
	issued_at FLOAT NOT NULL, 
	expires_at FLOAT NOT NULL, 
	revoked_at FLOAT, 
	PRIMARY KEY (serial)
);
INSERT INTO "device_certificate" VALUES('5d4ae953db21c9993988da2abe5f59c970c5622d','enrolled-1',1.79581491572629117965e+09,1803590915.0,1.79581491574507474896e+09);
CREATE TABLE device_group (
	name VARCHAR NOT NULL, 
	selector JSON NOT NULL, 
	note VARCHAR NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "device_group" VALUES('north','{"all": false, "ids": [], "labels": {"site": "north"}, "group": null, "query": "not state = blocked"}','in the north',1.79581491059853768353e+09,'ada');
INSERT INTO "device_group" VALUES('plant','{"all": false, "ids": [], "labels": {"site": "north"}, "group": null}','',1.79581491060687708852e+09,'ada');
INSERT INTO "device_group" VALUES('south','{"all": false, "ids": [], "labels": {"site": "south"}, "group": null}','proposed',1.7958149158957493305e+09,'ada');
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
INSERT INTO "device_last" VALUES('press-00','offline',1.79581491659545111659e+09,'boot-1','',4,1.79581491659545111659e+09,'boot-1',14,3,'{}',10000000000,'[]','[]',0,1.79581491391626811029e+09,'{"at":1795814913.916268,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}',15.0,12.0,0.0,NULL,20.0,1.9960387480042940389e+00,1.79581491605443310734e+09,'[]');
INSERT INTO "device_last" VALUES('press-01','offline',1.79581491665809178355e+09,'boot-1','',4,1.79581491665809178355e+09,'boot-1',13,2,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.9960387480042940389e+00,1.79581491605443310734e+09,'[]');
INSERT INTO "device_last" VALUES('press-02','offline',1.79581491674590754507e+09,'boot-1','',4,1.79581491674590754507e+09,'boot-1',6,1,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.9960387480042940389e+00,1.79581491605443310734e+09,'[]');
INSERT INTO "device_last" VALUES('press-03','offline',1.7958149168001310825e+09,'boot-1','',4,1.7958149168001310825e+09,'boot-1',6,1,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.9960387480042940389e+00,1.79581491605443310734e+09,'[]');
INSERT INTO "device_last" VALUES('press-04','offline',1.79581491690204310416e+09,'boot-1','',4,1.79581491690204310416e+09,'boot-1',6,1,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.9960387480042940389e+00,1.79581491605443310734e+09,'[]');
INSERT INTO "device_last" VALUES('press-05','offline',1.79581491700127363203e+09,'boot-1','',4,1.79581491700127363203e+09,'boot-1',10,2,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.9960387480042940389e+00,1.79581491605443310734e+09,'[]');
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
INSERT INTO "device_slot" VALUES('press-00','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795814913.8977685}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','2:press-00:1:back','none','',0,0,1.79581491389778304104e+09);
INSERT INTO "device_slot" VALUES('press-01','detector','committed','spotter','1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795814914.1455457}','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','7:press-01:1','none','',0,0,1.79581491414555144306e+09);
INSERT INTO "device_slot" VALUES('press-01','second','committed','spotter','1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795814914.1457946}','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','7:press-01:1','none','',0,0,1.79581491414579796786e+09);
INSERT INTO "device_slot" VALUES('press-02','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795814911.858447}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-02:1','none','',0,0,1.79581491185845446584e+09);
INSERT INTO "device_slot" VALUES('press-03','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795814911.8636577}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-03:1','none','',0,0,1.79581491186366152762e+09);
INSERT INTO "device_slot" VALUES('press-04','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795814911.8567338}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-04:1','none','',0,0,1.79581491185673761362e+09);
INSERT INTO "device_slot" VALUES('press-05','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795814913.7219157}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-05:1','none','',0,0,1.79581491372192764283e+09);
INSERT INTO "device_slot" VALUES('press-05','shadow-detector','committed','spotter','1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795814913.968109}','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','3:press-05:1','none','',0,0,1.7958149139681210518e+09);
CREATE TABLE enrolled_labels (
	device VARCHAR NOT NULL, 
	labels JSON NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "enrolled_labels" VALUES('enrolled-1','{"site":"north"}',1.79581491573105645181e+09);
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
INSERT INTO "enrolment_request" VALUES('image-1','41d15521f29e','7921cfa0525945788dc93e26a41421d7b5827675b786fc0e354a09521c5eb1d9','approved',1.79581491567073869702e+09,1.79581491567073869702e+09,1.7958149157009341717e+09,'ada');
INSERT INTO "enrolment_request" VALUES('image-2','41d15521f29e','272f7597176f12e85d0c0efffce88f14fcbb5c0df708ce1b9459ce7b6598c86d','waiting',1.79581491568661928172e+09,1.79581491568661928172e+09,NULL,'');
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
INSERT INTO "enrolment_token" VALUES('41d15521f29e','e0b059fe255e82fcaa088104485112550018535f3f331896bf7db6037439ca8f','','{}',1.79581491565909457212e+09,1.79591491565909457204e+09,NULL,'',NULL,3,0,1);
INSERT INTO "enrolment_token" VALUES('73fd00248c9e','292cf7422e78acb6ab8d483c5982c1eb14f76c05aebf3539519f7c3ddbeebe52','','{"site": "north"}',1.79581491570749711989e+09,1.79591491570749711985e+09,1.79581491572629117965e+09,'enrolled-1',NULL,1,1,0);
INSERT INTO "enrolment_token" VALUES('f87a64a65b18','529720be08084d29a91e2e70d42132327212c3afb941020404998a6d233bdc18','','{"site": "north"}',1.79581491571335196497e+09,1.79591491571335196497e+09,NULL,'',NULL,1,0,0);
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
INSERT INTO "environment_bill" VALUES('08a95d648bd70d1b50ca680eb44caf2eb82b358ab28e0aab506a35e46757bee7',1.79581491054385256772e+09,1.79581497044702577585e+09,1,0,0,'{"agent":"0.3.0","packages":[["numpy","2.3.1"]],"python":"3.11.2","system":"debian"}');
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
INSERT INTO "event" VALUES(1,'press-00',1.79581490570564746857e+09,1.79581490574722337722e+09,'visit','person','{"kind":"visit","id":"e0","at":1795814905.7056475,"label":"person","count":0}');
INSERT INTO "event" VALUES(2,'press-00',1.79581490570564866063e+09,1.79581490574722337722e+09,'visit','person','{"kind":"visit","id":"e1","at":1795814905.7056487,"label":"person","count":1}');
INSERT INTO "event" VALUES(3,'press-00',1.7958149057056493759e+09,1.79581490574722337722e+09,'visit','person','{"kind":"visit","id":"e2","at":1795814905.7056494,"label":"person","count":2}');
CREATE TABLE event_review (
	event BIGINT NOT NULL, 
	verdict VARCHAR NOT NULL, 
	"by" VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (event)
);
INSERT INTO "event_review" VALUES(3,'confirmed','ada',1.79581491151848030097e+09);
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
INSERT INTO "experiment" VALUES(1,'faster','detector','ended','hash','',1.79581491375989675519e+09,'ada',1.79581491379111313818e+09,'ada','a',NULL,'',NULL);
INSERT INTO "experiment" VALUES(2,'again','detector','ended','hash','',1.79581491380565118785e+09,'ada',1795814913.82227,'ada','',NULL,'',NULL);
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
INSERT INTO "measurement" VALUES(1,'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','cpu','m',1.7958149055590517521e+09,'cpu-int8','lite_rt','cpu',2,1,1,1,5.0,6.0,10.0,1,1.0,1);
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
INSERT INTO "member" VALUES('m-1','all','host','0.2.0',1,0,0,0,0,0,0,1.79581491737318134308e+09,1.79581491737318134308e+09,0.0,0.0,0.0,0.0,0,0);
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
INSERT INTO "notice" VALUES(1,'http://127.0.0.1:9/hook',1,'{"what": "began", "id": 1, "rule": 1, "rule_name": "fast", "severity": "warning", "subject": "press-00", "text": "fps 15, above the limit of -1", "value": 15.0, "began_at": 1795814915.4515288, "ended_at": null, "acknowledged_at": null, "acknowledged_by": "", "device": "press-00", "pipeline": null, "rollout": null}','waiting',1,1.79581492642042446139e+09,1.79581491545152878755e+09,'Connection refu(hidden)ed',NULL);
CREATE TABLE openid_login (
	state VARCHAR NOT NULL, 
	browser VARCHAR NOT NULL, 
	nonce VARCHAR NOT NULL, 
	verifier VARCHAR NOT NULL, 
	redirect VARCHAR NOT NULL, 
	started_at FLOAT NOT NULL, 
	PRIMARY KEY (state)
);
INSERT INTO "openid_login" VALUES('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb','nonce','verifier','/',1.79581491737318134308e+09);
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
INSERT INTO "package" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','spotter','1.0.0',1.7958149054575181007e+09,811,974,'{"name": "spotter", "version": "1.0.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723"}, {"path": "model.tflite", "length": 500, "sha256": "d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','spotter','1.1.0',1.79581490549412751194e+09,811,974,'{"name": "spotter", "version": "1.1.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410"}, {"path": "model.tflite", "length": 500, "sha256": "fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','spotter','1.2.0',1.79581490552926492688e+09,811,974,'{"name": "spotter", "version": "1.2.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb"}, {"path": "model.tflite", "length": 500, "sha256": "e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9','pipeline-gate','1.0.0',1.79581490566064763073e+09,433,321,'{"name": "pipeline-gate", "version": "1.0.0", "task": "pipeline", "head": {"family": "pipeline"}, "variants": [{"name": "all", "format": "pipeline", "files": ["pipeline.toml"], "runtimes": ["pipelines"]}], "title": "gate", "requires": ["stage:detect"]}','[{"path": "model.toml", "length": 217, "sha256": "d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a"}, {"path": "pipeline.toml", "length": 104, "sha256": "a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66"}]',NULL);
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
INSERT INTO "person" VALUES('ada','admin','scrypt$15$8$3$V+jSE30FJEMbyoea4vY1Rw==$T+UBBs8BuyyMeaSYuWo5DJaMt6Dq3UJ63Ken6Xf1UC0=',1.79581490455135822301e+09,0,NULL);
INSERT INTO "person" VALUES('bob','admin','scrypt$15$8$3$T5jcjwHexNWmDXa3yevKBA==$fNDDy3V7U5zItYnEug1ePDOE9e5xxilhNITpuVgRyzU=',1.79581490537345218657e+09,0,NULL);
INSERT INTO "person" VALUES('lea','viewer','scrypt$15$8$3$+6cWKW4o1pjPeLJpRTKCGA==$x3CVEkZUdTZHeaz5dBvuROs27ULscY0B+OSM9GH+s9c=',1.7958149108703691959e+09,0,NULL);
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
INSERT INTO "pin" VALUES('press-03','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','a demonstration','ada',1.79581491386213541036e+09);
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
INSERT INTO "proposal" VALUES(1,'approved','905c44c41cd7','proposes','ada','put_group','Create or change a group.','operator','PUT','/groups/south','{"selector":{"labels":{"site":"south"}},"note":"proposed"}','','complete',1.79581491583578896527e+09,1.79641971583578896522e+09,1.79581491589187169075e+09,'ada','looked at it',200,'put_group: name south');
INSERT INTO "proposal" VALUES(2,'rejected','905c44c41cd7','proposes','ada','put_group','Create or change a group.','operator','PUT','/groups/west','{"selector":{"labels":{"site":"west"}},"note":"proposed"}','','complete',1.79581491585676407806e+09,1.79641971585676407815e+09,1.79581491590786910053e+09,'ada','not now',0,'');
INSERT INTO "proposal" VALUES(3,'pending','905c44c41cd7','proposes','ada','put_group','Create or change a group.','operator','PUT','/groups/east','{"selector":{"labels":{"site":"east"}},"note":"proposed"}','','complete',1.79581491587109112742e+09,1.79641971587109112737e+09,NULL,'','',0,'');
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
INSERT INTO "request_key" VALUES('c90cbf3895931a6f02a1b3441ea0aa2dfc7c15baf1f8f308294219299abbaa6a','6773901fd1056c979a0ad4eb8e7f81acba31ad7ccf8390f7163f86d445887e18','56f5956fef56ca83fd57231a7a810ba7978c239be10ad7ad65b1a92f80cac087','53b3fb16583c01e8',1.79581491551791334153e+09,1.79581503551791334151e+09,1,201,'21Ao3c/o5t/eWOikBz6gHVdGPj6yCn12r2XCcN73HXFFO8IUqXWBoOkoFsmHMgSoUv3ZjMa7O6o5Msu9OY6zfDOiZ4SDhdNyD/2p7XOOkZBzWsCnipM30Et3k6YEzTkRHYt2iVJgI8nJ4EOIfpEuqUG5MEp/NlA257inUUFAaZzUS2yajrbmBFI1/v2EIGc7pP7dK5yfsLtgYU4KXhJnDI7dLZ8O6ZURtOvMQmUrqmIzn54pSU4+vyfeYwBKhGO4TK87TrOPTxwMyRS84RCe3+1v+ERSthx9ia7Xe09ihN9O6vScaIHlaoaUFE5dI+kaAVhwfZwJujRFO+eRVhrUrnRGfmsWZw3VFLbl2tF8i1+PiQGlcUAUnyrScJcBtEwiFicW7cXycFiO1tQWSY/JznHJEL03ziii9KJ2m/vLSpSTGMA=');
CREATE TABLE restricted_device (
	device VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	offence VARCHAR NOT NULL, 
	since_at FLOAT NOT NULL, 
	until_at FLOAT NOT NULL, 
	times INTEGER NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "restricted_device" VALUES('door','throttled','over_quota',1.79581491737318134308e+09,1.79581521737318134312e+09,0);
CREATE TABLE retention (
	kind VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	removed INTEGER NOT NULL, 
	took_s FLOAT NOT NULL, 
	problem VARCHAR NOT NULL, 
	PRIMARY KEY (kind)
);
INSERT INTO "retention" VALUES('samples',1.79581490541956830019e+09,0,0.000752574997022748,'');
INSERT INTO "retention" VALUES('events',1.79581490541956830019e+09,0,3.01316002150997519493e-04,'');
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
INSERT INTO "rollout" VALUES(1,'spotter 1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','detector','completed','',1.7958149115433034897e+09,1.7958149115433034897e+09,1.79581491251323771473e+09,1.79581491251323771473e+09,'{"all": true, "ids": [], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(2,'spotter 1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','rolled_back','',1.79581491256221532819e+09,1.795814912579621315e+09,1.79581491395640683176e+09,1.79581491395640683176e+09,'{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}','[{"name": "one", "percent": null, "count": 1, "labels": {}, "approval": true}, {"name": "rest", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(3,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','shadow-detector','completed','',1.79581491363673782348e+09,1.79581491363673782348e+09,1.79581491480728030205e+09,1.79581491480728030205e+09,'{"all": false, "ids": ["press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(4,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','detector','aborted','the wrong day',1.79581491366572356229e+09,NULL,1.79581491368053674691e+09,1.79581491368053674691e+09,'{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(5,'faster: b','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','aborted','',1.79581491375989675519e+09,1.79581491375989675519e+09,1.79581491382678794859e+09,1.79581491382678794859e+09,'{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 5.0, "reported_min": 1, "offline_s": 300.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 0.2, "trial_frames_min": 10, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',3600.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(6,'again: b','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','aborted','',1.79581491380565118785e+09,1.79581491380565118785e+09,1.79581491382678794859e+09,1.79581491382678794859e+09,'{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 5.0, "reported_min": 1, "offline_s": 300.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 0.2, "trial_frames_min": 10, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',3600.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(7,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','detector','completed','',1.79581491384553170202e+09,1.79581491384553170202e+09,1.79581491480728030205e+09,1.79581491480728030205e+09,'{"all": false, "ids": ["press-01"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": {"latency_percent": 50.0, "dropped_points": 10.0, "confidence_points": 10.0, "temperature_c": 10.0, "detections_factor": 5.0, "class_mix_percent": 40.0, "memory_percent": 100.0, "memory_mb_per_hour": 200.0, "samples_min": 5, "agreement_percent_min": null}, "frames_required": false}','{"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}',120.0,'{"retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}, "rate": {"per_minute": 60, "factor": 1.0, "grow_after": 10, "per_minute_max": 1000}, "window": null, "follow": true, "prestage": true}',500,'ada',NULL);
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
INSERT INTO "rollup" VALUES(60,'press-00',1795814580,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795814640,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795814700,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795814760,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795814820,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795814880,X'85AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401B4646574656374696F6E735F7065725F6672616D659501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(3600,'press-00',1795813200,X'85AB6370755F70657263656E749506CB405E000000000000CB4034000000000000CB4034000000000000814B06A36670739506CB4056800000000000CB402E000000000000CB402E000000000000814406B4646574656374696F6E735F7065725F6672616D659506CB0000000000000000CB0000000000000000CB000000000000000081D1800006AF64726F707065645F70657263656E749506CB0000000000000000CB0000000000000000CB000000000000000081D1800006AE6C6174656E63795F7039355F6D739506CB4052000000000000CB4028000000000000CB4028000000000000813F06');
CREATE TABLE secret (
	name VARCHAR NOT NULL, 
	value VARCHAR NOT NULL, 
	made_at FLOAT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "secret" VALUES('server id','f8f26cdd711e3baede1fb50d953330d3',1.79581490431969547274e+09);
INSERT INTO "secret" VALUES('web push','d272f963beea26629d166c296d97b9fd',1.7958149043259675503e+09);
INSERT INTO "secret" VALUES('corpus','bc34a06b0ebbfc620c5f5aff66eef9f6',1.79581491757861518854e+09);
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
INSERT INTO "session" VALUES('6773901fd1056c979a0ad4eb8e7f81acba31ad7ccf8390f7163f86d445887e18','ada',1.79581490483459854127e+09,1.79581490483459854127e+09,1.79641970483459854123e+09,'127.0.0.1','python-httpx/0.28.1');
CREATE TABLE setting (
	name VARCHAR NOT NULL, 
	value JSON NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "setting" VALUES('soak_s',1,1.7958149054482383728e+09,'ada');
CREATE TABLE telemetry (
	id INTEGER NOT NULL, 
	device VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	received_at FLOAT NOT NULL, 
	record VARCHAR NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "telemetry" VALUES(1,'press-00',1.79581460570562887195e+09,1.79581490574722337722e+09,'{"at":1795814605.7056289,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":0}');
INSERT INTO "telemetry" VALUES(2,'press-00',1.79581466570563220977e+09,1.79581490574722337722e+09,'{"at":1795814665.7056322,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":1}');
INSERT INTO "telemetry" VALUES(3,'press-00',1.79581472570563435557e+09,1.79581490574722337722e+09,'{"at":1795814725.7056344,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":2}');
INSERT INTO "telemetry" VALUES(4,'press-00',1.79581478570563650128e+09,1.79581490574722337722e+09,'{"at":1795814785.7056365,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":3}');
INSERT INTO "telemetry" VALUES(5,'press-00',1.79581484570563888552e+09,1.79581490574722337722e+09,'{"at":1795814845.705639,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":4}');
INSERT INTO "telemetry" VALUES(6,'press-00',1.79581491391626811029e+09,1.79581491395016336438e+09,'{"at":1795814913.916268,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}');
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
INSERT INTO "timeline" VALUES(1,1,1.7958149115433034897e+09,'created','Created: spotter 1.0.0',NULL,NULL);
INSERT INTO "timeline" VALUES(2,1,1.7958149115433034897e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(3,1,1.79581491160137057304e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(4,1,1.79581491195928406715e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(5,1,1.79581491251323771473e+09,'wave_passed','Wave ''all'' passed: 0 of 6 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(6,1,1.79581491251323771473e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(7,2,1.79581491256221532819e+09,'created','Created: spotter 1.1.0',NULL,NULL);
INSERT INTO "timeline" VALUES(8,2,1.795814912579621315e+09,'running','Running: now',NULL,NULL);
INSERT INTO "timeline" VALUES(9,2,1.7958149125967311859e+09,'paused','Paused: a question',NULL,NULL);
INSERT INTO "timeline" VALUES(10,2,1.79581491261117649075e+09,'resumed','Running: answered',NULL,NULL);
INSERT INTO "timeline" VALUES(11,2,1.79581491262610626214e+09,'wave_skipped','Wave ''rest'' was skipped by ada: one is enough; 1 device not updated',1,NULL);
INSERT INTO "timeline" VALUES(12,2,1.79581491264222598081e+09,'wave_approved','Wave ''one'' was approved by ada: agreed',0,NULL);
INSERT INTO "timeline" VALUES(13,2,1.79581491267240476606e+09,'wave_running','Wave ''one'' started',0,NULL);
INSERT INTO "timeline" VALUES(14,2,1.79581491301817560194e+09,'wave_soaking','Wave ''one'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(15,2,1.79581491357290291789e+09,'wave_passed','Wave ''one'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(16,2,1.79581491357290291789e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(17,2,1795814913.58458,'rolling_back','Rolling back: too slow',NULL,NULL);
INSERT INTO "timeline" VALUES(18,3,1.79581491363673782348e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(19,3,1.79581491363673782348e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(20,4,1.79581491366572356229e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(21,4,1.79581491368053674691e+09,'aborted','Aborted: the wrong day',NULL,NULL);
INSERT INTO "timeline" VALUES(22,3,1.79581491369772362712e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(23,5,1.79581491375989675519e+09,'created','Created: faster: b',NULL,NULL);
INSERT INTO "timeline" VALUES(24,5,1.79581491375989675519e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(25,5,1.79581491379111313818e+09,'aborting','Aborting: experiment 1 chose arm a',NULL,NULL);
INSERT INTO "timeline" VALUES(26,6,1.79581491380565118785e+09,'created','Created: again: b',NULL,NULL);
INSERT INTO "timeline" VALUES(27,6,1.79581491380565118785e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(28,6,1795814913.82227,'aborting','Aborting: experiment 2 was stopped',NULL,NULL);
INSERT INTO "timeline" VALUES(29,5,1.79581491382678794859e+09,'wave_skipped','Wave ''all'' was skipped',0,NULL);
INSERT INTO "timeline" VALUES(30,5,1.79581491382678794859e+09,'aborted','Aborted',NULL,NULL);
INSERT INTO "timeline" VALUES(31,6,1.79581491382678794859e+09,'wave_skipped','Wave ''all'' was skipped',0,NULL);
INSERT INTO "timeline" VALUES(32,6,1.79581491382678794859e+09,'aborted','Aborted',NULL,NULL);
INSERT INTO "timeline" VALUES(33,7,1.79581491384553170202e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(34,7,1.79581491384553170202e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(35,7,1.79581491388731312756e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(36,2,1.79581491395640683176e+09,'device_rolled_back','press-00: rolled back: rolled back by an operator; restored to the previous version',0,'press-00');
INSERT INTO "timeline" VALUES(37,2,1.79581491395640683176e+09,'rolled_back','Rolled back',NULL,NULL);
INSERT INTO "timeline" VALUES(38,3,1.79581491401054763792e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(39,7,1.79581491424949359894e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(40,3,1.79581491480728030205e+09,'wave_passed','Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(41,3,1.79581491480728030205e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(42,7,1.79581491480728030205e+09,'wave_passed','Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(43,7,1.79581491480728030205e+09,'completed','Completed',NULL,NULL);
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
INSERT INTO "version_share" VALUES(1795814700,'[{"slot": "detector", "package": "spotter", "version": "1.0.0", "count": 5}, {"slot": "second", "package": "spotter", "version": "1.1.0", "count": 1}, {"slot": "detector", "package": "spotter", "version": "1.2.0", "count": 1}, {"slot": "shadow-detector", "package": "spotter", "version": "1.2.0", "count": 1}]');
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
INSERT INTO "wave" VALUES(1,0,'all','passed',6,1.79581491160137057304e+09,1.79581491195928406715e+09,1.79581491251323771473e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(2,0,'one','passed',1,1.79581491267240476606e+09,1.79581491301817560194e+09,1.79581491357290291789e+09,0,0,1,'ada',0);
INSERT INTO "wave" VALUES(2,1,'rest','skipped',1,NULL,NULL,1.79581491262610626214e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(3,0,'all','passed',1,1.79581491369772362712e+09,1.79581491401054763792e+09,1.79581491480728030205e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(4,0,'all','skipped',2,NULL,NULL,NULL,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(5,0,'all','skipped',3,NULL,NULL,1.79581491382678794859e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(6,0,'all','skipped',3,NULL,NULL,1.79581491382678794859e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(7,0,'all','passed',1,1.79581491388731312756e+09,1.79581491424949359894e+09,1.79581491480728030205e+09,0,0,0,NULL,0);
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
