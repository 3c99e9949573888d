// Texts of the GIF picker, in English.

export const english = {
  button: "GIF",
  label: "GIFs",
  search: "Search GIFs",
  loading: "GIFs are loading",
  nothing: (query: string) => `No GIF for “${query}”.`,
  cannotLoad: "The GIFs could not be loaded.",
  untitled: "GIF without a title",
};
