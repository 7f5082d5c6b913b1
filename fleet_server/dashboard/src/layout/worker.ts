/** Shows pushed notices, and a page when the server cannot be reached. */
export const WORKER = "/push-worker.js";

/** Registers the worker that shows a page when the server cannot be reached. Browsers have workers over HTTPS and on this machine
 * only; without one the browser shows its own page. */
export function registerWorker(): void {
  if (!window.isSecureContext || !("serviceWorker" in navigator)) return;
  window.addEventListener("load", () => void navigator.serviceWorker.register(WORKER).catch(() => undefined));
}
