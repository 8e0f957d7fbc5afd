// The service worker of /check: without a network it answers with what the page has kept of itself. Rules 20.14.

interface Asked extends Event {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

/** The page as the hill has it now, if it can be asked; a part, whose name has its hash, as it was kept. */
async function answer(request: Request, path: string): Promise<Response> {
  const kept = () => caches.match(path);
  if (path !== '/check') return (await kept()) ?? fetch(request);
  return fetch(request).catch(async (error: unknown) => {
    const page = await kept();
    if (page) return page;
    throw error;
  });
}

self.addEventListener('fetch', (event) => {
  const asked = event as Asked;
  const { origin, pathname } = new URL(asked.request.url);
  if (origin === location.origin && /^\/check(\/|$)/.test(pathname)) asked.respondWith(answer(asked.request, pathname));
});
