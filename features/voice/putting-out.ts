// Removes people from rooms, and keeps them out while one of their tokens could still let them in.
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { nextTurn, pieces } from "../../server/house/pieces.ts";
import { mediaOf } from "./media.ts";
import type { Present } from "./present.ts";
import { leave, mayBeIn, peopleAtOnce } from "./rooms.ts";
import type { VoiceParticipantsTable } from "./store.ts";
import { tasks } from "./tasks.ts";

/** One connection of a person in a room. */
export type Connection = Pick<VoiceParticipantsTable, "channel_id" | "user_id" | "sid">;

/** Removes the person at the media service, then records that they left. */
export function putOut(house: House, connection: Connection): void {
  const { channel_id, user_id, sid } = connection;
  keepOut(house, channel_id, user_id);
  tasks(house).add(`out ${channel_id} ${user_id} ${sid}`, async () => {
    await mediaOf(house)?.remove(channel_id, user_id);
    await house.write((unit) => leave(unit, channel_id, user_id, (row) => row.sid === sid));
  });
}

/** Removes this person as soon as they appear in the room, unless they may be there again. */
export function keepOut(house: House, channelId: string, userId: string): void {
  lookoutOf(house).expect(channelId, userId);
}

/** Delays between two checks of the lookout, and while the media service does not respond. Tests use shorter ones. */
export const lookoutPace = perHouse("cache", () => ({ everyMs: 1500, pauseMs: 5000 }));
const roomsAtOnce = 8;
/**
 * Every five minutes LiveKit gives everybody in a room a fresh token for reconnecting, valid for ten minutes and
 * accepted for one more. No version of LiveKit checks revoked tokens. Another minute allows for differing clocks. In
 * milliseconds.
 */
const lookForMs = 12 * 60_000;
/** Beyond this number, the earliest removed are left to webhooks and to the reconciliation every 30 seconds. */
const mostPeople = 1000;

interface Expected {
  channelId: string;
  userId: string;
  until: number;
}

/**
 * Checks whether removed people are back in their rooms, without relying on webhooks. Each process checks those of
 * whose change it heard; if it ends, the reconciliation finds them within half a minute.
 */
class Lookout {
  readonly #house: House;
  /** By room and person; the most recently removed person is last. */
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
    if (!this.#isLooking) this.#timer ??= setTimeout(() => this.#look(), lookoutPace(this.#house).everyMs);
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
    const { everyMs, pauseMs } = lookoutPace(this.#house);
    let again = everyMs;
    try {
      const expected = Map.groupBy(this.#expected.values(), (each) => each.channelId);
      // One call for all rooms: most of them end soon after their last person.
      const rooms = (await mediaOf(this.#house)?.rooms([...expected.keys()])) ?? [];
      while (rooms.length > 0) {
        const some = rooms.splice(0, roomsAtOnce);
        await Promise.all(some.map((room) => this.#lookInto(room, expected.get(room) ?? [])));
      }
    } catch (error) {
      tasks(this.#house).failed(error);
      again = pauseMs;
    }
    this.#isLooking = false;
    if (!this.#isClosed && this.#expected.size > 0) this.#timer = setTimeout(() => this.#look(), again);
  }

  async #lookInto(room: string, people: readonly Expected[]): Promise<void> {
    const unwelcome = await this.#stillUnwelcome(people);
    if (unwelcome.length === 0) return;
    const present: Present[] = (await mediaOf(this.#house)?.participants(room)) ?? [];
    const there = unwelcome.filter((each) => present.some(({ userId }) => userId === each.userId));
    if (there.length === 0) return;
    // Checked again: they may have got their rights back, and come with a new token, while the service answered.
    const still = new Set((await this.#stillUnwelcome(there)).map(({ userId }) => userId));
    for (const { userId, sid } of present) {
      if (still.has(userId)) putOut(this.#house, { channel_id: room, user_id: userId, sid });
    }
  }

  /** Returns those who still may not be there; the others are no longer watched for. */
  #stillUnwelcome(people: readonly Expected[]): Promise<Expected[]> {
    return this.#house.read(async (unit) => {
      const unwelcome: Expected[] = [];
      for (const some of pieces(people, () => 1, peopleAtOnce)) {
        for (const each of some) {
          const { channelId, userId } = each;
          if (await mayBeIn(unit, channelId, userId)) this.#expected.delete(`${channelId} ${userId}`);
          else unwelcome.push(each);
        }
        await nextTurn();
      }
      return unwelcome;
    });
  }
}

export const lookoutOf = perHouse("queue", (house) => new Lookout(house));
