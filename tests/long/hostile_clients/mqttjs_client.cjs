// Carries out a plan of attacks with mqtt.js: `node mqttjs_client.cjs PLAN.json` prints the topics that it received.
const fs = require("node:fs");
const mqtt = require("mqtt");

const plan = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const identity = fs.readFileSync(plan.identity);
const received = new Set();
const client = mqtt.connect({
  protocol: "mqtts",
  host: "127.0.0.1",
  port: plan.port,
  ca: fs.readFileSync(plan.authority),
  cert: identity,
  key: identity,
  clientId: plan.id,
  protocolVersion: 4, // with 5 it does not read the refusals of Mosquitto 2.0.11
  reconnectPeriod: 0,
  will: { topic: plan.will, payload: Buffer.from("{}"), qos: 1, retain: true },
});
client.on("error", () => {});
client.on("message", (topic) => received.add(topic));
client.on("connect", () => {
  for (const name of plan.subscribe) client.subscribe(name, { qos: 1 }, () => {});
  for (const [topic, payload, retain] of plan.publish) {
    client.publish(topic, Buffer.from(payload, "base64"), { qos: 1, retain }, () => {});
  }
});
setTimeout(() => {
  fs.writeSync(1, JSON.stringify([...received].sort()));
  process.exit(0); // without DISCONNECT: the will is published
}, plan.seconds * 1000);
