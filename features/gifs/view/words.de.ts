// Texts of the GIF picker, in German.
export const german = {
  button: "GIF",
  label: "GIFs",
};
