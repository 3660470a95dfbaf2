// A password is asked once, and may be looked at while it is chosen.
for (const shows of document.querySelectorAll("#show_password")) {
  const field = document.getElementById(shows.getAttribute("aria-controls"));
  shows.closest("[hidden]").hidden = false;
  shows.addEventListener("change", () => {
    field.type = shows.checked ? "text" : "password";
  });
  // What a browser keeps must be known to it as a password.
  field.form.addEventListener("submit", () => {
    field.type = "password";
  });
}
