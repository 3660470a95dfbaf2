// Hands that wait on this phone until the club has them, and what is typed of the coming one.
//
// IndexedDB keeps them (database "kula"), as it still has what was written just before a browser
// was killed. There is no page in here and nothing is imported, so that a page and a service
// worker use the same module. A report is
//
//   entry       the UUID of its sheet, by which the site knows a repeat; the key
//   order       which goes first at its table
//   table       the address it is sent to, as "/t/…/"
//   answers     [[name, value], …] as the form would send them, but never a CSRF token
//   called      what people call it, "Hand 5"; *says* in a few words what is in it, "70–50"
//   number      the hand it was written as; *stands* where it changes one that the club has
//   made_at, tries, next_try    in milliseconds; it is not sent before next_try unless one is eager,
//                               and not even then while it is *held*: somebody is changing it
//   state       "queued", "needs-you" (asked back or refused: a person must look) or "sent"
//   answer      what the site said last, as JSON, or null where the last word was not the site's;
//               *status* its HTTP status, *message* its sentence
//
// What a caller may rely on:
//
//   add(report, {instead, draft, first})
//                                   keep it; resolves once it is safely on the phone. *instead* is
//                                   an entry whose place it takes, *draft* the key of a draft that it ends.
//                                   *first*: a hand that was undone, for which those that wait here wait
//                                   No two coming hands of a table ever wait under one number
//   get(entry), all(table)          one report; all of a table, or all there are, in order
//   remove(entry), mark(entry, changes)
//   arrived(entry, number)          the club has it, as hand *number*; those behind it come after that
//   renumber(entry, number)         it is hand *number*, and those behind it follow one by one
//   handBack(entry, draft)          a refused one is a draft again, unless later hands wait behind it
//   send(table, {eager})            send what is due, of one table or all, in order; never rejects for
//                                   want of a network. Resolves with {waiting, needsYou, next}: how many
//                                   still wait, need a person, and in how many ms to call again (null:
//                                   nothing to send). Of a table the first that cannot be delivered
//                                   keeps the later ones back. *eager*: do not wait for next_try
//   watch(listener)                 call it after every change, whichever tab or worker made it;
//                                   returns what ends that
//   readDraft(key), keepDraft(key, answers), moveDraft(key, to), dropDrafts(path, before)
//   csrf(address)                   the token of the cookie, after a look at *address* if it is gone

const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 60_000;
const PATIENCE = 10_000; // for an answer, after which it is sent again: the site knows a repeat
const LEASE = PATIENCE + 2_000; // for as long no other tab sends the same
const HELD = 300_000; // more than any wait: a clock was set back
const OLD = 86_400_000; // a day
const NOTICES = "kula-queue";
export const REFUSED = 422; // the status of a sheet that the rules refuse
const FOR_A_PERSON = ["ask", "refused", "gone"]; // states of an answer that sending again does not change

let opened = null;

function database() {
  opened ??= new Promise((resolve, reject) => {
    const opening = indexedDB.open("kula", 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore("reports", { keyPath: "entry" });
      opening.result.createObjectStore("drafts", { keyPath: "key" });
    };
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const close = () => {
        opening.result.close();
        opened = null;
      };
      opening.result.onversionchange = close;
      opening.result.onclose = close;
      resolve(opening.result);
    };
  });
  opened.catch(() => { opened = null; });
  return opened;
}

// Runs *act* on the stores it names, and resolves with what it leaves in ``result`` only once
// everything is on the disk.
async function change(act) {
  const base = await database();
  return new Promise((resolve, reject) => {
    const answer = {};
    const work = base.transaction(["reports", "drafts"], "readwrite", { durability: "strict" });
    work.oncomplete = () => resolve(answer.result);
    work.onabort = () => reject(work.error);
    act(work.objectStore("reports"), answer, work.objectStore("drafts"));
  });
}

