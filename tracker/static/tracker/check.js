// The button says what it is about to save, once everything it needs is there.

const PAUSE = 250;
const UNTIL_THE_NEXT_DIGIT = 2000;

function answered(question) {
  if (question.hidden) return true;
  const numbers = [...question.querySelectorAll("input:not([type=radio], [type=checkbox])")];
  const places = [...question.querySelectorAll("select")];
  if (numbers.length) return numbers.every((field) => field.value.trim());
  if (places.length) {
    const least = Number(question.dataset.least ?? 1);
    return places.filter((field) => field.value).length >= least;
  }
  return Boolean(question.querySelector(":checked"));
}

// Says whether everything is there that the sheet needs to be a hand.
export function isWhole(sheet) {
  const needed = [...sheet.querySelectorAll("[data-required]")];
  return needed.filter((asked) => !asked.closest("details")).every(answered);
}

export function check(sheet) {
  if (!sheet.dataset.check) return;
  const button = sheet.querySelector("[data-save]");
  const why = sheet.querySelector("[data-save-why]");
  const line = why.parentElement;
  const sum = sheet.querySelector("[data-sum]");
  const counts = [...sheet.querySelectorAll("[data-summed] input")];
  const says = document.createElement("span");
  says.className = "save-says";
  let waiting;
  let asking;

  // A digit may follow: 5 becomes 50, and 12 becomes 120.
  function grows() {
    const field = document.activeElement;
    return counts.includes(field) && Number(field.value) > 0 && Number(field.value) <= 12;
  }

  function say(preview) {
    if (preview) line.style.minHeight = "";
    const headline = preview?.querySelector("[data-says]");
    says.textContent = headline?.textContent.trim() ?? "";
    if (says.textContent) button.append(says);
    else says.remove();
    // Two lines: the words for little room.
    const height = parseFloat(getComputedStyle(says).lineHeight);
    if (headline?.dataset.brief && says.offsetHeight > 1.5 * height) says.textContent = headline.dataset.brief;
    why.textContent = preview?.querySelector("[data-why]").textContent.trim() ?? "";
    line.classList.toggle("error", preview?.dataset.told === "bad");
    add(preview);
    if (preview?.dataset.told === "good") forgive();
  }

  // What was refused is right now.
  function forgive() {
    for (const old of sheet.querySelectorAll(".error[role=alert]")) old.remove();
    why.setAttribute("role", "status");
    for (const field of sheet.querySelectorAll("[aria-invalid]")) {
      field.removeAttribute("aria-invalid");
    }
  }

  // Only when every count is in: what is left to 120 would be an echo, and no check.
  function add(preview) {
    const numbers = counts.map((field) => field.value.trim());
    const whole = preview && numbers.length && numbers.every((number) => /^\d+$/.test(number));
    const total = numbers.reduce((before, number) => before + Number(number), 0);
    const good = preview?.dataset.told === "good";
    sum.textContent = whole ? `${numbers.join(" + ")} = ${total}${good ? " ✓" : ""}` : "";
    sum.classList.toggle("good", Boolean(whole) && good);
    sum.classList.toggle("bad", Boolean(whole) && !good);
  }

  async function ask() {
    asking = new AbortController();
    const { signal } = asking;
    try {
      const answer = await fetch(sheet.dataset.check, {
        method: "POST",
        body: new FormData(sheet),
        signal,
      });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const preview = page.querySelector("[data-told]");
      const early = preview?.dataset.told === "bad" && grows();
      if (!signal.aborted) waiting = setTimeout(say, early ? UNTIL_THE_NEXT_DIGIT : 0, preview);
    } catch {
      // No network: the button saves without a word.
    }
  }

  function look() {
    clearTimeout(waiting);
    asking?.abort();
    line.style.minHeight = `${line.getBoundingClientRect().height}px`; // no key moves under a finger that types
    say(null);
    if (isWhole(sheet)) waiting = setTimeout(ask, PAUSE);
  }

  sheet.addEventListener("input", look);
  if (why.getAttribute("role") !== "alert") look(); // what the site has refused is said already
}
