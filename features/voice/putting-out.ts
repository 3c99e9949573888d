// Puts people out of rooms, and keeps them out for as long as a token that they have could let them in again.
import { type House, perHouse } from "../../server/house/house.ts";
import { nextTurn, pieces } from "../../server/house/pieces.ts";
import { errandsOf } from "./errands.ts";
import { mediaOf } from "./media.ts";
import type { Present } from "./present.ts";
import { leave, mayBeIn, peopleAtOnce } from "./rooms.ts";
import type { VoiceParticipantsTable } from "./store.ts";

/** One connection of a person in a room. */
export type Connection = Pick<VoiceParticipantsTable, "channel_id" | "user_id" | "sid">;

/** First they are out at the media service, then they are seen to have left. */
export function putOut(house: House, connection: Connection): void {
  const { channel_id, user_id, sid } = connection;
  keepOut(house, channel_id, user_id);
  errandsOf(house).send(`out ${channel_id} ${user_id} ${sid}`, async () => {
    await mediaOf(house)?.remove(channel_id, user_id);
    await house.write((unit) => leave(unit, channel_id, user_id, (row) => row.sid === sid));
  });
}

/** Whoever is one of these and may not be there is put out as soon as they are seen. */
export function keepOut(house: House, channelId: string, userId: string): void {
  lookoutOf(house).expect(channelId, userId);
}

const lookEveryMs = 1500;
/** While the media service does not answer. */
const pauseMs = 5000;
const roomsAtOnce = 8;
/**
 * LiveKit gives everybody who is in a room a fresh token, each five minutes: for coming back, good for ten, and taken
 * for a minute longer. No LiveKit reads which tokens are revoked. A minute is for clocks that are apart.
 */
const lookForMs = 12 * 60_000;
/** Beyond, those who were put out first are left to webhooks and to the comparison each 30 seconds. */
const mostPeople = 1000;

interface Expected {
  channelId: string;
  userId: string;
  until: number;
}

/** Looks into the rooms of people who were put out, whether they are back, so that it does not hang on webhooks. */
class Lookout {
  readonly #house: House;
  /** By room and person, who was put out last at the end. */
  readonly #expected = new Map<string, Expected>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isLooking = false;
  #isClosed = false;

  constructor(house: House) {
    this.#house = house;
  }

  expect(channelId: string, userId: string): void {
    if (this.#isClosed) return;
    const key = `${channelId} ${userId}`;
    this.#expected.delete(key);
    this.#expected.set(key, { channelId, userId, until: Date.now() + lookForMs });
    if (this.#expected.size > mostPeople) this.#expected.delete(this.#expected.keys().next().value as string);
    if (!this.#isLooking) this.#timer ??= setTimeout(() => this.#look(), lookEveryMs);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#expected.clear();
  }

  async #look(): Promise<void> {
    this.#timer = undefined;
    for (const [key, { until }] of this.#expected) if (until < Date.now()) this.#expected.delete(key);
    if (this.#expected.size === 0) return;
    this.#isLooking = true;
    let again = lookEveryMs;
    try {
      const expected = Map.groupBy(this.#expected.values(), (each) => each.channelId);
      // One call for all of them: most rooms are gone soon after the last person in them.
      const rooms = (await mediaOf(this.#house)?.rooms([...expected.keys()])) ?? [];
      while (rooms.length > 0) {
        const some = rooms.splice(0, roomsAtOnce);
        await Promise.all(some.map((room) => this.#lookInto(room, expected.get(room) ?? [])));
      }
    } catch (error) {
      errandsOf(this.#house).failed(error);
      again = pauseMs;
    }
    this.#isLooking = false;
    if (!this.#isClosed && this.#expected.size > 0) this.#timer = setTimeout(() => this.#look(), again);
  }

  async #lookInto(room: string, people: readonly Expected[]): Promise<void> {
    const unwelcome = await this.#stillUnwelcome(people);
    if (unwelcome.size === 0) return;
    const present: Present[] = (await mediaOf(this.#house)?.participants(room)) ?? [];
    for (const { userId, sid } of present) {
      if (unwelcome.has(userId)) putOut(this.#house, { channel_id: room, user_id: userId, sid });
    }
  }

  /** Who may be there again is not looked for any more. */
  #stillUnwelcome(people: readonly Expected[]): Promise<Set<string>> {
    return this.#house.read(async (unit) => {
      const unwelcome = new Set<string>();
      for (const some of pieces(people, () => 1, peopleAtOnce)) {
        for (const { channelId, userId } of some) {
          if (await mayBeIn(unit, channelId, userId)) this.#expected.delete(`${channelId} ${userId}`);
          else unwelcome.add(userId);
        }
        await nextTurn();
      }
      return unwelcome;
    });
  }
}

export const lookoutOf = perHouse((house) => new Lookout(house));
