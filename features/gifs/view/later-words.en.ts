// Texts of the picker of GIFs, in English.
export const english = {
  search: "Search GIFs",
  loading: "GIFs are loading",
  nothing: (query: string) => `No GIF for “${query}”.`,
  cannotLoad: "The GIFs could not be loaded.",
  untitled: "GIF without a title",
};
