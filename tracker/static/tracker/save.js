// *Save* puts the sheet on this phone first and then sends it, so that no network is needed to go on.
import { inShort, sent } from "./answers.js";
import { isWhole } from "./check.js";
import { draftKey } from "./draft.js";
import { called, catchUp, lay, nextNumber, remember, tableOf } from "./lay.js";
import { REFUSED, add, arrived, get, handBack, remove, watch } from "./queue.js";
import { resend } from "./resend.js";
import { show, takenAs, uncover } from "./show.js";

const LATE = 5_000;
const PATIENCE = 1_500; // so long people look at a button before they press it again

// Resolves with a report once something became of it, or as it stands when patience has run out.
async function settled(entry) {
  let unwatch;
  const done = new Promise((resolve) => {
    unwatch = watch(async () => {
      const report = await get(entry);
      if (report?.state !== "queued") resolve();
    });
    resend().finally(resolve);
    setTimeout(resolve, PATIENCE);
  });
  await done;
  unwatch();
  return get(entry);
}

// Takes up what the page shows of a report, or says that it is not there yet.
async function follow(report, form) {
  if (report.state === "sent") {
    await show(report.answer.page);
    await remove(report.entry);
  } else if (report.state === "needs-you") {
    const answer = await show(report.table, report.answers);
    if (answer.redirected) await arrived(report.entry, takenAs(answer)); // by now
    else if (report.status === REFUSED && !form.dataset.instead) {
      await handBack(report.entry, draftKey(form));
    }
  } else {
    throw new Error("on this phone");
  }
}

async function reportOf(form, button) {
  const answers = sent(form, button);
  const entry = form.elements.entry.value;
  const known = await get(form.dataset.instead ?? entry); // of one that was asked about
  const number = Number(form.elements.number.value);
  const shown = form.matches("[data-sheet]")
    ? { called: called(form, number), says: inShort(form), at: form.dataset.at }
    : { called: known?.called, says: known?.says, at: known?.at };
  return { entry, table: tableOf(form), answers, number, ...shown };
}

// Lays the next sheet. Who was asked about a hand has answered, and the sheet before the question
// comes back: the one that was asked about is done with, another is still being filled in.
async function goOn(form) {
  const sheet = form.matches("[data-sheet]") ? form : uncover();
  if (!sheet) form.closest("section").remove();
  else if (sheet.elements.entry.value === form.elements.entry.value) lay(sheet, await nextNumber(sheet));
  else await catchUp(sheet);
  document.dispatchEvent(new Event("kula:laid"));
  window.scrollTo(0, 0);
}

// Sends the form as a browser does, where nothing can be kept.
function submit(form, button) {
  if (button?.name) {
    const pressed = document.createElement("input");
    pressed.type = "hidden";
    pressed.name = button.name;
    pressed.value = button.value;
    form.append(pressed);
  }
  HTMLFormElement.prototype.submit.call(form);
}

// Shows what is missing beside its field, or says at least that something is.
async function refuse(form, button) {
  try {
    await show(tableOf(form), sent(form, button));
  } catch {
    form.querySelector("[data-save-why]").textContent = form.dataset.missing;
  }
}

// A browser that keeps nothing may not even say so.
function inTime(keeping) {
  const late = new Promise((_resolve, reject) => { setTimeout(reject, LATE); });
  return Promise.race([keeping, late]);
}

async function handIn(form, button) {
  const plain = !button?.name || button.value === "save";
  if (plain && form.matches("[data-sheet]") && !isWhole(form)) {
    await refuse(form, button);
    return;
  }
  let report;
  try {
    report = await inTime(reportOf(form, button));
    await inTime(add(report, { instead: form.dataset.instead, draft: draftKey(form), first: "again" in form.dataset }));
  } catch {
    submit(form, button);
    return;
  }
  try {
    await follow(await settled(report.entry), form);
  } catch {
    await goOn(form);
  }
}

// While a sheet is on its way it takes nothing: what was typed on it now would be lost with it.
// Returns what lets people at it again, if it is still there.
function hush(form) {
  const parts = [...form.children].filter((part) => !part.matches(".save-bar"));
  const verb = form.querySelector(".save-verb");
  const [said, focused] = [verb?.textContent, document.activeElement];
  const all = [...parts, ...form.querySelectorAll(".save-bar > [data-pad]")];
  for (const part of all) part.inert = true;
  if (verb) verb.textContent = form.dataset.saving;
  form.dataset.sending = "";
  form.setAttribute("aria-busy", "true");
  return () => {
    for (const part of all) part.inert = false;
    if (verb && verb.textContent === form.dataset.saving) verb.textContent = said;
    delete form.dataset.sending;
    form.removeAttribute("aria-busy");
    if (document.activeElement === document.body) focused?.focus({ preventScroll: true });
  };
}

export function save(form) {
  if (form.matches("[data-sheet]")) remember(form);
  form.addEventListener("submit", async (event) => {
    const button = event.submitter;
    if (button?.value === "count") return; // it lays the count into the sheet, and stores nothing
    event.preventDefault();
    if ("sending" in form.dataset) return;
    const goOnTyping = hush(form);
    await handIn(form, button);
    goOnTyping();
  });
}
