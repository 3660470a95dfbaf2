// A sheet that is changed after it was sent is another one, and gets an entry of its own.

// ``crypto.randomUUID`` is not there on plain http, as in a hall; this is.
export function fresh() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

export function entry(sheet) {
  if (!sheet.elements.entry) return;
  let sent = false;
  sheet.addEventListener("submit", () => { sent = true; });
  sheet.addEventListener("input", () => {
    if (!sent) return;
    sheet.elements.entry.value = fresh();
    sent = false;
  });
}
