BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0006');
CREATE TABLE alert (
	id INTEGER NOT NULL, 
	rule INTEGER NOT NULL, 
	subject VARCHAR NOT NULL, 
	text VARCHAR NOT NULL, 
	value FLOAT NOT NULL, 
	began_at FLOAT NOT NULL, 
	ended_at FLOAT, 
	acknowledged_at FLOAT, 
	acknowledged_by VARCHAR NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(rule) REFERENCES alert_rule (id)
);
INSERT INTO "alert" VALUES(1,1,'press-00','fps 15, above the limit of -1',15.0,1.79576341854890346528e+09,NULL,1.79576341871926927571e+09,'ada');
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
INSERT INTO "alert_rule" VALUES(1,'fast','{"kind": "threshold", "figure": "fps", "above": -2.0, "below": null, "clear": null, "for_s": 0.0, "window_s": 300.0, "deviations": 4.0, "event_kind": null, "event_label": null, "group": null, "severity": "warning", "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "s"}], "emails": []}',1,1.7957634788590729237e+09,'ada',1.7957634176849405765e+09,'ada');
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
INSERT INTO "api_token" VALUES('754045ebab8b','2b9307002db007d8aa3bc5e5481d376381ac7b3a6acdb8221281d5c7cc8815e8','ada','reads','admin',1.79576341240143895145e+09,1.80353941240143895146e+09,NULL,'[]');
INSERT INTO "api_token" VALUES('6d85d83a206d','be8eac8f8f2d83e5630065810624db1113e77c875757a8e7896d7c8667ba0891','ada','proposes','operator',1.7957634194135029316e+09,1.80353941941350293162e+09,1.79576341968352341652e+09,'["propose"]');
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
INSERT INTO "assignment" VALUES('press-00','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','2:press-00:1:back',2,1.0,0,0,1.79576341712210679054e+09,0);
INSERT INTO "assignment" VALUES('press-02','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-02:1',1,1.0,0,0,1.79576341433690023427e+09,0);
INSERT INTO "assignment" VALUES('press-01','detector','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','7:press-01:1',7,1.0,0,0,1.79576341768114662164e+09,1);
INSERT INTO "assignment" VALUES('press-05','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-05:1',1,1.0,0,0,1.79576341433690023427e+09,0);
INSERT INTO "assignment" VALUES('press-03','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-03:1',1,1.0,0,0,1.79576341433690023427e+09,0);
INSERT INTO "assignment" VALUES('press-04','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-04:1',1,1.0,0,0,1.79576341433690023427e+09,0);
INSERT INTO "assignment" VALUES('press-05','shadow-detector','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','3:press-05:1',3,1.0,0,0,1.79576341712210679054e+09,0);
INSERT INTO "assignment" VALUES('press-01','second','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','7:press-01:1',7,1.0,0,0,1.79576341768114662164e+09,1);
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
	regressed VARCHAR DEFAULT '' NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(device) REFERENCES device (id), 
	FOREIGN KEY(rollout) REFERENCES rollout (id)
);
INSERT INTO "attempt" VALUES('1:press-00:1',1,'press-00',0,1,'committed',0,'','',NULL,1.79576341433690023427e+09,1.79576341487930393218e+09,1.79576341487930393218e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('1:press-02:1',1,'press-02',0,1,'committed',0,'','',NULL,1.79576341433690023427e+09,1.79576341487930393218e+09,1.79576341487930393218e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('1:press-01:1',1,'press-01',0,1,'committed',0,'','',NULL,1.79576341433690023427e+09,1.79576341482231926919e+09,1.79576341482231926919e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('1:press-05:1',1,'press-05',0,1,'committed',0,'','',NULL,1.79576341433690023427e+09,1.79576341487930393218e+09,1.79576341487930393218e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('1:press-03:1',1,'press-03',0,1,'committed',0,'','',NULL,1.79576341433690023427e+09,1.79576341482231926919e+09,1.79576341482231926919e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('1:press-04:1',1,'press-04',0,1,'committed',0,'','',NULL,1.79576341433690023427e+09,1.79576341487930393218e+09,1.79576341487930393218e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('2:press-00:1',2,'press-00',0,1,'rolled_back',0,'operator_rollback','restored to the previous version','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79576341599358773226e+09,1.79576341768114662164e+09,1.79576341768114662164e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('2:press-01:1',2,'press-01',1,1,'cancelled',0,'wave_skipped','the wave was skipped',NULL,NULL,1.79576341592548322672e+09,1.79576341592548322672e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('3:press-05:1',3,'press-05',0,1,'committed',0,'','',NULL,1.79576341712210679054e+09,1.79576341768114662164e+09,1.79576341768114662164e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('4:press-00:1',4,'press-00',0,1,'cancelled',0,'','',NULL,NULL,1.79576341726152396201e+09,1.79576341726152396201e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('4:press-01:1',4,'press-01',0,1,'cancelled',0,'','',NULL,NULL,1.79576341726152396201e+09,1.79576341726152396201e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('5:press-04:1',5,'press-04',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79576341752487754826e+09,1.79576341752487754826e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('5:press-03:1',5,'press-03',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79576341752487754826e+09,1.79576341752487754826e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('5:press-05:1',5,'press-05',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79576341752487754826e+09,1.79576341752487754826e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('6:press-04:1',6,'press-04',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79576341768114662164e+09,1.79576341768114662164e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('6:press-03:1',6,'press-03',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79576341768114662164e+09,1.79576341768114662164e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('6:press-05:1',6,'press-05',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79576341768114662164e+09,1.79576341768114662164e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('7:press-01:1',7,'press-01',0,1,'committed',0,'','','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79576341768114662164e+09,1.79576341815548086162e+09,1.79576341815548086162e+09,0,0,1,0,0.0,'null','');
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
INSERT INTO "audit" VALUES(2,1.79576341102805113795e+09,'ada','admin','session','127.0.0.1','sign_in','/session',200,'{"name": "ada", "password": "(hidden)"}','17a94bd8ab70320540fc28424654b047e486556723d04f9ef7b73600aa8ff539','82744cef1384585a83489d42b1105bbc4bac36477be9c5997f548b01cd25b20f');
INSERT INTO "audit" VALUES(3,1.79576341228727984428e+09,'ada','admin','session','127.0.0.1','create_user','/users',201,'{"name": "bob", "password": "(hidden)", "role": "operator"}','82744cef1384585a83489d42b1105bbc4bac36477be9c5997f548b01cd25b20f','3f61662298f98795af21372c9d97bb560a04496f4d6ca7a3a95349dc1fdc8d95');
INSERT INTO "audit" VALUES(4,1.79576341235078907015e+09,'ada','admin','session','127.0.0.1','change_user','/users/bob',200,'{"role": "admin"}','3f61662298f98795af21372c9d97bb560a04496f4d6ca7a3a95349dc1fdc8d95','91a461bbf9069694be56216e798969fb1c811e5504fdb74d08b55506c9ab0ab9');
INSERT INTO "audit" VALUES(5,1.79576341240388655663e+09,'ada','admin','session','127.0.0.1','create_api_token','/api-tokens',201,'{"name": "reads", "role": "admin"}','91a461bbf9069694be56216e798969fb1c811e5504fdb74d08b55506c9ab0ab9','4a727d1ee8cfa23d94dc6c41c19331198a8409dcaf63aef7bd508fa4b84c2e22');
INSERT INTO "audit" VALUES(6,1.7957634124603106976e+09,'ada','admin','session','127.0.0.1','change_settings','/settings',200,'{"values": {"soak_s": 1.0}}','4a727d1ee8cfa23d94dc6c41c19331198a8409dcaf63aef7bd508fa4b84c2e22','d1914cfb5574a433d22b70856dbb15dbbb46e239df8857097d8dd9fe28a12ab6');
INSERT INTO "audit" VALUES(7,1.7957634125081040859e+09,'ada','admin','session','127.0.0.1','push_model','/models',201,'{"bytes": 10423}','d1914cfb5574a433d22b70856dbb15dbbb46e239df8857097d8dd9fe28a12ab6','6b9c78717d2b42c9ac044ad6823865dc85d0e45de12375eb642d38cdbe8455aa');
INSERT INTO "audit" VALUES(8,1795763412.60712,'ada','admin','session','127.0.0.1','push_model','/models',201,'{"bytes": 10423}','6b9c78717d2b42c9ac044ad6823865dc85d0e45de12375eb642d38cdbe8455aa','3fce57504de5c26da680a42cf26b199624e58131c3932f9187ba918c976ead77');
INSERT INTO "audit" VALUES(9,1.79576341266419029236e+09,'ada','admin','session','127.0.0.1','begin_upload','/uploads',201,'{"length_bytes": 10240, "sha256": "7a80730a49003c3f4f11b81c7def98d33d960ba066535a2a97eabf231e44cfe9"}','3fce57504de5c26da680a42cf26b199624e58131c3932f9187ba918c976ead77','b84eeccc3e77c1244a6b1dca1768e2ad3cd94307079be9f50ab1d1e1e6eb9aa2');
INSERT INTO "audit" VALUES(10,1.79576341275129652027e+09,'ada','admin','session','127.0.0.1','finish_upload','/uploads/fac770d64c958f0fa7c9fa809b2157b0/finish',201,'{}','b84eeccc3e77c1244a6b1dca1768e2ad3cd94307079be9f50ab1d1e1e6eb9aa2','3e14cc0c25ed96531705b211d63698e90c89e7faa43237aaed43926f075ca005');
INSERT INTO "audit" VALUES(11,1.79576341289352846147e+09,'ada','admin','session','127.0.0.1','upload_measurements','/models/spotter/1.1.0/measurements',200,'{"digest": "e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129", "machine": "m", "profile": "cpu", "rows": [{"variant": "cpu-int8", "runtime": "lite_rt", "device": "cpu", "threads": 2, "streams": 1, "instances": 1, "batch": 1, "per_s": 10.0, "p50_ms": 5.0, "p95_ms": 6.0, "load_ms": 1.0, "memory_bytes": 1, "best": true}]}','3e14cc0c25ed96531705b211d63698e90c89e7faa43237aaed43926f075ca005','20069361d3dfc6574ba2c27219844c19d989cf39d7030799f868056fe11fee5b');
INSERT INTO "audit" VALUES(12,1.79576341297178292272e+09,'ada','admin','session','127.0.0.1','set_channel','/channels/spotter/stable',200,'{"version": "1.0.0", "note": "first"}','20069361d3dfc6574ba2c27219844c19d989cf39d7030799f868056fe11fee5b','9b36b3a0fabf74338913c9925413f22cc00aa046484496da12f82095ba73cf26');
INSERT INTO "audit" VALUES(13,1.79576341298844408987e+09,'ada','admin','session','127.0.0.1','set_channel','/channels/spotter/stable',200,'{"version": "1.1.0", "note": "first"}','9b36b3a0fabf74338913c9925413f22cc00aa046484496da12f82095ba73cf26','85379cf3f8089f4a56334807aa33cfd61b1b3240afd09a586829cd69bf01b43e');
INSERT INTO "audit" VALUES(14,1.79576341309154200549e+09,'ada','admin','session','127.0.0.1','prune_models','/models/prune',200,'{"dry_run": true}','85379cf3f8089f4a56334807aa33cfd61b1b3240afd09a586829cd69bf01b43e','fb530f5bd4a8309bd243e973a5a081b30fe6e7e590ff992a78600cafd283847a');
INSERT INTO "audit" VALUES(15,1.79576341316406249996e+09,'ada','admin','session','127.0.0.1','create_pipeline','/pipelines',201,'{"text": "name = \"gate\"\n[source]\nkind = \"device\"\n[[stages]]\nname = \"find\"\nkind = \"detect\"\nmodel = \"slot:detector\"\n"}','fb530f5bd4a8309bd243e973a5a081b30fe6e7e590ff992a78600cafd283847a','e654acca9c82cb06868a8952f5a456812c1cfb85fa1a2de58c3f999650bc0a6d');
INSERT INTO "audit" VALUES(16,1.7957634136220433712e+09,'ada','admin','session','127.0.0.1','label_device','/devices/press-00',200,'{"labels": {"site": "north", "lat": "59.3", "lon": "18.1"}}','e654acca9c82cb06868a8952f5a456812c1cfb85fa1a2de58c3f999650bc0a6d','9ec32966b8f70753a1c3d068e64915280504e9585e1fbb86066200ddcd16eb31');
INSERT INTO "audit" VALUES(17,1.79576341366645336151e+09,'ada','admin','session','127.0.0.1','put_group','/groups/north',200,'{"selector": {"labels": {"site": "north"}}, "note": "in the north"}','9ec32966b8f70753a1c3d068e64915280504e9585e1fbb86066200ddcd16eb31','7e48db04f0ff63aea76a9c9d5340795be73c9602491f48b800496d06829c5ad4');
INSERT INTO "audit" VALUES(18,1.79576341368222880366e+09,'ada','admin','session','127.0.0.1','put_configuration','/configurations/plant',200,'{"revision": 0, "resources": [{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef"}]}','7e48db04f0ff63aea76a9c9d5340795be73c9602491f48b800496d06829c5ad4','eb4f2997e3ada855fbb27c1c5e194b2b86e753a0c1ecb70cba10a57a2df99aa4');
INSERT INTO "audit" VALUES(19,1.79576341370804333681e+09,'ada','admin','session','127.0.0.1','send_command','/devices/press-00/commands',202,'{"op": "identify", "args": {"n": 1}}','eb4f2997e3ada855fbb27c1c5e194b2b86e753a0c1ecb70cba10a57a2df99aa4','470dfcb4b3c262f410b2649e14259049717e753bd0557aa57a6f716439033110');
INSERT INTO "audit" VALUES(20,1.79576341391506600383e+09,'ada','admin','session','127.0.0.1','take_picture','/devices/press-00/snapshots',202,'{"pipeline": "gate"}','470dfcb4b3c262f410b2649e14259049717e753bd0557aa57a6f716439033110','40ee3ca018e87a0bb0242dff68b7e062cd002ad5a35bae90b4dd270150b2ee70');
INSERT INTO "audit" VALUES(21,1.79576341398816919326e+09,'ada','admin','session','127.0.0.1','bulk_devices','/devices/bulk',200,'{"action": "label", "labels": {"floor": "1"}, "selector": {"ids": ["press-00", "press-01"]}}','40ee3ca018e87a0bb0242dff68b7e062cd002ad5a35bae90b4dd270150b2ee70','e8e79d4914698b31283dd7857e0f8873e2a829400ae2fa93e24eafeb64ee73e5');
INSERT INTO "audit" VALUES(22,1.79576341424361681942e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.0.0", "package": "spotter", "version": "1.0.0", "slot": "detector", "selector": {"all": true}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}','e8e79d4914698b31283dd7857e0f8873e2a829400ae2fa93e24eafeb64ee73e5','62f87a4d5de678e413621f7e39988498700761017839df2cfa740481b9a76935');
INSERT INTO "audit" VALUES(23,1795763415.59227,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.1.0", "package": "spotter", "version": "1.1.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "one", "count": 1, "approval": true}, {"name": "rest"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false, "key": "apply/plant/second"}','62f87a4d5de678e413621f7e39988498700761017839df2cfa740481b9a76935','aa57df75bc017e8514f9199ba190d26f2895be7c50297a1d47e7c70b2e66d8a8');
INSERT INTO "audit" VALUES(24,1.79576341574182128907e+09,'ada','admin','session','127.0.0.1','start_rollout','/rollouts/2/start',200,'{"reason": "now"}','aa57df75bc017e8514f9199ba190d26f2895be7c50297a1d47e7c70b2e66d8a8','734c9ca652bb05d5fdfe492758b0f7e230520cba13e4168f8cf7b8c426897312');
INSERT INTO "audit" VALUES(25,1.7957634157713115215e+09,'ada','admin','session','127.0.0.1','pause_rollout','/rollouts/2/pause',200,'{"reason": "a question"}','734c9ca652bb05d5fdfe492758b0f7e230520cba13e4168f8cf7b8c426897312','163d0158b020c06dc0516e310602ed6e9abbd3f98b4f904784ed62e8ad3aa4d9');
INSERT INTO "audit" VALUES(26,1.79576341581667447088e+09,'ada','admin','session','127.0.0.1','resume_rollout','/rollouts/2/resume',200,'{"reason": "answered"}','163d0158b020c06dc0516e310602ed6e9abbd3f98b4f904784ed62e8ad3aa4d9','22b87a38b687475f92a34edf67a19e5be60a403c5bc9e74f6c9702b3a0bd5286');
INSERT INTO "audit" VALUES(27,1.79576341589558291433e+09,'ada','admin','session','127.0.0.1','skip_wave','/rollouts/2/skip',200,'{"wave": 1, "reason": "one is enough"}','22b87a38b687475f92a34edf67a19e5be60a403c5bc9e74f6c9702b3a0bd5286','a762acfb5980c4922e4e9d935a12641fba8c5d8159d93729a1e339c5db0085b4');
INSERT INTO "audit" VALUES(28,1.79576341592414307594e+09,'ada','admin','session','127.0.0.1','approve_rollout','/rollouts/2/approve',200,'{"wave": 0, "reason": "agreed"}','a762acfb5980c4922e4e9d935a12641fba8c5d8159d93729a1e339c5db0085b4','5b3a4bfdc001fd4707f69a227a6e6319c794aa2080ae95e756f13b25065d82cb');
INSERT INTO "audit" VALUES(29,1.79576341706547951701e+09,'ada','admin','session','127.0.0.1','rollback_rollout','/rollouts/2/rollback',200,'{"reason": "too slow"}','5b3a4bfdc001fd4707f69a227a6e6319c794aa2080ae95e756f13b25065d82cb','4053afda89aeecddc57bf37a9af571507b90e10d3d2d8d639b028ff3ce87079a');
INSERT INTO "audit" VALUES(30,1.79576341711725115781e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "shadow-detector", "selector": {"ids": ["press-05"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}','4053afda89aeecddc57bf37a9af571507b90e10d3d2d8d639b028ff3ce87079a','4b53c2d57ef1d9617b3e3eaf09c255809b58344f6d8bc5957b53d14541b37681');
INSERT INTO "audit" VALUES(31,1.79576341716943192481e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false}','4b53c2d57ef1d9617b3e3eaf09c255809b58344f6d8bc5957b53d14541b37681','3da462ba111a2ff4ceb1b526f8c11196e00febd7350c77e03a55a8d1c42ff2bf');
INSERT INTO "audit" VALUES(32,1.79576341726666474339e+09,'ada','admin','session','127.0.0.1','abort_rollout','/rollouts/4/abort',200,'{"reason": "the wrong day"}','3da462ba111a2ff4ceb1b526f8c11196e00febd7350c77e03a55a8d1c42ff2bf','253788714220347ea8e8cf4331816110a8f5d989bc14618726944cb06d25fa30');
INSERT INTO "audit" VALUES(33,1.79576341745770144461e+09,'ada','admin','session','127.0.0.1','create_experiment','/experiments',201,'{"name": "faster", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','253788714220347ea8e8cf4331816110a8f5d989bc14618726944cb06d25fa30','25619e0fc3f0c90ce5a871bd749f4a3bc782c7f57d9709d925fd0549c03bce89');
INSERT INTO "audit" VALUES(34,1.79576341749720120428e+09,'ada','admin','session','127.0.0.1','choose_experiment_arm','/experiments/1/choose',200,'{"arm": "a", "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','25619e0fc3f0c90ce5a871bd749f4a3bc782c7f57d9709d925fd0549c03bce89','ca054a7c176515f886e706cd2bb269c506950f00423fd36f3b82d8eafd225886');
INSERT INTO "audit" VALUES(35,1.79576341754649710658e+09,'ada','admin','session','127.0.0.1','create_experiment','/experiments',201,'{"name": "again", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','ca054a7c176515f886e706cd2bb269c506950f00423fd36f3b82d8eafd225886','ace9f0c108e5aa24cfc17a677b9325634272ce3be63f6dea7ff07b068356612f');
INSERT INTO "audit" VALUES(36,1.79576341761740303042e+09,'ada','admin','session','127.0.0.1','stop_experiment','/experiments/2/stop',200,'{}','ace9f0c108e5aa24cfc17a677b9325634272ce3be63f6dea7ff07b068356612f','a15868b2a48b0332176ea3ac2d5aec268cc64220ce8822a57b0182a4a3475e86');
INSERT INTO "audit" VALUES(37,1.79576341763512873652e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true, "parts": [{"package": "spotter", "slot": "second", "version": "1.1.0"}], "terms": {"follow": true, "prestage": true, "rate": {"per_minute": 60, "grow_after": 10}, "retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}}}','a15868b2a48b0332176ea3ac2d5aec268cc64220ce8822a57b0182a4a3475e86','73317567a01f3149edcf07dac5e1427b469a7cb435e89af4382e59000104979f');
INSERT INTO "audit" VALUES(38,1.79576341765111517903e+09,'ada','admin','session','127.0.0.1','pin_device','/devices/press-03/pins/detector',200,'{"reason": "a demonstration"}','73317567a01f3149edcf07dac5e1427b469a7cb435e89af4382e59000104979f','50887c54ed61e1b2c98b85843d65f3382a883cd0ec0bb1665bff5cf195f003a1');
INSERT INTO "audit" VALUES(39,1.79576341766011118895e+09,'ada','admin','session','127.0.0.1','pin_device','/devices/press-04/pins/detector',200,'{"reason": "for a day"}','50887c54ed61e1b2c98b85843d65f3382a883cd0ec0bb1665bff5cf195f003a1','56cab76c62b5866c701684787f168a43820a5aa05beb77fa15f913b2eb790549');
INSERT INTO "audit" VALUES(40,1.7957634176666855812e+09,'ada','admin','session','127.0.0.1','unpin_device','/devices/press-04/pins/detector',200,'{}','56cab76c62b5866c701684787f168a43820a5aa05beb77fa15f913b2eb790549','589bda6d812fc78d3207256332d99f2b3c2195f4afa6d79ffbfcaf280d2e07ce');
INSERT INTO "audit" VALUES(41,1.79576341767382693286e+09,'ada','admin','session','127.0.0.1','release_device','/devices/press-01/release',200,'{}','589bda6d812fc78d3207256332d99f2b3c2195f4afa6d79ffbfcaf280d2e07ce','66da714562408231008374bf3df0c3f6e33286e677b68d81553e394c487e44e8');
INSERT INTO "audit" VALUES(42,1.795763417685583353e+09,'ada','admin','session','127.0.0.1','create_alert_rule','/alert-rules',201,'{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -1.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "(hidden)"}]}}','66da714562408231008374bf3df0c3f6e33286e677b68d81553e394c487e44e8','5988e0c56c0c3d3ef2bf58e34ca4135f016dada00b7108b5cd80136892168405');
INSERT INTO "audit" VALUES(43,1.79576341871937632558e+09,'ada','admin','session','127.0.0.1','acknowledge_alert','/alerts/1/acknowledge',204,'{}','5988e0c56c0c3d3ef2bf58e34ca4135f016dada00b7108b5cd80136892168405','407e8472a6a23082f3cb5ce726c1ddb6daa16b3f87450520b28c14b52ebfbf6a');
INSERT INTO "audit" VALUES(44,1.79576341882620286937e+09,'ada','admin','session','127.0.0.1','change_alert_rule','/alert-rules/1',200,'{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -2.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "(hidden)"}]}}','407e8472a6a23082f3cb5ce726c1ddb6daa16b3f87450520b28c14b52ebfbf6a','c163efa9b4c7a8eb380b074c538f7b5bac2d56a639805af5010ea19f753e63a5');
INSERT INTO "audit" VALUES(45,1.79576341885953402518e+09,'ada','admin','session','127.0.0.1','silence_alert_rule','/alert-rules/1/silence',200,'{"for_s": 60.0}','c163efa9b4c7a8eb380b074c538f7b5bac2d56a639805af5010ea19f753e63a5','7f62d6e5b6d7441d7e1ebcae8897804d95f040d7ac0368f5ef1cd6ee9a0960d1');
INSERT INTO "audit" VALUES(46,1.79576341889630532264e+09,'ada','admin','session','127.0.0.1','rotate_trust_key','/trust/rotate',200,'{"role": "snapshot"}','7f62d6e5b6d7441d7e1ebcae8897804d95f040d7ac0368f5ef1cd6ee9a0960d1','977369145fed2dd19a8092d666434245592768c58b9a45afa25771dd12e76f03');
INSERT INTO "audit" VALUES(47,1.79576341896496081357e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"life_s": 100000.0, "devices_max": 3, "approval": true}','977369145fed2dd19a8092d666434245592768c58b9a45afa25771dd12e76f03','a363b37fedff675e01b7cd46f41391a88b46a2fd64807f695c975135890f72dd');
INSERT INTO "audit" VALUES(48,1.79576341905047392848e+09,'ada','admin','session','127.0.0.1','enrol_device','/enrol',202,'{"token": "(hidden)", "device": "image-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHNMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMTBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABCmcXHRhUFxYTZ9m3qeRwgIqYoB1s1koiz66+D4nEneV2y79GRRIH7+Z\ng2fOHyPMVHHd1trVboz+4O2wsTDZmImgADAKBggqhkjOPQQDAgNJADBGAiEA6gUi\nQzl19ehjQjUWUXnWmGpbFmoXEOG7DRY882lsZIICIQDdd64UeEpU8XkbRxJzvrTu\njvfkS+5UKfn641q+P1vIRA==\n-----END CERTIFICATE REQUEST-----\n"}','a363b37fedff675e01b7cd46f41391a88b46a2fd64807f695c975135890f72dd','46ed810b39d9a80547ffe988e8aea64445e023f16ab3dad7f66202c6ecd6f6b3');
INSERT INTO "audit" VALUES(49,1.79576341913017368317e+09,'ada','admin','session','127.0.0.1','enrol_device','/enrol',202,'{"token": "(hidden)", "device": "image-2", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHMMHQCAQAwEjEQMA4GA1UEAwwHaW1hZ2UtMjBZMBMGByqGSM49AgEGCCqGSM49\nAwEHA0IABBFi7vt9LOzQF9c8IGJVep+6Wkto6wyaiV0hn39mtnEAYhJGpOzGtIM/\niVXBCeTa6arItuk87yoasR/WlPVmRimgADAKBggqhkjOPQQDAgNIADBFAiEA175O\nzxJSanCzHbv90SFDdYaf3AR6fta5u2KyxEMLRFwCIFznvlvT+V8dUJID6A4CIwG5\n+PfqR6Jvqn/S5uH9E1rg\n-----END CERTIFICATE REQUEST-----\n"}','46ed810b39d9a80547ffe988e8aea64445e023f16ab3dad7f66202c6ecd6f6b3','d18e5f6c0ca7673ce7cae3ef6b7cec4f7de2e4efc54b28bd29cdd09ba810b33d');
INSERT INTO "audit" VALUES(50,1.79576341914574050904e+09,'ada','admin','session','127.0.0.1','decide_enrolment_requests','/enrolment-requests/decisions',200,'{"approve": true, "devices": [{"device": "image-1"}]}','d18e5f6c0ca7673ce7cae3ef6b7cec4f7de2e4efc54b28bd29cdd09ba810b33d','3a82c87c8a7c577fdf8f6505748dcce3c5a48a16ad42f771ea9f4c14d09c24d5');
INSERT INTO "audit" VALUES(51,1.79576341915681028365e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"labels": {"site": "north"}, "life_s": 100000.0}','3a82c87c8a7c577fdf8f6505748dcce3c5a48a16ad42f771ea9f4c14d09c24d5','583818679ecf59daec3b6a310da10ae69049af91ee1a495fafd7b5cffb1b9a51');
INSERT INTO "audit" VALUES(52,1.79576341916761922836e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"labels": {"site": "north"}, "life_s": 100000.0}','583818679ecf59daec3b6a310da10ae69049af91ee1a495fafd7b5cffb1b9a51','232ee09b1d509386af390efe9017ab870fe1efb29995b257c6b3d218569912a5');
INSERT INTO "audit" VALUES(53,1.79576341918765449521e+09,'ada','admin','session','127.0.0.1','enrol_device','/enrol',200,'{"token": "(hidden)", "device": "enrolled-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHPMHcCAQAwFTETMBEGA1UEAwwKZW5yb2xsZWQtMTBZMBMGByqGSM49AgEGCCqG\nSM49AwEHA0IABHQIQLnyqDghr6b9yuE2+I1LJbXczrrbWJyWaej4lMbrLKRPnfS7\nqW72JTz9vF9J5fbQT3g3Jd8Gnfs3x744vAGgADAKBggqhkjOPQQDAgNIADBFAiEA\nozF0OXsr+/RHubfj3LubXo+FQVXY508VaAlpyyKabwgCIByxy6H/gFqdv7nih+ov\njZsn9N9Y3Wz2Jypsr1m9xM9m\n-----END CERTIFICATE REQUEST-----\n"}','232ee09b1d509386af390efe9017ab870fe1efb29995b257c6b3d218569912a5','2302a6e8841852da946e0b7eb06896a4c618e0e1c3a769c7a4a9078d865476d2');
INSERT INTO "audit" VALUES(54,1.79576341920402383803e+09,'ada','admin','session','127.0.0.1','block_device','/devices/enrolled-1/block',200,'{"reason": "lost"}','2302a6e8841852da946e0b7eb06896a4c618e0e1c3a769c7a4a9078d865476d2','e789baf69db0e3dc1e2bd7b8078a87521dfbb3423197e55ee7e94cb8e4c296f5');
INSERT INTO "audit" VALUES(55,1.79576341926741719252e+09,'ada','admin','session','127.0.0.1','unblock_device','/devices/enrolled-1/block',200,'{}','e789baf69db0e3dc1e2bd7b8078a87521dfbb3423197e55ee7e94cb8e4c296f5','18cf35f3fd730e95f1bbfb25abdb4376bbe0c3bc77c8435be68f11d674077cfc');
INSERT INTO "audit" VALUES(56,1.79576341934509181976e+09,'ada','admin','session','127.0.0.1','block_device','/devices/enrolled-1/block',200,'{"reason": "lost again"}','18cf35f3fd730e95f1bbfb25abdb4376bbe0c3bc77c8435be68f11d674077cfc','1f8af5a046b3be394f2618307fc2fa783bbe618b50f53ef9b2e38964bafdc464');
INSERT INTO "audit" VALUES(57,1.79576341941483974455e+09,'ada','admin','session','127.0.0.1','create_api_token','/api-tokens',201,'{"name": "proposes", "role": "operator", "scopes": ["propose"]}','1f8af5a046b3be394f2618307fc2fa783bbe618b50f53ef9b2e38964bafdc464','cd0f3fd3389b5fc92c2f176d2f184d43edf00d04a02ce85fceea59fed5adc9ea');
INSERT INTO "audit" VALUES(58,1.79576341986192393298e+09,'ada','operator','token','127.0.0.1','create_proposal','/groups/south',202,'{"selector": {"labels": {"site": "south"}}, "note": "proposed"}','cd0f3fd3389b5fc92c2f176d2f184d43edf00d04a02ce85fceea59fed5adc9ea','573c852c11f0f76824b0df9a35cdaa4e68c78e215f55e9f78d71451e4e2c72c5');
INSERT INTO "audit" VALUES(59,1.79576341990144705768e+09,'ada','operator','token','127.0.0.1','create_proposal','/groups/west',202,'{"selector": {"labels": {"site": "west"}}, "note": "proposed"}','573c852c11f0f76824b0df9a35cdaa4e68c78e215f55e9f78d71451e4e2c72c5','13ea968f65540f1ed04c5afc9e615d6108ac379c3de71c662b13042ce5026445');
INSERT INTO "audit" VALUES(60,1.79576341995611095427e+09,'ada','operator','token','127.0.0.1','create_proposal','/groups/east',202,'{"selector": {"labels": {"site": "east"}}, "note": "proposed"}','13ea968f65540f1ed04c5afc9e615d6108ac379c3de71c662b13042ce5026445','1a9e97ae1967369f17675d8199e5f9fe4040f66114fda0b63153fe0cdb6a337c');
INSERT INTO "audit" VALUES(61,1.79576342003485393524e+09,'ada','admin','session','127.0.0.1','approve_proposal','/proposals/1/approve',200,'{"reason": "looked at it"}','1a9e97ae1967369f17675d8199e5f9fe4040f66114fda0b63153fe0cdb6a337c','fc4e92c9ba56060a6d23f3c0e5d6d3acbc73f44fa4cd2f1c2ddb80a8a171db99');
INSERT INTO "audit" VALUES(62,1.79576342007834577558e+09,'ada','admin','session','127.0.0.1','put_group','/groups/south',200,'{"selector": {"labels": {"site": "south"}}, "note": "proposed", "proposal": {"id": 1, "proposed_by": "ada", "token": "(hidden)", "token_name": "proposes", "note": ""}}','fc4e92c9ba56060a6d23f3c0e5d6d3acbc73f44fa4cd2f1c2ddb80a8a171db99','a36d690367caece48fc73a25bb43183ab2a29bbf3a0bae7fa28d88ffc511de11');
INSERT INTO "audit" VALUES(63,1.79576342016899657243e+09,'ada','admin','session','127.0.0.1','reject_proposal','/proposals/2/reject',200,'{"reason": "not now"}','a36d690367caece48fc73a25bb43183ab2a29bbf3a0bae7fa28d88ffc511de11','b03ceefea3cbe251f34e932e403219d41aab90e9d5f110dde0febd592d8de8c3');
INSERT INTO "audit" VALUES(64,1.79576342443762540816e+09,'ada','admin','session','127.0.0.1','change_password','/session/password',204,'{"current": "(hidden)", "password": "(hidden)"}','b03ceefea3cbe251f34e932e403219d41aab90e9d5f110dde0febd592d8de8c3','e162e3b07ea96444ddf798f09cd140034735a73954ae99780859e7facabeb7e8');
CREATE TABLE audit_archived (
	seq INTEGER NOT NULL, 
	digest VARCHAR NOT NULL, 
	PRIMARY KEY (seq)
);
INSERT INTO "audit_archived" VALUES(1,'17a94bd8ab70320540fc28424654b047e486556723d04f9ef7b73600aa8ff539');
CREATE TABLE blob (
	sha256 VARCHAR NOT NULL, 
	length INTEGER NOT NULL, 
	created_at FLOAT NOT NULL, 
	PRIMARY KEY (sha256)
);
INSERT INTO "blob" VALUES('6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723',388,1.79576341246829819684e+09);
INSERT INTO "blob" VALUES('d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b',500,1.79576341246829819684e+09);
INSERT INTO "blob" VALUES('63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf',30,1.79576341272940731043e+09);
INSERT INTO "blob" VALUES('916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90',56,1.79576341272940731043e+09);
INSERT INTO "blob" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',811,1.79576341246829819684e+09);
INSERT INTO "blob" VALUES('7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410',388,1.79576341256464529034e+09);
INSERT INTO "blob" VALUES('fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de',500,1.79576341256464529034e+09);
INSERT INTO "blob" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129',811,1.79576341256464529034e+09);
INSERT INTO "blob" VALUES('6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb',388,1.79576341272940731043e+09);
INSERT INTO "blob" VALUES('e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d',500,1.79576341272940731043e+09);
INSERT INTO "blob" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01',811,1.79576341272940731043e+09);
INSERT INTO "blob" VALUES('d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a',217,1.79576341314595842356e+09);
INSERT INTO "blob" VALUES('a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66',104,1.79576341314595842356e+09);
INSERT INTO "blob" VALUES('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9',433,1.79576341314595842356e+09);
CREATE TABLE blocked_device (
	device VARCHAR NOT NULL, 
	blocked_at FLOAT NOT NULL, 
	reason VARCHAR NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "blocked_device" VALUES('enrolled-1',1.79576341933564186093e+09,'lost again');
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
INSERT INTO "channel" VALUES('spotter','stable','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129',1.79576341298509812357e+09,'ada','first');
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
INSERT INTO "channel_change" VALUES(1,'spotter','stable','1.0.0','',1.79576341296627283103e+09,'ada','first');
INSERT INTO "channel_change" VALUES(2,'spotter','stable','1.1.0','1.0.0',1.79576341298509812357e+09,'ada','first');
CREATE TABLE checkpoint (
	name VARCHAR NOT NULL, 
	value INTEGER NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "checkpoint" VALUES('rollup hours',1795770000);
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
INSERT INTO "command" VALUES('db27d2697c7240f38e37369ba664f480','press-00','identify','{"n": 1}','done','did it','{"n":1}',1.79576341370549201967e+09,1.79576344370549201962e+09,1.7957634138200149536e+09);
INSERT INTO "command" VALUES('724a5ac164dd4610b64cfa8400921ebc','press-00','snapshot','{"overlays": false, "pipeline": "gate"}','done','did it','{"overlays":false,"pipeline":"gate"}',1.79576341391420078274e+09,1.79576347391420078282e+09,1.79576341404665946956e+09);
CREATE TABLE configuration (
	name VARCHAR NOT NULL, 
	revision INTEGER NOT NULL, 
	resources JSON NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "configuration" VALUES('plant',1,'[{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef", "id": null}]',1.79576341368001508717e+09,'ada');
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
INSERT INTO "cursor" VALUES('press-00','telemetry','press-00-epoch',6,'[]',0.0,0,0,1.7957634177556889057e+09);
INSERT INTO "cursor" VALUES('press-00','events','press-00-epoch',3,'[]',0.0,0,0,1.79576341356037282948e+09);
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
INSERT INTO "desired" VALUES('press-05',2,'{"device":"press-05","generation":2,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-05:1"},"shadow-detector":{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","length":811,"attempt":"3:press-05:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}',2);
INSERT INTO "desired" VALUES('press-03',1,'{"device":"press-03","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-03:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}',1);
INSERT INTO "desired" VALUES('press-04',1,'{"device":"press-04","generation":1,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"1:press-04:1"}},"policy":{"trial_s":1.0,"trial_frames_min":0}}',1);
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
INSERT INTO "device" VALUES('press-00',1.7957634134119334221e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{"site": "north", "lat": "59.3", "lon": "18.1", "floor": "1"}','{}','{"site": "north", "lat": "59.3", "lon": "18.1", "floor": "1"}',0.0,'[]');
INSERT INTO "device" VALUES('press-01',1.79576341350018501286e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{"floor": "1"}','{}','{"floor": "1"}',1.79576341767375850678e+09,'[]');
INSERT INTO "device" VALUES('press-02',1.79576341350018501286e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
INSERT INTO "device" VALUES('press-03',1.79576341350018501286e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
INSERT INTO "device" VALUES('press-04',1.79576341350018501286e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
INSERT INTO "device" VALUES('press-05',1.79576341350018501286e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
CREATE TABLE device_certificate (
	serial VARCHAR NOT NULL, 
	device VARCHAR NOT NULL, 
	issued_at FLOAT NOT NULL, 
	expires_at FLOAT NOT NULL, 
	revoked_at FLOAT, 
	PRIMARY KEY (serial)
);
INSERT INTO "device_certificate" VALUES('4fea4560f3ab818cf4c1f121c800cdef391a04e4','enrolled-1',1.79576341918043804173e+09,1803539419.0,1795763419.20222);
CREATE TABLE device_group (
	name VARCHAR NOT NULL, 
	selector JSON NOT NULL, 
	note VARCHAR NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "device_group" VALUES('north','{"all": false, "ids": [], "labels": {"site": "north"}, "group": null}','in the north',1.7957634136620497703e+09,'ada');
INSERT INTO "device_group" VALUES('south','{"all": false, "ids": [], "labels": {"site": "south"}, "group": null}','proposed',1.79576342007421064375e+09,'ada');
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
INSERT INTO "device_last" VALUES('press-00','offline',1.79576342452788305283e+09,'boot-1','',1,1.79576342452788305283e+09,'boot-1',13,3,'{}',0,'[]','[]',0,1.7957634176893584728e+09,'{"at":1795763417.6893585,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}',15.0,12.0,0.0,NULL,20.0,1.0,1.7957634134119334221e+09);
INSERT INTO "device_last" VALUES('press-01','offline',1.79576342461010789869e+09,'boot-1','',1,1.79576342461010789869e+09,'boot-1',12,2,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.79576341350018501286e+09);
INSERT INTO "device_last" VALUES('press-02','offline',1.79576342473186612133e+09,'boot-1','',1,1.79576342473186612133e+09,'boot-1',5,1,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.79576341350018501286e+09);
INSERT INTO "device_last" VALUES('press-03','offline',1.79576342483615183833e+09,'boot-1','',1,1.79576342483615183833e+09,'boot-1',5,1,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.79576341350018501286e+09);
INSERT INTO "device_last" VALUES('press-04','offline',1.79576342490159392359e+09,'boot-1','',1,1.79576342490159392359e+09,'boot-1',5,1,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.79576341350018501286e+09);
INSERT INTO "device_last" VALUES('press-05','offline',1.79576342501725316042e+09,'boot-1','',1,1.79576342501725316042e+09,'boot-1',9,2,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.79576341350018501286e+09);
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
INSERT INTO "device_slot" VALUES('press-03','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795763414.692944}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-03:1','none','',0,0,1.7957634146929590702e+09);
INSERT INTO "device_slot" VALUES('press-04','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795763414.6945434}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-04:1','none','',0,0,1.79576341469454669953e+09);
INSERT INTO "device_slot" VALUES('press-02','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795763414.7027419}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-02:1','none','',0,0,1.79576341470275259015e+09);
INSERT INTO "device_slot" VALUES('press-00','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795763417.4669333}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','2:press-00:1:back','none','',0,0,1.79576341746694445608e+09);
INSERT INTO "device_slot" VALUES('press-05','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795763417.18024}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-05:1','none','',0,0,1.79576341718024539949e+09);
INSERT INTO "device_slot" VALUES('press-05','shadow-detector','committed','spotter','1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795763417.472606}','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','3:press-05:1','none','',0,0,1.79576341747261548041e+09);
INSERT INTO "device_slot" VALUES('press-01','detector','committed','spotter','1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795763417.9851544}','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','7:press-01:1','none','',0,0,1.79576341798516917226e+09);
INSERT INTO "device_slot" VALUES('press-01','second','committed','spotter','1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795763417.9868402}','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','7:press-01:1','none','',0,0,1.79576341798684859275e+09);
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
INSERT INTO "enrolment_request" VALUES('image-1','647834c4d983','e6ec64efd20225af98822b0eeeb94a052cd451078b41da39a1b048c0cbebec0f','approved',1.79576341898777699468e+09,1.79576341898777699468e+09,1.79576341914360308651e+09,'ada');
INSERT INTO "enrolment_request" VALUES('image-2','647834c4d983','49b7638888323c718b48fbcc43b8760d97ae30ef5de4dd8350cacd70d017bc6e','waiting',1.79576341912617087363e+09,1.79576341912617087363e+09,NULL,'');
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
INSERT INTO "enrolment_token" VALUES('647834c4d983','17a1223d374fecc12742916be9a5b28c6ac02e4b6f8496c35798d435e1e97d7a','','{}',1.79576341895808887479e+09,1.79586341895808887479e+09,NULL,'',NULL,3,0,1);
INSERT INTO "enrolment_token" VALUES('d3a975229c02','ecb0abb601701b9370d08808f3621ba2e2ee6df6c24470028a5ba2fa4b26926b','','{"site": "north"}',1.79576341915551304815e+09,1.79586341915551304816e+09,1.79576341918043804173e+09,'enrolled-1',NULL,1,1,0);
INSERT INTO "enrolment_token" VALUES('7cdf07572402','3e93bbb973d0b14e2fc6e25a2a95feda66d5e13c460d9c9b33474dbbb1068dbe','','{"site": "north"}',1.7957634191664936542e+09,1.79586341916649365425e+09,NULL,'',NULL,1,0,0);
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
INSERT INTO "event" VALUES(1,'press-00',1.79576341349387121198e+09,1.79576341356037282948e+09,'visit','person','{"kind":"visit","id":"e0","at":1795763413.4938712,"label":"person","count":0}');
INSERT INTO "event" VALUES(2,'press-00',1.79576341349387669558e+09,1.79576341356037282948e+09,'visit','person','{"kind":"visit","id":"e1","at":1795763413.4938767,"label":"person","count":1}');
INSERT INTO "event" VALUES(3,'press-00',1.79576341349387717249e+09,1.79576341356037282948e+09,'visit','person','{"kind":"visit","id":"e2","at":1795763413.4938772,"label":"person","count":2}');
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
INSERT INTO "experiment" VALUES(1,'faster','detector','ended','hash','',1.79576341743037796016e+09,'ada',1.79576341749133443831e+09,'ada','a',NULL,'',NULL);
INSERT INTO "experiment" VALUES(2,'again','detector','ended','hash','',1.79576341751676893236e+09,'ada',1.79576341761537170414e+09,'ada','',NULL,'',NULL);
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
INSERT INTO "measurement" VALUES(1,'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','cpu','m',1.79576341288404941554e+09,'cpu-int8','lite_rt','cpu',2,1,1,1,5.0,6.0,10.0,1,1.0,1);
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
INSERT INTO "member" VALUES('m-1','all','host','0.2.0',1,0,0,0,0,0,0,1.79576342633450698857e+09,1.79576342633450698857e+09,0.0,0.0,0.0,0.0,0,0);
CREATE TABLE notice (
	id INTEGER NOT NULL, 
	target VARCHAR NOT NULL, 
	alert INTEGER NOT NULL, 
	body VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	tries INTEGER NOT NULL, 
	due_at FLOAT NOT NULL, 
	created_at FLOAT NOT NULL, 
	error VARCHAR NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "notice" VALUES(1,'http://127.0.0.1:9/hook',1,'{"what": "began", "id": 1, "rule": 1, "rule_name": "fast", "severity": "warning", "subject": "press-00", "text": "fps 15, above the limit of -1", "value": 15.0, "began_at": 1795763418.5489035, "ended_at": null, "acknowledged_at": null, "acknowledged_by": "", "rollout": null}','waiting',1,1.79576342937166666987e+09,1.79576341854890346528e+09,'Connection refused');
CREATE TABLE openid_login (
	state VARCHAR NOT NULL, 
	browser VARCHAR NOT NULL, 
	nonce VARCHAR NOT NULL, 
	verifier VARCHAR NOT NULL, 
	redirect VARCHAR NOT NULL, 
	started_at FLOAT NOT NULL, 
	PRIMARY KEY (state)
);
INSERT INTO "openid_login" VALUES('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb','nonce','verifier','/',1.79576342633450698857e+09);
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
INSERT INTO "package" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','spotter','1.0.0',1.79576341246829819684e+09,811,974,'{"name": "spotter", "version": "1.0.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723"}, {"path": "model.tflite", "length": 500, "sha256": "d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','spotter','1.1.0',1.79576341256464529034e+09,811,974,'{"name": "spotter", "version": "1.1.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410"}, {"path": "model.tflite", "length": 500, "sha256": "fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','spotter','1.2.0',1.79576341272940731043e+09,811,974,'{"name": "spotter", "version": "1.2.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb"}, {"path": "model.tflite", "length": 500, "sha256": "e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9','pipeline-gate','1.0.0',1.79576341314595842356e+09,433,321,'{"name": "pipeline-gate", "version": "1.0.0", "task": "pipeline", "head": {"family": "pipeline"}, "variants": [{"name": "all", "format": "pipeline", "files": ["pipeline.toml"], "runtimes": ["pipelines"]}], "title": "gate", "requires": ["stage:detect"]}','[{"path": "model.toml", "length": 217, "sha256": "d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a"}, {"path": "pipeline.toml", "length": 104, "sha256": "a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66"}]',NULL);
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
INSERT INTO "person" VALUES('ada','admin','scrypt$15$8$3$jBctf3hr7STPIDTnZDTOzw==$pvLC/ufz2zv+SemYLr71U3m/xdBazeDxfZ2re97tOUg=',1.79576340818118596076e+09,0,NULL);
INSERT INTO "person" VALUES('bob','admin','scrypt$15$8$3$W0T5PJONNxgkznihQua3Wg==$frrgvroSyiOFwDuZdwDkFqsHCNIMGGOj1ElgNAdSLl0=',1.79576341228626632689e+09,0,NULL);
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
INSERT INTO "pin" VALUES('press-03','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','a demonstration','ada',1.79576341765082144732e+09);
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
INSERT INTO "proposal" VALUES(1,'approved','6d85d83a206d','proposes','ada','put_group','Create or change a group.','operator','PUT','/groups/south','{"selector":{"labels":{"site":"south"}},"note":"proposed"}','','complete',1.79576341976527523993e+09,1.79636821976527523989e+09,1.7957634200335259437e+09,'ada','looked at it',200,'put_group: name south');
INSERT INTO "proposal" VALUES(2,'rejected','6d85d83a206d','proposes','ada','put_group','Create or change a group.','operator','PUT','/groups/west','{"selector":{"labels":{"site":"west"}},"note":"proposed"}','','complete',1.79576341989158773425e+09,1.79636821989158773421e+09,1.79576342016656970981e+09,'ada','not now',0,'');
INSERT INTO "proposal" VALUES(3,'pending','6d85d83a206d','proposes','ada','put_group','Create or change a group.','operator','PUT','/groups/east','{"selector":{"labels":{"site":"east"}},"note":"proposed"}','','complete',1.79576341995346283912e+09,1.79636821995346283907e+09,NULL,'','',0,'');
CREATE TABLE restricted_device (
	device VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	offence VARCHAR NOT NULL, 
	since_at FLOAT NOT NULL, 
	until_at FLOAT NOT NULL, 
	times INTEGER NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "restricted_device" VALUES('door','throttled','over_quota',1.79576342633450698857e+09,1.79576372633450698852e+09,0);
CREATE TABLE retention (
	kind VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	removed INTEGER NOT NULL, 
	took_s FLOAT NOT NULL, 
	problem VARCHAR NOT NULL, 
	PRIMARY KEY (kind)
);
INSERT INTO "retention" VALUES('samples',1.7957634083412175179e+09,0,4.78920002933591604232e-04,'');
INSERT INTO "retention" VALUES('events',1.7957634083412175179e+09,0,3.18021000566659495234e-04,'');
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
INSERT INTO "rollout" VALUES(1,'spotter 1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','detector','completed','',1.79576341422767138478e+09,1.79576341422767138478e+09,1.79576341547001051899e+09,1.79576341547001051899e+09,'{"all": true, "ids": [], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(2,'spotter 1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','rolled_back','',1.79576341558880186078e+09,1.7957634157372260094e+09,1.79576341768114662164e+09,1.79576341768114662164e+09,'{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}','[{"name": "one", "percent": null, "count": 1, "labels": {}, "approval": true}, {"name": "rest", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(3,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','shadow-detector','completed','',1.7957634171140196323e+09,1.7957634171140196323e+09,1.79576341803297853463e+09,1.79576341803297853463e+09,'{"all": false, "ids": ["press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(4,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','detector','aborted','the wrong day',1.79576341716716623301e+09,NULL,1.79576341726152396201e+09,1.79576341726152396201e+09,'{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(5,'faster: b','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','aborted','',1.79576341743037796016e+09,1.79576341743037796016e+09,1.79576341752487754826e+09,1.79576341752487754826e+09,'{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 120.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 0.2, "trial_frames_min": 10}',3600.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(6,'again: b','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','aborted','',1.79576341751676893236e+09,1.79576341751676893236e+09,1.79576341768114662164e+09,1.79576341768114662164e+09,'{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 120.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 0.2, "trial_frames_min": 10}',3600.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(7,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','detector','completed','',1.79576341763097786907e+09,1.79576341763097786907e+09,1.79576341876865530015e+09,1.79576341876865530015e+09,'{"all": false, "ids": ["press-01"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}, "rate": {"per_minute": 60, "factor": 1.0, "grow_after": 10, "per_minute_max": 1000}, "window": null, "follow": true, "prestage": true}',500,'ada',NULL);
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
INSERT INTO "rollup" VALUES(60,'press-00',1795763100,X'84AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795763160,X'84AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795763220,X'84AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795763280,X'84AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795763340,X'84AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795763400,X'84AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(3600,'press-00',1795762800,X'84AB6370755F70657263656E749506CB405E000000000000CB4034000000000000CB4034000000000000814B06A36670739506CB4056800000000000CB402E000000000000CB402E000000000000814406AF64726F707065645F70657263656E749506CB0000000000000000CB0000000000000000CB000000000000000081D1800006AE6C6174656E63795F7039355F6D739506CB4052000000000000CB4028000000000000CB4028000000000000813F06');
CREATE TABLE secret (
	name VARCHAR NOT NULL, 
	value VARCHAR NOT NULL, 
	made_at FLOAT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "secret" VALUES('server id','2085e83c12f8d02ba98dfd99790c96ba',1.79576340658999466896e+09);
INSERT INTO "secret" VALUES('corpus','9c2cc867cb14937651b6bac105501c55',1795763426.88528);
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
INSERT INTO "session" VALUES('ca07c18d5a82244205e1e089714535dcc2de734e9deda899b5495a611ec2340d','ada',1.79576340978646206854e+09,1.79576340978646206854e+09,1.7963682097864620685e+09,'127.0.0.1','python-httpx/0.28.1');
CREATE TABLE setting (
	name VARCHAR NOT NULL, 
	value JSON NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "setting" VALUES('soak_s',1,1.79576341245862913138e+09,'ada');
CREATE TABLE telemetry (
	id INTEGER NOT NULL, 
	device VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	received_at FLOAT NOT NULL, 
	record VARCHAR NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "telemetry" VALUES(1,'press-00',1.79576311349385190014e+09,1.79576341356037282948e+09,'{"at":1795763113.493852,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":0}');
INSERT INTO "telemetry" VALUES(2,'press-00',1.79576317349385523791e+09,1.79576341356037282948e+09,'{"at":1795763173.4938552,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":1}');
INSERT INTO "telemetry" VALUES(3,'press-00',1.79576323349385857585e+09,1.79576341356037282948e+09,'{"at":1795763233.4938586,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":2}');
INSERT INTO "telemetry" VALUES(4,'press-00',1.7957632934938611984e+09,1.79576341356037282948e+09,'{"at":1795763293.4938612,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":3}');
INSERT INTO "telemetry" VALUES(5,'press-00',1.79576335349386310581e+09,1.79576341356037282948e+09,'{"at":1795763353.493863,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":4}');
INSERT INTO "telemetry" VALUES(6,'press-00',1.7957634176893584728e+09,1.7957634177556889057e+09,'{"at":1795763417.6893585,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}');
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
INSERT INTO "timeline" VALUES(1,1,1.79576341422767138478e+09,'created','Created: spotter 1.0.0',NULL,NULL);
INSERT INTO "timeline" VALUES(2,1,1.79576341422767138478e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(3,1,1.79576341433690023427e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(4,1,1.79576341487930393218e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(5,1,1.79576341547001051899e+09,'wave_passed','Wave ''all'' passed: 0 of 6 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(6,1,1.79576341547001051899e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(7,2,1.79576341558880186078e+09,'created','Created: spotter 1.1.0',NULL,NULL);
INSERT INTO "timeline" VALUES(8,2,1.7957634157372260094e+09,'running','Running: now',NULL,NULL);
INSERT INTO "timeline" VALUES(9,2,1.79576341576962971681e+09,'paused','Paused: a question',NULL,NULL);
INSERT INTO "timeline" VALUES(10,2,1.79576341581341075897e+09,'resumed','Running: answered',NULL,NULL);
INSERT INTO "timeline" VALUES(11,2,1.79576341588216400147e+09,'wave_skipped','Wave ''rest'' was skipped by ada: one is enough; 1 device not updated',1,NULL);
INSERT INTO "timeline" VALUES(12,2,1795763415.92125,'wave_approved','Wave ''one'' was approved by ada: agreed',0,NULL);
INSERT INTO "timeline" VALUES(13,2,1.79576341599358773226e+09,'wave_running','Wave ''one'' started',0,NULL);
INSERT INTO "timeline" VALUES(14,2,1.79576341647083258627e+09,'wave_soaking','Wave ''one'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(15,2,1.79576341702399706837e+09,'wave_passed','Wave ''one'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(16,2,1.79576341702399706837e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(17,2,1.79576341706382107735e+09,'rolling_back','Rolling back: too slow',NULL,NULL);
INSERT INTO "timeline" VALUES(18,3,1.7957634171140196323e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(19,3,1.7957634171140196323e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(20,3,1.79576341712210679054e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(21,4,1.79576341716716623301e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(22,4,1.79576341726152396201e+09,'aborted','Aborted: the wrong day',NULL,NULL);
INSERT INTO "timeline" VALUES(23,5,1.79576341743037796016e+09,'created','Created: faster: b',NULL,NULL);
INSERT INTO "timeline" VALUES(24,5,1.79576341743037796016e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(25,5,1.79576341749133443831e+09,'aborting','Aborting: experiment 1 chose arm a',NULL,NULL);
INSERT INTO "timeline" VALUES(26,6,1.79576341751676893236e+09,'created','Created: again: b',NULL,NULL);
INSERT INTO "timeline" VALUES(27,6,1.79576341751676893236e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(28,6,1.79576341761537170414e+09,'aborting','Aborting: experiment 2 was stopped',NULL,NULL);
INSERT INTO "timeline" VALUES(29,5,1.79576341752487754826e+09,'wave_skipped','Wave ''all'' was skipped',0,NULL);
INSERT INTO "timeline" VALUES(30,5,1.79576341752487754826e+09,'aborted','Aborted',NULL,NULL);
INSERT INTO "timeline" VALUES(31,7,1.79576341763097786907e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(32,7,1.79576341763097786907e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(33,2,1.79576341768114662164e+09,'device_rolled_back','press-00: rolled back: rolled back by an operator; restored to the previous version',0,'press-00');
INSERT INTO "timeline" VALUES(34,2,1.79576341768114662164e+09,'rolled_back','Rolled back',NULL,NULL);
INSERT INTO "timeline" VALUES(35,3,1.79576341768114662164e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(36,6,1.79576341768114662164e+09,'wave_skipped','Wave ''all'' was skipped',0,NULL);
INSERT INTO "timeline" VALUES(37,6,1.79576341768114662164e+09,'aborted','Aborted',NULL,NULL);
INSERT INTO "timeline" VALUES(38,7,1.79576341768114662164e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(39,3,1.79576341803297853463e+09,'wave_passed','Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(40,3,1.79576341803297853463e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(41,7,1.79576341815548086162e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(42,7,1.79576341876865530015e+09,'wave_passed','Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(43,7,1.79576341876865530015e+09,'completed','Completed',NULL,NULL);
CREATE TABLE version_share (
	at INTEGER NOT NULL, 
	shares JSON NOT NULL, 
	PRIMARY KEY (at)
);
INSERT INTO "version_share" VALUES(1795763400,'[{"slot": "detector", "package": "spotter", "version": "1.0.0", "count": 5}, {"slot": "second", "package": "spotter", "version": "1.1.0", "count": 1}, {"slot": "detector", "package": "spotter", "version": "1.2.0", "count": 1}, {"slot": "shadow-detector", "package": "spotter", "version": "1.2.0", "count": 1}]');
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
INSERT INTO "wave" VALUES(1,0,'all','passed',6,1.79576341433690023427e+09,1.79576341487930393218e+09,1.79576341547001051899e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(2,0,'one','passed',1,1.79576341599358773226e+09,1.79576341647083258627e+09,1.79576341702399706837e+09,0,0,1,'ada',0);
INSERT INTO "wave" VALUES(2,1,'rest','skipped',1,NULL,NULL,1.79576341588216400147e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(3,0,'all','passed',1,1.79576341712210679054e+09,1.79576341768114662164e+09,1.79576341803297853463e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(4,0,'all','skipped',2,NULL,NULL,NULL,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(5,0,'all','skipped',3,NULL,NULL,1.79576341752487754826e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(6,0,'all','skipped',3,NULL,NULL,1.79576341768114662164e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(7,0,'all','passed',1,1.79576341768114662164e+09,1.79576341815548086162e+09,1.79576341876865530015e+09,0,0,0,NULL,0);
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
CREATE INDEX ix_enrolment_request_token ON enrolment_request (token);
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
COMMIT;
PRAGMA user_version = 0;
