"use strict";
(function () {
  const form = document.querySelector(".filters"), all = Array.from(document.querySelectorAll("details"));
  const told = form.querySelector("output");
  function fits(one) {
    const words = form.words.value.toLowerCase();
    return (!form.loop.value || one.dataset.loop === form.loop.value) && (!form.rule.value || one.dataset.rule === form.rule.value) &&
      Number(one.dataset.sure) >= Number(form.sure.value) && (!words || one.textContent.toLowerCase().includes(words));
  }
  function filter() {
    let shown = 0;
    for (const one of all) {
      one.hidden = !fits(one);
      shown += !one.hidden;
    }
    told.textContent = shown + " of " + all.length;
  }
  function reveal() {
    const one = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (!one || one.tagName !== "DETAILS") return;
    form.reset();
    filter();
    one.open = true;
    one.querySelector("summary").focus();
  }
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const button of form.querySelectorAll("button"))
    button.addEventListener("click", () => { for (const one of all) if (!one.hidden) one.open = Boolean(button.dataset.open); });
  addEventListener("hashchange", reveal);
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
    event.preventDefault();
    form.words.focus();
  });
  form.hidden = all.length === 0;
  filter();
  reveal();
})();
