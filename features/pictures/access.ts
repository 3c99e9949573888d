// What other features may ask about pictures.
export { picturesBytes } from "./finding.ts";
