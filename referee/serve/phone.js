// What a phone says for its seat: a line at a time, as it would be typed.
function phone() {
  const form = document.createElement("form"), label = paragraph("What do you do? ", "label");
  const typed = document.createElement("input"), answer = paragraph("");
  answer.setAttribute("role", "status");
  label.append(typed);
  form.append(label, Object.assign(paragraph("Say", "button"), { type: "submit" }), answer);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { status, exit, answer: facts } = await say({ say: typed.value });
    answer.textContent = exit === 0 ? "" : facts?.message ?? `Not said (${status}).`;
    if (exit === 0) typed.value = "";
  });
  at("phone").append(form);
  at("phone").hidden = false;
}
phone();
