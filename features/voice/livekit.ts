// The media service as Hearth asks it: bounded in time, and its absence is told once, not with every call.
import {
  type ParticipantInfo,
  ParticipantInfo_State,
  RoomServiceClient,
  ServerError,
  TrackSource,
} from "livekit-server-sdk";
import { Refusal } from "../../protocol/errors.ts";
import { id } from "../../protocol/shapes.ts";
import type { Config } from "../../server/config.ts";
import type { House } from "../../server/house.ts";
import { bitsBehind, participantPermission } from "./grants.ts";
import { httpForm, type Present } from "./media.ts";

const patienceSeconds = 5;

export class LiveKit {
  readonly #house: House;
  readonly #client: RoomServiceClient;
  #isAway = false;
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

  async rooms(): Promise<string[]> {
    return (await this.#ask(() => this.#client.listRooms())).map((room) => room.name);
  }

  async participants(room: string): Promise<Present[]> {
    const infos = await this.#ask(() => this.#client.listParticipants(room).catch(unlessGone<never[]>([])));
    return infos
      .filter((info) => info.state !== ParticipantInfo_State.DISCONNECTED)
      .flatMap((info) => presentOf(info) ?? []);
  }

  /** Afterwards they are out, and no token that was made before lets them in again. */
  async remove(room: string, userId: string): Promise<void> {
    // Tokens of this very second are meant, too.
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

/** Somebody of ours, as far as one can tell from the outside: recorders, agents and callers by phone are not. */
export function presentOf(info: ParticipantInfo): Present | undefined {
  const person = id.safeParse(info.identity);
  const isOrdinary = info.kind === 0;
  if (!person.success || !isOrdinary) return undefined;
  const microphone = info.tracks.find((track) => track.source === TrackSource.MICROPHONE);
  return {
    userId: person.data,
    sid: info.sid,
    joinedAt: Number(info.joinedAtMs) || Number(info.joinedAt) * 1000 || Date.now(),
    microphone: microphone ? (microphone.muted ? "muted" : "on") : null,
    publishes: bitsBehind(info.permission),
  };
}

// Only its own words count: a 404 of something else that answers there is no knowledge about a room.
function unlessGone<T>(answer: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof ServerError && error.code === "not_found") return answer;
    throw error;
  };
}

function nothing(): void {}
