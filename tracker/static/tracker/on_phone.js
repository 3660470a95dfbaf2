// The box that says which hands wait on this phone, what keeps them, and what has arrived since.
import { draftKey } from "./draft.js";
import { arrivedAs, catchUp, lay, layWaiting, nextNumber } from "./lay.js";
import { REFUSED, all, arrived as isAtClub, handBack, mark, remove, renumber, watch } from "./queue.js";
import { resend } from "./resend.js";
import { show, takenAs } from "./show.js";

const HELD = 120_000; // whoever changes a hand and walks away: it goes out as it was
const TOO_EARLY = 425;
const AGAIN = 3_000;

const arrived = new Map(); // by entry: what came to the club while this page was open
let showing = false;

const sheetHere = () => document.querySelector("[data-sheet]");

// What lies on the page as a form, or is on its way, is not listed besides.
function isHere(report) {
  const forms = [...document.querySelectorAll("[data-sheet], [data-send]")];
  return forms.some((form) => form.elements.entry?.value === report.entry && !form.dataset.instead);
}

function isShown(report) {
  return report.answer?.page === window.location.pathname + window.location.search;
}

function isChanged(report) {
  return sheetHere()?.dataset.instead === report.entry;
}

const calledAs = ({ called, number }, other) => called?.replace(number, other) ?? "";

// Puts into words for people what a hand is called, and what the one is that has to come before it.
function named(words, report) {
  const missing = calledAs(report, report.answer?.missing);
  return words.replace(/\{hand\}/g, report.called).replace(/\{missing\}/g, missing);
}

// The club may have taken it as another hand than it was written as.
function nowCalled(report) {
  const number = report.state === "sent" && report.answer.number;
  return number ? calledAs(report, number) : report.called;
}

const acts = {
  async change(report) {
    await mark(report.entry, { held: true, next_try: Date.now() + HELD });
    layWaiting(sheetHere(), report);
  },
  async leave(report) {
    await mark(report.entry, { held: false, next_try: 0 });
    lay(sheetHere(), await nextNumber(sheetHere()));
    await resend();
  },
  async open(report) {
    const answer = await show(report.table, report.answers);
    const key = sheetHere() && draftKey(sheetHere());
    if (!answer.redirected) {
      const isThere = report.status === REFUSED && key === `${report.table}#${report.number}`;
      if (isThere) await handBack(report.entry, key); // to be put right
      return;
    }
    await isAtClub(report.entry, takenAs(answer));
    await resend(); // it kept the later ones back
  },
  async follow(report, box) {
    if (!window.confirm(named(box.dataset.noOther, report))) return;
    await renumber(report.entry, report.answer.missing);
    await resend();
  },
  async drop(report, box) {
    // An answer may have been lost on the way.
    const words = report.tries ? box.dataset.sureOfSent : box.dataset.sure;
    if (!window.confirm(named(words, report))) return;
    await remove(report.entry);
    await resend();
    const here = report.table === window.location.pathname;
    if (here && !(await all(report.table)).length) await show(report.table);
  },
};

// The club waits for a hand before this one, which does not wait on this phone.
function isMissing({ state, status, answer }) {
  return state === "queued" && status === TOO_EARLY && Boolean(answer?.missing);
}

const isGone = ({ answer }) => answer?.state === "gone";

// What keeps a hand here, said to people: the site's sentence, or which one has to go first.
function why(box, report, mine) {
  if (report.state === "sent") return report.message || box.dataset.arrived;
  const [first] = mine;
  const stopped = first?.state === "needs-you" || (first && isMissing(first));
  if (report === first || !stopped) return report.message;
  return named(box.dataset.behind, first);
}

function allowed(report, mine) {
  const here = report.table === window.location.pathname;
  if (report.state === "sent") return [];
  if (isChanged(report)) return ["leave"];
  const buttons = [];
  // Looking sends it again. Of an address that is gone the site's page says where the table is now.
  if (report.state === "needs-you") buttons.push("open");
  if (isMissing(report)) buttons.push("follow");
  const another = isGone(report) && report.at === sheetHere()?.dataset.at; // its table's new address
  if (((report.state === "queued" && here) || another) && sheetHere()) buttons.push("change");
  // One from the middle would leave a gap that the hands after it cannot pass.
  if (mine.at(-1) === report || isGone(report)) buttons.push("drop");
  return buttons;
}

function line(box, report, mine) {
  const item = box.querySelector("template").content.firstElementChild.cloneNode(true);
  const part = (name) => item.querySelector(`[data-${name}]`);
  part("what").textContent = [nowCalled(report), report.says].filter(Boolean).join(": ");
  const where = part("where");
  where.hidden = report.table === window.location.pathname;
  where.textContent = report.at ?? "";
  where.href = report.table;
  part("why").textContent = why(box, report, mine);
  for (const button of item.querySelectorAll("[data-act]")) {
    const { act } = button.dataset;
    button.hidden = !allowed(report, mine).includes(act);
    button.textContent = named(button.textContent, report);
    // A network that fails here leaves everything as it is.
    button.addEventListener("click", () => acts[act](report, box).catch(() => {}));
  }
  return item;
}

function fill(box, reports) {
  const listed = reports.filter((report) => !isHere(report));
  const states = listed.map((report) => (isMissing(report) ? "needs-you" : report.state));
  const state = ["needs-you", "queued", "sent"].find((each) => states.includes(each));
  box.hidden = !state;
  box.classList.toggle("good", state === "sent");
  box.classList.toggle("warn", state !== "sent");
  for (const title of box.querySelectorAll("[data-state]")) title.hidden = title.dataset.state !== state;
  const of = (table) => reports.filter((report) => report.table === table && report.state !== "sent");
  box.querySelector("ul").replaceChildren(...listed.map((report) => line(box, report, of(report.table))));
}

// Takes note of what has arrived, and shows the table as it is now unless somebody writes on it.
async function receive(reports) {
  const sent = reports.filter((report) => report.state === "sent" && !isHere(report));
  if (!sent.length || showing || document.visibilityState !== "visible") return;
  showing = true;
  try {
    const last = sent.findLast(({ table }) => table === window.location.pathname);
    for (const report of sent) {
      arrived.set(report.entry, report);
      arrivedAs(report.table, report.answer.number);
    }
    // Whoever begins to type while the page is on its way goes on typing.
    const unless = () => ["touched", "sending", "instead"].some((each) => each in (sheetHere()?.dataset ?? {}));
    const waits = reports.some(({ table, state }) => table === last?.table && state !== "sent");
    if (last && !unless() && !waits && !isShown(last)) await show(last.answer.page, null, { unless });
    for (const { entry } of sent) await remove(entry);
  } catch {
    setTimeout(() => document.dispatchEvent(new Event("kula:laid")), AGAIN); // the page did not come
  } finally {
    showing = false;
  }
}

async function look() {
  const box = document.querySelector("[data-on-phone]");
  if (!box) return;
  const reports = await all();
  const known = new Set(reports.map(({ entry }) => entry));
  const before = [...arrived.values()].filter(({ entry }) => !known.has(entry));
  fill(box, [...before, ...reports].filter((report) => !isShown(report)));
  if (sheetHere()) await catchUp(sheetHere());
  await receive(reports);
}

export function onPhone() {
  let turn = Promise.resolve();
  const again = () => { turn = turn.then(look).catch(() => {}); };
  watch(again);
  for (const event of ["kula:shown", "kula:laid", "live"]) document.addEventListener(event, again);
  document.addEventListener("visibilitychange", again);
  for (const event of ["input", "submit"]) document.addEventListener(event, () => arrived.clear());
  again();
}
