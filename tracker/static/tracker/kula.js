// Behaviour at the table; every page works without it.
import { check } from "./check.js";
import { clocks } from "./clock.js";
import { depends } from "./depends.js";
import { draft } from "./draft.js";
import { entry } from "./entry.js";
import { order } from "./order.js";
import { pad } from "./pad.js";
import { pile } from "./pile.js";

for (const sheet of document.querySelectorAll("[data-sheet]")) {
  // What was tapped before comes back first; what is built from the fields comes after it.
  draft(sheet);
  depends(sheet);
  for (const asked of sheet.querySelectorAll("[data-order]")) order(asked);
  pad(sheet);
  pile(sheet);
  entry(sheet);
  check(sheet);
}

clocks();
