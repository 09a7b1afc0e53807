// Keeps all files of the folder, so that the tab works without a network after its first visit. Each file must have the
// hash that files.js has for it. Nothing is ever fetched from elsewhere. A folder that was made anew is kept beside the old
// one until no tab has that open: so no tab ever has files of both.
importScripts("files.js");
const KEPT = `referee ${registration.scope}`;
const NAME = `${KEPT} ${VERSION}`;

// Some servers of files do not know that .mjs is a script, and a browser runs none that is not called so.
function named(name, response) {
  return /\.m?js$/.test(name) ? new Response(response.body, { headers: { "Content-Type": "text/javascript" } }) : response;
}

async function keep() {
  const cache = await caches.open(NAME);
  const total = Object.values(FILES).reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  await Promise.all(Object.entries(FILES).map(async ([name, { size, integrity }]) => {
    const response = await fetch(name, { integrity, cache: "no-cache" });
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    await cache.put(name, named(name, response));
    done += size;
    for (const tab of await clients.matchAll({ includeUncontrolled: true })) tab.postMessage({ done, total });
  }));
  await cache.add(new Request("files.js", { cache: "no-cache" }));
}

async function take() {
  const old = (await caches.keys()).filter((name) => name.startsWith(`${KEPT} `) && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
}

async function answer(request) {
  const url = new URL(request.url);
  if (url.origin !== location.origin) return Response.error();
  const name = url.href === registration.scope ? "index.html" : request;
  return (await caches.match(name, { ignoreSearch: true })) ?? fetch(request);
}

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(take()));
addEventListener("fetch", (event) => event.respondWith(answer(event.request)));
