// Texts of the GIF picker, in German.

export const german = {
  button: "GIF",
  label: "GIFs",
  search: "GIFs suchen",
  loading: "GIFs werden geladen",
  nothing: (query: string) => `Kein GIF zu „${query}“.`,
  cannotLoad: "Die GIFs konnten nicht geladen werden.",
  untitled: "GIF ohne Titel",
};
