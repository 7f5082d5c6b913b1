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
