// A sheet begun during the hand is still there when the phone wakes up, or its browser was killed.
import { fill, typed } from "./answers.js";
import { dropDrafts, keepDraft, readDraft } from "./queue.js";

const PATIENCE = 1_000; // a browser that keeps nothing may not even say so

// Returns where the draft of a sheet is kept; nothing is, of a hand that stands and is changed.
export function draftKey(sheet) {
  const number = sheet.dataset.draft ?? "";
  return /^\d+$/.test(number) ? `${window.location.pathname}#${number}` : null;
}

export async function draft(sheet) {
  sheet.addEventListener("input", () => {
    sheet.dataset.touched = "";
    const key = draftKey(sheet);
    if (key) keepDraft(key, typed(sheet)).catch(() => {});
  });
  const key = draftKey(sheet);
  if (!key) return;
  let late = false;
  const filled = readDraft(key).then((answers) => {
    if (!answers?.length || "touched" in sheet.dataset || sheet.querySelector("[role=alert]")) return;
    fill(sheet, answers);
    sheet.dataset.touched = "";
    if (late) sheet.dispatchEvent(new Event("input", { bubbles: true })); // to what is built from the fields
  }).catch(() => {});
  await Promise.race([filled, new Promise((resolve) => { setTimeout(resolve, PATIENCE); })]);
  late = true;
  dropDrafts(window.location.pathname, Number(sheet.dataset.draft)).catch(() => {});
}
