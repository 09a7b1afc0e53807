// The log in the page, proved; and the script that steps through the game, which is packed as its frames are.
async function prove() {
  if (!globalThis.crypto?.subtle) {
    at("checked").textContent = "Nothing is checked: this browser has no WebCrypto here.";
    at("verdict").className = "none";
    return;
  }
  const files = [...document.querySelectorAll("pre.file")].map((file) => file.textContent);
  const told = 1 + Number([...document.querySelectorAll("#record li[id]")].at(-1).id.slice(1));
  const found = await proof(at("log").textContent, files), [first, ...rest] = verdict(found, told);
  at("checked").textContent = first;
  at("proved").replaceChildren(...rest.map((line) => paragraph(line)));
  at("verdict").className = found.fault || told !== found.hashes ? "bad" : "good";
  if (found.fault) at(`n${found.fault.n}`)?.classList.add("bad");
}

prove();
document.body.append(paragraph(await unpacked(at("steps").textContent), "script"));
