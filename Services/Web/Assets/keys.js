// The left and right arrow keys open the page before and after this one.
addEventListener("keydown", (event) => {
  const isTyping = event.target.closest?.("input, select, textarea, [tabindex='0']");
  if (isTyping || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const direction = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  if (direction) document.querySelector(`nav.days a[rel=${direction}]`)?.click();
});
