// Refreshes presences in batches, and sends changes to the sockets of this process.
import { setTimeout as sleep } from "node:timers/promises";
import { logFailure } from "../../server/house/failure.ts";
import type { House } from "../../server/house/house.ts";
import { nextTurn, rowsAtOnce, takeFrom } from "../../server/house/pieces.ts";
import { liveFrame, roundOf, type UnitOfWork } from "../../server/house/unit.ts";
import { OnceMore } from "../../server/once-more.ts";
import { everybodyIn, personStream, serverStream } from "../../server/place.ts";
import {
  type ChosenPresence,
  isConnected,
  partnersOf,
  selectPresences,
  setSeen,
  shownPresence,
  wantedPresences,
} from "../accounts/access.ts";
import { type MemberKey, selectServersOfEach } from "../members/access.ts";
import { noteConnected, noteDisconnected } from "./connected.ts";
import { presenceUpdated } from "./contract.ts";

/** Delay before a retry after the database failed, in milliseconds. */
const againMs = 1000;

/** The facts about a person from the database. */
interface Facts {
  statusText: string;
  /** Undefined if the account does not exist. */
  wanted: ChosenPresence | undefined;
  serverIds: readonly string[];
  /** People with whom they talk outside of servers. */
  partnerIds: readonly string[];
}

export class Looks {
  readonly #house: House;
  readonly #due = new Set<string>();
  /** By person: servers that they joined, where sockets may have been told who is connected without them. */
  readonly #newIn = new Map<string, Set<string>>();
  /** Serialized, so that the latest state is sent last. While the database is down, no more than one waits. */
  readonly #looks = new OnceMore();
  #isClosed = false;

  constructor(house: House) {
    this.#house = house;
  }

  /** Resolves when these people, and all requested before them, are refreshed. */
  at(userIds: readonly string[]): Promise<void> {
    for (const id of userIds) this.#due.add(id);
    return this.#looks.run("all", () => this.#lookAtDue());
  }

  /** Sends a person's presence in a server that they have joined. */
  cameInto({ server_id, user_id }: MemberKey): Promise<void> {
    this.#newIn.set(user_id, (this.#newIn.get(user_id) ?? new Set()).add(server_id));
    return this.at([user_id]);
  }

  close(): void {
    this.#isClosed = true;
  }

  async #lookAtDue(): Promise<void> {
    while (this.#due.size > 0 && !this.#isClosed) {
      const some = takeFrom(this.#due, rowsAtOnce);
      try {
        await this.#house.read((unit) => this.#look(unit, some));
      } catch (error) {
        if (this.#isClosed) return;
        for (const id of some) this.#due.add(id);
        logFailure(this.#house, error, "presence could not be told");
        await sleep(againMs, undefined, { ref: false });
      }
      if (this.#due.size > 0) await nextTurn();
    }
  }

  /** Reads everything first, then applies and sends it, so that a failed refresh can be repeated. */
  async #look(unit: UnitOfWork, userIds: readonly string[]): Promise<void> {
    const rows = await selectPresences(unit.db, userIds);
    const texts = new Map(rows.map((row) => [row.id, row.status_text]));
    const wanted = await wantedPresences(unit, rows);
    const servers = await selectServersOfEach(unit.db, userIds);
    const [partners] = await unit.ask(partnersOf, userIds);
    for (const userId of userIds) {
      this.#see(userId, {
        statusText: texts.get(userId) ?? "",
        wanted: wanted.get(userId),
        serverIds: servers.get(userId) ?? [],
        partnerIds: partners?.get(userId) ?? [],
      });
    }
  }

  #see(userId: string, { statusText, wanted, serverIds, partnerIds }: Facts): void {
    const house = this.#house;
    const wasConnected = isConnected(house, userId);
    const before = shownPresence(house, userId);
    setSeen(house, userId, house.connections.has(userId) ? wanted : undefined);
    if (!isConnected(house, userId)) noteDisconnected(house, userId);
    else if (!wasConnected) noteConnected(house, userId, serverIds);
    const status = shownPresence(house, userId);
    // Readers told without them take them for offline, and must not learn that an invisible person joined.
    const newIn = status === "offline" ? [] : (this.#newIn.get(userId) ?? []);
    const owed = new Set([...(status !== before ? serverIds : []), ...newIn]);
    this.#newIn.delete(userId);
    const state = { user_id: userId, status, status_text: statusText };
    const heard = [...owed].filter((id) => house.activity.follows(serverStream(id)));
    // Every process refreshes on its own, so each informs only its own sockets.
    if (heard.length > 0) house.bus.take([roundOf(presenceUpdated, userId, heard, state)]);
    // A person hears of themself in their servers; without one, in their own stream, what READY did not say.
    const toldIds = serverIds.length > 0 || !wasConnected ? partnerIds : [...partnerIds, userId];
    if (status !== before && toldIds.length > 0)
      house.bus.take(
        toldIds.map((id) => liveFrame(presenceUpdated.type, everybodyIn(personStream(id)), state)),
      );
  }
}
