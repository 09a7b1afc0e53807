// What all scripts of a page use.
const at = (id) => document.getElementById(id);
const unpacked = (letters) => {
  const packed = new Blob([Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0))]);
  return new Response(packed.stream().pipeThrough(new DecompressionStream("deflate"))).text();
};

function paragraph(words, tag = "p") {
  const made = document.createElement(tag);
  made.textContent = words;
  return made;
}
