// Storage use: of the database and the disk, and of files by the features that store them.
import { sizeOf } from "../../server/database/size.ts";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { question } from "../../server/house/question.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { kept } from "../../server/kept.ts";
import type { Storage } from "./contract.ts";

type OfFeatures = Omit<Storage, "database_bytes" | "free_bytes">;

/** Asks each feature for its bytes in files; missing values count as 0. */
export const storedBytes = question<[], Partial<OfFeatures>>("storage.storedBytes");

const none: OfFeatures = { uploads_bytes: 0, uploads_count: 0, pictures_bytes: 0 };

/** How long the result is cached, in milliseconds, so that repeated calls sum up nothing. */
const keptMs = 2000;

/** Returns the total storage use. */
export const storageOf = perHouse("cache", (house) => kept(keptMs, () => house.read((unit) => look(unit))));

async function look(unit: UnitOfWork): Promise<Storage> {
  const { database, blobs }: House = unit.house;
  const stored = Object.assign({}, none, ...(await unit.ask(storedBytes)));
  const [database_bytes, free_bytes] = await Promise.all([sizeOf(database), blobs.freeBytes()]);
  return { database_bytes, ...stored, free_bytes };
}
