// The client of the media service: calls have a timeout, and an outage is logged once, not with every call.
import { ParticipantInfo_State, type RoomServiceClient, ServerError } from "livekit-server-sdk";
import type { Config } from "../../server/config/config.ts";
import type { House } from "../../server/house/house.ts";
import { participantPermission } from "./grants.ts";
import { unavailable } from "./guesses.ts";
import { type Present, presentOf } from "./present.ts";
import { roomClient } from "./room-client.ts";

/** The default timeout of calls to the media service, in milliseconds. */
const usualPatienceMs = 5000;

export class LiveKit {
  readonly patienceMs: number;
  readonly #house: House;
  readonly #client: RoomServiceClient;
  #isAway = false;
  readonly openedAt = Date.now();
  /** True if a webhook or a response has come since the server was opened: until then an empty room proves nothing. */
  isHeard = false;

  constructor(house: House, settings: NonNullable<Config["livekit"]>, patienceMs = usualPatienceMs) {
    this.#house = house;
    this.patienceMs = patienceMs;
    this.#client = roomClient(settings, patienceMs);
  }

  /** Returns the names of existing rooms: of all, or of those in `names`. */
  async rooms(names?: string[]): Promise<string[]> {
    return (await this.#ask(() => this.#client.listRooms(names))).map((room) => room.name);
  }

  /** Returns the people in a room, including those who are still connecting. */
  async participants(room: string): Promise<Present[]> {
    const infos = await this.#ask(() => this.#client.listParticipants(room).catch(unlessGone<never[]>([])));
    return infos
      .filter((info) => info.state !== ParticipantInfo_State.DISCONNECTED)
      .flatMap((info) => presentOf(info) ?? []);
  }

  /** Removes a person. Once this resolves, they are out of the room. */
  async remove(room: string, userId: string): Promise<void> {
    // Revokes tokens, for versions of LiveKit that support it; current ones let every holder of a token in. Includes
    // tokens of this very second.
    const revokeTokenTs = BigInt(Math.floor(Date.now() / 1000) + 1);
    await this.#ask(() =>
      this.#client.removeParticipant(room, userId, { revokeTokenTs }).catch(unlessGone(undefined)),
    );
  }

  async permit(room: string, userId: string, bits: number): Promise<void> {
    const permission = participantPermission(bits);
    await this.#ask(() =>
      this.#client.updateParticipant(room, userId, { permission }).then(nothing, unlessGone(undefined)),
    );
  }

  async #ask<T>(call: () => Promise<T>): Promise<T> {
    try {
      const answer = await call();
      if (this.#isAway) this.#house.log.info({}, "the media service answers again");
      this.#isAway = false;
      this.isHeard = true;
      return answer;
    } catch (error) {
      if (!this.#isAway)
        this.#house.log.warn({ err: error }, "the media service does not answer as it should");
      this.#isAway = true;
      throw unavailable();
    }
  }
}

// Only LiveKit's own error counts: a 404 of another program at this URL says nothing about a room.
function unlessGone<T>(answer: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof ServerError && error.code === "not_found") return answer;
    throw error;
  };
}

function nothing(): void {}
