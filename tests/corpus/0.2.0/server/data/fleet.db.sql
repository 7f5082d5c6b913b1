BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
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
INSERT INTO "alert" VALUES(1,1,'press-00','fps 15, over the limit of -1',15.0,1.79540697020223641395e+09,NULL,1.79540697025477194786e+09,'ada');
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
INSERT INTO "alert_rule" VALUES(1,'fast','{"kind": "threshold", "figure": "fps", "above": -2.0, "below": null, "clear": null, "for_s": 0.0, "window_s": 300.0, "deviations": 4.0, "event_kind": null, "event_label": null, "group": null, "severity": "warning", "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "s"}], "emails": []}',1,1.79540703026740336425e+09,'ada',1.79540696497077202796e+09,'ada');
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
INSERT INTO "api_token" VALUES('58106347b172','d0e8e3c9322c782eb0d35b853242bebde6bf4a61478acc39515f49ada8505e45','ada','reads','admin',1.79540696063919878004e+09,1.80318296063919878014e+09,NULL,'[]');
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
INSERT INTO "assignment" VALUES('press-00','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','2:press-00:1:back',2,1.0,0,0,1.7954069646680459976e+09,0);
INSERT INTO "assignment" VALUES('press-02','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-02:1',1,1.0,0,0,1.79540696235990262031e+09,0);
INSERT INTO "assignment" VALUES('press-01','detector','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','7:press-01:1',7,1.0,0,0,1.79540696489574408533e+09,1);
INSERT INTO "assignment" VALUES('press-05','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-05:1',1,1.0,0,0,1.79540696235990262031e+09,0);
INSERT INTO "assignment" VALUES('press-03','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-03:1',1,1.0,0,0,1.79540696235990262031e+09,0);
INSERT INTO "assignment" VALUES('press-04','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-04:1',1,1.0,0,0,1.79540696235990262031e+09,0);
INSERT INTO "assignment" VALUES('press-05','shadow-detector','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','3:press-05:1',3,1.0,0,0,1.7954069647647171021e+09,0);
INSERT INTO "assignment" VALUES('press-01','second','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','7:press-01:1',7,1.0,0,0,1.79540696489574408533e+09,1);
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
INSERT INTO "attempt" VALUES('1:press-00:1',1,'press-00',0,1,'committed',0,'','',NULL,1.79540696235990262031e+09,1.79540696271992707253e+09,1.79540696271992707253e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('1:press-02:1',1,'press-02',0,1,'committed',0,'','',NULL,1.79540696235990262031e+09,1.79540696271992707253e+09,1.79540696271992707253e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('1:press-01:1',1,'press-01',0,1,'committed',0,'','',NULL,1.79540696235990262031e+09,1.79540696271992707253e+09,1.79540696271992707253e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('1:press-05:1',1,'press-05',0,1,'committed',0,'','',NULL,1.79540696235990262031e+09,1.79540696271992707253e+09,1.79540696271992707253e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('1:press-03:1',1,'press-03',0,1,'committed',0,'','',NULL,1.79540696235990262031e+09,1.79540696271992707253e+09,1.79540696271992707253e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('1:press-04:1',1,'press-04',0,1,'committed',0,'','',NULL,1.79540696235990262031e+09,1.79540696271992707253e+09,1.79540696271992707253e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('2:press-00:1',2,'press-00',0,1,'rolled_back',0,'operator_rollback','brought back to the version it ran before','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79540696364214968677e+09,1795406965.03772,1795406965.03772,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('2:press-01:1',2,'press-01',1,1,'cancelled',0,'wave_skipped','its wave was skipped',NULL,NULL,1.79540696344395041468e+09,1.79540696344395041468e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('3:press-05:1',3,'press-05',0,1,'committed',0,'','',NULL,1.7954069647647171021e+09,1.79540696510748767856e+09,1.79540696510748767856e+09,0,0,1,0,0.0,'null','');
INSERT INTO "attempt" VALUES('4:press-00:1',4,'press-00',0,1,'cancelled',0,'','',NULL,NULL,1.79540696474427556995e+09,1.79540696474427556995e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('4:press-01:1',4,'press-01',0,1,'cancelled',0,'','',NULL,NULL,1.79540696474427556995e+09,1.79540696474427556995e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('5:press-04:1',5,'press-04',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79540696489574408533e+09,1.79540696489574408533e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('5:press-03:1',5,'press-03',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79540696489574408533e+09,1.79540696489574408533e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('5:press-05:1',5,'press-05',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79540696489574408533e+09,1.79540696489574408533e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('6:press-04:1',6,'press-04',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79540696489574408533e+09,1.79540696489574408533e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('6:press-03:1',6,'press-03',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79540696489574408533e+09,1.79540696489574408533e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('6:press-05:1',6,'press-05',0,1,'cancelled',0,'cancelled','the rollout was stopped',NULL,NULL,1.79540696489574408533e+09,1.79540696489574408533e+09,0,0,1,0,0.0,NULL,'');
INSERT INTO "attempt" VALUES('7:press-01:1',7,'press-01',0,1,'committed',0,'','','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',1.79540696489574408533e+09,1.79540696527788281441e+09,1.79540696527788281441e+09,0,0,1,0,0.0,'null','');
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
INSERT INTO "audit" VALUES(2,1.79540696024599909785e+09,'ada','admin','session','127.0.0.1','sign_in','/session',200,'{"name": "ada", "password": "(hidden)"}','0b4d70aee5a8210605ce52f63b3aeccad3152b7db0d72ea8c7c595e94804a6d3','5bd4ea2eb026852846043de5076a30ce9730d0fe5e604b58539879a3c4abc4e5');
INSERT INTO "audit" VALUES(3,1.79540696061340188981e+09,'ada','admin','session','127.0.0.1','create_user','/users',201,'{"name": "bob", "password": "(hidden)", "role": "operator"}','5bd4ea2eb026852846043de5076a30ce9730d0fe5e604b58539879a3c4abc4e5','7c71db201ca43712639e0f2ae9116949c626c367b28e1a0e2b76382d36bb10fb');
INSERT INTO "audit" VALUES(4,1.79540696063065505034e+09,'ada','admin','session','127.0.0.1','change_user','/users/bob',200,'{"role": "admin"}','7c71db201ca43712639e0f2ae9116949c626c367b28e1a0e2b76382d36bb10fb','2cb56251169d0010678054f1adc2e217c050e79dda780ef2fa51760f51a9092d');
INSERT INTO "audit" VALUES(5,1.79540696064165401454e+09,'ada','admin','session','127.0.0.1','create_api_token','/api-tokens',201,'{"name": "reads", "role": "admin"}','2cb56251169d0010678054f1adc2e217c050e79dda780ef2fa51760f51a9092d','bf16cb53fb7391999e75ad5e007e60950f4904d0676a8335e2006719617524ee');
INSERT INTO "audit" VALUES(6,1.79540696067566084856e+09,'ada','admin','session','127.0.0.1','change_settings','/settings',200,'{"values": {"soak_s": 1.0}}','bf16cb53fb7391999e75ad5e007e60950f4904d0676a8335e2006719617524ee','20ccb01a23f7dcf09f8b63f550691562f7e8e7b9010f9d7416d204c597fe140e');
INSERT INTO "audit" VALUES(7,1.79540696073874926565e+09,'ada','admin','session','127.0.0.1','push_model','/models',201,'{"bytes": 10423}','20ccb01a23f7dcf09f8b63f550691562f7e8e7b9010f9d7416d204c597fe140e','92819795ebd6330fb00098d8a7e383a6e7f842d963a3f15373ce65e120e10861');
INSERT INTO "audit" VALUES(8,1.79540696085487675665e+09,'ada','admin','session','127.0.0.1','push_model','/models',201,'{"bytes": 10423}','92819795ebd6330fb00098d8a7e383a6e7f842d963a3f15373ce65e120e10861','7ebbf0819ee91ba5328d6c92e614d135f98926ec4113d70f82d2c5fdc5005c53');
INSERT INTO "audit" VALUES(9,1.79540696088855695729e+09,'ada','admin','session','127.0.0.1','begin_upload','/uploads',201,'{"length_bytes": 10240, "sha256": "7a80730a49003c3f4f11b81c7def98d33d960ba066535a2a97eabf231e44cfe9"}','7ebbf0819ee91ba5328d6c92e614d135f98926ec4113d70f82d2c5fdc5005c53','339e874914297da8f33ddc9d95fc0ff0594d33d080f6aefe01eeadf6536ec7dc');
INSERT INTO "audit" VALUES(10,1.795406960936258316e+09,'ada','admin','session','127.0.0.1','finish_upload','/uploads/71a4e385148c3f650a70afc8662ca825/finish',201,'{}','339e874914297da8f33ddc9d95fc0ff0594d33d080f6aefe01eeadf6536ec7dc','a0a9b9eff1b4f626064f8e0fac4f62c70ec985fb166285a724a3ce0b74347a3f');
INSERT INTO "audit" VALUES(11,1.79540696102325844762e+09,'ada','admin','session','127.0.0.1','upload_measurements','/models/spotter/1.1.0/measurements',200,'{"digest": "e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129", "machine": "m", "profile": "cpu", "rows": [{"variant": "cpu-int8", "runtime": "lite_rt", "device": "cpu", "threads": 2, "streams": 1, "instances": 1, "batch": 1, "per_s": 10.0, "p50_ms": 5.0, "p95_ms": 6.0, "load_ms": 1.0, "memory_bytes": 1, "best": true}]}','a0a9b9eff1b4f626064f8e0fac4f62c70ec985fb166285a724a3ce0b74347a3f','25f953f63d3afc24b9fe988c8883c5a0744cc4d5dd12c4bb9f2fc8af18bdd8a7');
INSERT INTO "audit" VALUES(12,1.79540696106284499173e+09,'ada','admin','session','127.0.0.1','set_channel','/channels/spotter/stable',200,'{"version": "1.0.0", "note": "first"}','25f953f63d3afc24b9fe988c8883c5a0744cc4d5dd12c4bb9f2fc8af18bdd8a7','8cce8e07171e22370c4c875d7eb5651c39a09c45d4cc1bc80f4d5927c909978d');
INSERT INTO "audit" VALUES(13,1.79540696107487082484e+09,'ada','admin','session','127.0.0.1','set_channel','/channels/spotter/stable',200,'{"version": "1.1.0", "note": "first"}','8cce8e07171e22370c4c875d7eb5651c39a09c45d4cc1bc80f4d5927c909978d','0fc23a17fd593759ebf2d06c17a7bf37c628bff0498ab2545b405145e15c4d99');
INSERT INTO "audit" VALUES(14,1.79540696116409111016e+09,'ada','admin','session','127.0.0.1','prune_models','/models/prune',200,'{"dry_run": true}','0fc23a17fd593759ebf2d06c17a7bf37c628bff0498ab2545b405145e15c4d99','cd63b21b12b3324cf15b83daddfb15984b2a7a685c76e1c2c25e50238ce500df');
INSERT INTO "audit" VALUES(15,1.79540696122637534145e+09,'ada','admin','session','127.0.0.1','create_pipeline','/pipelines',201,'{"text": "name = \"gate\"\n[source]\nkind = \"device\"\n[[stages]]\nname = \"find\"\nkind = \"detect\"\nmodel = \"slot:detector\"\n"}','cd63b21b12b3324cf15b83daddfb15984b2a7a685c76e1c2c25e50238ce500df','aff31f42d642b9c3ff5cd459f723c1110a8a7c3274216c400e41debc22910a58');
INSERT INTO "audit" VALUES(16,1.79540696150044798854e+09,'ada','admin','session','127.0.0.1','label_device','/devices/press-00',200,'{"labels": {"site": "north", "lat": "59.3", "lon": "18.1"}}','aff31f42d642b9c3ff5cd459f723c1110a8a7c3274216c400e41debc22910a58','0866a4235e1075fff0215864ac5460ef88b040c2cfe081981b92f626eba0a30a');
INSERT INTO "audit" VALUES(17,1.79540696153864312166e+09,'ada','admin','session','127.0.0.1','put_group','/groups/north',200,'{"selector": {"labels": {"site": "north"}}, "note": "in the north"}','0866a4235e1075fff0215864ac5460ef88b040c2cfe081981b92f626eba0a30a','6c3383f9a5d2ce7b1c152178d7144239b670a891c4a71bc32f94c4df302c9af7');
INSERT INTO "audit" VALUES(18,1.7954069615753448009e+09,'ada','admin','session','127.0.0.1','send_command','/devices/press-00/commands',202,'{"op": "identify", "args": {"n": 1}}','6c3383f9a5d2ce7b1c152178d7144239b670a891c4a71bc32f94c4df302c9af7','ad5cfad9c823c839309043ee0066ad5476598c785c85f7fe3a511c3c72498d4a');
INSERT INTO "audit" VALUES(19,1.79540696177216863634e+09,'ada','admin','session','127.0.0.1','take_picture','/devices/press-00/snapshots',202,'{"pipeline": "gate"}','ad5cfad9c823c839309043ee0066ad5476598c785c85f7fe3a511c3c72498d4a','dce725b6791cc9814cd9d6ffa75e521a10f36c7bcb3f593c446574919af671d7');
INSERT INTO "audit" VALUES(20,1.79540696198008632657e+09,'ada','admin','session','127.0.0.1','bulk_devices','/devices/bulk',200,'{"action": "label", "labels": {"floor": "1"}, "selector": {"ids": ["press-00", "press-01"]}}','dce725b6791cc9814cd9d6ffa75e521a10f36c7bcb3f593c446574919af671d7','832c5128ca50d4214545c05267b66e354e2f671c28a7bb586a59fa95de00598c');
INSERT INTO "audit" VALUES(21,1.79540696230537319185e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.0.0", "package": "spotter", "version": "1.0.0", "slot": "detector", "selector": {"all": true}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}','832c5128ca50d4214545c05267b66e354e2f671c28a7bb586a59fa95de00598c','45b8ad66dc70f6cec81ed6088a2db2a38cf97632f7be0b99ffd893c090bc066c');
INSERT INTO "audit" VALUES(22,1.79540696332399392128e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.1.0", "package": "spotter", "version": "1.1.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "one", "count": 1, "approval": true}, {"name": "rest"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false}','45b8ad66dc70f6cec81ed6088a2db2a38cf97632f7be0b99ffd893c090bc066c','e417bcf2e3101986dcbc87ccc87df0294d04dcec81b1f76f134478d2de29c0b5');
INSERT INTO "audit" VALUES(23,1.79540696338761115069e+09,'ada','admin','session','127.0.0.1','start_rollout','/rollouts/2/start',200,'{"reason": "now"}','e417bcf2e3101986dcbc87ccc87df0294d04dcec81b1f76f134478d2de29c0b5','33bc1aa5f788b8c38bf3393a5359a668e6693e260271f762432465318a1619fd');
INSERT INTO "audit" VALUES(24,1.79540696340251159672e+09,'ada','admin','session','127.0.0.1','pause_rollout','/rollouts/2/pause',200,'{"reason": "a question"}','33bc1aa5f788b8c38bf3393a5359a668e6693e260271f762432465318a1619fd','053fa3563a095f44620bfd725d760d6072cb8e11a22fc72fca12be1ba3a30e7e');
INSERT INTO "audit" VALUES(25,1.7954069634166009426e+09,'ada','admin','session','127.0.0.1','resume_rollout','/rollouts/2/resume',200,'{"reason": "answered"}','053fa3563a095f44620bfd725d760d6072cb8e11a22fc72fca12be1ba3a30e7e','effadd0c1d5b183bd1e5dd749d9ae57c89c81482b60eb0c49219a1dec824bc5f');
INSERT INTO "audit" VALUES(26,1.79540696343446207041e+09,'ada','admin','session','127.0.0.1','skip_wave','/rollouts/2/skip',200,'{"wave": 1, "reason": "one is enough"}','effadd0c1d5b183bd1e5dd749d9ae57c89c81482b60eb0c49219a1dec824bc5f','b4820ea717a7fc3f73de1e2e10da0668c000d51b9d8c566c613a1295840f85a4');
INSERT INTO "audit" VALUES(27,1.79540696358752298357e+09,'ada','admin','session','127.0.0.1','approve_rollout','/rollouts/2/approve',200,'{"wave": 0, "reason": "agreed"}','b4820ea717a7fc3f73de1e2e10da0668c000d51b9d8c566c613a1295840f85a4','46d3960f26c9d7d177c234801c6158ed7e6df8b7c2406ffeda4830d2d16bcd29');
INSERT INTO "audit" VALUES(28,1.79540696460075283047e+09,'ada','admin','session','127.0.0.1','rollback_rollout','/rollouts/2/rollback',200,'{"reason": "too slow"}','46d3960f26c9d7d177c234801c6158ed7e6df8b7c2406ffeda4830d2d16bcd29','0678c015560371bc3d43432a8e971f566569ffaadf62e7834eed137db4ccc05e');
INSERT INTO "audit" VALUES(29,1.79540696471169662477e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "shadow-detector", "selector": {"ids": ["press-05"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true}','0678c015560371bc3d43432a8e971f566569ffaadf62e7834eed137db4ccc05e','47deada273abee07680c08cf508d76a02e72096c27a6767f448222e7c32b9dae');
INSERT INTO "audit" VALUES(30,1.79540696473439788816e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-00", "press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": false}','47deada273abee07680c08cf508d76a02e72096c27a6767f448222e7c32b9dae','904d95aae4967e39223842c7fbed60b78f247bca5ce2d7fa74688013ddfb7872');
INSERT INTO "audit" VALUES(31,1.79540696474699306489e+09,'ada','admin','session','127.0.0.1','abort_rollout','/rollouts/4/abort',200,'{"reason": "the wrong day"}','904d95aae4967e39223842c7fbed60b78f247bca5ce2d7fa74688013ddfb7872','33431537b474838bc8992d54fc2973afddf2b13eb856f213cba12f47c3b0ae0b');
INSERT INTO "audit" VALUES(32,1.79540696482169198988e+09,'ada','admin','session','127.0.0.1','create_experiment','/experiments',201,'{"name": "faster", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','33431537b474838bc8992d54fc2973afddf2b13eb856f213cba12f47c3b0ae0b','cd0061433e66ee7fcdeb579f8e33f0682f1fea0e96ffd6556f620a6f004757a3');
INSERT INTO "audit" VALUES(33,1.79540696484194946293e+09,'ada','admin','session','127.0.0.1','choose_experiment_arm','/experiments/1/choose',200,'{"arm": "a", "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','cd0061433e66ee7fcdeb579f8e33f0682f1fea0e96ffd6556f620a6f004757a3','f842449efdc2236a840fa3d915f721b16d2e756b785db1b3c93e1af6540bffc6');
INSERT INTO "audit" VALUES(34,1.79540696485962438582e+09,'ada','admin','session','127.0.0.1','create_experiment','/experiments',201,'{"name": "again", "selector": {"ids": ["press-02", "press-03", "press-04", "press-05"]}, "arms": [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}], "waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}','f842449efdc2236a840fa3d915f721b16d2e756b785db1b3c93e1af6540bffc6','c6d73a45d7c88f36337aa005487d3044af01a0f2b601ec041a9be4d3c3bb616c');
INSERT INTO "audit" VALUES(35,1.79540696486999034882e+09,'ada','admin','session','127.0.0.1','stop_experiment','/experiments/2/stop',200,'{}','c6d73a45d7c88f36337aa005487d3044af01a0f2b601ec041a9be4d3c3bb616c','8ab3630b48fa9d733119d8729ab6a778e631322f0cdddc357097a74e639a71a6');
INSERT INTO "audit" VALUES(36,1.79540696489013242723e+09,'ada','admin','session','127.0.0.1','create_rollout','/rollouts',201,'{"name": "spotter 1.2.0", "package": "spotter", "version": "1.2.0", "slot": "detector", "selector": {"ids": ["press-01"]}, "waves": [{"name": "all"}], "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3}, "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 120.0, "start": true, "parts": [{"package": "spotter", "slot": "second", "version": "1.1.0"}], "terms": {"follow": true, "prestage": true, "rate": {"per_minute": 60, "grow_after": 10}, "retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}}}','8ab3630b48fa9d733119d8729ab6a778e631322f0cdddc357097a74e639a71a6','acd8d0380d57d2c06f6527ff31f5b984c3ee9067a7c06f48ef7e3d44159ffd1b');
INSERT INTO "audit" VALUES(37,1.79540696490930891037e+09,'ada','admin','session','127.0.0.1','pin_device','/devices/press-03/pins/detector',200,'{"reason": "a demonstration"}','acd8d0380d57d2c06f6527ff31f5b984c3ee9067a7c06f48ef7e3d44159ffd1b','b55df03338874ae924f8c88a7f6266b2416c207bacbfcd937cca817840f92609');
INSERT INTO "audit" VALUES(38,1.79540696493173193926e+09,'ada','admin','session','127.0.0.1','pin_device','/devices/press-04/pins/detector',200,'{"reason": "for a day"}','b55df03338874ae924f8c88a7f6266b2416c207bacbfcd937cca817840f92609','bb2ee444608911b602ad8161efdbcf05b74d7d21d24abb8252a8d463dc9b9d1a');
INSERT INTO "audit" VALUES(39,1.79540696494700980183e+09,'ada','admin','session','127.0.0.1','unpin_device','/devices/press-04/pins/detector',200,'{}','bb2ee444608911b602ad8161efdbcf05b74d7d21d24abb8252a8d463dc9b9d1a','bec672db9ca6c43512cf41a9de0f885c917b1e326b797230d620ed7f3d6ad2f5');
INSERT INTO "audit" VALUES(40,1.79540696495848488807e+09,'ada','admin','session','127.0.0.1','release_device','/devices/press-01/release',200,'{}','bec672db9ca6c43512cf41a9de0f885c917b1e326b797230d620ed7f3d6ad2f5','c88695b1028646548ad327910afa119ee23a7b2257ea7cd31736a70ffe7b1d2b');
INSERT INTO "audit" VALUES(41,1.79540696497152853011e+09,'ada','admin','session','127.0.0.1','create_alert_rule','/alert-rules',201,'{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -1.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "(hidden)"}]}}','c88695b1028646548ad327910afa119ee23a7b2257ea7cd31736a70ffe7b1d2b','30b32a03f0b4c292ebff1b3a5dcbcdf9c7af2cc0de16747c06ac9871a31a8b32');
INSERT INTO "audit" VALUES(42,1.7954069702548577786e+09,'ada','admin','session','127.0.0.1','acknowledge_alert','/alerts/1/acknowledge',204,'{}','30b32a03f0b4c292ebff1b3a5dcbcdf9c7af2cc0de16747c06ac9871a31a8b32','3881e117cce28b68195a6f761d103203b3f13e7dbd03e2719f5e0aa2b3db1625');
INSERT INTO "audit" VALUES(43,1.79540697026098275187e+09,'ada','admin','session','127.0.0.1','change_alert_rule','/alert-rules/1',200,'{"name": "fast", "rule": {"kind": "threshold", "figure": "fps", "above": -2.0, "for_s": 0.0, "webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "(hidden)"}]}}','3881e117cce28b68195a6f761d103203b3f13e7dbd03e2719f5e0aa2b3db1625','55e47dcb2ecfccad89ce5e09cdf701079e88a4f0e03e3b9432894fa4f31ae0c9');
INSERT INTO "audit" VALUES(44,1.79540697026772809027e+09,'ada','admin','session','127.0.0.1','silence_alert_rule','/alert-rules/1/silence',200,'{"for_s": 60.0}','55e47dcb2ecfccad89ce5e09cdf701079e88a4f0e03e3b9432894fa4f31ae0c9','b3bf8e66d72deaea96e3fc2504f7304f069731c8f5b237e6415a3fc43a12ce77');
INSERT INTO "audit" VALUES(45,1.79540697030773735041e+09,'ada','admin','session','127.0.0.1','rotate_trust_key','/trust/rotate',200,'{"role": "snapshot"}','b3bf8e66d72deaea96e3fc2504f7304f069731c8f5b237e6415a3fc43a12ce77','110cd8a30f67f3c2d27423465a23ba0b16949abdb4581904551fc526c27b82b7');
INSERT INTO "audit" VALUES(46,1.7954069703832211494e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"labels": {"site": "north"}, "life_s": 100000.0}','110cd8a30f67f3c2d27423465a23ba0b16949abdb4581904551fc526c27b82b7','07b238760a3a97a86949cff08eaef49bf4fdf6d23c7c3e108f2f15adada70574');
INSERT INTO "audit" VALUES(47,1.79540697039090514186e+09,'ada','admin','session','127.0.0.1','create_enrolment_token','/enrolment-tokens',201,'{"labels": {"site": "north"}, "life_s": 100000.0}','07b238760a3a97a86949cff08eaef49bf4fdf6d23c7c3e108f2f15adada70574','afd1dce0f42bd7d28a8d7b7b8c53195e3c75e4463d58116f7bffe588d6794932');
INSERT INTO "audit" VALUES(48,1.79540697051332283013e+09,'ada','admin','session','127.0.0.1','enrol_device','/enrol',200,'{"token": "(hidden)", "device": "enrolled-1", "request": "-----BEGIN CERTIFICATE REQUEST-----\nMIHPMHcCAQAwFTETMBEGA1UEAwwKZW5yb2xsZWQtMTBZMBMGByqGSM49AgEGCCqG\nSM49AwEHA0IABNGr9iBlDI4rhmN72M1tlrOHoMxvsCHOQ5MzZx6n2NdLlTWn5dkq\ncfdocvpUPxlBTHBVj/0icOuaG9sYcG6z6bSgADAKBggqhkjOPQQDAgNIADBFAiAo\nhGHHV8U3vu6R7gbps3xbUkapyW92oxV4rtPAnjIwngIhAPE5182EZ6aTWTIGXsj7\n1bIaFOV9qToJNtsjiCnaT32l\n-----END CERTIFICATE REQUEST-----\n"}','afd1dce0f42bd7d28a8d7b7b8c53195e3c75e4463d58116f7bffe588d6794932','d070c7026eb08a8c112f245016def83ed9b94d090128b29ff8c1e7f5f00a179e');
INSERT INTO "audit" VALUES(49,1.79540697053221583361e+09,'ada','admin','session','127.0.0.1','block_device','/devices/enrolled-1/block',200,'{"reason": "lost"}','d070c7026eb08a8c112f245016def83ed9b94d090128b29ff8c1e7f5f00a179e','cff989bc564914bc383ae4b8bbe1de254b9b5653382bc1e7d6320c94b85a8ab2');
INSERT INTO "audit" VALUES(50,1.79540697054326963419e+09,'ada','admin','session','127.0.0.1','unblock_device','/devices/enrolled-1/block',200,'{}','cff989bc564914bc383ae4b8bbe1de254b9b5653382bc1e7d6320c94b85a8ab2','a387940cd50c6df8f40a21935a56abf9d7c56d8a1821ea0029bfec922e6395ce');
INSERT INTO "audit" VALUES(51,1.79540697055143380167e+09,'ada','admin','session','127.0.0.1','block_device','/devices/enrolled-1/block',200,'{"reason": "lost again"}','a387940cd50c6df8f40a21935a56abf9d7c56d8a1821ea0029bfec922e6395ce','51063f6aa827a2253217187c5c6fe20f08c74b4d4c08b1aa7bf279f714f96eca');
INSERT INTO "audit" VALUES(52,1.79540697195226335528e+09,'ada','admin','session','127.0.0.1','change_password','/session/password',204,'{"current": "(hidden)", "password": "(hidden)"}','51063f6aa827a2253217187c5c6fe20f08c74b4d4c08b1aa7bf279f714f96eca','ea0b78552d0ce871f6042a394e684a6ee8afce5fa1fe0a468ba93215d168003f');
CREATE TABLE audit_archived (
	seq INTEGER NOT NULL, 
	digest VARCHAR NOT NULL, 
	PRIMARY KEY (seq)
);
INSERT INTO "audit_archived" VALUES(1,'0b4d70aee5a8210605ce52f63b3aeccad3152b7db0d72ea8c7c595e94804a6d3');
CREATE TABLE blob (
	sha256 VARCHAR NOT NULL, 
	length INTEGER NOT NULL, 
	created_at FLOAT NOT NULL, 
	PRIMARY KEY (sha256)
);
INSERT INTO "blob" VALUES('6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723',388,1.7954069606866643429e+09);
INSERT INTO "blob" VALUES('d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b',500,1.7954069606866643429e+09);
INSERT INTO "blob" VALUES('63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf',30,1.79540696091858911513e+09);
INSERT INTO "blob" VALUES('916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90',56,1.79540696091858911513e+09);
INSERT INTO "blob" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509',811,1.7954069606866643429e+09);
INSERT INTO "blob" VALUES('7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410',388,1.79540696082788753511e+09);
INSERT INTO "blob" VALUES('fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de',500,1.79540696082788753511e+09);
INSERT INTO "blob" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129',811,1.79540696082788753511e+09);
INSERT INTO "blob" VALUES('6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb',388,1.79540696091858911513e+09);
INSERT INTO "blob" VALUES('e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d',500,1.79540696091858911513e+09);
INSERT INTO "blob" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01',811,1.79540696091858911513e+09);
INSERT INTO "blob" VALUES('d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a',217,1.79540696117999243729e+09);
INSERT INTO "blob" VALUES('a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66',104,1.79540696117999243729e+09);
INSERT INTO "blob" VALUES('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9',433,1.79540696117999243729e+09);
CREATE TABLE blocked_device (
	device VARCHAR NOT NULL, 
	blocked_at FLOAT NOT NULL, 
	reason VARCHAR NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "blocked_device" VALUES('enrolled-1',1.79540697054948520661e+09,'lost again');
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
INSERT INTO "channel" VALUES('spotter','stable','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129',1.79540696107095336915e+09,'ada','first');
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
INSERT INTO "channel_change" VALUES(1,'spotter','stable','1.0.0','',1.79540696105722117422e+09,'ada','first');
INSERT INTO "channel_change" VALUES(2,'spotter','stable','1.1.0','1.0.0',1.79540696107095336915e+09,'ada','first');
CREATE TABLE checkpoint (
	name VARCHAR NOT NULL, 
	value INTEGER NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "checkpoint" VALUES('rollup hours',1795413600);
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
INSERT INTO "command" VALUES('1d8ed9473a304bce8ca4cb68c771bd34','press-00','identify','{"n": 1}','done','did it','{"n":1}',1.79540696156313848499e+09,1.7954069915631384849e+09,1.79540696168429923058e+09);
INSERT INTO "command" VALUES('c2c66c6656e5462cba7ad04086fb2803','press-00','snapshot','{"overlays": false, "pipeline": "gate"}','done','did it','{"overlays":false,"pipeline":"gate"}',1.79540696177097940447e+09,1.79540702177097940446e+09,1.79540696186820387838e+09);
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
INSERT INTO "cursor" VALUES('press-00','telemetry','press-00-epoch',6,'[]',0.0,0,0,1.79540696503257775308e+09);
INSERT INTO "cursor" VALUES('press-00','events','press-00-epoch',3,'[]',0.0,0,0,1.79540696140992116929e+09);
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
	released_at FLOAT DEFAULT 0 NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "device" VALUES('press-00',1.79540696140992116929e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{"site": "north", "lat": "59.3", "lon": "18.1", "floor": "1"}','{}','{"site": "north", "lat": "59.3", "lon": "18.1", "floor": "1"}',0.0);
INSERT INTO "device" VALUES('press-01',1.79540696140992116929e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{"floor": "1"}','{}','{"floor": "1"}',1.79540696495841670034e+09);
INSERT INTO "device" VALUES('press-02',1.79540696140992116929e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0);
INSERT INTO "device" VALUES('press-03',1.79540696140992116929e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0);
INSERT INTO "device" VALUES('press-04',1.79540696140992116929e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0);
INSERT INTO "device" VALUES('press-05',1.79540696140992116929e+09,'virtual','cpu','["lite_rt","onnx_runtime"]','{"arch":"none"}','{}','{}','{}',0.0);
CREATE TABLE device_certificate (
	serial VARCHAR NOT NULL, 
	device VARCHAR NOT NULL, 
	issued_at FLOAT NOT NULL, 
	expires_at FLOAT NOT NULL, 
	revoked_at FLOAT, 
	PRIMARY KEY (serial)
);
INSERT INTO "device_certificate" VALUES('2bd48f17e125671842649a8537bb2abce95145fa','enrolled-1',1.79540697049445343016e+09,1803182970.0,1.79540697053016114238e+09);
CREATE TABLE device_group (
	name VARCHAR NOT NULL, 
	selector JSON NOT NULL, 
	note VARCHAR NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "device_group" VALUES('north','{"all": false, "ids": [], "labels": {"site": "north"}, "group": null}','in the north',1.79540696153531837463e+09,'ada');
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
INSERT INTO "device_last" VALUES('press-00','offline',1.79540697209968805317e+09,'boot-1','',1,1.79540697209968805317e+09,'boot-1',13,3,'{}',0,'[]','[]',0,1.79540696497390627863e+09,'{"at":1795406964.9739063,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}',15.0,12.0,0.0,NULL,20.0,1.0,1.79540696140992116929e+09);
INSERT INTO "device_last" VALUES('press-01','offline',1.79540697215327143664e+09,'boot-1','',1,1.79540697215327143664e+09,'boot-1',12,2,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.79540696140992116929e+09);
INSERT INTO "device_last" VALUES('press-02','offline',1.79540697225071907046e+09,'boot-1','',1,1.79540697225071907046e+09,'boot-1',5,1,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.79540696140992116929e+09);
INSERT INTO "device_last" VALUES('press-03','offline',1.79540697230423378942e+09,'boot-1','',1,1.79540697230423378942e+09,'boot-1',5,1,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.79540696140992116929e+09);
INSERT INTO "device_last" VALUES('press-04','offline',1.7954069724012570381e+09,'boot-1','',1,1.7954069724012570381e+09,'boot-1',5,1,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.79540696140992116929e+09);
INSERT INTO "device_last" VALUES('press-05','offline',1.79540697245469164844e+09,'boot-1','',1,1.79540697245469164844e+09,'boot-1',9,2,'{}',10000000000,'[]','[]',0,0.0,'{}',0.0,0.0,0.0,NULL,0.0,1.0,1.79540696140992116929e+09);
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
INSERT INTO "device_slot" VALUES('press-03','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795406962.615551}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-03:1','none','',0,0,1.79540696261555671698e+09);
INSERT INTO "device_slot" VALUES('press-02','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795406962.616528}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-02:1','none','',0,0,1.7954069626165342331e+09);
INSERT INTO "device_slot" VALUES('press-04','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795406962.617973}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-04:1','none','',0,0,1.79540696261797785761e+09);
INSERT INTO "device_slot" VALUES('press-00','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795406964.9193995}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','2:press-00:1:back','none','',0,0,1.79540696491940808291e+09);
INSERT INTO "device_slot" VALUES('press-05','detector','committed','spotter','1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','{"package":"spotter","version":"1.0.0","digest":"2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509","runtime":"lite_rt","since_at":1795406964.7919765}','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','1:press-05:1','none','',0,0,1.79540696479198384283e+09);
INSERT INTO "device_slot" VALUES('press-05','shadow-detector','committed','spotter','1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795406965.037733}','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','3:press-05:1','none','',0,0,1.79540696503773951524e+09);
INSERT INTO "device_slot" VALUES('press-01','detector','committed','spotter','1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','{"package":"spotter","version":"1.2.0","digest":"a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01","runtime":"lite_rt","since_at":1795406965.1744254}','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','7:press-01:1','none','',0,0,1.79540696517443537716e+09);
INSERT INTO "device_slot" VALUES('press-01','second','committed','spotter','1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','{"package":"spotter","version":"1.1.0","digest":"e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129","runtime":"lite_rt","since_at":1795406965.174602}','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','7:press-01:1','none','',0,0,1.79540696517460513113e+09);
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
INSERT INTO "enrolment_token" VALUES('d9dd11c448e8','5829b7daaaed1e8346b5a69bc0f69fb142c2112f9150ffe75b05f9354a5aa29c','','{"site": "north"}',1.79540697037837243075e+09,1.79550697037837243084e+09,1.79540697049445343016e+09,'enrolled-1',NULL);
INSERT INTO "enrolment_token" VALUES('00b4c316bcee','d6e3cfd50f768f803f35630529922919df3033c0e1b1455d183ae7096483b4bc','','{"site": "north"}',1.79540697038985729212e+09,1.79550697038985729216e+09,NULL,'',NULL);
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
INSERT INTO "event" VALUES(1,'press-00',1.79540696138816070551e+09,1.79540696140992116929e+09,'visit','person','{"kind":"visit","id":"e0","at":1795406961.3881607,"label":"person","count":0}');
INSERT INTO "event" VALUES(2,'press-00',1.79540696138816213605e+09,1.79540696140992116929e+09,'visit','person','{"kind":"visit","id":"e1","at":1795406961.3881621,"label":"person","count":1}');
INSERT INTO "event" VALUES(3,'press-00',1.79540696138816285136e+09,1.79540696140992116929e+09,'visit','person','{"kind":"visit","id":"e2","at":1795406961.3881629,"label":"person","count":2}');
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
INSERT INTO "experiment" VALUES(1,'faster','detector','ended','hash','',1.7954069648103034496e+09,'ada',1.79540696483752369879e+09,'ada','a',NULL,'',NULL);
INSERT INTO "experiment" VALUES(2,'again','detector','ended','hash','',1.79540696485226345061e+09,'ada',1.79540696486814618107e+09,'ada','',NULL,'',NULL);
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
INSERT INTO "measurement" VALUES(1,'e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','cpu','m',1.79540696101847290994e+09,'cpu-int8','lite_rt','cpu',2,1,1,1,5.0,6.0,10.0,1,1.0,1);
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
INSERT INTO "member" VALUES('m-1','all','host','0.2.0',1,0,0,0,0,0,0,1.79540697316006374363e+09,1.79540697316006374363e+09,0.0,0.0,0.0,0.0,0,0);
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
INSERT INTO "notice" VALUES(1,'http://127.0.0.1:9/hook',1,'{"what": "began", "id": 1, "rule": 1, "rule_name": "fast", "severity": "warning", "subject": "press-00", "text": "fps 15, over the limit of -1", "value": 15.0, "began_at": 1795406970.2022364, "ended_at": null, "acknowledged_at": null, "acknowledged_by": "", "rollout": null}','waiting',1,1.795406981073545456e+09,1.79540697020223641395e+09,'[Errno 111] Connection refused');
CREATE TABLE openid_login (
	state VARCHAR NOT NULL, 
	browser VARCHAR NOT NULL, 
	nonce VARCHAR NOT NULL, 
	verifier VARCHAR NOT NULL, 
	redirect VARCHAR NOT NULL, 
	started_at FLOAT NOT NULL, 
	PRIMARY KEY (state)
);
INSERT INTO "openid_login" VALUES('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb','nonce','verifier','/',1.79540697316006374363e+09);
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
INSERT INTO "package" VALUES('2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','spotter','1.0.0',1.7954069606866643429e+09,811,974,'{"name": "spotter", "version": "1.0.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "6daa860e2cdfe039a8a1489fd4fa0453a6aa3eabea0582686a2275e114f3a723"}, {"path": "model.tflite", "length": 500, "sha256": "d4e38774a8248aa03aff9ffae87256e89b1740b6997581a978e110ffe81eb38b"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','spotter','1.1.0',1.79540696082788753511e+09,811,974,'{"name": "spotter", "version": "1.1.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "7f4840d9c56d0109cfe0f933d64b4fe42dc675a9189e603cee56c0d4314be410"}, {"path": "model.tflite", "length": 500, "sha256": "fb3cb7c7a335887ac7ff1e614bf8076d028be6a4e450ed8394ffc282e15579de"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','spotter','1.2.0',1.79540696091858911513e+09,811,974,'{"name": "spotter", "version": "1.2.0", "task": "detection", "head": {"family": "yolox"}, "variants": [{"name": "cpu-int8", "format": "tflite", "files": ["model.tflite"], "runtimes": ["lite_rt"], "precision": "int8"}], "inputs": [{"name": "image", "shape": [1, 32, 32, 3]}], "title": "Test model", "licence": "Apache-2.0", "labels": ["person"], "golden": [{"input": "golden/one.jpg", "expect": "golden/one.json"}]}','[{"path": "model.toml", "length": 388, "sha256": "6ece928f333d32fc3d04a52879e2e7acb8640d5d307b0c57586f167ddc85bafb"}, {"path": "model.tflite", "length": 500, "sha256": "e8c528f65fa4d15776b179b665d1ed76e6111873018238425bfe7a388139ca8d"}, {"path": "golden/one.jpg", "length": 30, "sha256": "63d6434d3b9a8955cbcba6a5fc73b0286053c0b0222392923dba054d1619d3cf"}, {"path": "golden/one.json", "length": 56, "sha256": "916a8bdcabf8f9e4cefd8e9d3e10a5e012111c5315d4df158a2a33336668ac90"}]',NULL);
INSERT INTO "package" VALUES('8572ed4b2f0bf85f4688dcac9b064f020601ce71566d2a11f73ff612bf397bd9','pipeline-gate','1.0.0',1.79540696117999243729e+09,433,321,'{"name": "pipeline-gate", "version": "1.0.0", "task": "pipeline", "head": {"family": "pipeline"}, "variants": [{"name": "all", "format": "pipeline", "files": ["pipeline.toml"], "runtimes": ["pipelines"]}], "title": "gate"}','[{"path": "model.toml", "length": 217, "sha256": "d1ea26f3de15e60718040020d75c18323779212098ceecc7d00b841eff478d6a"}, {"path": "pipeline.toml", "length": 104, "sha256": "a431fad5df24befd891da0788c23fe2cf1994a803b045934dd43b73682de6d66"}]',NULL);
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
INSERT INTO "person" VALUES('ada','admin','scrypt$15$8$3$3KUDYegykwuEeOnOPi6Veg==$dP5FSm2zLnJwP8Xc+poNxC7ZvDLABS0e3MHxjh156sI=',1.79540695952856469157e+09,0,NULL);
INSERT INTO "person" VALUES('bob','admin','scrypt$15$8$3$ikWaJ9njfusV1NGmWGL6Iw==$1RdzdaM6sET2cvwN033b91zIW7BytsiQf/9GO7y5rVE=',1.79540696060854339599e+09,0,NULL);
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
INSERT INTO "pin" VALUES('press-03','detector','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','a demonstration','ada',1.79540696490866374967e+09);
CREATE TABLE retention (
	kind VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	removed INTEGER NOT NULL, 
	took_s FLOAT NOT NULL, 
	problem VARCHAR NOT NULL, 
	PRIMARY KEY (kind)
);
INSERT INTO "retention" VALUES('samples',1.79540696006706571585e+09,0,3.00140000035753473639e-04,'');
INSERT INTO "retention" VALUES('events',1.79540696006706571585e+09,0,3.39682999765500426292e-04,'');
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
INSERT INTO "rollout" VALUES(1,'spotter 1.0.0','2ccb26deb66b84859985a5b01912b18da37851df8aca31b6fe9d4e847cf4c509','detector','completed','',1.79540696229900312427e+09,1.79540696229900312427e+09,1.79540696328175234794e+09,1.79540696328175234794e+09,'{"all": true, "ids": [], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(2,'spotter 1.1.0','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','rolled_back','',1.79540696332234454152e+09,1.79540696338359880446e+09,1795406965.03772,1795406965.03772,'{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}','[{"name": "one", "percent": null, "count": 1, "labels": {}, "approval": true}, {"name": "rest", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(3,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','shadow-detector','completed','',1.79540696470883154867e+09,1.79540696470883154867e+09,1.79540696583196640015e+09,1.79540696583196640015e+09,'{"all": false, "ids": ["press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(4,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','detector','aborted','the wrong day',1.795406964732899189e+09,NULL,1.79540696474427556995e+09,1.79540696474427556995e+09,'{"all": false, "ids": ["press-00", "press-01"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(5,'faster: b','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','aborted','',1.7954069648103034496e+09,1.7954069648103034496e+09,1.79540696489574408533e+09,1.79540696489574408533e+09,'{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 120.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 0.2, "trial_frames_min": 10}',3600.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(6,'again: b','e119169f826ebfd4a1e74afc1f873215e144633e8f69ccc90441ef5aea356129','detector','aborted','',1.79540696485226345061e+09,1.79540696485226345061e+09,1.79540696489574408533e+09,1.79540696489574408533e+09,'{"all": false, "ids": ["press-03", "press-04", "press-05"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 120.0, "soak_s": 0.1, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 0.2, "trial_frames_min": 10}',3600.0,'{"retry": {"tries_max": 3, "back_off_s": 60.0, "factor": 4.0}, "rate": null, "window": null, "follow": false, "prestage": false}',500,'ada',NULL);
INSERT INTO "rollout" VALUES(7,'spotter 1.2.0','a2003738bdf1b34452804f23242cd5deed438037d4b7a9018c0964f761878a01','detector','completed','',1.79540696488243627548e+09,1.79540696488243627548e+09,1.79540696583196640015e+09,1.79540696583196640015e+09,'{"all": false, "ids": ["press-01"], "labels": {}, "group": null}','[{"name": "all", "percent": null, "count": null, "labels": {}, "approval": false}]','{"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3, "test": "both", "tolerated_percent": null, "confidence_percent": 99.0, "regressions": null}','{"trial_s": 1.0, "trial_frames_min": 0}',120.0,'{"retry": {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}, "rate": {"per_minute": 60, "factor": 1.0, "grow_after": 10, "per_minute_max": 1000}, "window": null, "follow": true, "prestage": true}',500,'ada',NULL);
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
INSERT INTO "rollup" VALUES(60,'press-00',1795406640,X'84AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795406700,X'84AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795406760,X'84AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795406820,X'84AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795406880,X'84AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(60,'press-00',1795406940,X'84AB6370755F70657263656E749501CB4034000000000000CB4034000000000000CB4034000000000000814B01A36670739501CB402E000000000000CB402E000000000000CB402E000000000000814401AF64726F707065645F70657263656E749501CB0000000000000000CB0000000000000000CB000000000000000081D1800001AE6C6174656E63795F7039355F6D739501CB4028000000000000CB4028000000000000CB4028000000000000813F01');
INSERT INTO "rollup" VALUES(3600,'press-00',1795406400,X'84AB6370755F70657263656E749506CB405E000000000000CB4034000000000000CB4034000000000000814B06A36670739506CB4056800000000000CB402E000000000000CB402E000000000000814406AF64726F707065645F70657263656E749506CB0000000000000000CB0000000000000000CB000000000000000081D1800006AE6C6174656E63795F7039355F6D739506CB4052000000000000CB4028000000000000CB4028000000000000813F06');
CREATE TABLE secret (
	name VARCHAR NOT NULL, 
	value VARCHAR NOT NULL, 
	made_at FLOAT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "secret" VALUES('corpus','09b9474a149c3cbafa2c5f0af4ec4c8d',1.79540697328207969661e+09);
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
INSERT INTO "session" VALUES('46bbd3d3ef703d4a952b40798a45bf94e2ad4c540c235137961bdcb1f3ab7b37','ada',1795406959.91168,1795406959.91168,1796011759.91168,'127.0.0.1','python-httpx/0.28.1');
CREATE TABLE setting (
	name VARCHAR NOT NULL, 
	value JSON NOT NULL, 
	changed_at FLOAT NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "setting" VALUES('soak_s',1,1.79540696067379164694e+09,'ada');
CREATE TABLE telemetry (
	id INTEGER NOT NULL, 
	device VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	received_at FLOAT NOT NULL, 
	record VARCHAR NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "telemetry" VALUES(1,'press-00',1.79540666138814020156e+09,1.79540696140992116929e+09,'{"at":1795406661.3881402,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":0}');
INSERT INTO "telemetry" VALUES(2,'press-00',1.79540672138814496995e+09,1.79540696140992116929e+09,'{"at":1795406721.388145,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":1}');
INSERT INTO "telemetry" VALUES(3,'press-00',1.79540678138814735411e+09,1.79540696140992116929e+09,'{"at":1795406781.3881474,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":2}');
INSERT INTO "telemetry" VALUES(4,'press-00',1.79540684138814949991e+09,1.79540696140992116929e+09,'{"at":1795406841.3881495,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":3}');
INSERT INTO "telemetry" VALUES(5,'press-00',1.79540690138815164566e+09,1.79540696140992116929e+09,'{"at":1795406901.3881516,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":4}');
INSERT INTO "telemetry" VALUES(6,'press-00',1.79540696497390627863e+09,1.79540696503257775308e+09,'{"at":1795406964.9739063,"window_s":1.0,"pipelines":{"hall":{"process_fps":15.0,"camera_fps":15.0,"latency":{"find":{"p50_ms":9.0,"p95_ms":12.0,"max_ms":20.0}}}},"cpu_percent":20.0,"outbox_records":6}');
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
INSERT INTO "timeline" VALUES(1,1,1.79540696229900312427e+09,'created','Created: spotter 1.0.0',NULL,NULL);
INSERT INTO "timeline" VALUES(2,1,1.79540696229900312427e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(3,1,1.79540696235990262031e+09,'wave_running','Wave ''all'' began',0,NULL);
INSERT INTO "timeline" VALUES(4,1,1.79540696271992707253e+09,'wave_soaking','Wave ''all'' is done and being watched',0,NULL);
INSERT INTO "timeline" VALUES(5,1,1.79540696328175234794e+09,'wave_passed','Wave ''all'' passed: 0 of 6 reported devices failed (0 %); the limit is 10 %',0,NULL);
INSERT INTO "timeline" VALUES(6,1,1.79540696328175234794e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(7,2,1.79540696332234454152e+09,'created','Created: spotter 1.1.0',NULL,NULL);
INSERT INTO "timeline" VALUES(8,2,1.79540696338359880446e+09,'running','Running: now',NULL,NULL);
INSERT INTO "timeline" VALUES(9,2,1.79540696340052914614e+09,'paused','Paused: a question',NULL,NULL);
INSERT INTO "timeline" VALUES(10,2,1.79540696341295146938e+09,'resumed','Running: answered',NULL,NULL);
INSERT INTO "timeline" VALUES(11,2,1.79540696343030023573e+09,'wave_skipped','Wave ''rest'' was skipped by ada: one is enough; 1 device not done, left as they are',1,NULL);
INSERT INTO "timeline" VALUES(12,2,1.79540696345832586286e+09,'wave_approved','Wave ''one'' was approved by ada: agreed',0,NULL);
INSERT INTO "timeline" VALUES(13,2,1.79540696364214968677e+09,'wave_running','Wave ''one'' began',0,NULL);
INSERT INTO "timeline" VALUES(14,2,1.7954069639959461689e+09,'wave_soaking','Wave ''one'' is done and being watched',0,NULL);
INSERT INTO "timeline" VALUES(15,2,1.79540696455414152147e+09,'wave_passed','Wave ''one'' passed: 0 of 1 reported devices failed (0 %); the limit is 10 %',0,NULL);
INSERT INTO "timeline" VALUES(16,2,1.79540696455414152147e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(17,2,1.79540696459832477566e+09,'rolling_back','Rolling back: too slow',NULL,NULL);
INSERT INTO "timeline" VALUES(18,3,1.79540696470883154867e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(19,3,1.79540696470883154867e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(20,4,1.795406964732899189e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(21,4,1.79540696474427556995e+09,'aborted','Aborted: the wrong day',NULL,NULL);
INSERT INTO "timeline" VALUES(22,3,1.7954069647647171021e+09,'wave_running','Wave ''all'' began',0,NULL);
INSERT INTO "timeline" VALUES(23,5,1.7954069648103034496e+09,'created','Created: faster: b',NULL,NULL);
INSERT INTO "timeline" VALUES(24,5,1.7954069648103034496e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(25,5,1.79540696483752369879e+09,'aborting','Aborting: experiment 1 took a',NULL,NULL);
INSERT INTO "timeline" VALUES(26,6,1.79540696485226345061e+09,'created','Created: again: b',NULL,NULL);
INSERT INTO "timeline" VALUES(27,6,1.79540696485226345061e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(28,6,1.79540696486814618107e+09,'aborting','Aborting: experiment 2 was stopped',NULL,NULL);
INSERT INTO "timeline" VALUES(29,7,1.79540696488243627548e+09,'created','Created: spotter 1.2.0',NULL,NULL);
INSERT INTO "timeline" VALUES(30,7,1.79540696488243627548e+09,'running','Running',NULL,NULL);
INSERT INTO "timeline" VALUES(31,5,1.79540696489574408533e+09,'wave_skipped','Wave ''all'' was skipped',0,NULL);
INSERT INTO "timeline" VALUES(32,5,1.79540696489574408533e+09,'aborted','Aborted',NULL,NULL);
INSERT INTO "timeline" VALUES(33,6,1.79540696489574408533e+09,'wave_skipped','Wave ''all'' was skipped',0,NULL);
INSERT INTO "timeline" VALUES(34,6,1.79540696489574408533e+09,'aborted','Aborted',NULL,NULL);
INSERT INTO "timeline" VALUES(35,7,1.79540696489574408533e+09,'wave_running','Wave ''all'' began',0,NULL);
INSERT INTO "timeline" VALUES(36,2,1795406965.03772,'device_rolled_back','press-00: rolled back: an operator rolled the rollout back; brought back to the version it ran before',0,'press-00');
INSERT INTO "timeline" VALUES(37,2,1795406965.03772,'rolled_back','Rolled back',NULL,NULL);
INSERT INTO "timeline" VALUES(38,3,1.79540696510748767856e+09,'wave_soaking','Wave ''all'' is done and being watched',0,NULL);
INSERT INTO "timeline" VALUES(39,7,1.79540696527788281441e+09,'wave_soaking','Wave ''all'' is done and being watched',0,NULL);
INSERT INTO "timeline" VALUES(40,3,1.79540696583196640015e+09,'wave_passed','Wave ''all'' passed: 0 of 1 reported devices failed (0 %); the limit is 10 %',0,NULL);
INSERT INTO "timeline" VALUES(41,3,1.79540696583196640015e+09,'completed','Completed',NULL,NULL);
INSERT INTO "timeline" VALUES(42,7,1.79540696583196640015e+09,'wave_passed','Wave ''all'' passed: 0 of 1 reported devices failed (0 %); the limit is 10 %',0,NULL);
INSERT INTO "timeline" VALUES(43,7,1.79540696583196640015e+09,'completed','Completed',NULL,NULL);
CREATE TABLE version_share (
	at INTEGER NOT NULL, 
	shares JSON NOT NULL, 
	PRIMARY KEY (at)
);
INSERT INTO "version_share" VALUES(1795406700,'[{"slot": "detector", "package": "spotter", "version": "1.0.0", "count": 5}, {"slot": "second", "package": "spotter", "version": "1.1.0", "count": 1}, {"slot": "detector", "package": "spotter", "version": "1.2.0", "count": 1}, {"slot": "shadow-detector", "package": "spotter", "version": "1.2.0", "count": 1}]');
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
INSERT INTO "wave" VALUES(1,0,'all','passed',6,1.79540696235990262031e+09,1.79540696271992707253e+09,1.79540696328175234794e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(2,0,'one','passed',1,1.79540696364214968677e+09,1.7954069639959461689e+09,1.79540696455414152147e+09,0,0,1,'ada',0);
INSERT INTO "wave" VALUES(2,1,'rest','skipped',1,NULL,NULL,1.79540696343030023573e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(3,0,'all','passed',1,1.7954069647647171021e+09,1.79540696510748767856e+09,1.79540696583196640015e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(4,0,'all','skipped',2,NULL,NULL,NULL,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(5,0,'all','skipped',3,NULL,NULL,1.79540696489574408533e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(6,0,'all','skipped',3,NULL,NULL,1.79540696489574408533e+09,0,0,0,NULL,0);
INSERT INTO "wave" VALUES(7,0,'all','passed',1,1.79540696489574408533e+09,1.79540696527788281441e+09,1.79540696583196640015e+09,0,0,0,NULL,0);
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
