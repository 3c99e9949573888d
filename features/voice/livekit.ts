// The media service as Hearth asks it: bounded in time, and its absence is told once, not with every call.
import { ParticipantInfo_State, RoomServiceClient, ServerError } from "livekit-server-sdk";
import { Refusal } from "../../protocol/errors.ts";
import type { Config } from "../../server/config/config.ts";
import type { House } from "../../server/house/house.ts";
import { httpForm } from "./addresses.ts";
import { participantPermission } from "./grants.ts";
import { type Present, presentOf } from "./present.ts";

const patienceSeconds = 5;

export class LiveKit {
  readonly #house: House;
  readonly #client: RoomServiceClient;
  #isAway = false;
  readonly openedAt = Date.now();
  /** Whether it was heard of since the house was opened: before that an empty room is no knowledge. */
  isHeard = false;

  constructor(house: House, { url, key, secret }: NonNullable<Config["livekit"]>) {
    this.#house = house;
    // Failing over to other regions would multiply the time that a call may take.
    this.#client = new RoomServiceClient(httpForm(url), key, secret, {
      requestTimeout: patienceSeconds,
      failover: false,
    });
  }

  /** The names of those that there are, of all or of the named ones. */
  async rooms(names?: string[]): Promise<string[]> {
    return (await this.#ask(() => this.#client.listRooms(names))).map((room) => room.name);
  }

  /** Also those who are not connected yet. */
  async participants(room: string): Promise<Present[]> {
    const infos = await this.#ask(() => this.#client.listParticipants(room).catch(unlessGone<never[]>([])));
    return infos
      .filter((info) => info.state !== ParticipantInfo_State.DISCONNECTED)
      .flatMap((info) => presentOf(info) ?? []);
  }

  /** Afterwards they are out. */
  async remove(room: string, userId: string): Promise<void> {
    // For a LiveKit that heeds it: today's let in whoever has a token. Those of this very second are meant, too.
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
      throw new Refusal(
        "unavailable",
        "The media service does not answer at the moment. Try again shortly.",
        {
          retryAfter: 5,
        },
      );
    }
  }
}

// Only its own words count: a 404 of something else that answers there is no knowledge about a room.
function unlessGone<T>(answer: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof ServerError && error.code === "not_found") return answer;
    throw error;
  };
}

function nothing(): void {}
