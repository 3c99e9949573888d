// Storage: the space that the database and files take, and the free space.
import { z } from "zod";
import { operation } from "../../protocol/operation.ts";

const storage = z
  .object({
    database_bytes: z.int(),
    uploads_bytes: z.int(),
    uploads_count: z.int(),
    pictures_bytes: z.int().meta({ description: "Pictures of other hosts that are kept for readers" }),
    free_bytes: z.int().meta({ description: "What is left on the disk of the data folder" }),
  })
  .meta({ id: "Storage" });

export type Storage = z.infer<typeof storage>;

export const getStorage = operation({
  name: "getStorage",
  method: "GET",
  path: "/admin/storage",
  summary: "How much room everything takes, and how much is left (admins of the instance)",
  caller: "person",
  lane: "read",
  answers: { 200: { description: "In bytes, but for the count", body: storage } },
  errors: ["forbidden"],
});
