// The judge as the tab has it: a worker that is asked and answers, once its files are here.
const waiting = new Map();
let worker, broken;

export function ask(message) {
  if (broken) return Promise.reject(broken);
  const id = crypto.getRandomValues(new Uint32Array(1))[0];
  worker.postMessage({ id, ...message });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

export const run = (...words) => ask({ words });

// Whatever the worker needs is kept by the service worker first, so that it is fetched once. Where a browser has none,
// as in some private windows and without https, all is fetched each time.
async function kept(tell) {
  const { serviceWorker } = navigator;
  if (!serviceWorker || serviceWorker.controller) return;
  serviceWorker.addEventListener("message", ({ data }) => tell(data));
  const { installing, waiting: next, active } = await serviceWorker.register("sw.js", { updateViaCache: "none" });
  const one = installing ?? next ?? active;
  await new Promise((resolve, reject) => {
    const look = () => {
      if (one.state === "redundant") reject(new Error("not fetched"));
      if (serviceWorker.controller) resolve();
    };
    one.addEventListener("statechange", look);
    serviceWorker.addEventListener("controllerchange", look);
    look();
  });
}

export async function begin(tell) {
  await kept(tell);
  worker = new Worker("worker.js", { type: "module" });
  worker.onmessage = ({ data: { id, said, failed } }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (failed === undefined) resolve(said);
    else reject(new Error(failed));
  };
  worker.onerror = (event) => {
    broken = new Error(event.message);
    for (const { reject } of waiting.values()) reject(broken);
  };
  await ask({ start: { wheels: Object.keys(self.FILES).filter((name) => name.endsWith(".whl")) } });
}
