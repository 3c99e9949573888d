// Applies the reader's appearance settings before the first paint, so that nothing flashes. `ui/words/look.ts` defines
// the stored settings and their effects; a test compares the two.
try {
  const look = JSON.parse(localStorage.getItem("hearth.look") ?? "{}");
  const root = document.documentElement;
  if (["light", "dark", "contrast"].includes(look.theme)) root.dataset.theme = look.theme;
  if (look.density === "compact") root.dataset.density = look.density;
  if (look.motion === "reduced") root.dataset.motion = look.motion;
  if (look.language) root.lang = look.language;
  if (look.textSize) root.style.fontSize = `${(look.textSize / 15) * 100}%`;
  if (look.saturation !== undefined) root.style.setProperty("--saturation", String(look.saturation));
} catch {
  // Storage is refused or broken: the defaults stay.
}
