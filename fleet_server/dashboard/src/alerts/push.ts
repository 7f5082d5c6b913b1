import { pushKey, type RecipientRequest } from "~/api/recipients";
import { WORKER } from "~/layout/worker";
import { browserName, bytesOf } from "./recipients";

/** Why this browser cannot get notices; empty if it can. Service workers exist over HTTPS and on this machine only. */
export function pushFault(): string {
  if (!window.isSecureContext) return "Browser notifications need HTTPS";
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) return "This browser has no push notifications";
  return "";
}

/** Asks for permission, subscribes, and returns the recipient that this browser is. */
export async function subscribeBrowser(): Promise<RecipientRequest> {
  if ((await Notification.requestPermission()) !== "granted") {
    throw new Error("Notifications of this page are blocked; allow them in the settings of the browser");
  }
  await navigator.serviceWorker.register(WORKER);
  const worker = await navigator.serviceWorker.ready;
  const { public_key } = await pushKey();
  // One of an earlier time may be for another server's key, which the browser refuses. The server drops it once it has ended.
  await (await worker.pushManager.getSubscription())?.unsubscribe();
  const subscription = await worker.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytesOf(public_key),
  });
  const { endpoint, keys } = subscription.toJSON();
  if (!endpoint || !keys?.p256dh || !keys.auth) throw new Error("The browser gave no subscription; try again");
  return {
    name: `${browserName(navigator.userAgent)}, ${new Date().toISOString().slice(0, 16).replace("T", " ")}`,
    kind: "push",
    url: endpoint,
    key: keys.p256dh,
    secret: keys.auth,
    emails: [],
    topic: "",
    groups: [],
    severities: [],
    enabled: true,
  };
}
