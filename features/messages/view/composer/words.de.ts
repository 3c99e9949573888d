// Texts of the composer, in German.

const digits = new Intl.NumberFormat("de");

export const german = {
  write: (place: string) => `Nachricht an ${place}`,
  attach: "Dateien anhängen",
  emoji: "Emoji",
  send: "Senden",
  nothingToSend: "Noch gibt es nichts zu senden",
  tooLong: (over: number) => `Um ${digits.format(over)} Zeichen zu lang. Kürze sie, dann geht sie raus.`,
  badFiles: (count: number) =>
    count === 1
      ? "Eine Datei ging nicht durch. Entferne sie, um den Rest zu senden."
      : `${count} Dateien gingen nicht durch. Entferne sie, um den Rest zu senden.`,
  waits: (count: number) =>
    count === 1 ? "Geht raus, sobald die Datei da ist." : `Geht raus, sobald ${count} Dateien da sind.`,
  waitNoLonger: "Noch nicht senden",
  filesFailed:
    "Eine Nachricht wurde nicht gesendet: Ihre Dateien kamen nicht durch. Sie wartet in ihrem Kanal.",
  notTaken: "Nicht gesendet. Was du geschrieben hast, ist noch da; versuch es noch einmal.",
  replyingTo: "Antwort an",
  stopReplying: "Nicht mehr antworten",
  originalGone: "Das Original wurde gelöscht",
  counted: (length: number, most: number) => `${digits.format(length)} von ${digits.format(most)}`,
  left: (count: number) => (count >= 0 ? `Noch ${count} Zeichen frei` : `${-count} Zeichen zu viel`),
  noRight: (channel: string) => `Du kannst #${channel} lesen, aber hier nicht schreiben.`,
  whoGives: (roles: string[]) =>
    roles.length > 0
      ? `Das Recht dazu geben dir ${new Intl.ListFormat("de", { type: "disjunction" }).format(roles)}.`
      : "Das Recht dazu gibt dir, wem der Server gehört.",
};
