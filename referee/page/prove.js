// The log in the page, proved; and the script that steps through the game, which is packed as its frames are.
async function prove() {
  if (!globalThis.crypto?.subtle) {
    at("checked").textContent = "Nothing is checked: this browser has no WebCrypto here.";
    at("verdict").className = "none";
    return;
  }
  const texts = (found) => Array.from(document.querySelectorAll(found), (one) => one.textContent);
  const found = await proof(at("log").textContent, texts("pre.file")), told = +texts("#record li b").pop() + 1, { n } = found;
  if (told !== n) found.fault ??= { n, why: `the page tells ${told} entries, its log has ${n}` };
  const [first, ...rest] = verdict(found);
  at("checked").textContent = first;
  at("proved").replaceChildren(...rest.map((line) => paragraph(line)));
  at("verdict").className = found.fault ? "bad" : "good";
  if (found.fault) at(`n${found.fault.n}`)?.classList.add("bad");
}

prove();
document.body.append(paragraph(await unpacked(at("steps").textContent), "script"));
