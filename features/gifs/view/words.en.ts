// Texts of the GIF picker, in English.
export const english = {
  button: "GIF",
  label: "GIFs",
};
