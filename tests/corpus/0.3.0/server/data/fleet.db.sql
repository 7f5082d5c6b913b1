BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0002');
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
INSERT INTO "alert" VALUES(1,1,'press-00','fps 15, above the limit of -1',15.0,1.79546581547329640385e+09,NULL,1.79546581555271291732e+09,'ada');
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
INSERT INTO "alert_rule" VALUES(1,'fast','{"kind": "threshold", "figure": "fps", "above": -2.0, "below": null, "clear": null, "for_s": 0.0, "window_s": 300.0, "deviations": 4.0, "event_kind": null, "event_label": null, "group": null, "severity": "warning", "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "s"}], "emails": []}',1,1.795465875579087019e+09,'ada',1.79546580973410820959e+09,'ada');
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
INSERT INTO "api_token" VALUES('91cec8c66a93','63ce4fdf4aee96731ed0ddad703f168b0ea3630eb397c3a45a7cfeb1da67b2e9','ada','reads','admin',1.79546580590792274477e+09,1.80324180590792274465e+09,NULL,'[]');
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
INSERT INTO "assignment" VALUES('press-00','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','2:press-00:1:back',2,1.0,0,0,1.79546580924986481668e+09,0);
INSERT INTO "assignment" VALUES('press-02','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-02:1',1,1.0,0,0,1.79546580705664539333e+09,0);
INSERT INTO "assignment" VALUES('press-01','detector','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','7:press-01:1',7,1.0,0,0,1.79546580969343400006e+09,1);
INSERT INTO "assignment" VALUES('press-05','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','5:press-05:1:back',5,0.2,10,0,1.79546580952577018741e+09,0);
INSERT INTO "assignment" VALUES('press-03','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','5:press-03:1:back',5,0.2,10,0,1.79546580952577018741e+09,0);
INSERT INTO "assignment" VALUES('press-04','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','5:press-04:1:back',5,0.2,10,0,1.79546580952577018741e+09,0);
INSERT INTO "assignment" VALUES('press-05','shadow-detector','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','3:press-05:1',3,1.0,0,0,1.79546580934628295894e+09,0);
INSERT INTO "assignment" VALUES('press-01','second','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','7:press-01:1',7,1.0,0,0,1.79546580969343400006e+09,1);
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
INSERT INTO "attempt" VALUES('1:press-00:1',1,'press-00',0,1,'committed',0,'','',NULL,1.79546580705664539333e+09,1.79546580743644309044e+09,1.79546580743644309044e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('1:press-02:1',1,'press-02',0,1,'committed',0,'','',NULL,1.79546580705664539333e+09,1.79546580743644309044e+09,1.79546580743644309044e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('1:press-01:1',1,'press-01',0,1,'committed',0,'','',NULL,1.79546580705664539333e+09,1.79546580743644309044e+09,1.79546580743644309044e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('1:press-05:1',1,'press-05',0,1,'committed',0,'','',NULL,1.79546580705664539333e+09,1.79546580743644309044e+09,1.79546580743644309044e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('1:press-03:1',1,'press-03',0,1,'committed',0,'','',NULL,1.79546580705664539333e+09,1.79546580743644309044e+09,1.79546580743644309044e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('1:press-04:1',1,'press-04',0,1,'committed',0,'','',NULL,1.79546580705664539333e+09,1.79546580743644309044e+09,1.79546580743644309044e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('2:press-00:1',2,'press-00',0,1,'rolled_back',0,'operator_rollback','restored to the previous version','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79546580824445748325e+09,1.79546580961571311954e+09,1.79546580961571311954e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('2:press-01:1',2,'press-01',1,1,'cancelled',0,'wave_skipped','the wave was skipped',NULL,NULL,1.79546580817227172848e+09,1.79546580817227172848e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('3:press-05:1',3,'press-05',0,1,'committed',0,'','',NULL,1.79546580934628295894e+09,1.79546581140929412839e+09,1.79546581140929412839e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('4:press-00:1',4,'press-00',0,1,'cancelled',0,'','',NULL,NULL,1.79546580935559439663e+09,1.79546580935559439663e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('4:press-01:1',4,'press-01',0,1,'cancelled',0,'','',NULL,NULL,1.79546580935559439663e+09,1.79546580935559439663e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('5:press-04:1',5,'press-04',0,1,'cancelled',0,'cancelled','the rollout was stopped','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79546580945872592924e+09,1.79546580952577018741e+09,1.79546580952577018741e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('5:press-03:1',5,'press-03',0,1,'cancelled',0,'cancelled','the rollout was stopped','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79546580945872592924e+09,1.79546580952577018741e+09,1.79546580952577018741e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('5:press-05:1',5,'press-05',0,1,'cancelled',0,'cancelled','the rollout was stopped','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79546580945872592924e+09,1.79546580952577018741e+09,1.79546580952577018741e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('6:press-04:1',6,'press-04',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79546580961571311954e+09,1.79546580961571311954e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('6:press-03:1',6,'press-03',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79546580961571311954e+09,1.79546580961571311954e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('6:press-05:1',6,'press-05',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79546580961571311954e+09,1.79546580961571311954e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('7:press-01:1',7,'press-01',0,1,'committed',0,'','','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79546580969343400006e+09,1.79546581005912375445e+09,1.79546581005912375445e+09,0,0,1,0,0.0,'null','');
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
INSERT INTO "audit" VALUES(2,1.79546580550083661074e+09,'ada','admin','session','127.0.0.1','sign_in','/session',200,'{"name": "ada", "password": "(hidden)"}','eaf61e1cd42daa306dfa16bd77e395d062ed7c2078204c1e6a506e615004a4a7','211c5428688670fe618fd313f88a9eca84bab88b92267c4b5617bbd9425191bd');
INSERT INTO "audit" VALUES(3,1.79546580585910987857e+09,'ada','admin','session','127.0.0.1','create_user','/users',201,'{"name": "bob", "password": "(hidden)", "role": "operator"}','211c5428688670fe618fd313f88a9eca84bab88b92267c4b5617bbd9425191bd','5cd3e471879a9823f59e598bfd0670a81478f71f75f603dbf57e134ff38c675d');
INSERT INTO "audit" VALUES(4,1.79546580588993525502e+09,'ada','admin','session','127.0.0.1','change_user','/users/bob',200,'{"role": "admin"}','5cd3e471879a9823f59e598bfd0670a81478f71f75f603dbf57e134ff38c675d','906ba01a2b6c7ad91c59e8eb4957d24768796071017d668856288d861116e898');
INSERT INTO "audit" VALUES(5,1.79546580591193985941e+09,'ada','admin','session','127.0.0.1','create_api_token','/api-tokens',201,'{"name": "reads", "role": "admin"}','906ba01a2b6c7ad91c59e8eb4957d24768796071017d668856288d861116e898','2e3ee589c52cd4486efba40c75bae68e74c13fe50cf2cbef1acfa8e324365543');
INSERT INTO "audit" VALUES(6,1.79546580595738434786e+09,'ada','admin','session','127.0.0.1','change_settings','/settings',200,'{"values": {"soak_s": 1.0}}','2e3ee589c52cd4486efba40c75bae68e74c13fe50cf2cbef1acfa8e324365543','79c9cbd0eaf3d7d48d88426b5b081abe95a1dbed6ac7ef76075e70c82afcb535');
INSERT INTO "audit" VALUES(7,1.79546580599474549298e+09,'ada','admin','session','127.0.0.1','push_model','/models',201,'{"bytes": 10423}','79c9cbd0eaf3d7d48d88426b5b081abe95a1dbed6ac7ef76075e70c82afcb535','3fce1335a40b542a373bcb29a183e93830258ef387d6ddd47ebeb5ef6624d0c5');
INSERT INTO "audit" VALUES(8,1.79546580602669191362e+09,'ada','admin','session','127.0.0.1','push_model','/models',201,'{"bytes": 10423}','3fce1335a40b542a373bcb29a183e93830258ef387d6ddd47ebeb5ef6624d0c5','7e087b9d20f4af8e3b6c7d265f86970096973cb7b99b3b64a8f37a54704a8be6');
INSERT INTO "audit" VALUES(9,1.79546580604817652701e+09,'ada','admin','session','127.0.0.1','begin_upload','/uploads',201,'{"length_bytes": 10240, "sha256": "7a80730a49003c3f4f11b81c7def98d33d960ba066535a2a97eabf231e44cfe9"}','7e087b9d20f4af8e3b6c7d265f86970096973cb7b99b3b64a8f37a54704a8be6','dbcf3ee4212bf3e63014e03bb6a68e7bb15d5d99a4c8d846527643b84f5172a4');
INSERT INTO "audit" VALUES(10,1.79546580609863567351e+09,'ada','admin','session','127.0.0.1','finish_upload','/uploads/698c697a269f9de18b9131fe87c6e991/finish',201,'{}','dbcf3ee4212bf3e63014e03bb6a68e7bb15d5d99a4c8d846527643b84f5172a4','b6e2b73034798b249526c144ffac1c8cb9b4467a5d2a7eb54a746608ceebf5cd');
INSERT INTO "audit" VALUES(11,1.79546580614800548557e+09,'ada','admin','session','127.0.0.1','upload_measurements','/models/spotter/1.1.0/measurements',200,'{"digest": "e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129", "machine": "m", "profile": "cpu", "rows": [{"variant": "cpu-int8", "runtime": "lite_rt", "device": "cpu", "threads": 2, "streams": 1, "instances": 1, "batch": 1, "per_s": 10.0, "p50_ms": 5.0, "p95_ms": 6.0, "load_ms": 1.0, "memory_bytes": 1, "best": true}]}','b6e2b73034798b249526c144ffac1c8cb9b4467a5d2a7eb54a746608ceebf5cd','0b5946e4ee89b52908f6c1f391450d402625ec3b72405e703d8880d4b3de419d');
INSERT INTO "audit" VALUES(12,1.79546580623197793956e+09,'ada','admin','session','127.0.0.1','set_channel','/channels/spotter/stable',200,'{"version": "1.0.0", "note": "first"}','0b5946e4ee89b52908f6c1f391450d402625ec3b72405e703d8880d4b3de419d','1327780b0d6c05309c9f00eeb605c86585aaa472f191470f6e5ce23e0f6afb05');
INSERT INTO "audit" VALUES(13,1.79546580625005459787e+09,'ada','admin','session','127.0.0.1','set_channel','/channels/spotter/stable',200,'{"version": "1.1.0", "note": "first"}','1327780b0d6c05309c9f00eeb605c86585aaa472f191470f6e5ce23e0f6afb05','bf118fdfce8ea6f108beed0b35e32d9da748a4053051e54649921f1f4fade142');
INSERT INTO "audit" VALUES(14,1.79546580631688809399e+09,'ada','admin','session','127.0.0.1','prune_models','/models/prune',200,'{"dry_run": true}','bf118fdfce8ea6f108beed0b35e32d9da748a4053051e54649921f1f4fade142','4d69ee421d4dc471fffa0270c8e235a333d4ae1e3a27be7031c0238365eff006');
INSERT INTO "audit" VALUES(15,1.79546580637010788922e+09,'ada','admin','session','127.0.0.1','create_pipeline','/pipelines',201,'{"text": "name = \"gate\"\n[source]\nkind = \"device\"\n[[stages]]\nname = \"find\"\nkind = \"detect\"\nmodel = \"slot:detector\"\n"}','4d69ee421d4dc471fffa0270c8e235a333d4ae1e3a27be7031c0238365eff006','412825077e2e1499f49abbfbc4bd508b632e732a9dacce501326b2880fb87d9e');
INSERT INTO "audit" VALUES(16,1.79546580655688953406e+09,'ada','admin','session','127.0.0.1','label_device','/devices/press-00',200,'{"labels": {"site": "north", "lat": "59.3", "lon": "18.1"}}','412825077e2e1499f49abbfbc4bd508b632e732a9dacce501326b2880fb87d9e','62cc6831854e138ccca4ce1fb78d4dde692b5d7fb6920949b614a06b96136dc8');
INSERT INTO "audit" VALUES(17,1.79546580661528086663e+09,'ada','admin','session','127.0.0.1','put_group','/groups/north',200,'{"selector": {"labels": {"site": "north"}}, "note": "in the north"}','62cc6831854e138ccca4ce1fb78d4dde692b5d7fb6920949b614a06b96136dc8','1bf496f875400c858f6e5f78e90121a58ea24dd61de0cde08bc5953cd95117af');
INSERT INTO "audit" VALUES(18,1.79546580663814306258e+09,'ada','admin','session','127.0.0.1','send_command','/devices/press-00/commands',202,'{"op": "identify", "args": {"n": 1}}','1bf496f875400c858f6e5f78e90121a58ea24dd61de0cde08bc5953cd95117af','bb4ce12a8493832b6ef5f7525a3312d1a814ae55d22db99099cc93e212a9638b');
INSERT INTO "audit" VALUES(19,1.79546580680717277524e+09,'ada','admin','session','127.0.0.1','take_picture','/devices/press-00/snapshots',202,'{"pipeline": "gate"}','bb4ce12a8493832b6ef5f7525a3312d1a814ae55d22db99099cc93e212a9638b','06eb4bf151af5213410aa518a86981f3289615bc0aefb2be25978cf3213b0cfe');
INSERT INTO "audit" VALUES(20,1.79546580683377861981e+09,'ada','admin','session','127.0.0.1','bulk_devices','/devices/bulk',200,'{"action": "label", "labels": {"floor": "1"}, "selector": {"ids": ["press-00", "press-01"]}}','06eb4bf151af5213410aa518a86981f3289615bc0aefb2be25978cf3213b0cfe','5e44aac0935cf0b68366c68cdf86fe9ac72e464e349b1202d7daeeb6addf045c');
INSERT INTO "audit" VALUES(21,1.79546580700330066682e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.0.0", "package": "spotter", "version": "1.0.0", "slot": "detector", "selector": {"all": true}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}','5e44aac0935cf0b68366c68cdf86fe9ac72e464e349b1202d7daeeb6addf045c','e2d8a8d2a8e6e1e4e543f596db7014022f1d787720a2b38950596202fc4fdf04');
INSERT INTO "audit" VALUES(22,1.79546580806193923946e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.1.0", "package": "spotter", "version": "1.1.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "one", "count": 1, "approval": true}, {"name": "rest"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false}','e2d8a8d2a8e6e1e4e543f596db7014022f1d787720a2b38950596202fc4fdf04','2f9500a9847cbc7ef3eb88ccaa69109e077471f5bc425af826f396c7ccd580f4');
INSERT INTO "audit" VALUES(23,1.79546580809065389628e+09,'ada','admin','session','127.0.0.1','start_rollout','/rollouts/2/start',200,'{"reason": "now"}','2f9500a9847cbc7ef3eb88ccaa69109e077471f5bc425af826f396c7ccd580f4','dfd08b1da67edff327d796e411a75e6140861a7131615f2f45a0a1ca1fab1a25');
INSERT INTO "audit" VALUES(24,1.795465808113019228e+09,'ada','admin','session','127.0.0.1','pause_rollout','/rollouts/2/pause',200,'{"reason": "a question"}','dfd08b1da67edff327d796e411a75e6140861a7131615f2f45a0a1ca1fab1a25','8f8606057ae4136d8496420dce8345521cbe305d2c090dfcb2fa50d253404b4e');
INSERT INTO "audit" VALUES(25,1.79546580814475631709e+09,'ada','admin','session','127.0.0.1','resume_rollout','/rollouts/2/resume',200,'{"reason": "answered"}','8f8606057ae4136d8496420dce8345521cbe305d2c090dfcb2fa50d253404b4e','cd4db7431e4e3037a3b0a256e575119e4db2f305626b6e4d98950f18439a8afb');
INSERT INTO "audit" VALUES(26,1.79546580817302393918e+09,'ada','admin','session','127.0.0.1','skip_wave','/rollouts/2/skip',200,'{"wave": 1, "reason": "one is enough"}','cd4db7431e4e3037a3b0a256e575119e4db2f305626b6e4d98950f18439a8afb','1531ebcdd861922d024ecf6d9961094ee5a0d07a75079d7f1e84aa7126bb2a01');
INSERT INTO "audit" VALUES(27,1.79546580820376706121e+09,'ada','admin','session','127.0.0.1','approve_rollout','/rollouts/2/approve',200,'{"wave": 0, "reason": "agreed"}','1531ebcdd861922d024ecf6d9961094ee5a0d07a75079d7f1e84aa7126bb2a01','701e12cc2a8037411d42be64ab4642790c97709957c990d55b689b4df6c083c9');
INSERT INTO "audit" VALUES(28,1.79546580919595408437e+09,'ada','admin','session','127.0.0.1','rollback_rollout','/rollouts/2/rollback',200,'{"reason": "too slow"}','701e12cc2a8037411d42be64ab4642790c97709957c990d55b689b4df6c083c9','d12636799171d52c2fb73dc41a5e3ec21ab9732e18f1fdcff224a95493009090');
INSERT INTO "audit" VALUES(29,1.79546580929382300372e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "shadow-detector", "selector": {"ids": ["press-05"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}','d12636799171d52c2fb73dc41a5e3ec21ab9732e18f1fdcff224a95493009090','eccc5b0661ec9789a1317ad374a6b25ebf5a56f7245d8a9a08856b744fb25919');
INSERT INTO "audit" VALUES(30,1.7954658093280212879e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false}','eccc5b0661ec9789a1317ad374a6b25ebf5a56f7245d8a9a08856b744fb25919','ab7f2188f3a0af1a1938a6da274ec6c3c0b72e0acbe46c8a86b5ba21c2f28d10');
INSERT INTO "audit" VALUES(31,1.79546580935946321487e+09,'ada','admin','session','127.0.0.1','abort_rollout','/rollouts/4/abort',200,'{"reason": "the wrong day"}','ab7f2188f3a0af1a1938a6da274ec6c3c0b72e0acbe46c8a86b5ba21c2f28d10','7977f385b500c0dffee5304dfcb4cf454e5575b5dbc434e06716010e75c0ded3');
INSERT INTO "audit" VALUES(32,1.79546580944386744501e+09,'ada','admin','session','127.0.0.1','create_experiment','/experiments',201,'{"name": "faster", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','7977f385b500c0dffee5304dfcb4cf454e5575b5dbc434e06716010e75c0ded3','ba1b7e8f124d8596f0776f1ca055781ff3c6cad73f93321ed5d96e29901cef52');
INSERT INTO "audit" VALUES(33,1.7954658094800257683e+09,'ada','admin','session','127.0.0.1','choose_experiment_arm','/experiments/1/choose',200,'{"arm": "a", "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','ba1b7e8f124d8596f0776f1ca055781ff3c6cad73f93321ed5d96e29901cef52','c59676adb5c9f2402b7b7545ee304b7ceb6978cc2538b25a535096c233e9b04c');
INSERT INTO "audit" VALUES(34,1.79546580953880167011e+09,'ada','admin','session','127.0.0.1','create_experiment','/experiments',201,'{"name": "again", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','c59676adb5c9f2402b7b7545ee304b7ceb6978cc2538b25a535096c233e9b04c','439b4460afc6d076f8f020895228f4130a4c8aa7b30e19c468d0f7d391522266');
INSERT INTO "audit" VALUES(35,1.79546580957919573785e+09,'ada','admin','session','127.0.0.1','stop_experiment','/experiments/2/stop',200,'{}','439b4460afc6d076f8f020895228f4130a4c8aa7b30e19c468d0f7d391522266','639301bc85036b746fdddff8e96b692356f04c140c7f0fd23eeb971277032225');
INSERT INTO "audit" VALUES(36,1.79546580961458921432e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true, "parts": [{"package": "spotter", "slot": "second", "version": "1.1.0"}], "terms": {"follow": true, "prestage": true, "rate": {"per_minute": 60, "grow_after": 10}, "retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}}}','639301bc85036b746fdddff8e96b692356f04c140c7f0fd23eeb971277032225','9debef05c202c3cf6ccb7976a6c4c4ec4de9396b9a2c2025b30cabd8fb79e81f');
INSERT INTO "audit" VALUES(37,1.79546580965640473369e+09,'ada','admin','session','127.0.0.1','pin_device','/devices/press-03/pins/detector',200,'{"reason": "a demonstration"}','9debef05c202c3cf6ccb7976a6c4c4ec4de9396b9a2c2025b30cabd8fb79e81f','9b8ff330c5cd22ed1ad5cbae8912691361a06a86ebe6018062f7748817b3448a');
INSERT INTO "audit" VALUES(38,1.79546580967726302144e+09,'ada','admin','session','127.0.0.1','pin_device','/devices/press-04/pins/detector',200,'{"reason": "for a day"}','9b8ff330c5cd22ed1ad5cbae8912691361a06a86ebe6018062f7748817b3448a','a3031b692614cbca5ff2539f8e204ebbdee6315dc2bc3376a82e7bbe9515b85b');
INSERT INTO "audit" VALUES(39,1.79546580970649456978e+09,'ada','admin','session','127.0.0.1','unpin_device','/devices/press-04/pins/detector',200,'{}','a3031b692614cbca5ff2539f8e204ebbdee6315dc2bc3376a82e7bbe9515b85b','c36e2a323561a2cd496557dbd50be07458e1b970a6d62724376abe0f1b1ec3b4');
INSERT INTO "audit" VALUES(40,1.79546580971869063373e+09,'ada','admin','session','127.0.0.1','release_device','/devices/press-01/release',200,'{}','c36e2a323561a2cd496557dbd50be07458e1b970a6d62724376abe0f1b1ec3b4','7014c35d6fdb5a85e7c966f5125066ba197b7040d9f87fc0d4b4f9d49cc4fd17');
INSERT INTO "audit" VALUES(41,1.79546580973507070543e+09,'ada','admin','session','127.0.0.1','create_alert_rule','/alert-rules',201,'{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -1.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "(hidden)"}]}}','7014c35d6fdb5a85e7c966f5125066ba197b7040d9f87fc0d4b4f9d49cc4fd17','b7907b7ee1c83b4b42680ba4d812af09fff334df46a8d80fb7395fbbc93a5543');
INSERT INTO "audit" VALUES(42,1.79546581555283427241e+09,'ada','admin','session','127.0.0.1','acknowledge_alert','/alerts/1/acknowledge',204,'{}','b7907b7ee1c83b4b42680ba4d812af09fff334df46a8d80fb7395fbbc93a5543','2623e7a41d4c70d39f05dbec71ab1aef49ea32b32866cc516f002a28bb39c421');
INSERT INTO "audit" VALUES(43,1.79546581556871581077e+09,'ada','admin','session','127.0.0.1','change_alert_rule','/alert-rules/1',200,'{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -2.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "(hidden)"}]}}','2623e7a41d4c70d39f05dbec71ab1aef49ea32b32866cc516f002a28bb39c421','203144b1ef637eb66bbffdd66da082078aff5826862dc721f1cf5a9b8c726233');
INSERT INTO "audit" VALUES(44,1.79546581557978940013e+09,'ada','admin','session','127.0.0.1','silence_alert_rule','/alert-rules/1/silence',200,'{"for_s": 60.0}','203144b1ef637eb66bbffdd66da082078aff5826862dc721f1cf5a9b8c726233','0b32f3b6fb8202459534823952370a6a83fbfb45f5dea8840c61b16083274e62');
INSERT INTO "audit" VALUES(45,1.79546581563659596444e+09,'ada','admin','session','127.0.0.1','rotate_trust_key','/trust/rotate',200,'{"role": "snapshot"}','0b32f3b6fb8202459534823952370a6a83fbfb45f5dea8840c61b16083274e62','cdf4042f05a8ce7a9134751a3c333410a5eda4c137b1ed52876ebb06059c80f1');
INSERT INTO "audit" VALUES(46,1.79546581570803952219e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"labels": {"site": "north"}, "life_s": 100000.0}','cdf4042f05a8ce7a9134751a3c333410a5eda4c137b1ed52876ebb06059c80f1','924aded7a7cfe883ae0fa9efa65fab5c630e3bf7e79fa960bdc12c0493dbece5');
INSERT INTO "audit" VALUES(47,1.79546581572194910046e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"labels": {"site": "north"}, "life_s": 100000.0}','924aded7a7cfe883ae0fa9efa65fab5c630e3bf7e79fa960bdc12c0493dbece5','e5f8c806c1ce526bb3033c24df3ced5bcd4d158a3db87ff24044c566afa795aa');
INSERT INTO "audit" VALUES(48,1.79546581577924084668e+09,'ada','admin','session','127.0.0.1','enrol_device','/enrol',200,'{"token": "(hidden)", "device": "enrolled-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHQMHcCAQAwFTETMBEGA1UEAwwKZW5yb2xsZWQtMTBZMBMGByqGSM49AgEGCCqG\nSM49AwEHA0IABPLiCfmQG4X2TSZFuUBvVUZ2ccqYvE31KrQ9UgJ1YxJwtWLi6NU6\nVxXxfBhZYat/xAmpOo22jL3pQQ+Orb6q1v+gADAKBggqhkjOPQQDAgNJADBGAiEA\nsm7LfQ+4kdSiVEi3Qp2GVDcGEA1XfQvU91rIgbNZ6coCIQDiqnNQ+7Bjz7JmxeCf\nkefHdvKIIO0451x6mHppJKXzcA==\n-----END CERTIFICATE REQUEST-----\n"}','e5f8c806c1ce526bb3033c24df3ced5bcd4d158a3db87ff24044c566afa795aa','b8abd34fa59383b51fb1dd83457c1a04085cb52213686a8660babf60277e2274');
INSERT INTO "audit" VALUES(49,1.79546581580431246754e+09,'ada','admin','session','127.0.0.1','block_device','/devices/enrolled-1/block',200,'{"reason": "lost"}','b8abd34fa59383b51fb1dd83457c1a04085cb52213686a8660babf60277e2274','8497b5f746a19ffcca26489a9f3e42db6076cba4da6607dcba15d38df85fbc32');
INSERT INTO "audit" VALUES(50,1.79546581583454585074e+09,'ada','admin','session','127.0.0.1','unblock_device','/devices/enrolled-1/block',200,'{}','8497b5f746a19ffcca26489a9f3e42db6076cba4da6607dcba15d38df85fbc32','cc8fe305746955cdca5dafd9dc1ff62988df73f6706e723c8de01ce4edd88ffa');
INSERT INTO "audit" VALUES(51,1.79546581584941387175e+09,'ada','admin','session','127.0.0.1','block_device','/devices/enrolled-1/block',200,'{"reason": "lost again"}','cc8fe305746955cdca5dafd9dc1ff62988df73f6706e723c8de01ce4edd88ffa','6f0acd9c050f4616535018b3c2aae95957d95be1c8264695283ee62f98e6f4dd');
INSERT INTO "audit" VALUES(52,1.79546581654185867307e+09,'ada','admin','session','127.0.0.1','change_password','/session/password',204,'{"current": "(hidden)", "password": "(hidden)"}','6f0acd9c050f4616535018b3c2aae95957d95be1c8264695283ee62f98e6f4dd','2f657303e2350d438a742d9b8bcf6e2a68311f77cd6446d9fec3d6dabacb3eae');
CREATE TABLE audit_archived (
	seq INTEGER NOT NULL, 
	digest VARCHAR NOT NULL, 
	PRIMARY KEY (seq)
);
INSERT INTO "audit_archived" VALUES(1,'eaf61e1cd42daa306dfa16bd77e395d062ed7c2078204c1e6a506e615004a4a7');
CREATE TABLE blob (
	sha256 VARCHAR NOT NULL, 
	length INTEGER NOT NULL, 
	created_at FLOAT NOT NULL, 
	PRIMARY KEY (sha256)
);
INSERT INTO "blob" VALUES('6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723',388,1.79546580597128558158e+09);
INSERT INTO "blob" VALUES('d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b',500,1.79546580597128558158e+09);
INSERT INTO "blob" VALUES('63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf',30,1.79546580608676624294e+09);
INSERT INTO "blob" VALUES('916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90',56,1.79546580608676624294e+09);
INSERT INTO "blob" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',811,1.79546580597128558158e+09);
INSERT INTO "blob" VALUES('7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410',388,1.79546580601647615431e+09);
INSERT INTO "blob" VALUES('fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de',500,1.79546580601647615431e+09);
INSERT INTO "blob" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129',811,1.79546580601647615431e+09);
INSERT INTO "blob" VALUES('6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb',388,1.79546580608676624294e+09);
INSERT INTO "blob" VALUES('e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d',500,1.79546580608676624294e+09);
INSERT INTO "blob" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01',811,1.79546580608676624294e+09);
INSERT INTO "blob" VALUES('d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a',217,1.79546580634410333629e+09);
INSERT INTO "blob" VALUES('a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66',104,1.79546580634410333629e+09);
INSERT INTO "blob" VALUES('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9',433,1.79546580634410333629e+09);
CREATE TABLE blocked_device (
	device VARCHAR NOT NULL, 
	blocked_at FLOAT NOT NULL, 
	reason VARCHAR NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "blocked_device" VALUES('enrolled-1',1.79546581584711694712e+09,'lost again');
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
INSERT INTO "channel" VALUES('spotter','stable','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129',1.79546580624325394625e+09,'ada','first');
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
INSERT INTO "channel_change" VALUES(1,'spotter','stable','1.0.0','',1.79546580622013688083e+09,'ada','first');
INSERT INTO "channel_change" VALUES(2,'spotter','stable','1.1.0','1.0.0',1.79546580624325394625e+09,'ada','first');
CREATE TABLE checkpoint (
	name VARCHAR NOT NULL, 
	value INTEGER NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "checkpoint" VALUES('rollup hours',1795471200);
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
INSERT INTO "command" VALUES('c60d764fdea941d0819b6a4a1484a9ee','press-00','identify','{"n": 1}','done','did it','{"n":1}',1.79546580663431572916e+09,1.79546583663431572911e+09,1.7954658067619645596e+09);
INSERT INTO "command" VALUES('80b5b41e0a704dd39c9ed380cabb3b5e','press-00','snapshot','{"overlays": false, "pipeline": "gate"}','done','did it','{"overlays":false,"pipeline":"gate"}',1.79546580680549907682e+09,1.79546586680549907681e+09,1.79546580691353511809e+09);
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
INSERT INTO "cursor" VALUES('press-00','telemetry','press-00-epoch',6,'[]',0.0,0,0,1.79546580980004191396e+09);
INSERT INTO "cursor" VALUES('press-00','events','press-00-epoch',3,'[]',0.0,0,0,1.79546580651951408385e+09);
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
INSERT INTO "desired" VALUES('press-05',4,'{"device":"press-05","generation":4,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"5:press-05:1:back"},"shadow-detector":{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","length":811,"attempt":"3:press-05:1"}},"policy":{"trial_s":0.2}}',4);
INSERT INTO "desired" VALUES('press-03',3,'{"device":"press-03","generation":3,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"5:press-03:1:back"}},"policy":{"trial_s":0.2}}',3);
INSERT INTO "desired" VALUES('press-04',3,'{"device":"press-04","generation":3,"slots":{"detector":{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","length":811,"attempt":"5:press-04:1:back"}},"policy":{"trial_s":0.2}}',3);
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
	released_at FLOAT DEFAULT 0 NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "device" VALUES('press-00',1.79546580651951408385e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{"site": "north", "lat": "59.3", "lon": "18.1", "floor": "1"}','{}','{"site": "north", "lat": "59.3", "lon": "18.1", "floor": "1"}',0.0);
INSERT INTO "device" VALUES('press-01',1.79546580651951408385e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{"floor": "1"}','{}','{"floor": "1"}',1.79546580971862792964e+09);
INSERT INTO "device" VALUES('press-02',1.79546580651951408385e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0);
INSERT INTO "device" VALUES('press-03',1.79546580651951408385e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0);
INSERT INTO "device" VALUES('press-04',1.79546580651951408385e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0);
INSERT INTO "device" VALUES('press-05',1.79546580651951408385e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0);
CREATE TABLE device_certificate (
	serial VARCHAR NOT NULL, 
	device VARCHAR NOT NULL, 
	issued_at FLOAT NOT NULL, 
	expires_at FLOAT NOT NULL, 
	revoked_at FLOAT, 
	PRIMARY KEY (serial)
);
INSERT INTO "device_certificate" VALUES('21f1024ed0fee45a17f8116477e6a639ed440bfe','enrolled-1',1.79546581574959397318e+09,1803241815.0,1.7954658158017048836e+09);
CREATE TABLE device_group (
	name VARCHAR NOT NULL, 
	selector JSON NOT NULL, 
	note VARCHAR NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "device_group" VALUES('north','{"all": false, "ids": [], "labels": {"site": "north"}, "group": null}','in the north',1.7954658066095206737e+09,'ada');
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
INSERT INTO "device_last" VALUES('press-00','offline',1.79546581663503718381e+09,'boot-1','',1,1.79546581663503718381e+09,'boot-1',13,3,'{}',0,'[]','[]',0,1.79546580973919963838e+09,'{"at":1795465809.7391996,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}',15.0,12.0,0.0,NULL,20.0,1.0,1.79546580651951408385e+09);
INSERT INTO "device_last" VALUES('press-01','offline',1.79546581669641184802e+09,'boot-1','',1,1.79546581669641184802e+09,'boot-1',12,2,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.79546580651951408385e+09);
INSERT INTO "device_last" VALUES('press-02','offline',1.79546581679238510136e+09,'boot-1','',1,1.79546581679238510136e+09,'boot-1',5,1,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.79546580651951408385e+09);
INSERT INTO "device_last" VALUES('press-03','offline',1.79546581689822745317e+09,'boot-1','',1,1.79546581689822745317e+09,'boot-1',10,3,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.79546580651951408385e+09);
INSERT INTO "device_last" VALUES('press-04','offline',1.79546581695351433749e+09,'boot-1','',1,1.79546581695351433749e+09,'boot-1',10,3,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.79546580651951408385e+09);
INSERT INTO "device_last" VALUES('press-05','offline',1.79546581704959607121e+09,'boot-1','',1,1.79546581704959607121e+09,'boot-1',14,4,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.79546580651951408385e+09);
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
INSERT INTO "device_slot" VALUES('press-02','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795465807.322392}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-02:1','none','',0,0,1.79546580732240176198e+09);
INSERT INTO "device_slot" VALUES('press-00','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795465809.5049267}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','2:press-00:1:back','none','',0,0,1.79546580950494194029e+09);
INSERT INTO "device_slot" VALUES('press-03','detector','committed','spotter','1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795465809.7432868}','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','5:press-03:1','none','',0,0,1.79546580974329566954e+09);
INSERT INTO "device_slot" VALUES('press-04','detector','committed','spotter','1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795465809.786188}','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','5:press-04:1','none','',0,0,1795465809.7862);
INSERT INTO "device_slot" VALUES('press-01','detector','committed','spotter','1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795465809.9516587}','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','7:press-01:1','none','',0,0,1.79546580995167899129e+09);
INSERT INTO "device_slot" VALUES('press-01','second','committed','spotter','1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795465809.9519353}','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','7:press-01:1','none','',0,0,1.79546580995194292066e+09);
INSERT INTO "device_slot" VALUES('press-05','detector','committed','spotter','1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795465811.3052824}','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','5:press-05:1','none','',0,0,1.79546581130528807635e+09);
INSERT INTO "device_slot" VALUES('press-05','shadow-detector','committed','spotter','1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795465811.30498}','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','3:press-05:1','none','',0,0,1.7954658113049926758e+09);
CREATE TABLE enrolment_token (
	id VARCHAR NOT NULL, 
	secret_sha256 VARCHAR NOT NULL, 
	device VARCHAR NOT NULL, 
	labels JSON NOT NULL, 
	created_at FLOAT NOT NULL, 
	expires_at FLOAT NOT NULL, 
	used_at FLOAT, 
	used_by VARCHAR NOT NULL, 
	revoked_at FLOAT, 
	PRIMARY KEY (id), 
	UNIQUE (secret_sha256)
);
INSERT INTO "enrolment_token" VALUES('efb86d90a879','474b4eac0704986169975d948689cc4f9f51d950927df6718a42d4ef01c237f5','','{"site": "north"}',1.79546581570255589488e+09,1.79556581570255589484e+09,1.79546581574959397318e+09,'enrolled-1',NULL);
INSERT INTO "enrolment_token" VALUES('c2cfe8832a0b','799f11e74d36812feb6a892d5cfe85c8ea90b987bd9d4f42c24273196722e4a9','','{"site": "north"}',1.79546581571987056737e+09,1.79556581571987056728e+09,NULL,'',NULL);
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
INSERT INTO "event" VALUES(1,'press-00',1.79546580649249887468e+09,1.79546580651951408385e+09,'visit','person','{"kind":"visit","id":"e0","at":1795465806.4924989,"label":"person","count":0}');
INSERT INTO "event" VALUES(2,'press-00',1.79546580649250054357e+09,1.79546580651951408385e+09,'visit','person','{"kind":"visit","id":"e1","at":1795465806.4925005,"label":"person","count":1}');
INSERT INTO "event" VALUES(3,'press-00',1.79546580649250197411e+09,1.79546580651951408385e+09,'visit','person','{"kind":"visit","id":"e2","at":1795465806.492502,"label":"person","count":2}');
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
INSERT INTO "experiment" VALUES(1,'faster','detector','ended','hash','',1.79546580943234324457e+09,'ada',1.79546580947325277325e+09,'ada','a',NULL,'',NULL);
INSERT INTO "experiment" VALUES(2,'again','detector','ended','hash','',1.79546580951299166676e+09,'ada',1.79546580957539081576e+09,'ada','',NULL,'',NULL);
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
INSERT INTO "measurement" VALUES(1,'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','cpu','m',1.79546580613939213747e+09,'cpu-int8','lite_rt','cpu',2,1,1,1,5.0,6.0,10.0,1,1.0,1);
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
INSERT INTO "member" VALUES('m-1','all','host','0.2.0',1,0,0,0,0,0,0,1.79546581760942816738e+09,1.79546581760942816738e+09,0.0,0.0,0.0,0.0,0,0);
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
INSERT INTO "notice" VALUES(1,'http://127.0.0.1:9/hook',1,'{"what": "began", "id": 1, "rule": 1, "rule_name": "fast", "severity": "warning", "subject": "press-00", "text": "fps 15, above the limit of -1", "value": 15.0, "began_at": 1795465815.4732964, "ended_at": null, "acknowledged_at": null, "acknowledged_by": "", "rollout": null}','waiting',1,1.79546582642465090751e+09,1.79546581547329640385e+09,'[Errno 111] Connection refused');
CREATE TABLE openid_login (
	state VARCHAR NOT NULL, 
	browser VARCHAR NOT NULL, 
	nonce VARCHAR NOT NULL, 
	verifier VARCHAR NOT NULL, 
	redirect VARCHAR NOT NULL, 
	started_at FLOAT NOT NULL, 
	PRIMARY KEY (state)
);
INSERT INTO "openid_login" VALUES('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb','nonce','verifier','/',1.79546581760942816738e+09);
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
INSERT INTO "package" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','spotter','1.0.0',1.79546580597128558158e+09,811,974,'{"name": "spotter", "version": "1.0.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723"}, {"path": "model.tflite", "length": 500, "sha256": "d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','spotter','1.1.0',1.79546580601647615431e+09,811,974,'{"name": "spotter", "version": "1.1.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410"}, {"path": "model.tflite", "length": 500, "sha256": "fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','spotter','1.2.0',1.79546580608676624294e+09,811,974,'{"name": "spotter", "version": "1.2.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb"}, {"path": "model.tflite", "length": 500, "sha256": "e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9','pipeline-gate','1.0.0',1.79546580634410333629e+09,433,321,'{"name": "pipeline-gate", "version": "1.0.0", "task": "pipeline", "head": {"family": "pipeline"}, "variants": [{"name": "all", "format": "pipeline", "files": ["pipeline.toml"], "runtimes": ["pipelines"]}], "title": "gate"}','[{"path": "model.toml", "length": 217, "sha256": "d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a"}, {"path": "pipeline.toml", "length": 104, "sha256": "a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66"}]',NULL);
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
INSERT INTO "person" VALUES('ada','admin','scrypt$15$8$3$Y8O/p81G5zl9A7EhNTg9ag==$Pf5D8Q027IrqOSiAxMt4SIIvnWLb7vxMKmKI96+8umU=',1.79546580476584672928e+09,0,NULL);
INSERT INTO "person" VALUES('bob','admin','scrypt$15$8$3$QpuEshe5YRgvf+wSOHJZgQ==$hirJXyjCff6IvegIGxSP2i1sshoXcdG7mD7h93Bcl9s=',1.79546580585760331156e+09,0,NULL);
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
INSERT INTO "pin" VALUES('press-03','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','a demonstration','ada',1.79546580965617513661e+09);
CREATE TABLE restricted_device (
	device VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	offence VARCHAR NOT NULL, 
	since_at FLOAT NOT NULL, 
	until_at FLOAT NOT NULL, 
	times INTEGER NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "restricted_device" VALUES('door','throttled','over_quota',1.79546581760942816738e+09,1.79546611760942816733e+09,0);
CREATE TABLE retention (
	kind VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	removed INTEGER NOT NULL, 
	took_s FLOAT NOT NULL, 
	problem VARCHAR NOT NULL, 
	PRIMARY KEY (kind)
);
INSERT INTO "retention" VALUES('samples',1.79546580541320252412e+09,0,6.24405001872219145298e-04,'');
INSERT INTO "retention" VALUES('events',1.79546580541320252412e+09,0,0.000516614003572613,'');
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
INSERT INTO "rollout" VALUES(1,'spotter 1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','detector','completed','',1.79546580699225068094e+09,1.79546580699225068094e+09,1.79546580799670791629e+09,1.79546580799670791629e+09,'{"all": true, "ids": [], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(2,'spotter 1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','rolled_back','',1.79546580805996370319e+09,1.79546580808201527599e+09,1.79546580961571311954e+09,1.79546580961571311954e+09,'{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}','[{"name": "one", "percent": null, "count": 1, "labels": {}, "approval": true}, {"name": "rest", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(3,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','shadow-detector','completed','',1.79546580928942513463e+09,1.79546580928942513463e+09,1.79546581196283292769e+09,1.79546581196283292769e+09,'{"all": false, "ids": ["press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(4,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','detector','aborted','the wrong day',1.79546580932550144194e+09,NULL,1.79546580935559439663e+09,1.79546580935559439663e+09,'{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(5,'faster: b','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','aborted','',1.79546580943234324457e+09,1.79546580943234324457e+09,1.79546580952577018741e+09,1.79546580952577018741e+09,'{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 120.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 0.2, "trial_frames_min": 10}',3600.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(6,'again: b','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','aborted','',1.79546580951299166676e+09,1.79546580951299166676e+09,1.79546580961571311954e+09,1.79546580961571311954e+09,'{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 120.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 0.2, "trial_frames_min": 10}',3600.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(7,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','detector','completed','',1.79546580960865902903e+09,1.79546580960865902903e+09,1.79546581061897754668e+09,1.79546581061897754668e+09,'{"all": false, "ids": ["press-01"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}, "rate": {"per_minute": 60, "factor": 1.0, "grow_after": 10, "per_minute_max": 1000}, "window": null, "follow": true, "prestage": true}',500,'ada',NULL);
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
INSERT INTO "rollup" VALUES(60,'press-00',1795465500,X'84AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795465560,X'84AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795465620,X'84AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795465680,X'84AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795465740,X'84AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795465800,X'84AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(3600,'press-00',1795464000,X'84AB6370755F70657263656E749506CB405E000000000000CB4034000000000000CB4034000000000000814B06A36670739506CB4056800000000000CB402E000000000000CB402E000000000000814406AF64726F707065645F70657263656E749506CB0000000000000000CB0000000000000000CB000000000000000081D1800006AE6C6174656E63795F7039355F6D739506CB4052000000000000CB4028000000000000CB4028000000000000813F06');
CREATE TABLE secret (
	name VARCHAR NOT NULL, 
	value VARCHAR NOT NULL, 
	made_at FLOAT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "secret" VALUES('server id','0497d9f9a5fd6bdf2c8c03c0fd7cd13f',1.79546580422024559973e+09);
INSERT INTO "secret" VALUES('corpus','2084bc05da97326e3a1d4c3309094801',1.79546581768473076821e+09);
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
INSERT INTO "session" VALUES('4f8f91ca3f3ce27a325aa83dec1e2c31f2ca36deef5c8c1991fb6fc7589e6d0b','ada',1.79546580513564753528e+09,1.79546580513564753528e+09,1.79607060513564753536e+09,'127.0.0.1','python-httpx/0.28.1');
CREATE TABLE setting (
	name VARCHAR NOT NULL, 
	value JSON NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "setting" VALUES('soak_s',1,1.79546580595442748073e+09,'ada');
CREATE TABLE telemetry (
	id INTEGER NOT NULL, 
	device VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	received_at FLOAT NOT NULL, 
	record VARCHAR NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "telemetry" VALUES(1,'press-00',1.79546550649246954923e+09,1.79546580651951408385e+09,'{"at":1795465506.4924695,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":0}');
INSERT INTO "telemetry" VALUES(2,'press-00',1.79546556649247455593e+09,1.79546580651951408385e+09,'{"at":1795465566.4924746,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":1}');
INSERT INTO "telemetry" VALUES(3,'press-00',1.79546562649247813227e+09,1.79546580651951408385e+09,'{"at":1795465626.4924781,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":2}');
INSERT INTO "telemetry" VALUES(4,'press-00',1.79546568649248099334e+09,1.79546580651951408385e+09,'{"at":1795465686.492481,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":3}');
INSERT INTO "telemetry" VALUES(5,'press-00',1.79546574649248504634e+09,1.79546580651951408385e+09,'{"at":1795465746.492485,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":4}');
INSERT INTO "telemetry" VALUES(6,'press-00',1.79546580973919963838e+09,1.79546580980004191396e+09,'{"at":1795465809.7391996,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}');
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
INSERT INTO "timeline" VALUES(1,1,1.79546580699225068094e+09,'created','Created: spotter 1.0.0',NULL,NULL);
INSERT INTO "timeline" VALUES(2,1,1.79546580699225068094e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(3,1,1.79546580705664539333e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(4,1,1.79546580743644309044e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(5,1,1.79546580799670791629e+09,'wave_passed','Wave ''all'' passed: 0 of 6 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(6,1,1.79546580799670791629e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(7,2,1.79546580805996370319e+09,'created','Created: spotter 1.1.0',NULL,NULL);
INSERT INTO "timeline" VALUES(8,2,1.79546580808201527599e+09,'running','Running: now',NULL,NULL);
INSERT INTO "timeline" VALUES(9,2,1.79546580810961818692e+09,'paused','Paused: a question',NULL,NULL);
INSERT INTO "timeline" VALUES(10,2,1.79546580813403844831e+09,'resumed','Running: answered',NULL,NULL);
INSERT INTO "timeline" VALUES(11,2,1.79546580816682624813e+09,'wave_skipped','Wave ''rest'' was skipped by ada: one is enough; 1 device not updated',1,NULL);
INSERT INTO "timeline" VALUES(12,2,1.79546580820019030574e+09,'wave_approved','Wave ''one'' was approved by ada: agreed',0,NULL);
INSERT INTO "timeline" VALUES(13,2,1.79546580824445748325e+09,'wave_running','Wave ''one'' started',0,NULL);
INSERT INTO "timeline" VALUES(14,2,1.79546580860611915586e+09,'wave_soaking','Wave ''one'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(15,2,1.79546580916075921054e+09,'wave_passed','Wave ''one'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(16,2,1.79546580916075921054e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(17,2,1.79546580919295787814e+09,'rolling_back','Rolling back: too slow',NULL,NULL);
INSERT INTO "timeline" VALUES(18,3,1.79546580928942513463e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(19,3,1.79546580928942513463e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(20,4,1.79546580932550144194e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(21,3,1.79546580934628295894e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(22,4,1.79546580935559439663e+09,'aborted','Aborted: the wrong day',NULL,NULL);
INSERT INTO "timeline" VALUES(23,5,1.79546580943234324457e+09,'created','Created: faster: b',NULL,NULL);
INSERT INTO "timeline" VALUES(24,5,1.79546580943234324457e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(25,5,1.79546580945872592924e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(26,5,1.79546580947325277325e+09,'aborting','Aborting: experiment 1 chose arm a',NULL,NULL);
INSERT INTO "timeline" VALUES(27,6,1.79546580951299166676e+09,'created','Created: again: b',NULL,NULL);
INSERT INTO "timeline" VALUES(28,6,1.79546580951299166676e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(29,5,1.79546580952577018741e+09,'wave_failed','Wave ''all'' failed: stopped',0,NULL);
INSERT INTO "timeline" VALUES(30,5,1.79546580952577018741e+09,'aborted','Aborted',NULL,NULL);
INSERT INTO "timeline" VALUES(31,6,1.79546580957539081576e+09,'aborting','Aborting: experiment 2 was stopped',NULL,NULL);
INSERT INTO "timeline" VALUES(32,7,1.79546580960865902903e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(33,7,1.79546580960865902903e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(34,2,1.79546580961571311954e+09,'device_rolled_back','press-00: rolled back: rolled back by an operator; restored to the previous version',0,'press-00');
INSERT INTO "timeline" VALUES(35,2,1.79546580961571311954e+09,'rolled_back','Rolled back',NULL,NULL);
INSERT INTO "timeline" VALUES(36,6,1.79546580961571311954e+09,'wave_skipped','Wave ''all'' was skipped',0,NULL);
INSERT INTO "timeline" VALUES(37,6,1.79546580961571311954e+09,'aborted','Aborted',NULL,NULL);
INSERT INTO "timeline" VALUES(38,7,1.79546580969343400006e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(39,7,1.79546581005912375445e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(40,7,1.79546581061897754668e+09,'wave_passed','Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(41,7,1.79546581061897754668e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(42,3,1.79546581140929412839e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(43,3,1.79546581196283292769e+09,'wave_passed','Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(44,3,1.79546581196283292769e+09,'completed','Completed',NULL,NULL);
CREATE TABLE version_share (
	at INTEGER NOT NULL, 
	shares JSON NOT NULL, 
	PRIMARY KEY (at)
);
INSERT INTO "version_share" VALUES(1795465800,'[{"slot": "detector", "package": "spotter", "version": "1.1.0", "count": 3}, {"slot": "detector", "package": "spotter", "version": "1.0.0", "count": 2}, {"slot": "second", "package": "spotter", "version": "1.1.0", "count": 1}, {"slot": "detector", "package": "spotter", "version": "1.2.0", "count": 1}, {"slot": "shadow-detector", "package": "spotter", "version": "1.2.0", "count": 1}]');
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
INSERT INTO "wave" VALUES(1,0,'all','passed',6,1.79546580705664539333e+09,1.79546580743644309044e+09,1.79546580799670791629e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(2,0,'one','passed',1,1.79546580824445748325e+09,1.79546580860611915586e+09,1.79546580916075921054e+09,0,0,1,'ada',0);
INSERT INTO "wave" VALUES(2,1,'rest','skipped',1,NULL,NULL,1.79546580816682624813e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(3,0,'all','passed',1,1.79546580934628295894e+09,1.79546581140929412839e+09,1.79546581196283292769e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(4,0,'all','skipped',2,NULL,NULL,NULL,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(5,0,'all','failed',3,1.79546580945872592924e+09,NULL,1.79546580952577018741e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(6,0,'all','skipped',3,NULL,NULL,1.79546580961571311954e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(7,0,'all','passed',1,1.79546580969343400006e+09,1.79546581005912375445e+09,1.79546581061897754668e+09,0,0,0,NULL,0);
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
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
COMMIT;
PRAGMA user_version = 0;
