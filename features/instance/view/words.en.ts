// Texts about an instance that does not answer, in English.
export const english = {
  inClear: "What you type here travels in clear, and your browser may not keep you signed in. Go to",
  unreachedTitle: "Not answering",
  unreachedLead: "This Hearth cannot be reached. Look at your connection; it may also be restarting.",
};
