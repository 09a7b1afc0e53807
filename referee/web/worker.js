// The judge: Python with the unchanged packages, beside the tab, which stays alive while a game is judged.
// In: {id, files: [{name, data}]} puts files into an empty folder; {id, words} runs a command there; {id, read} reads
// what it wrote. Out: {id, said}, or {id, failed}.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const FOLDER = "/table";
const WASM = "pyodide.asm.wasm";

// The WebAssembly lies there compressed, for servers that do not compress what they send.
const fetched = self.fetch.bind(self);
self.fetch = async (what, ...more) => {
  const url = String(what.url ?? what);
  if (!url.endsWith(WASM)) return fetched(what, ...more);
  const { body, ok } = await fetched(`${url}.bin`);
  if (!ok) throw new Error(WASM);
  return new Response(body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": "application/wasm" } });
};

async function start({ wheels }) {
  const waiting = wheels.map(async (name) => (await fetched(name)).arrayBuffer());
  const pyodide = await loadPyodide({ stdin: () => null });
  const extractDir = pyodide.runPython("import site; site.getsitepackages()[0]");
  for (const wheel of waiting) pyodide.unpackArchive(await wheel, "wheel", { extractDir });
  pyodide.FS.mkdir(FOLDER);
  pyodide.FS.chdir(FOLDER);
  return { pyodide, tab: pyodide.pyimport("referee.cli.browser_entry") };
}

function emptied(FS, folder) {
  for (const name of FS.readdir(folder).filter((name) => name !== "." && name !== "..")) {
    const path = `${folder}/${name}`;
    if (FS.isDir(FS.stat(path).mode)) {
      emptied(FS, path);
      FS.rmdir(path);
    } else FS.unlink(path);
  }
}

function placed({ FS }, files) {
  emptied(FS, FOLDER);
  for (const { name, data } of files) {
    const path = `${FOLDER}/${name}`;
    FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    FS.writeFile(path, new Uint8Array(data));
  }
}

function said(tab, words) {
  const found = tab.run_command(words);
  const [out, err, code] = found;
  found.destroy();
  return { out, err, code };
}

let judge;
async function done({ start: how, files, words, read }) {
  if (how) judge = start(how);
  const { pyodide, tab } = await judge;
  if (files) placed(pyodide, files);
  if (read) return pyodide.FS.readFile(`${FOLDER}/${read}`, { encoding: "utf8" });
  return words ? said(tab, words) : null;
}

self.onmessage = async ({ data }) => {
  try {
    self.postMessage({ id: data.id, said: await done(data) });
  } catch (error) {
    self.postMessage({ id: data.id, failed: String(error) });
  }
};
