// The start of the page: its styles, its words, and then what its address shows.
import "./styles/tokens.css";
import "./styles/ground.css";
import "./styles/faces.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App, prepare } from "./app.tsx";
import { loadDisplayFace } from "./ui/browser/display-face.ts";
import { currentLook } from "./ui/words/look.ts";
import { preferredLanguage, speak } from "./ui/words/words.ts";

const page = document.getElementById("page");
if (!page) throw new Error("the page has no place to be drawn in");
void begin(page);

/** Nothing waits for this file itself: words and views import parts of it, and come while it goes on. */
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
    // The words themselves did not come, so it cannot be said in the reader's language.
    page.textContent = "Hearth did not load. Load the page again.";
  }
  loadDisplayFace();
}