async function read(name, ask) {
  const base = await database();
  return new Promise((resolve, reject) => {
    const asked = ask(base.transaction(name).objectStore(name));
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

// Telling --------------------------------------------------------------------------------------

const listeners = new Set();
let others = null;

function notices() {
  if (!others && typeof BroadcastChannel !== "undefined") {
    others = new BroadcastChannel(NOTICES);
    others.onmessage = () => { for (const listener of listeners) listener(); };
  }
  return others;
}

function tell() {
  for (const listener of listeners) listener();
  notices()?.postMessage("changed");
}

export function watch(listener) {
  notices();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// Keeping --------------------------------------------------------------------------------------

const inOrder = (report, other) => report.order - other.order;
const numberOf = ({ state, answer, number }) => (state === "sent" ? answer.number : number);

// Of a hand that stands, whoever wrote it has said which one it is.
function isComing({ state, stands, answers }) {
  return state !== "sent" && !stands && !answers.some(([name, value]) => name === "is_next" && value === "no");
}

function renumbered(report, number) {
  return {
    ...report,
    number,
    called: report.called?.replace(report.number, number) ?? "",
    answers: report.answers.map(([name, value]) => [name, name === "number" ? String(number) : value]),
  };
}

// Under the number of the one before it, a hand would take its place at the club; under one that is
// too high it would never be let in. So it moves up only as far as it must.
function comeAfter(reports, drafts, before, number, stored) {
  let last = number;
  const behind = stored.filter(({ table, order }) => table === before.table && order > before.order);
  for (const report of behind.filter(isComing).sort(inOrder)) {
    if (report.number <= last) reports.put(renumbered(report, last + 1));
    last = Math.max(report.number, last + 1);
  }
  // What is typed of the hand after them all is still of that one.
  const asking = drafts.getAll();
  asking.onsuccess = () => {
    for (const draft of asking.result) {
      const [where, written] = draft.key.split("#");
      if (where !== before.table || Number(written) <= before.number || Number(written) > last) continue;
      drafts.delete(draft.key);
      drafts.put({ ...draft, key: `${where}#${last + 1}` });
    }
  };
}

export async function add(report, { instead = report.entry, draft = null, first = false } = {}) {
  const answers = report.answers.filter(([name]) => name !== "csrfmiddlewaretoken");
  await change((reports, answer, drafts) => {
    const asking = reports.getAll();
    asking.onsuccess = () => {
      const before = asking.result.find(({ entry }) => entry === instead);
      const orders = asking.result.map(({ order }) => order);
      const next = first ? Math.min(1, ...orders) - 1 : Math.max(0, ...orders) + 1;
      const others = asking.result.filter(({ table, stands }) => table === report.table && !stands);
      // The one before it may have become another hand since this sheet was laid.
      const least = draft && !before ? Math.max(0, ...others.map(numberOf)) + 1 : 0;
      // What has been sent already is known by its number as well.
      const again = before?.state === "sent" && instead === report.entry;
      const number = before && !again ? numberOf(before) : Math.max(report.number, least);
      if (before) reports.delete(instead);
      if (draft) drafts.delete(draft);
      reports.put({
        says: "",
        ...renumbered({ ...report, answers }, number),
        stands: before ? before.stands : !draft,
        order: before?.order ?? next,
        made_at: Date.now(),
        tries: 0,
        next_try: 0,
        state: "queued",
        answer: null,
        status: 0,
        message: "",
        claim: null,
        claimed_until: 0,
      });
    };
  });
  tell();
}

export function get(entry) {
  return read("reports", (reports) => reports.get(entry));
}

export async function all(table = null) {
  const reports = await read("reports", (store) => store.getAll());
  return reports.filter((report) => !table || report.table === table).sort(inOrder);
}

export async function remove(entry) {
  await change((reports) => reports.delete(entry));
  tell();
}

export async function arrived(entry, number) {
  await change((reports, _told, drafts) => {
    const asking = reports.getAll();
    asking.onsuccess = () => {
      const report = asking.result.find((each) => each.entry === entry);
      reports.delete(entry);
      if (report && number) comeAfter(reports, drafts, report, number, asking.result);
    };
  });
  tell();
}

export async function renumber(entry, number) {
  await change((reports) => {
    const asking = reports.getAll();
    asking.onsuccess = () => {
      const first = asking.result.find((each) => each.entry === entry);
      if (first?.state !== "queued") return;
      reports.put({ ...renumbered(first, number), next_try: 0, claim: null, status: 0, message: "" });
      const behind = asking.result.filter(({ table, order }) => table === first.table && order > first.order);
      for (const [nth, report] of behind.filter(isComing).sort(inOrder).entries()) {
        reports.put(renumbered(report, number + 1 + nth));
      }
    };
  });
  tell();
}

export async function mark(entry, changes) {
  await change((reports) => {
    const asking = reports.get(entry);
    asking.onsuccess = () => {
      if (asking.result) reports.put({ ...asking.result, ...changes });
    };
  });
  tell();
}

export async function handBack(entry, draft) {
  await change((reports, _told, drafts) => {
    const asking = reports.getAll();
    asking.onsuccess = () => {
      const report = asking.result.find((each) => each.entry === entry);
      const behind = asking.result.some(
        (each) => report && each.table === report.table && each.order > report.order && each.state !== "sent",
      );
      if (!report || behind) return;
      reports.delete(entry);
      if (draft) drafts.put({ key: draft, answers: report.answers, made_at: Date.now() });
    };
  });
  tell();
}

// Drafts ---------------------------------------------------------------------------------------

export async function readDraft(key) {
  return (await read("drafts", (drafts) => drafts.get(key)))?.answers ?? null;
}

export function keepDraft(key, answers) {
  return change((_reports, _told, drafts) => drafts.put({ key, answers, made_at: Date.now() }));
}

// What was typed of a hand goes along when the hand gets another number.
export function moveDraft(key, to) {
  return change((_reports, _told, drafts) => {
    const asking = drafts.get(key);
    asking.onsuccess = () => {
      if (!asking.result) return;
      drafts.delete(key);
      drafts.put({ ...asking.result, key: to });
    };
  });
}

// Drafts of a table's earlier hands are over; of other tables those of another day.
export function dropDrafts(path, before) {
  return change((_reports, _told, drafts) => {
    const asking = drafts.getAll();
    asking.onsuccess = () => {
      for (const { key, made_at: made } of asking.result) {
        const [where, number] = key.split("#");
        const over = where === path ? Number(number) < before : made < Date.now() - OLD;
        if (over) drafts.delete(key);
      }
    };
  });
}

// Sending --------------------------------------------------------------------------------------

const isPast = (time) => time <= Date.now() || time > Date.now() + HELD;

// A version before took any 404 for the site's: what was set aside without a word of the site still waits.
function isToSend({ state, answer }) {
  return state === "queued" || (state === "needs-you" && !answer?.state);
}

// Takes the first report of a table that is not sent, if it is its turn, so that no other tab does.
function claim(table, eager) {
  return change((reports, answer) => {
    const asking = reports.getAll();
    asking.onsuccess = () => {
      const mine = asking.result.filter((report) => report.table === table).sort(inOrder);
      const next = mine.find(({ state }) => state !== "sent");
      for (const { entry, state, made_at: made } of mine) {
        if (state === "sent" && made < Date.now() - OLD) reports.delete(entry);
      }
      if (!next || !isToSend(next) || !isPast(next.claimed_until)) return;
      if (next.held ? !isPast(next.next_try) : !eager && !isPast(next.next_try)) return;
      answer.result = {
        ...next,
        state: "queued",
        held: false,
        tries: next.tries + 1,
        claim: Math.random(),
        claimed_until: Date.now() + LEASE,
      };
      reports.put(answer.result);
    };
  });
}

async function cookie(name) {
  if (typeof document === "undefined") return (await cookieStore.get(name))?.value ?? null;
  const pair = document.cookie.split("; ").find((each) => each.startsWith(`${name}=`));
  return pair ? pair.slice(name.length + 1) : null;
}

async function within(time, act) {
  const control = new AbortController();
  const timer = setTimeout(() => control.abort(), time);
  try {
    return await act(control.signal);
  } finally {
    clearTimeout(timer);
  }
}

export async function csrf(address, { anew = false } = {}) {
  if (anew || !(await cookie("csrftoken"))) {
    await within(PATIENCE, (signal) => fetch(address, { cache: "no-store", signal }));
  }
  return (await cookie("csrftoken")) ?? "";
}

function post({ table, answers }, token) {
  return within(PATIENCE, async (signal) => {
    const answer = await fetch(table, {
      method: "POST",
      headers: { Accept: "application/json", "X-CSRFToken": token },
      body: new URLSearchParams(answers),
      signal,
    });
    // Without a state it is no answer of ours, whatever its status: a Wi-Fi that wants to be signed in
    // to, a proxy that finds nothing while the site starts.
    const content = await answer.json().catch(() => null);
    return { status: answer.status, content: content?.state ? content : null };
  });
}

async function exchange(report) {
  try {
    const answer = await post(report, await csrf(report.table));
    if (answer.status !== 403) return answer;
    return await post(report, await csrf(report.table, { anew: true }));
  } catch {
    return { status: 0, content: null };
  }
}

function outcome({ tries }, { status, content }) {
  const message = content?.message ?? "";
  if (status === 200 && content?.state === "saved") return { state: "sent", message };
  if (FOR_A_PERSON.includes(content?.state)) return { state: "needs-you", message };
  const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(tries - 1, 10));
  return { next_try: Date.now() + wait * (0.5 + Math.random() / 2), message };
}

// Writes down what became of a report, unless it was changed or taken away meanwhile.
async function settle(report, answer) {
  await change((reports, _told, drafts) => {
    const asking = reports.getAll();
    asking.onsuccess = () => {
      const now = asking.result.find(({ entry }) => entry === report.entry);
      if (now?.claim !== report.claim) return;
      const came = outcome(report, answer);
      const { number, missing } = answer.content ?? {};
      // Somebody has said that it is the one after a hand that is missing.
      const moves = missing && number > now.number;
      const answers = now.answers.filter(([name]) => !["is_next", "undone"].includes(name));
      reports.put({
        ...(moves ? renumbered({ ...now, answers }, number) : now),
        ...came, status: answer.status, answer: answer.content, claimed_until: 0,
      });
      if (came.state === "sent" || moves) comeAfter(reports, drafts, now, number, asking.result);
    };
  });
  tell();
}

async function deliver(table, eager) {
  for (;;) {
    const report = await claim(table, eager);
    if (!report) return;
    const answer = await exchange(report);
    await settle(report, answer);
    if (answer.status !== 200 || answer.content?.state !== "saved") return;
  }
}

const underWay = new Map();

export async function send(table = null, { eager = false } = {}) {
  const tables = table ? [table] : new Set((await all()).map((report) => report.table));
  await Promise.all([...tables].map((each) => {
    const turn = (underWay.get(each) ?? Promise.resolve()).then(() => deliver(each, eager));
    underWay.set(each, turn.catch(() => {}));
    return turn;
  }));
  const left = (await all(table)).filter(({ state }) => state !== "sent");
  // Of a table only the first is ever due.
  const first = left.filter((report, at) => left.findIndex((other) => other.table === report.table) === at);
  const due = first.filter(({ state }) => state === "queued")
    .map((report) => Math.max(report.next_try, report.claimed_until) - Date.now());
  return {
    waiting: left.filter(({ state }) => state === "queued").length,
    needsYou: left.filter(({ state }) => state === "needs-you").length,
    next: due.length ? Math.max(0, Math.min(LONGEST_WAIT, ...due)) : null,
  };
}
