// What people do with files.
import type { Feature } from "../../server/feature.ts";
import { fileMigrations } from "./store.ts";

export const files: Feature = {
  name: "files",
  migrations: fileMigrations,
  operations: [],
};
