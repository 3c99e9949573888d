// Notices that the media service's webhooks are missing or badly signed, and tells the log and the doctor.
import { type House, perHouse } from "../../server/house/house.ts";
import { mediaOf } from "./media.ts";

/** What is wrong with a webhook that looks like the media service's. */
export type Fault =
  | "it is signed with another API key"
  | "it is signed with another secret, or was changed on its way"
  | "it is too old, or the clocks are apart";

const warnEveryMs = 3600_000;
/** The webhook about a person who came less than this ago may still be on its way. */
const onItsWayMs = 10_000;
/** Rooms that the doctor made recently. */
const mostTrials = 16;
export const trialPrefix = "hearth-doctor-";

class Webhooks {
  readonly #house: House;
  readonly #warnedAt = new Map<string, number>();
  readonly #trials: string[] = [];
  believedAt: number | undefined;
  refused: { at: number; fault: Fault } | undefined;

  constructor(house: House) {
    this.#house = house;
  }

  believed(room: string | undefined): void {
    this.believedAt = Date.now();
    if (!room?.startsWith(trialPrefix)) return;
    this.#trials.push(room);
    if (this.#trials.length > mostTrials) this.#trials.shift();
  }

  hasHeardOf(room: string): boolean {
    return this.#trials.includes(room);
  }

  refuse(fault: Fault): void {
    this.refused = { at: Date.now(), fault };
    this.#warn(
      "refused",
      { fault },
      "a webhook was refused, so joins and leaves may show up to 30 s late: compare LIVEKIT_API_KEY and LIVEKIT_API_SECRET with the key that webhook.api_key names in LiveKit's configuration, and the clocks of both; hearth doctor voice tries it",
    );
  }

  /** The reconciliation found a person whose webhook never came. */
  missed(joinedAt: number): void {
    const opened = mediaOf(this.#house)?.openedAt ?? 0;
    // Webhooks that were sent while Hearth was not running prove nothing.
    if (joinedAt < opened || joinedAt > Date.now() - onItsWayMs) return;
    this.#warn(
      "missed",
      {},
      "somebody is in a voice room and no webhook told of it, so joins and leaves show up to 30 s late: see that webhook.urls in LiveKit's configuration names the address of Hearth's webhook; hearth doctor voice tries it",
    );
  }

  #warn(kind: string, facts: object, sentence: string): void {
    const last = this.#warnedAt.get(kind);
    if (last !== undefined && Date.now() - last < warnEveryMs) return;
    this.#warnedAt.set(kind, Date.now());
    this.#house.log.warn(facts, sentence);
  }
}

export const webhooksOf = perHouse("truth", (house) => new Webhooks(house));
