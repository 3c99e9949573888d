// The start of the page: its styles, its words, and then what its address shows.
import "./styles/tokens.css";
import "./styles/ground.css";
import "./styles/faces.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App, prepare } from "./app.tsx";
import { loadDisplayFace } from "./ui/display-face.ts";
import { currentLook } from "./ui/look.ts";
import { preferredLanguage, speak } from "./ui/words.ts";

const page = document.getElementById("page");
if (!page) throw new Error("the page has no place to be drawn in");
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
