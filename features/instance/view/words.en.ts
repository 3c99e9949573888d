// What the page says of an instance that does not answer, in English.
export const english = {
  unreachedTitle: "Not answering",
  unreachedLead: "This Hearth cannot be reached. Look at your connection; it may also be restarting.",
};
