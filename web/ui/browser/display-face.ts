// The font of titles, loaded after the page is shown; lines have fixed heights, so nothing moves.
import address from "../../../node_modules/@fontsource-variable/literata/files/literata-latin-wght-normal.woff2?url";
import { keep, kept } from "./kept.ts";
import { whenQuiet } from "./quiet.ts";

/** The key for the font's last loaded address: a font in the browser's cache is loaded immediately. */
const wasLoaded = "display-face";

export function loadDisplayFace(): void {
  if (kept(wasLoaded) === address) load();
  else whenQuiet(load);
}

function load(): void {
  const face = new FontFace("Literata Variable", `url(${address})`, { weight: "200 900" });
  face.load().then(
    () => {
      // Added only once loaded: text in a font that is still loading is not shown.
      document.fonts.add(face);
      keep(wasLoaded, address);
    },
    // Without it, titles stay in a system font.
    () => {},
  );
}
