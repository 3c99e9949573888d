// Texts of the picker of GIFs, in German.
export const german = {
  search: "GIFs suchen",
  loading: "GIFs werden geladen",
  nothing: (query: string) => `Kein GIF zu „${query}“.`,
  cannotLoad: "Die GIFs konnten nicht geladen werden.",
  untitled: "GIF ohne Titel",
};
