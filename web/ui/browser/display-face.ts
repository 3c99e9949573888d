// The face of titles. It comes when the page stands already; lines have fixed heights, so nothing moves.
import address from "../../../node_modules/@fontsource-variable/literata/files/literata-latin-wght-normal.woff2?url";
import { keep, kept } from "./kept.ts";
import { whenQuiet } from "./quiet.ts";

/** Where it was loaded before, the browser has it, and it takes nobody's turn. */
const wasLoaded = "display-face";

export function loadDisplayFace(): void {
  if (kept(wasLoaded) === address) load();
  else whenQuiet(load);
}

function load(): void {
  const face = new FontFace("Literata Variable", `url(${address})`, { weight: "200 900" });
  face.load().then(
    () => {
      // Not before: while a face of the page is under way, what is written in it is not shown.
      document.fonts.add(face);
      keep(wasLoaded, address);
    },
    // Without it titles stay in the system's own face.
    () => {},
  );
}
