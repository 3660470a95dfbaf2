// Makes an element like a fresh one by changing only what differs, so that what is open, focused
// or scrolled to stays as it is.

// What a row is known by when it changes its place.
function nameOf(node) {
  if (node.id) return node.id;
  return node.matches?.("tr, li") ? node.querySelector("a[href]")?.getAttribute("href") : undefined;
}

function alike(node, fresh) {
  return node && node.nodeName === fresh.nodeName && nameOf(node) === nameOf(fresh);
}

function attributes(node, fresh) {
  for (const { name } of [...node.attributes]) {
    // Only a person opens and closes.
    if (!fresh.hasAttribute(name) && !(name === "open" && node.nodeName === "DETAILS")) {
      node.removeAttribute(name);
    }
  }
  for (const { name, value } of fresh.attributes) {
    if (name === "open" && node.nodeName === "DETAILS") continue;
    if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  }
}

export function morph(node, fresh) {
  if (node.isEqualNode(fresh)) return;
  if (node.matches?.("[data-own]")) return; // what a script and people have made of it stays
  if (node.nodeType !== Node.ELEMENT_NODE) {
    node.nodeValue = fresh.nodeValue;
    return;
  }
  attributes(node, fresh);
  const named = new Map();
  for (const child of node.children) if (nameOf(child)) named.set(nameOf(child), child);
  let next = node.firstChild;
  for (const child of fresh.childNodes) {
    const name = nameOf(child);
    const known = alike(named.get(name), child) ? named.get(name) : alike(next, child) && next;
    if (!known) {
      node.insertBefore(document.importNode(child, true), next);
      continue;
    }
    if (name) named.delete(name);
    if (known === next) next = next.nextSibling;
    else node.insertBefore(known, next);
    morph(known, child);
  }
  while (next) {
    const { nextSibling } = next;
    next.remove();
    next = nextSibling;
  }
}
