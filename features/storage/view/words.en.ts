// Texts of the storage page, in English.
export const english = {
  storage: "Storage",
  lead: (used: string, free: string) => `${used} used, ${free} free on this disk.`,
  disk: "Disk",
  uploads: "Uploads",
  uploadsNote: (count: string, isOne: boolean) => (isOne ? "in 1 file" : `in ${count} files`),
  database: "Database",
  databaseNote: "Messages, people and everything else that is no file",
  pictures: "Kept pictures",
  picturesNote: "Pictures of other hosts, fetched for readers. The oldest go by themselves.",
  free: "Free",
  freeNote: "On the disk of the uploads",
};
