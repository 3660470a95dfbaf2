// A question that is asked only while another has a certain answer.

export function depends(sheet) {
  const asked = [...sheet.querySelectorAll("[data-depends]")];
  if (!asked.length) return;

  function look() {
    const answers = new FormData(sheet);
    for (const question of asked) {
      const values = question.dataset.values.split(" ");
      question.hidden = !values.includes(answers.get(question.dataset.depends));
    }
  }

  sheet.addEventListener("input", look);
  look();
}
