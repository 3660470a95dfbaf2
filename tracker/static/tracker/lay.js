// A fresh sheet for a hand that the site has not laid out: it knows the number, and not who deals.
import { empty, fill } from "./answers.js";
import { draftKey } from "./draft.js";
import { fresh } from "./entry.js";
import { all, moveDraft } from "./queue.js";

const untouched = new WeakMap(); // by sheet: a copy from before anything was typed
const atClub = new Map(); // by table: the last hand that has arrived while this page was open

export function remember(sheet) {
  if (!untouched.has(sheet)) untouched.set(sheet, sheet.cloneNode(true));
}

export function tableOf(sheet) {
  return new URL(sheet.action).pathname;
}

// The first occurrence of the coming hand's number in its name becomes *number*.
function numbered(sheet, name, number) {
  return sheet.dataset[name].replace(sheet.dataset.coming, number);
}

export function called(sheet, number) {
  return numbered(sheet, "hand", number);
}

export function arrivedAs(table, number) {
  atClub.set(table, Math.max(number, atClub.get(table) ?? 0));
}

// Returns the hand that comes after those at the club and those that wait here.
export async function nextNumber(sheet) {
  const table = tableOf(sheet);
  const waiting = await all(table);
  const numbers = waiting.map((report) => report.answer?.number ?? report.number);
  return Math.max(Number(sheet.dataset.coming) - 1, atClub.get(table) ?? 0, ...numbers) + 1;
}

function name(sheet, number, verb = "verb") {
  sheet.elements.number.value = number;
  sheet.querySelector(".save-verb").textContent = numbered(sheet, verb, number);
  sheet.hidden = Number(sheet.dataset.most || Infinity) < number;
  if (sheet.hidden) return; // the round has no such hand
  const where = document.querySelector(".page-head .where");
  const { says = sheet.dataset.handOf } = where?.dataset ?? {};
  if (!where?.textContent.includes(says)) return;
  where.dataset.says = numbered(sheet, "handOf", number);
  where.textContent = where.textContent.replace(says, where.dataset.says);
}

function unclaimed(sheet) {
  const { dealer, shown } = sheet.elements;
  if (![...dealer.options].some(({ value }) => !value)) {
    dealer.prepend(new Option(sheet.dataset.anyDealer, ""));
  }
  for (const option of dealer.options) option.defaultSelected = !option.value;
  dealer.value = "";
  shown.value = "";
  document.querySelector(".receipt")?.remove(); // it says who deals a hand that has been played
  const deals = document.querySelector(".page-head .deals");
  deals?.classList.add("later");
  if (deals) deals.textContent = sheet.dataset.noDealer;
}

function copyOf(sheet) {
  const copy = untouched.get(sheet).cloneNode(true);
  untouched.set(copy, untouched.get(sheet));
  copy.dataset.laid = "";
  delete copy.dataset.again;
  copy.reset(); // some browsers bring back what was typed before the page was loaded again
  for (const old of copy.querySelectorAll("[role=alert].error, .error:not(.save-why), [data-once], [name=is_next]")) old.remove();
  copy.querySelector(".save-why")?.classList.remove("error");
  const why = copy.querySelector("[data-save-why]");
  why?.replaceChildren();
  why?.setAttribute("role", "status");
  for (const field of copy.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  if (!("fresh" in copy.dataset)) empty(copy);
  return copy;
}

// Puts a fresh sheet for hand *number* in the place of one that is done with.
export function lay(sheet, number) {
  const copy = copyOf(sheet);
  copy.elements.entry.value = fresh();
  copy.dataset.draft = String(number);
  copy.dataset.fresh = "";
  unclaimed(copy);
  name(copy, number);
  sheet.replaceWith(copy);
  document.dispatchEvent(new Event("kula:laid"));
}

// Lays a hand that waits on this phone into the sheet, to be changed.
export function layWaiting(sheet, report) {
  const copy = copyOf(sheet);
  // What may have arrived already keeps its entry; this is then another sheet.
  copy.elements.entry.value = report.tries ? fresh() : report.entry;
  copy.dataset.draft = `${report.number}-change`;
  copy.dataset.instead = report.entry;
  delete copy.dataset.fresh;
  unclaimed(copy);
  fill(copy, report.answers);
  name(copy, report.number, "changeVerb");
  sheet.replaceWith(copy);
  document.dispatchEvent(new Event("kula:laid"));
}

// Brings the number of a sheet up to what has happened; what is typed on it stays.
export async function catchUp(sheet) {
  const { draft, fresh: whole } = sheet.dataset;
  if (whole === undefined || !/^\d+$/.test(draft) || "sending" in sheet.dataset) return;
  const number = await nextNumber(sheet);
  if (number === Number(draft) || !sheet.isConnected) return;
  if ("touched" in sheet.dataset) {
    const key = draftKey(sheet);
    sheet.dataset.draft = String(number);
    name(sheet, number);
    await moveDraft(key, draftKey(sheet));
  } else {
    lay(sheet, number);
  }
}
