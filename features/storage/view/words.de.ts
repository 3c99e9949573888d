// Texts of the storage page, in German.
export const german = {
  storage: "Speicher",
  lead: (used: string, free: string) => `${used} belegt, ${free} auf dieser Platte frei.`,
  disk: "Platte",
  uploads: "Uploads",
  uploadsNote: (count: string, isOne: boolean) => (isOne ? "in 1 Datei" : `in ${count} Dateien`),
  database: "Datenbank",
  databaseNote: "Nachrichten, Leute und alles, was keine Datei ist",
  pictures: "Behaltene Bilder",
  picturesNote: "Bilder anderer Server, für Leser geholt. Die ältesten gehen von selbst.",
  free: "Frei",
  freeNote: "Auf der Platte der Uploads",
};
