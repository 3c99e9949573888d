// Texts about edits of deleted messages, in German.
export const german = {
  moved: "Die Nachricht wurde gelöscht. Was du getippt hast, steht unten im Feld.",
  movedElsewhere:
    "Eine Nachricht wurde gelöscht, bevor die Korrektur gespeichert war. Was du getippt hast, steht im Feld ihres Kanals.",
};
