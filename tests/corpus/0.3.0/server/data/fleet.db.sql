BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0005');
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
INSERT INTO "alert" VALUES(1,1,'press-00','fps 15, above the limit of -1',15.0,1.79574921151302146909e+09,NULL,1.79574921156981754302e+09,'ada');
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
INSERT INTO "alert_rule" VALUES(1,'fast','{"kind": "threshold", "figure": "fps", "above": -2.0, "below": null, "clear": null, "for_s": 0.0, "window_s": 300.0, "deviations": 4.0, "event_kind": null, "event_label": null, "group": null, "severity": "warning", "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "s"}], "emails": []}',1,1.79574927158439135548e+09,'ada',1.79574920771545028684e+09,'ada');
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
INSERT INTO "api_token" VALUES('35ee1eccf29f','7a86c7c60783b4ec39c2e83a4f9f3bdc1532e5f2a3bc588f4fd7afbecdfaba91','ada','reads','admin',1.7957492034496645928e+09,1.80352520344966459273e+09,NULL,'[]');
INSERT INTO "api_token" VALUES('e704c9c4ef2c','69a5e1d402b7fd7db8ce84acc8a3e1d461f8e41224fb9bbc972ca7f0d7e00f44','ada','proposes','operator',1.79574921199147987367e+09,1.8035252119914798736e+09,1.79574921211449193949e+09,'["propose"]');
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
INSERT INTO "assignment" VALUES('press-00','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','2:press-00:1:back',2,1.0,0,0,1.79574920749441218378e+09,0);
INSERT INTO "assignment" VALUES('press-02','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-02:1',1,1.0,0,0,1.79574920510709929461e+09,0);
INSERT INTO "assignment" VALUES('press-01','detector','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','7:press-01:1',7,1.0,0,0,1.79574920774006509781e+09,1);
INSERT INTO "assignment" VALUES('press-05','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','5:press-05:1:back',5,0.2,10,0,1.79574920766784024237e+09,0);
INSERT INTO "assignment" VALUES('press-03','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','5:press-03:1:back',5,0.2,10,0,1.79574920766784024237e+09,0);
INSERT INTO "assignment" VALUES('press-04','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','5:press-04:1:back',5,0.2,10,0,1.79574920766784024237e+09,0);
INSERT INTO "assignment" VALUES('press-05','shadow-detector','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','3:press-05:1',3,1.0,0,0,1.79574920755545806884e+09,0);
INSERT INTO "assignment" VALUES('press-01','second','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','7:press-01:1',7,1.0,0,0,1.79574920774006509781e+09,1);
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
INSERT INTO "attempt" VALUES('1:press-00:1',1,'press-00',0,1,'committed',0,'','',NULL,1.79574920510709929461e+09,1.79574920548463273046e+09,1.79574920548463273046e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('1:press-02:1',1,'press-02',0,1,'committed',0,'','',NULL,1.79574920510709929461e+09,1.79574920548463273046e+09,1.79574920548463273046e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('1:press-01:1',1,'press-01',0,1,'committed',0,'','',NULL,1.79574920510709929461e+09,1.79574920548463273046e+09,1.79574920548463273046e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('1:press-05:1',1,'press-05',0,1,'committed',0,'','',NULL,1.79574920510709929461e+09,1.79574920548463273046e+09,1.79574920548463273046e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('1:press-03:1',1,'press-03',0,1,'committed',0,'','',NULL,1.79574920510709929461e+09,1.79574920548463273046e+09,1.79574920548463273046e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('1:press-04:1',1,'press-04',0,1,'committed',0,'','',NULL,1.79574920510709929461e+09,1.79574920548463273046e+09,1.79574920548463273046e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('2:press-00:1',2,'press-00',0,1,'rolled_back',0,'operator_rollback','restored to the previous version','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79574920635502696033e+09,1.7957492077954382896e+09,1.7957492077954382896e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('2:press-01:1',2,'press-01',1,1,'cancelled',0,'wave_skipped','the wave was skipped',NULL,NULL,1.79574920624502134321e+09,1.79574920624502134321e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('3:press-05:1',3,'press-05',0,1,'committed',0,'','',NULL,1.79574920755545806884e+09,1.79574920950480675695e+09,1.79574920950480675695e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('4:press-00:1',4,'press-00',0,1,'cancelled',0,'','',NULL,NULL,1.79574920753479743001e+09,1.79574920753479743001e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('4:press-01:1',4,'press-01',0,1,'cancelled',0,'','',NULL,NULL,1.79574920753479743001e+09,1.79574920753479743001e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('5:press-04:1',5,'press-04',0,1,'cancelled',0,'cancelled','the rollout was stopped','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79574920761055016518e+09,1.79574920766784024237e+09,1.79574920766784024237e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('5:press-03:1',5,'press-03',0,1,'cancelled',0,'cancelled','the rollout was stopped','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79574920761055016518e+09,1.79574920766784024237e+09,1.79574920766784024237e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('5:press-05:1',5,'press-05',0,1,'cancelled',0,'cancelled','the rollout was stopped','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79574920761055016518e+09,1.79574920766784024237e+09,1.79574920766784024237e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('6:press-04:1',6,'press-04',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79574920766784024237e+09,1.79574920766784024237e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('6:press-03:1',6,'press-03',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79574920766784024237e+09,1.79574920766784024237e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('6:press-05:1',6,'press-05',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79574920766784024237e+09,1.79574920766784024237e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('7:press-01:1',7,'press-01',0,1,'committed',0,'','','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79574920774006509781e+09,1.79574920809064698216e+09,1.79574920809064698216e+09,0,0,1,0,0.0,'null','');
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
INSERT INTO "audit" VALUES(2,1.7957492027319469452e+09,'ada','admin','session','127.0.0.1','sign_in','/session',200,'{"name": "ada", "password": "(hidden)"}','edb481e7a1f16c13345a188e085e494772dc85f5f5d8bfedcdf94ff74df7cbd5','492c4376dbc26c2c5bcd7eb49c13106fdfa09938c64bea03de79b7378b4799a7');
INSERT INTO "audit" VALUES(3,1.79574920340022277831e+09,'ada','admin','session','127.0.0.1','create_user','/users',201,'{"name": "bob", "password": "(hidden)", "role": "operator"}','492c4376dbc26c2c5bcd7eb49c13106fdfa09938c64bea03de79b7378b4799a7','06fafb51044644dcf6921bb118faf8635bf6bce21a97604b08ef3c34533ca9e5');
INSERT INTO "audit" VALUES(4,1.79574920343641662593e+09,'ada','admin','session','127.0.0.1','change_user','/users/bob',200,'{"role": "admin"}','06fafb51044644dcf6921bb118faf8635bf6bce21a97604b08ef3c34533ca9e5','d97ba0d126a907b615cd1a4119ec79ce0f3c1fd03ca11e89088b5afb12d0b453');
INSERT INTO "audit" VALUES(5,1.79574920345158100132e+09,'ada','admin','session','127.0.0.1','create_api_token','/api-tokens',201,'{"name": "reads", "role": "admin"}','d97ba0d126a907b615cd1a4119ec79ce0f3c1fd03ca11e89088b5afb12d0b453','98053cab6dcc6521a8d07adf3df27b76dc27e36083a6b21148d86625de8cb3e0');
INSERT INTO "audit" VALUES(6,1.79574920351595783236e+09,'ada','admin','session','127.0.0.1','change_settings','/settings',200,'{"values": {"soak_s": 1.0}}','98053cab6dcc6521a8d07adf3df27b76dc27e36083a6b21148d86625de8cb3e0','123eea9d73ce04ae7016467288302b86ed251ab5f4322badbb5fc48fccde28e8');
INSERT INTO "audit" VALUES(7,1795749203.5999,'ada','admin','session','127.0.0.1','push_model','/models',201,'{"bytes": 10423}','123eea9d73ce04ae7016467288302b86ed251ab5f4322badbb5fc48fccde28e8','d0264a0e99b071736f6362e5f5871a653aa9014394b5917cd51257f9850f8f10');
INSERT INTO "audit" VALUES(8,1.79574920379756665226e+09,'ada','admin','session','127.0.0.1','push_model','/models',201,'{"bytes": 10423}','d0264a0e99b071736f6362e5f5871a653aa9014394b5917cd51257f9850f8f10','67904d05578746dfcdf385dc05502c92ae21bcbe5801911c0aaf6cd3e5f35c92');
INSERT INTO "audit" VALUES(9,1.79574920383748197561e+09,'ada','admin','session','127.0.0.1','begin_upload','/uploads',201,'{"length_bytes": 10240, "sha256": "7a80730a49003c3f4f11b81c7def98d33d960ba066535a2a97eabf231e44cfe9"}','67904d05578746dfcdf385dc05502c92ae21bcbe5801911c0aaf6cd3e5f35c92','3077e8eae465adea5c267b5ba3651f30baa1c4a79c0d7278a52a437afeeeeef1');
INSERT INTO "audit" VALUES(10,1.79574920392046713827e+09,'ada','admin','session','127.0.0.1','finish_upload','/uploads/1a83baa5c0ff43aac3df7501f71038ec/finish',201,'{}','3077e8eae465adea5c267b5ba3651f30baa1c4a79c0d7278a52a437afeeeeef1','e75281383d040632661ecb54266eaf8720e70096a6f5174335e521482d8a9597');
INSERT INTO "audit" VALUES(11,1.79574920404753875734e+09,'ada','admin','session','127.0.0.1','upload_measurements','/models/spotter/1.1.0/measurements',200,'{"digest": "e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129", "machine": "m", "profile": "cpu", "rows": [{"variant": "cpu-int8", "runtime": "lite_rt", "device": "cpu", "threads": 2, "streams": 1, "instances": 1, "batch": 1, "per_s": 10.0, "p50_ms": 5.0, "p95_ms": 6.0, "load_ms": 1.0, "memory_bytes": 1, "best": true}]}','e75281383d040632661ecb54266eaf8720e70096a6f5174335e521482d8a9597','74585f8a407e8bac41bc614ce7d8b84027b9fd23e0b1be6a6a0d46e8217b99c7');
INSERT INTO "audit" VALUES(12,1.79574920407198762896e+09,'ada','admin','session','127.0.0.1','set_channel','/channels/spotter/stable',200,'{"version": "1.0.0", "note": "first"}','74585f8a407e8bac41bc614ce7d8b84027b9fd23e0b1be6a6a0d46e8217b99c7','788adb78fd82f232d4d80976e24da2be86ea44faa3d9dd86883172c3f088cb9d');
INSERT INTO "audit" VALUES(13,1.79574920408038878442e+09,'ada','admin','session','127.0.0.1','set_channel','/channels/spotter/stable',200,'{"version": "1.1.0", "note": "first"}','788adb78fd82f232d4d80976e24da2be86ea44faa3d9dd86883172c3f088cb9d','e6bfe4021fb712b50f8579bc021b18e6c9405d62bc03ddc992c285c1450069bd');
INSERT INTO "audit" VALUES(14,1.79574920410649108886e+09,'ada','admin','session','127.0.0.1','prune_models','/models/prune',200,'{"dry_run": true}','e6bfe4021fb712b50f8579bc021b18e6c9405d62bc03ddc992c285c1450069bd','96de23b9f6c85300eb9e3ec948467514f5da0652cb60305acdb70e5b07ad4018');
INSERT INTO "audit" VALUES(15,1795749204.21808,'ada','admin','session','127.0.0.1','create_pipeline','/pipelines',201,'{"text": "name = \"gate\"\n[source]\nkind = \"device\"\n[[stages]]\nname = \"find\"\nkind = \"detect\"\nmodel = \"slot:detector\"\n"}','96de23b9f6c85300eb9e3ec948467514f5da0652cb60305acdb70e5b07ad4018','63cc540574f7b45c509fadddaea18e12c7bce4d27f7d3e2d3f133fe85cd26934');
INSERT INTO "audit" VALUES(16,1.79574920441801762585e+09,'ada','admin','session','127.0.0.1','label_device','/devices/press-00',200,'{"labels": {"site": "north", "lat": "59.3", "lon": "18.1"}}','63cc540574f7b45c509fadddaea18e12c7bce4d27f7d3e2d3f133fe85cd26934','3b3702eaff4f4301362fa5df8e022cf3e25fb40be4f26857b4096e8bae960a21');
INSERT INTO "audit" VALUES(17,1.79574920475666809085e+09,'ada','admin','session','127.0.0.1','put_group','/groups/north',200,'{"selector": {"labels": {"site": "north"}}, "note": "in the north"}','3b3702eaff4f4301362fa5df8e022cf3e25fb40be4f26857b4096e8bae960a21','b1d2b240a62503c113670dadc35e99bdc0398e1bc661a36cf94444121be5e50f');
INSERT INTO "audit" VALUES(18,1.79574920476739501948e+09,'ada','admin','session','127.0.0.1','put_configuration','/configurations/plant',200,'{"revision": 0, "resources": [{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef"}]}','b1d2b240a62503c113670dadc35e99bdc0398e1bc661a36cf94444121be5e50f','295657b17a44e06a0125fee94fd31b6c16de9fab41ef7410e76dd8696cd471b9');
INSERT INTO "audit" VALUES(19,1.79574920478119397161e+09,'ada','admin','session','127.0.0.1','send_command','/devices/press-00/commands',202,'{"op": "identify", "args": {"n": 1}}','295657b17a44e06a0125fee94fd31b6c16de9fab41ef7410e76dd8696cd471b9','b117c9ff5d7852bad303e0c753da1ac17c860a7327b798a483131e583e9a805f');
INSERT INTO "audit" VALUES(20,1.79574920491672515871e+09,'ada','admin','session','127.0.0.1','take_picture','/devices/press-00/snapshots',202,'{"pipeline": "gate"}','b117c9ff5d7852bad303e0c753da1ac17c860a7327b798a483131e583e9a805f','bd035aefcd1d648c0f7a0b3787d7a6e9d10b9dbbeca1c8ac9a9ba1d4dbadb06a');
INSERT INTO "audit" VALUES(21,1.79574920493544316294e+09,'ada','admin','session','127.0.0.1','bulk_devices','/devices/bulk',200,'{"action": "label", "labels": {"floor": "1"}, "selector": {"ids": ["press-00", "press-01"]}}','bd035aefcd1d648c0f7a0b3787d7a6e9d10b9dbbeca1c8ac9a9ba1d4dbadb06a','a1b5d02592d7228d56c231d3193b2fb83a42e93d0c6dab8554d9ad7ce7f64719');
INSERT INTO "audit" VALUES(22,1.79574920505484485625e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.0.0", "package": "spotter", "version": "1.0.0", "slot": "detector", "selector": {"all": true}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}','a1b5d02592d7228d56c231d3193b2fb83a42e93d0c6dab8554d9ad7ce7f64719','c0349e59ea36563f916e67423e80e9d87280e9bc4bdd914f7f954cdab344b868');
INSERT INTO "audit" VALUES(23,1.79574920611096453667e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.1.0", "package": "spotter", "version": "1.1.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "one", "count": 1, "approval": true}, {"name": "rest"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false, "key": "apply/plant/second"}','c0349e59ea36563f916e67423e80e9d87280e9bc4bdd914f7f954cdab344b868','597ce9a258fda82ed79d106355a56619704703887964f77d137bb2211edb23b0');
INSERT INTO "audit" VALUES(24,1.79574920614096450802e+09,'ada','admin','session','127.0.0.1','start_rollout','/rollouts/2/start',200,'{"reason": "now"}','597ce9a258fda82ed79d106355a56619704703887964f77d137bb2211edb23b0','58dace26abef02ce72b864f44c93943abc0d6df3826d4cf22fdeb4ab4450e3b3');
INSERT INTO "audit" VALUES(25,1.79574920615382719038e+09,'ada','admin','session','127.0.0.1','pause_rollout','/rollouts/2/pause',200,'{"reason": "a question"}','58dace26abef02ce72b864f44c93943abc0d6df3826d4cf22fdeb4ab4450e3b3','ba587377993946febd579a02f84d7eb91fc881ae7db026981454873ff3420822');
INSERT INTO "audit" VALUES(26,1.79574920617473077774e+09,'ada','admin','session','127.0.0.1','resume_rollout','/rollouts/2/resume',200,'{"reason": "answered"}','ba587377993946febd579a02f84d7eb91fc881ae7db026981454873ff3420822','8fc7b59c7e98f6cdfc58ff6cafd7f8b616d13fb6e31e6bf0f9e3c809b3589571');
INSERT INTO "audit" VALUES(27,1.79574920620515799526e+09,'ada','admin','session','127.0.0.1','skip_wave','/rollouts/2/skip',200,'{"wave": 1, "reason": "one is enough"}','8fc7b59c7e98f6cdfc58ff6cafd7f8b616d13fb6e31e6bf0f9e3c809b3589571','c6f33cc2df5a15a4e1e10e625bbe90cfd8c4226fc7e891ed7162583f74e9d2bf');
INSERT INTO "audit" VALUES(28,1.79574920625588059421e+09,'ada','admin','session','127.0.0.1','approve_rollout','/rollouts/2/approve',200,'{"wave": 0, "reason": "agreed"}','c6f33cc2df5a15a4e1e10e625bbe90cfd8c4226fc7e891ed7162583f74e9d2bf','cba704dde0f48558de9f630c7bdceecff5bd0e60cbde2a79417a0867ee2b7b6e');
INSERT INTO "audit" VALUES(29,1.79574920744104099276e+09,'ada','admin','session','127.0.0.1','rollback_rollout','/rollouts/2/rollback',200,'{"reason": "too slow"}','cba704dde0f48558de9f630c7bdceecff5bd0e60cbde2a79417a0867ee2b7b6e','a1dafae309b99148373e4c011006303a863b7b6ce3685834c738757026224ae8');
INSERT INTO "audit" VALUES(30,1.79574920750378203395e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "shadow-detector", "selector": {"ids": ["press-05"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}','a1dafae309b99148373e4c011006303a863b7b6ce3685834c738757026224ae8','e42031039aa3ec57f500b17d5e0455aea8f1584654d3168b4ba0c769c8670031');
INSERT INTO "audit" VALUES(31,1.7957492075268347263e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false}','e42031039aa3ec57f500b17d5e0455aea8f1584654d3168b4ba0c769c8670031','17435a238b93685d35b535a6d17af0b343be6c630c721a3105122d59bc9f645c');
INSERT INTO "audit" VALUES(32,1.79574920753680300714e+09,'ada','admin','session','127.0.0.1','abort_rollout','/rollouts/4/abort',200,'{"reason": "the wrong day"}','17435a238b93685d35b535a6d17af0b343be6c630c721a3105122d59bc9f645c','86d6eb83d33500e06303bd593576ee6e0ffb08affdaa1572812af31dedcd83aa');
INSERT INTO "audit" VALUES(33,1.79574920760412240026e+09,'ada','admin','session','127.0.0.1','create_experiment','/experiments',201,'{"name": "faster", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','86d6eb83d33500e06303bd593576ee6e0ffb08affdaa1572812af31dedcd83aa','ed746779f52fc06ca81ce815d986917382ce3ee11a355a54104ecb33102ee68d');
INSERT INTO "audit" VALUES(34,1.7957492076300566197e+09,'ada','admin','session','127.0.0.1','choose_experiment_arm','/experiments/1/choose',200,'{"arm": "a", "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','ed746779f52fc06ca81ce815d986917382ce3ee11a355a54104ecb33102ee68d','b6297cd04d1a878acf060004f4429e52bcfedccf9ffc06b55566387fec55a5d6');
INSERT INTO "audit" VALUES(35,1.79574920764253115647e+09,'ada','admin','session','127.0.0.1','create_experiment','/experiments',201,'{"name": "again", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','b6297cd04d1a878acf060004f4429e52bcfedccf9ffc06b55566387fec55a5d6','bd2f0ca946264bc7b47568ee4d908b41dce6be26b8af02c5b9afeae78075a305');
INSERT INTO "audit" VALUES(36,1.79574920765010690682e+09,'ada','admin','session','127.0.0.1','stop_experiment','/experiments/2/stop',200,'{}','bd2f0ca946264bc7b47568ee4d908b41dce6be26b8af02c5b9afeae78075a305','7e9326525a5e266efca946afa7b9f4adaabe82fb4e76ae092564836ea3081535');
INSERT INTO "audit" VALUES(37,1.79574920767125749583e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true, "parts": [{"package": "spotter", "slot": "second", "version": "1.1.0"}], "terms": {"follow": true, "prestage": true, "rate": {"per_minute": 60, "grow_after": 10}, "retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}}}','7e9326525a5e266efca946afa7b9f4adaabe82fb4e76ae092564836ea3081535','19e45cd0ba3c4da466d47dc798c16d50aae07e171c86abef02fa6f3c16ae4a8a');
INSERT INTO "audit" VALUES(38,1.79574920768583607671e+09,'ada','admin','session','127.0.0.1','pin_device','/devices/press-03/pins/detector',200,'{"reason": "a demonstration"}','19e45cd0ba3c4da466d47dc798c16d50aae07e171c86abef02fa6f3c16ae4a8a','39551de847609ce7cdb292b6d44720edfc7093add80cca9e9f77ba40455366cb');
INSERT INTO "audit" VALUES(39,1.79574920769809055331e+09,'ada','admin','session','127.0.0.1','pin_device','/devices/press-04/pins/detector',200,'{"reason": "for a day"}','39551de847609ce7cdb292b6d44720edfc7093add80cca9e9f77ba40455366cb','4074c9bfb003f9853e584c66f97ba194f91f9a66048629b70cf187729c2c4f2c');
INSERT INTO "audit" VALUES(40,1.79574920770337867741e+09,'ada','admin','session','127.0.0.1','unpin_device','/devices/press-04/pins/detector',200,'{}','4074c9bfb003f9853e584c66f97ba194f91f9a66048629b70cf187729c2c4f2c','52d4a92c29a2f1b99fcfd9049252cf991da9bdb99a5d35b04be5b920e1d90745');
INSERT INTO "audit" VALUES(41,1.79574920770935916904e+09,'ada','admin','session','127.0.0.1','release_device','/devices/press-01/release',200,'{}','52d4a92c29a2f1b99fcfd9049252cf991da9bdb99a5d35b04be5b920e1d90745','0fcf2d26c8fd342db89e1ae7057723a2b4cf253a5263bcebbd59b8732722703f');
INSERT INTO "audit" VALUES(42,1.79574920771602344511e+09,'ada','admin','session','127.0.0.1','create_alert_rule','/alert-rules',201,'{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -1.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "(hidden)"}]}}','0fcf2d26c8fd342db89e1ae7057723a2b4cf253a5263bcebbd59b8732722703f','e1e8834d59d65bb9d52bb083779ea6e876bc61f0c93d99040f0563befee5e0e1');
INSERT INTO "audit" VALUES(43,1.79574921156990766524e+09,'ada','admin','session','127.0.0.1','acknowledge_alert','/alerts/1/acknowledge',204,'{}','e1e8834d59d65bb9d52bb083779ea6e876bc61f0c93d99040f0563befee5e0e1','4555448b8b0423e643f3b7c1d2bb48271c2f6541ae689c416c14c048ab72156b');
INSERT INTO "audit" VALUES(44,1.79574921157647037503e+09,'ada','admin','session','127.0.0.1','change_alert_rule','/alert-rules/1',200,'{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -2.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "(hidden)"}]}}','4555448b8b0423e643f3b7c1d2bb48271c2f6541ae689c416c14c048ab72156b','768aaacc47831f7ec96e7f4efa92456b092f5a32f8768bd21b94a54be20307b4');
INSERT INTO "audit" VALUES(45,1.79574921158475565904e+09,'ada','admin','session','127.0.0.1','silence_alert_rule','/alert-rules/1/silence',200,'{"for_s": 60.0}','768aaacc47831f7ec96e7f4efa92456b092f5a32f8768bd21b94a54be20307b4','dbe7e25bacfede0ca5332cdb8c404c359728a579013d866668b64ebfc9ba28e8');
INSERT INTO "audit" VALUES(46,1.79574921171165919307e+09,'ada','admin','session','127.0.0.1','rotate_trust_key','/trust/rotate',200,'{"role": "snapshot"}','dbe7e25bacfede0ca5332cdb8c404c359728a579013d866668b64ebfc9ba28e8','3b7dfb29baed22400d1a9be7a6b8a7ea2db76514d53d80600b1206444571ca5f');
INSERT INTO "audit" VALUES(47,1.79574921179388427737e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"labels": {"site": "north"}, "life_s": 100000.0}','3b7dfb29baed22400d1a9be7a6b8a7ea2db76514d53d80600b1206444571ca5f','0b32d86d087e900681c828a855b47de4f2921ed1228a92ea124d86997ef9aad3');
INSERT INTO "audit" VALUES(48,1.79574921181560516361e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"labels": {"site": "north"}, "life_s": 100000.0}','0b32d86d087e900681c828a855b47de4f2921ed1228a92ea124d86997ef9aad3','cdc5b02a058325922fbbf6296442b06f61a13d923c0df444d4704bd55dc88184');
INSERT INTO "audit" VALUES(49,1.79574921189345955855e+09,'ada','admin','session','127.0.0.1','enrol_device','/enrol',200,'{"token": "(hidden)", "device": "enrolled-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHPMHcCAQAwFTETMBEGA1UEAwwKZW5yb2xsZWQtMTBZMBMGByqGSM49AgEGCCqG\nSM49AwEHA0IABL4yb6uPlREYaWfwx7dNFZlUjz5KU7yaVqMWZFUJ31067s1uvpI0\nI7x8VPTkvQ2Ksl+Gd0GOX/yfdE11DvmAVaCgADAKBggqhkjOPQQDAgNIADBFAiEA\ntIabr16jew/ePEx+U/ce5ZmPVKAYaIzjXXJfzrFWejYCIC3Us7B5fS9FQce02jQT\nlhs8JUDzBVUA9aZzaQbQUGTk\n-----END CERTIFICATE REQUEST-----\n"}','cdc5b02a058325922fbbf6296442b06f61a13d923c0df444d4704bd55dc88184','caee8b555b040587d5ef0ffcdaea497bb586095c5b828b2985273b5416f0d97d');
INSERT INTO "audit" VALUES(50,1.79574921192234182362e+09,'ada','admin','session','127.0.0.1','block_device','/devices/enrolled-1/block',200,'{"reason": "lost"}','caee8b555b040587d5ef0ffcdaea497bb586095c5b828b2985273b5416f0d97d','d82397e0e0da25b4244adb19edbec1fee359cc1cb59c4a3dadb00b5913b9675c');
INSERT INTO "audit" VALUES(51,1795749211.94822,'ada','admin','session','127.0.0.1','unblock_device','/devices/enrolled-1/block',200,'{}','d82397e0e0da25b4244adb19edbec1fee359cc1cb59c4a3dadb00b5913b9675c','cb14ff33ee13effb5ffa8f172f830ba43055219194a8bf8d16a27a014ffc166f');
INSERT INTO "audit" VALUES(52,1.79574921197087240222e+09,'ada','admin','session','127.0.0.1','block_device','/devices/enrolled-1/block',200,'{"reason": "lost again"}','cb14ff33ee13effb5ffa8f172f830ba43055219194a8bf8d16a27a014ffc166f','cbe1932dc44a98c15a4bff1692b98a69b43f0369b58b17db891f404bf671b628');
INSERT INTO "audit" VALUES(53,1.79574921199229502674e+09,'ada','admin','session','127.0.0.1','create_api_token','/api-tokens',201,'{"name": "proposes", "role": "operator", "scopes": ["propose"]}','cbe1932dc44a98c15a4bff1692b98a69b43f0369b58b17db891f404bf671b628','ebacb5719aa1381f5e0ebc8f0005280bdc0073b8a3812b08ff5660bb938cf3ef');
INSERT INTO "audit" VALUES(54,1.79574921213004517553e+09,'ada','operator','token','127.0.0.1','create_proposal','/groups/south',202,'{"selector": {"labels": {"site": "south"}}, "note": "proposed"}','ebacb5719aa1381f5e0ebc8f0005280bdc0073b8a3812b08ff5660bb938cf3ef','d829ef859cf1f9d16fdb6fc4a48471fda62fb1d541fa8c475d3734838d65449b');
INSERT INTO "audit" VALUES(55,1.79574921214028358461e+09,'ada','operator','token','127.0.0.1','create_proposal','/groups/west',202,'{"selector": {"labels": {"site": "west"}}, "note": "proposed"}','d829ef859cf1f9d16fdb6fc4a48471fda62fb1d541fa8c475d3734838d65449b','ce9f887259fa1fd78a38322734b26bf1838b9d3fb93085b52996a0f513f849ea');
INSERT INTO "audit" VALUES(56,1795749212.16742,'ada','operator','token','127.0.0.1','create_proposal','/groups/east',202,'{"selector": {"labels": {"site": "east"}}, "note": "proposed"}','ce9f887259fa1fd78a38322734b26bf1838b9d3fb93085b52996a0f513f849ea','e9f90cc2aba5326591f4e53b78f179ca7c9c01434ca09539812102826d792bee');
INSERT INTO "audit" VALUES(57,1.79574921219333171838e+09,'ada','admin','session','127.0.0.1','approve_proposal','/proposals/1/approve',200,'{"reason": "looked at it"}','e9f90cc2aba5326591f4e53b78f179ca7c9c01434ca09539812102826d792bee','c55e657c10645258f29457a46cb64a683ebae955e77c9a6ccde361b2ff608295');
INSERT INTO "audit" VALUES(58,1.79574921220475196836e+09,'ada','admin','session','127.0.0.1','put_group','/groups/south',200,'{"selector": {"labels": {"site": "south"}}, "note": "proposed", "proposal": {"id": 1, "proposed_by": "ada", "token": "e704c9c4ef2c", "token_name": "proposes", "note": ""}}','c55e657c10645258f29457a46cb64a683ebae955e77c9a6ccde361b2ff608295','07ce1a5c6f8fc3f7c88f4248fabbe4d82bc78c3cdb5daff563d07cbdba6f83e8');
INSERT INTO "audit" VALUES(59,1.79574921222037887577e+09,'ada','admin','session','127.0.0.1','reject_proposal','/proposals/2/reject',200,'{"reason": "not now"}','07ce1a5c6f8fc3f7c88f4248fabbe4d82bc78c3cdb5daff563d07cbdba6f83e8','234fe5df732c59dec87929255ab7c24e20d529914044f0df172b3eba992d69f7');
INSERT INTO "audit" VALUES(60,1.79574921355177712437e+09,'ada','admin','session','127.0.0.1','change_password','/session/password',204,'{"current": "(hidden)", "password": "(hidden)"}','234fe5df732c59dec87929255ab7c24e20d529914044f0df172b3eba992d69f7','539f8267e6a04e2934f8984ba31eae690b6ccb116d088ae0f117b8ec3568a6c9');
CREATE TABLE audit_archived (
	seq INTEGER NOT NULL, 
	digest VARCHAR NOT NULL, 
	PRIMARY KEY (seq)
);
INSERT INTO "audit_archived" VALUES(1,'edb481e7a1f16c13345a188e085e494772dc85f5f5d8bfedcdf94ff74df7cbd5');
CREATE TABLE blob (
	sha256 VARCHAR NOT NULL, 
	length INTEGER NOT NULL, 
	created_at FLOAT NOT NULL, 
	PRIMARY KEY (sha256)
);
INSERT INTO "blob" VALUES('6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723',388,1.79574920353456497193e+09);
INSERT INTO "blob" VALUES('d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b',500,1.79574920353456497193e+09);
INSERT INTO "blob" VALUES('63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf',30,1.79574920384991407393e+09);
INSERT INTO "blob" VALUES('916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90',56,1.79574920384991407393e+09);
INSERT INTO "blob" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',811,1.79574920353456497193e+09);
INSERT INTO "blob" VALUES('7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410',388,1795749203.71954);
INSERT INTO "blob" VALUES('fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de',500,1795749203.71954);
INSERT INTO "blob" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129',811,1795749203.71954);
INSERT INTO "blob" VALUES('6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb',388,1.79574920384991407393e+09);
INSERT INTO "blob" VALUES('e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d',500,1.79574920384991407393e+09);
INSERT INTO "blob" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01',811,1.79574920384991407393e+09);
INSERT INTO "blob" VALUES('d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a',217,1.79574920420674276353e+09);
INSERT INTO "blob" VALUES('a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66',104,1.79574920420674276353e+09);
INSERT INTO "blob" VALUES('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9',433,1.79574920420674276353e+09);
CREATE TABLE blocked_device (
	device VARCHAR NOT NULL, 
	blocked_at FLOAT NOT NULL, 
	reason VARCHAR NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "blocked_device" VALUES('enrolled-1',1.79574921196922945975e+09,'lost again');
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
INSERT INTO "channel" VALUES('spotter','stable','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129',1.79574920407832098003e+09,'ada','first');
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
INSERT INTO "channel_change" VALUES(1,'spotter','stable','1.0.0','',1.79574920406850361827e+09,'ada','first');
INSERT INTO "channel_change" VALUES(2,'spotter','stable','1.1.0','1.0.0',1.79574920407832098003e+09,'ada','first');
CREATE TABLE checkpoint (
	name VARCHAR NOT NULL, 
	value INTEGER NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "checkpoint" VALUES('rollup hours',1795755600);
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
INSERT INTO "command" VALUES('f0a3a7b944fc405786b45ed818d50129','press-00','identify','{"n": 1}','done','did it','{"n":1}',1.79574920477895450593e+09,1.79574923477895450588e+09,1.79574920489192318921e+09);
INSERT INTO "command" VALUES('65c138962e8f453e99e92d7012a3ae31','press-00','snapshot','{"overlays": false, "pipeline": "gate"}','done','did it','{"overlays":false,"pipeline":"gate"}',1.7957492049156534671e+09,1.79574926491565346718e+09,1.79574920502732801432e+09);
CREATE TABLE configuration (
	name VARCHAR NOT NULL, 
	revision INTEGER NOT NULL, 
	resources JSON NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "configuration" VALUES('plant',1,'[{"kind": "group", "name": "north", "made": true, "digest": "0123456789abcdef", "id": null}]',1.79574920476566100117e+09,'ada');
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
INSERT INTO "cursor" VALUES('press-00','telemetry','press-00-epoch',6,'[]',0.0,0,0,1.79574920772358465189e+09);
INSERT INTO "cursor" VALUES('press-00','events','press-00-epoch',3,'[]',0.0,0,0,1.79574920435353493691e+09);
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
	released_at FLOAT DEFAULT 0 NOT NULL, capabilities JSON DEFAULT '[]' NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "device" VALUES('press-00',1.79574920435353493691e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{"site": "north", "lat": "59.3", "lon": "18.1", "floor": "1"}','{}','{"site": "north", "lat": "59.3", "lon": "18.1", "floor": "1"}',0.0,'[]');
INSERT INTO "device" VALUES('press-01',1.79574920435353493691e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{"floor": "1"}','{}','{"floor": "1"}',1.79574920770930576328e+09,'[]');
INSERT INTO "device" VALUES('press-02',1.79574920435353493691e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
INSERT INTO "device" VALUES('press-03',1.79574920435353493691e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
INSERT INTO "device" VALUES('press-04',1.79574920435353493691e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
INSERT INTO "device" VALUES('press-05',1.79574920435353493691e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0,'[]');
CREATE TABLE device_certificate (
	serial VARCHAR NOT NULL, 
	device VARCHAR NOT NULL, 
	issued_at FLOAT NOT NULL, 
	expires_at FLOAT NOT NULL, 
	revoked_at FLOAT, 
	PRIMARY KEY (serial)
);
INSERT INTO "device_certificate" VALUES('4ba447db660cb9828a7c47dd9cb156ae3f9437e8','enrolled-1',1.79574921188408780092e+09,1803525211.0,1.79574921192006587986e+09);
CREATE TABLE device_group (
	name VARCHAR NOT NULL, 
	selector JSON NOT NULL, 
	note VARCHAR NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "device_group" VALUES('north','{"all": false, "ids": [], "labels": {"site": "north"}, "group": null}','in the north',1.79574920474900841717e+09,'ada');
INSERT INTO "device_group" VALUES('south','{"all": false, "ids": [], "labels": {"site": "south"}, "group": null}','proposed',1.79574921219616580013e+09,'ada');
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
INSERT INTO "device_last" VALUES('press-00','offline',1795749213.66359,'boot-1','',1,1795749213.66359,'boot-1',13,3,'{}',10000000000,'[]','[]',0,1.79574920771758151055e+09,'{"at":1795749207.7175815,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}',15.0,12.0,0.0,NULL,20.0,1.0,1.79574920435353493691e+09);
INSERT INTO "device_last" VALUES('press-01','offline',1.79574921376295208938e+09,'boot-1','',1,1.79574921376295208938e+09,'boot-1',12,2,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.79574920435353493691e+09);
INSERT INTO "device_last" VALUES('press-02','offline',1.79574921386315083503e+09,'boot-1','',1,1.79574921386315083503e+09,'boot-1',5,1,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.79574920435353493691e+09);
INSERT INTO "device_last" VALUES('press-03','offline',1.79574921397236323362e+09,'boot-1','',1,1.79574921397236323362e+09,'boot-1',10,3,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.79574920435353493691e+09);
INSERT INTO "device_last" VALUES('press-04','offline',1.79574921409622406958e+09,'boot-1','',1,1.79574921409622406958e+09,'boot-1',10,3,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.79574920435353493691e+09);
INSERT INTO "device_last" VALUES('press-05','offline',1.79574921419686222073e+09,'boot-1','',1,1.79574921419686222073e+09,'boot-1',14,4,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.79574920435353493691e+09);
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
INSERT INTO "device_slot" VALUES('press-02','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795749205.3850763}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-02:1','none','',0,0,1.79574920538507938391e+09);
INSERT INTO "device_slot" VALUES('press-00','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795749207.7657392}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','2:press-00:1:back','none','',0,0,1795749207.76575);
INSERT INTO "device_slot" VALUES('press-03','detector','committed','spotter','1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795749207.8892453}','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','5:press-03:1','none','',0,0,1.79574920788924741743e+09);
INSERT INTO "device_slot" VALUES('press-04','detector','committed','spotter','1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795749207.889059}','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','5:press-04:1','none','',0,0,1.79574920788906693463e+09);
INSERT INTO "device_slot" VALUES('press-01','detector','committed','spotter','1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795749207.9880273}','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','7:press-01:1','none','',0,0,1.79574920798804163937e+09);
INSERT INTO "device_slot" VALUES('press-01','second','committed','spotter','1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795749207.988229}','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','7:press-01:1','none','',0,0,1.79574920798823142046e+09);
INSERT INTO "device_slot" VALUES('press-05','detector','committed','spotter','1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795749207.8402216}','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','5:press-05:1','none','',0,0,1.79574920784023284907e+09);
INSERT INTO "device_slot" VALUES('press-05','shadow-detector','committed','spotter','1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795749209.4011405}','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','3:press-05:1','none','',0,0,1.79574920940115714072e+09);
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
INSERT INTO "enrolment_token" VALUES('f24f12a4b963','931fd8c89c19710fea57fd1ee261edf76ede366761498c0092027071332dc450','','{"site": "north"}',1.79574921179094505307e+09,1.79584921179094505311e+09,1.79574921188408780092e+09,'enrolled-1',NULL);
INSERT INTO "enrolment_token" VALUES('5ad221f19f5c','4e6abf9a5676ac832f08da9dd96953fea2905309f6fb6000a0f0eade73a0e9fa','','{"site": "north"}',1.79574921181268072124e+09,1.79584921181268072128e+09,NULL,'',NULL);
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
INSERT INTO "event" VALUES(1,'press-00',1.79574920430838465691e+09,1.79574920435353493691e+09,'visit','person','{"kind":"visit","id":"e0","at":1795749204.3083847,"label":"person","count":0}');
INSERT INTO "event" VALUES(2,'press-00',1.79574920430838584897e+09,1.79574920435353493691e+09,'visit','person','{"kind":"visit","id":"e1","at":1795749204.3083858,"label":"person","count":1}');
INSERT INTO "event" VALUES(3,'press-00',1.79574920430838656424e+09,1.79574920435353493691e+09,'visit','person','{"kind":"visit","id":"e2","at":1795749204.3083866,"label":"person","count":2}');
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
INSERT INTO "experiment" VALUES(1,'faster','detector','ended','hash','',1.79574920759761214256e+09,'ada',1.79574920762787127491e+09,'ada','a',NULL,'',NULL);
INSERT INTO "experiment" VALUES(2,'again','detector','ended','hash','',1.79574920763613224026e+09,'ada',1.79574920764871764182e+09,'ada','',NULL,'',NULL);
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
INSERT INTO "measurement" VALUES(1,'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','cpu','m',1.7957492040441992283e+09,'cpu-int8','lite_rt','cpu',2,1,1,1,5.0,6.0,10.0,1,1.0,1);
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
INSERT INTO "member" VALUES('m-1','all','host','0.2.0',1,0,0,0,0,0,0,1.79574921492350339895e+09,1.79574921492350339895e+09,0.0,0.0,0.0,0.0,0,0);
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
INSERT INTO "notice" VALUES(1,'http://127.0.0.1:9/hook',1,'{"what": "began", "id": 1, "rule": 1, "rule_name": "fast", "severity": "warning", "subject": "press-00", "text": "fps 15, above the limit of -1", "value": 15.0, "began_at": 1795749211.5130215, "ended_at": null, "acknowledged_at": null, "acknowledged_by": "", "rollout": null}','waiting',1,1.79574922234767580036e+09,1.79574921151302146909e+09,'Connection refused');
CREATE TABLE openid_login (
	state VARCHAR NOT NULL, 
	browser VARCHAR NOT NULL, 
	nonce VARCHAR NOT NULL, 
	verifier VARCHAR NOT NULL, 
	redirect VARCHAR NOT NULL, 
	started_at FLOAT NOT NULL, 
	PRIMARY KEY (state)
);
INSERT INTO "openid_login" VALUES('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb','nonce','verifier','/',1.79574921492350339895e+09);
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
INSERT INTO "package" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','spotter','1.0.0',1.79574920353456497193e+09,811,974,'{"name": "spotter", "version": "1.0.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723"}, {"path": "model.tflite", "length": 500, "sha256": "d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','spotter','1.1.0',1795749203.71954,811,974,'{"name": "spotter", "version": "1.1.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410"}, {"path": "model.tflite", "length": 500, "sha256": "fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','spotter','1.2.0',1.79574920384991407393e+09,811,974,'{"name": "spotter", "version": "1.2.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb"}, {"path": "model.tflite", "length": 500, "sha256": "e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9','pipeline-gate','1.0.0',1.79574920420674276353e+09,433,321,'{"name": "pipeline-gate", "version": "1.0.0", "task": "pipeline", "head": {"family": "pipeline"}, "variants": [{"name": "all", "format": "pipeline", "files": ["pipeline.toml"], "runtimes": ["pipelines"]}], "title": "gate", "requires": ["stage:detect"]}','[{"path": "model.toml", "length": 217, "sha256": "d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a"}, {"path": "pipeline.toml", "length": 104, "sha256": "a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66"}]',NULL);
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
INSERT INTO "person" VALUES('ada','admin','scrypt$15$8$3$K7Z4K9GWiqhRP8ZjgGtj3Q==$0IoLAjDKtAAVYjzv+GoYR6So4e3X4qoNLJ4kM8WXmLE=',1795749200.97361,0,NULL);
INSERT INTO "person" VALUES('bob','admin','scrypt$15$8$3$3RpTgLzBzQTObDr/8kpKWw==$LYVOEDWMRqMkJPx7kBmVA5+kPNGlgGJdT6sanqv66s8=',1.79574920339933943747e+09,0,NULL);
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
INSERT INTO "pin" VALUES('press-03','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','a demonstration','ada',1.79574920768563055985e+09);
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
INSERT INTO "proposal" VALUES(1,'approved','e704c9c4ef2c','proposes','ada','put_group','Create or change a group.','operator','PUT','/groups/south','{"selector":{"labels":{"site":"south"}},"note":"proposed"}','','complete',1.79574921212236738197e+09,1.79635401212236738206e+09,1.79574921219238781925e+09,'ada','looked at it',200,'put_group: name south');
INSERT INTO "proposal" VALUES(2,'rejected','e704c9c4ef2c','proposes','ada','put_group','Create or change a group.','operator','PUT','/groups/west','{"selector":{"labels":{"site":"west"}},"note":"proposed"}','','complete',1.7957492121376125813e+09,1.79635401213761258126e+09,1.79574921221971488e+09,'ada','not now',0,'');
INSERT INTO "proposal" VALUES(3,'pending','e704c9c4ef2c','proposes','ada','put_group','Create or change a group.','operator','PUT','/groups/east','{"selector":{"labels":{"site":"east"}},"note":"proposed"}','','complete',1.7957492121647794246e+09,1.79635401216477942469e+09,NULL,'','',0,'');
CREATE TABLE restricted_device (
	device VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	offence VARCHAR NOT NULL, 
	since_at FLOAT NOT NULL, 
	until_at FLOAT NOT NULL, 
	times INTEGER NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "restricted_device" VALUES('door','throttled','over_quota',1.79574921492350339895e+09,1.7957495149235033989e+09,0);
CREATE TABLE retention (
	kind VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	removed INTEGER NOT NULL, 
	took_s FLOAT NOT NULL, 
	problem VARCHAR NOT NULL, 
	PRIMARY KEY (kind)
);
INSERT INTO "retention" VALUES('samples',1.79574920134347820275e+09,0,4.63325999589869752526e-04,'');
INSERT INTO "retention" VALUES('events',1.79574920134347820275e+09,0,4.69405000330880284309e-04,'');
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
INSERT INTO "rollout" VALUES(1,'spotter 1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','detector','completed','',1.79574920504921627041e+09,1.79574920504921627041e+09,1.79574920603860020643e+09,1.79574920603860020643e+09,'{"all": true, "ids": [], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(2,'spotter 1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','rolled_back','',1.79574920610668849942e+09,1.79574920613699102406e+09,1.7957492077954382896e+09,1.7957492077954382896e+09,'{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}','[{"name": "one", "percent": null, "count": 1, "labels": {}, "approval": true}, {"name": "rest", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(3,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','shadow-detector','completed','',1.79574920750002932552e+09,1.79574920750002932552e+09,1.79574921005784320831e+09,1.79574921005784320831e+09,'{"all": false, "ids": ["press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(4,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','detector','aborted','the wrong day',1.79574920752523183821e+09,NULL,1.79574920753479743001e+09,1.79574920753479743001e+09,'{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(5,'faster: b','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','aborted','',1.79574920759761214256e+09,1.79574920759761214256e+09,1.79574920766784024237e+09,1.79574920766784024237e+09,'{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 120.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 0.2, "trial_frames_min": 10}',3600.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(6,'again: b','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','aborted','',1.79574920763613224026e+09,1.79574920763613224026e+09,1.79574920766784024237e+09,1.79574920766784024237e+09,'{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 120.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 0.2, "trial_frames_min": 10}',3600.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(7,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','detector','completed','',1.79574920766756176947e+09,1.79574920766756176947e+09,1.79574920864723873133e+09,1.79574920864723873133e+09,'{"all": false, "ids": ["press-01"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}, "rate": {"per_minute": 60, "factor": 1.0, "grow_after": 10, "per_minute_max": 1000}, "window": null, "follow": true, "prestage": true}',500,'ada',NULL);
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
INSERT INTO "rollup" VALUES(60,'press-00',1795748880,X'84AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795748940,X'84AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795749000,X'84AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795749060,X'84AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795749120,X'84AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795749180,X'84AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(3600,'press-00',1795748400,X'84AB6370755F70657263656E749506CB405E000000000000CB4034000000000000CB4034000000000000814B06A36670739506CB4056800000000000CB402E000000000000CB402E000000000000814406AF64726F707065645F70657263656E749506CB0000000000000000CB0000000000000000CB000000000000000081D1800006AE6C6174656E63795F7039355F6D739506CB4052000000000000CB4028000000000000CB4028000000000000813F06');
CREATE TABLE secret (
	name VARCHAR NOT NULL, 
	value VARCHAR NOT NULL, 
	made_at FLOAT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "secret" VALUES('server id','b378108be1bf69468be9ea62ad09e506',1.79574920007624292371e+09);
INSERT INTO "secret" VALUES('corpus','e5f491c30f6e0879766ccb273755d766',1.79574921505720829957e+09);
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
INSERT INTO "session" VALUES('1c31195d8294800577da78373ea6b53ffa20fc2d7fc10ff09f93dfc545f01393','ada',1.79574920192310404781e+09,1.79574920192310404781e+09,1.79635400192310404777e+09,'127.0.0.1','python-httpx/0.28.1');
CREATE TABLE setting (
	name VARCHAR NOT NULL, 
	value JSON NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "setting" VALUES('soak_s',1,1.79574920351406717303e+09,'ada');
CREATE TABLE telemetry (
	id INTEGER NOT NULL, 
	device VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	received_at FLOAT NOT NULL, 
	record VARCHAR NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "telemetry" VALUES(1,'press-00',1.79574890430837082861e+09,1.79574920435353493691e+09,'{"at":1795748904.3083708,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":0}');
INSERT INTO "telemetry" VALUES(2,'press-00',1.79574896430837321285e+09,1.79574920435353493691e+09,'{"at":1795748964.3083732,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":1}');
INSERT INTO "telemetry" VALUES(3,'press-00',1.79574902430837512017e+09,1.79574920435353493691e+09,'{"at":1795749024.3083751,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":2}');
INSERT INTO "telemetry" VALUES(4,'press-00',1.79574908430837678913e+09,1.79574920435353493691e+09,'{"at":1795749084.3083768,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":3}');
INSERT INTO "telemetry" VALUES(5,'press-00',1.79574914430837893485e+09,1.79574920435353493691e+09,'{"at":1795749144.308379,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":4}');
INSERT INTO "telemetry" VALUES(6,'press-00',1.79574920771758151055e+09,1.79574920772358465189e+09,'{"at":1795749207.7175815,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}');
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
INSERT INTO "timeline" VALUES(1,1,1.79574920504921627041e+09,'created','Created: spotter 1.0.0',NULL,NULL);
INSERT INTO "timeline" VALUES(2,1,1.79574920504921627041e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(3,1,1.79574920510709929461e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(4,1,1.79574920548463273046e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(5,1,1.79574920603860020643e+09,'wave_passed','Wave ''all'' passed: 0 of 6 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(6,1,1.79574920603860020643e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(7,2,1.79574920610668849942e+09,'created','Created: spotter 1.1.0',NULL,NULL);
INSERT INTO "timeline" VALUES(8,2,1.79574920613699102406e+09,'running','Running: now',NULL,NULL);
INSERT INTO "timeline" VALUES(9,2,1.79574920615231633192e+09,'paused','Paused: a question',NULL,NULL);
INSERT INTO "timeline" VALUES(10,2,1.79574920617137122154e+09,'resumed','Running: answered',NULL,NULL);
INSERT INTO "timeline" VALUES(11,2,1.79574920620208215715e+09,'wave_skipped','Wave ''rest'' was skipped by ada: one is enough; 1 device not updated',1,NULL);
INSERT INTO "timeline" VALUES(12,2,1.79574920625352334969e+09,'wave_approved','Wave ''one'' was approved by ada: agreed',0,NULL);
INSERT INTO "timeline" VALUES(13,2,1.79574920635502696033e+09,'wave_running','Wave ''one'' started',0,NULL);
INSERT INTO "timeline" VALUES(14,2,1.79574920681709337237e+09,'wave_soaking','Wave ''one'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(15,2,1.79574920737060189247e+09,'wave_passed','Wave ''one'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(16,2,1.79574920737060189247e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(17,2,1.79574920743960309032e+09,'rolling_back','Rolling back: too slow',NULL,NULL);
INSERT INTO "timeline" VALUES(18,3,1.79574920750002932552e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(19,3,1.79574920750002932552e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(20,4,1.79574920752523183821e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(21,4,1.79574920753479743001e+09,'aborted','Aborted: the wrong day',NULL,NULL);
INSERT INTO "timeline" VALUES(22,3,1.79574920755545806884e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(23,5,1.79574920759761214256e+09,'created','Created: faster: b',NULL,NULL);
INSERT INTO "timeline" VALUES(24,5,1.79574920759761214256e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(25,5,1.79574920761055016518e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(26,5,1.79574920762787127491e+09,'aborting','Aborting: experiment 1 chose arm a',NULL,NULL);
INSERT INTO "timeline" VALUES(27,6,1.79574920763613224026e+09,'created','Created: again: b',NULL,NULL);
INSERT INTO "timeline" VALUES(28,6,1.79574920763613224026e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(29,6,1.79574920764871764182e+09,'aborting','Aborting: experiment 2 was stopped',NULL,NULL);
INSERT INTO "timeline" VALUES(30,7,1.79574920766756176947e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(31,7,1.79574920766756176947e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(32,5,1.79574920766784024237e+09,'wave_failed','Wave ''all'' failed: stopped',0,NULL);
INSERT INTO "timeline" VALUES(33,5,1.79574920766784024237e+09,'aborted','Aborted',NULL,NULL);
INSERT INTO "timeline" VALUES(34,6,1.79574920766784024237e+09,'wave_skipped','Wave ''all'' was skipped',0,NULL);
INSERT INTO "timeline" VALUES(35,6,1.79574920766784024237e+09,'aborted','Aborted',NULL,NULL);
INSERT INTO "timeline" VALUES(36,7,1.79574920774006509781e+09,'wave_running','Wave ''all'' started',0,NULL);
INSERT INTO "timeline" VALUES(37,2,1.7957492077954382896e+09,'device_rolled_back','press-00: rolled back: rolled back by an operator; restored to the previous version',0,'press-00');
INSERT INTO "timeline" VALUES(38,2,1.7957492077954382896e+09,'rolled_back','Rolled back',NULL,NULL);
INSERT INTO "timeline" VALUES(39,7,1.79574920809064698216e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(40,7,1.79574920864723873133e+09,'wave_passed','Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(41,7,1.79574920864723873133e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(42,3,1.79574920950480675695e+09,'wave_soaking','Wave ''all'' is soaking',0,NULL);
INSERT INTO "timeline" VALUES(43,3,1.79574921005784320831e+09,'wave_passed','Wave ''all'' passed: 0 of 1 reported devices failed (0 %); limit 10 %',0,NULL);
INSERT INTO "timeline" VALUES(44,3,1.79574921005784320831e+09,'completed','Completed',NULL,NULL);
CREATE TABLE version_share (
	at INTEGER NOT NULL, 
	shares JSON NOT NULL, 
	PRIMARY KEY (at)
);
INSERT INTO "version_share" VALUES(1795749000,'[{"slot": "detector", "package": "spotter", "version": "1.1.0", "count": 3}, {"slot": "detector", "package": "spotter", "version": "1.0.0", "count": 2}, {"slot": "second", "package": "spotter", "version": "1.1.0", "count": 1}, {"slot": "detector", "package": "spotter", "version": "1.2.0", "count": 1}, {"slot": "shadow-detector", "package": "spotter", "version": "1.2.0", "count": 1}]');
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
INSERT INTO "wave" VALUES(1,0,'all','passed',6,1.79574920510709929461e+09,1.79574920548463273046e+09,1.79574920603860020643e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(2,0,'one','passed',1,1.79574920635502696033e+09,1.79574920681709337237e+09,1.79574920737060189247e+09,0,0,1,'ada',0);
INSERT INTO "wave" VALUES(2,1,'rest','skipped',1,NULL,NULL,1.79574920620208215715e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(3,0,'all','passed',1,1.79574920755545806884e+09,1.79574920950480675695e+09,1.79574921005784320831e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(4,0,'all','skipped',2,NULL,NULL,NULL,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(5,0,'all','failed',3,1.79574920761055016518e+09,NULL,1.79574920766784024237e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(6,0,'all','skipped',3,NULL,NULL,1.79574920766784024237e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(7,0,'all','passed',1,1.79574920774006509781e+09,1.79574920809064698216e+09,1.79574920864723873133e+09,0,0,0,NULL,0);
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
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
COMMIT;
PRAGMA user_version = 0;
