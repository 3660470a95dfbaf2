// Sheets that people fill in, and what of them waits on this phone; every page works without it.
import { check } from "./check.js";
import { depends } from "./depends.js";
import { draft } from "./draft.js";
import { entry } from "./entry.js";
import { inPlace } from "./in_place.js";
import { onPhone } from "./on_phone.js";
import { order } from "./order.js";
import { pad } from "./pad.js";
import { pile } from "./pile.js";
import { remove } from "./queue.js";
import { keepSending } from "./resend.js";
import { save } from "./save.js";

const alive = new WeakSet();

function each(what, enliven) {
  for (const element of document.querySelectorAll(what)) {
    if (!alive.has(element)) enliven(element);
    alive.add(element);
  }
}

async function enliven(sheet) {
  save(sheet); // at once: it may be pressed before a draft has come back
  // What was tapped before comes back first; what is built from the fields comes after it.
  await draft(sheet);
  depends(sheet);
  for (const asked of sheet.querySelectorAll("[data-order]")) order(asked);
  pad(sheet);
  pile(sheet);
  entry(sheet);
  check(sheet);
}

function look() {
  each("[data-sheet]", enliven);
  each("[data-send]", save);
  each("[data-in-place]", inPlace);
  each("[data-forget]", (link) => {
    link.addEventListener("click", async (event) => {
      event.preventDefault();
      await remove(link.dataset.forget).catch(() => {});
      window.location.assign(link.href);
    });
  });
}

look();
// A page laid into this one, a sheet laid out here, the next hand's sheet that came by itself.
for (const event of ["kula:shown", "kula:laid", "live"]) document.addEventListener(event, look);
onPhone();
keepSending();
