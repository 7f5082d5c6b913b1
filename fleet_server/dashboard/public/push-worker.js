// Shows notices of alerts while no page is open, and opens the page that a notice is about.
self.addEventListener("push", (event) => {
  const notice = event.data ? event.data.json() : { title: "edgefleet", body: "", tag: "edgefleet", path: "/alerts" };
  const options = { body: notice.body, tag: notice.tag, icon: "/favicon.svg", data: { path: notice.path } };
  event.waitUntil(self.registration.showNotification(notice.title, options));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const address = new URL(event.notification.data.path, self.location.origin).href;
  event.waitUntil(
    self.clients.matchAll({ type: "window" }).then((pages) => {
      const open = pages.find((page) => page.url === address);
      return open ? open.focus() : self.clients.openWindow(address);
    }),
  );
});

// Without the server there is a page that says so. Nothing else is kept: no data, and no code that an upgrade would leave behind.
const OFFLINE = ["/offline.html", "/offline.css"];

self.addEventListener("install", (event) => {
  event.waitUntil(self.caches.open("offline").then((cache) => cache.addAll(OFFLINE)));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (request.mode === "navigate") {
    event.respondWith(self.fetch(request).catch(() => self.caches.match("/offline.html")));
  } else if (OFFLINE.includes(pathname)) {
    event.respondWith(self.fetch(request).catch(() => self.caches.match(pathname)));
  }
});
