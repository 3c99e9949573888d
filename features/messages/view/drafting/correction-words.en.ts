// Texts about edits of deleted messages, in English.
export const english = {
  moved: "The message was deleted. What you typed is in the field below.",
  movedElsewhere:
    "A message was deleted before its correction was saved. What you typed is in the field of its channel.",
};
