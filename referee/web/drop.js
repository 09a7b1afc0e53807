// What was dropped or chosen, as [{name, file}], folders and all that is in them too.
async function inFolder(folder) {
  const reader = folder.createReader(), found = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return (await Promise.all(found.map(below))).flat();
    found.push(...some);
  }
}

async function below(entry) {
  if (entry.isDirectory) return inFolder(entry);
  const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
  return [{ name: entry.fullPath.replace(/^\/+/, ""), file }];
}

export async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  return entries.length ? (await Promise.all(entries.map(below))).flat() : chosen(transfer.files);
}

export const chosen = (files) => [...files].map((file) => ({ name: file.name, file }));
