// The hall's display fills its screen: the largest letters for which there is room. Where even the
// smallest that can be read have none, it scrolls slowly, and its turn lasts as long as that takes.
const LARGEST = 13; // letters, in hundredths of the screen's height
const LEAST = 4.1; // a twenty-fifth is read from the last table
const FINER = 0.97;
const PAUSE = 4000; // milliseconds at the top and at the end
const STEP = 6000; // from one screenful to the next, where nothing may move
const SPEED = 0.04; // of the screen's height in a second
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
const main = document.querySelector("main");
let scrolling = 0;

const body = () => document.querySelector(".display-body");
const room = (box) => box.scrollHeight <= box.clientHeight + 1 && box.scrollWidth <= box.clientWidth + 1;

function fit() {
  const box = body();
  if (!box) return;
  // Rows of one height in every column, also in one with fewer of them.
  const columns = [...box.querySelectorAll(".display-columns > :is(ul, table)")];
  const rows = (column) => column.querySelectorAll("li, tbody > tr").length;
  const most = Math.max(...columns.map(rows));
  for (const column of columns) column.style.blockSize = `${(100 * rows(column)) / most}%`;
  for (let size = LARGEST; ; size = Math.max(LEAST, size * FINER)) {
    main.style.setProperty("--fit", `${size}vh`);
    main.className = size > LEAST ? "" : "fit-8";
    if (size === LEAST || room(box)) break;
  }
  scroll(box);
}

function scroll(box) {
  clearInterval(scrolling);
  scrolling = 0;
  const beyond = box.scrollHeight - box.clientHeight;
  if (beyond <= 1 || getComputedStyle(box).overflowY === "visible") return;
  const sheet = box.closest("[data-turn]");
  const begun = Date.now();
  const screens = Math.ceil(beyond / (box.clientHeight * 0.9));
  const way = still.matches ? screens * STEP : (beyond / window.innerHeight / SPEED) * 1000;
  sheet.dataset.turn = String(Math.max(Number(sheet.dataset.turn), Math.ceil((2 * PAUSE + way) / 1000)));
  const move = () => {
    const gone = Math.max(0, Date.now() - begun - PAUSE);
    const share = still.matches ? Math.ceil(gone / STEP) / screens : gone / way;
    box.scrollTop = beyond * Math.min(1, share);
  };
  scrolling = setInterval(move, still.matches ? 500 : 50);
}

fit();
document.fonts?.ready.then(fit);
document.addEventListener("live", fit);
window.addEventListener("resize", fit);
