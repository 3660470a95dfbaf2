// A form that is sent without leaving the page, so that a network that fails leaves the page standing.
// Nothing of it is kept: its own sentence says that no answer came, and whoever pressed presses again.
import { sent } from "./answers.js";
import { show } from "./show.js";

function say(form) {
  const note = document.createElement("p");
  note.className = "note warn";
  note.setAttribute("role", "alert");
  note.textContent = form.dataset.inPlace;
  form.append(note);
}

export function inPlace(form) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if ("sending" in form.dataset) return;
    form.dataset.sending = "";
    form.setAttribute("aria-busy", "true");
    form.querySelector(":scope > [role=alert]")?.remove();
    try {
      await show(form.getAttribute("action"), sent(form, event.submitter));
    } catch {
      say(form);
    }
    delete form.dataset.sending;
    form.removeAttribute("aria-busy");
  });
}
