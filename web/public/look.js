// Applies the reader's appearance settings before the first paint, so that nothing flashes. `ui/words/look.ts` defines
// the stored settings and their effects; a test compares the two. Tells a browser that is too old for the page that it
// is, and therefore uses the syntax of ES2015 alone.
const root = document.documentElement;
let language = navigator.language;
try {
  const look = JSON.parse(localStorage.getItem("hearth.look") || "{}");
  if (["light", "dark", "contrast"].includes(look.theme)) root.dataset.theme = look.theme;
  if (look.density === "compact") root.dataset.density = look.density;
  if (look.motion === "reduced") root.dataset.motion = look.motion;
  if (look.language) root.lang = language = look.language;
  if (look.textSize) root.style.fontSize = `${(look.textSize / 15) * 100}%`;
  if (look.saturation !== undefined) root.style.setProperty("--saturation", String(look.saturation));
} catch (_) {
  // Storage is refused or broken: the defaults stay.
}

// The oldest browsers of `tools/oldest-browsers.ts` have both. Without them `start.tsx` begins nothing.
if (!window.Intl || !Intl.Segmenter || !CSS.supports("color", "oklch(from red l c h)")) {
  root.dataset.tooOld = "";
  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById(/^de/.test(language) ? "too-old-de" : "too-old-en").hidden = false;
  });
}
