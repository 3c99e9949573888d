// The entry point of the page: loads its styles and words, and renders the app.
import "./styles/tokens.css";
import "./styles/ground.css";
import "./styles/faces.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App, prepare } from "./app.tsx";
import { loadDisplayFace } from "./ui/browser/display-face.ts";
import { persistently } from "./ui/browser/lazily.ts";
import { whenShown } from "./ui/browser/quiet.ts";
import { currentLook } from "./ui/words/look.ts";
import { preferredLanguage, speak } from "./ui/words/words.ts";

const page = document.getElementById("page");
if (!page) throw new Error("the page has no place to be drawn in");
// A browser that is too old is told so by `public/look.js`.
if (!("tooOld" in document.documentElement.dataset)) void begin(page);

/** No top-level await: words and views import parts of this file, and must not wait for it. */
async function begin(page: HTMLElement): Promise<void> {
  try {
    const spoken = speak(preferredLanguage(currentLook().language));
    prepare();
    await spoken;
    createRoot(page).render(
      <StrictMode>
        <App />
      </StrictMode>,
    );
  } catch {
    // The words themselves did not load, so the message cannot be in the reader's language.
    page.textContent = "Hearth did not load. Load the page again.";
  }
  loadDisplayFace();
  // Browsers translate what is there to read.
  whenShown(() => void persistently(() => import("./ui/browser/moved-nodes.ts")).catch(() => {}));
}
