// Password hashing: argon2id off the main thread, a bounded number at a time and a bounded number waiting.
import { Refusal } from "../protocol/errors.ts";
import { Queue } from "./queue.ts";

/** `memoryCost` in KiB, `timeCost` in passes. */
export interface HashCost {
  memoryCost: number;
  timeCost: number;
}

const usualCost: HashCost = { memoryCost: 19_456, timeCost: 2 };
/** Leaves at least one of the runtime's threads (at least two, as many as cores) to the database's syncs. */
const atOnce = navigator.hardwareConcurrency > 2 ? 2 : 1;
const mostWaiting = 128;

export interface PasswordHasher {
  /** Throws 503 when too many calls are waiting. */
  hash(password: string): Promise<string>;
  /** Takes the same time when there is no hash to compare with. Throws 503 when too many calls are waiting. */
  verify(password: string, hash: string | undefined): Promise<Verified>;
}

/** `as typed`: the hash is that of the password as typed, from before passwords were normalised. */
type Verified = "right" | "as typed" | "wrong";

/** The form that passwords are hashed in: a keyboard may send an accented letter as one character or as two. */
function normalized(password: string): string {
  return password.normalize("NFC");
}

export function passwordHasher(cost = usualCost): PasswordHasher {
  const parameters = { algorithm: "argon2id", ...cost } as const;
  const queue = new Queue({ atOnce, mostWaiting, full: tooMany });
  // The hash that the password of an unknown name is compared with. Made by the first login, whether its name is known
  // or not: a delay for unknown names only would tell them apart, and making it at the start would slow every start.
  let decoy: Promise<string> | undefined;

  return {
    hash: (password) => queue.run(() => Bun.password.hash(normalized(password), parameters)),
    verify: (password, hash) =>
      queue.run(async () => {
        decoy ??= Bun.password.hash(crypto.randomUUID(), parameters);
        const other = await decoy.catch((error) => {
          decoy = undefined;
          throw error;
        });
        const fits = async (text: string) =>
          (await Bun.password.verify(text, hash ?? other)) && hash !== undefined;
        if (await fits(normalized(password))) return "right";
        // The same two hashes for every name, known or not: what was typed decides, not what is stored.
        return password !== normalized(password) && (await fits(password)) ? "as typed" : "wrong";
      }),
  };
}

function tooMany(): Refusal {
  return new Refusal("unavailable", "Too many people are signing in at this moment. Try again shortly.", {
    retryAfter: 2,
  });
}
