// Looks how people are to be seen now, many at a time, and tells the sockets of this process what is different.
import { setTimeout as sleep } from "node:timers/promises";
import { logFailure } from "../../server/house/failure.ts";
import type { House } from "../../server/house/house.ts";
import { nextTurn, rowsAtOnce } from "../../server/house/pieces.ts";
import { roundOf, type UnitOfWork } from "../../server/house/unit.ts";
import { OnceMore } from "../../server/once-more.ts";
import { serverStream } from "../../server/place.ts";
import {
  type ChosenPresence,
  isConnected,
  selectPresences,
  setSeen,
  shownPresence,
  wantedPresences,
} from "../accounts/access.ts";
import { type MemberKey, selectServersOfEach } from "../members/access.ts";
import { noteConnected, noteDisconnected } from "./connected.ts";
import { presenceUpdated } from "./contract.ts";

/** The pause after the database did not say how somebody is to be seen, in milliseconds. */
const againMs = 1000;

/** What the database says of a person. */
interface Facts {
  statusText: string;
  /** Undefined where there is no such account. */
  wanted: ChosenPresence | undefined;
  serverIds: readonly string[];
}

export class Looks {
  readonly #house: House;
  readonly #due = new Set<string>();
  /** By person: servers that they came into, where that may be news to somebody who was told who is there. */
  readonly #newIn = new Map<string, Set<string>>();
  /** One after the other: what was kept last is told last. While the database is away, no more than one waits. */
  readonly #looks = new OnceMore();
  #isClosed = false;

  constructor(house: House) {
    this.#house = house;
  }

  /** Resolves when it was looked at these people, and at all before them. */
  at(userIds: readonly string[]): Promise<void> {
    for (const id of userIds) this.#due.add(id);
    return this.#looks.run("all", () => this.#lookAtDue());
  }

  /** Tells how a person is seen in a server that they have come into. */
  cameInto({ server_id, user_id }: MemberKey): Promise<void> {
    this.#newIn.set(user_id, (this.#newIn.get(user_id) ?? new Set()).add(server_id));
    return this.at([user_id]);
  }

  close(): void {
    this.#isClosed = true;
  }

  async #lookAtDue(): Promise<void> {
    while (this.#due.size > 0 && !this.#isClosed) {
      const some = [...this.#due.values().take(rowsAtOnce)];
      for (const id of some) this.#due.delete(id);
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

  /** First all is read, then all of it holds and is told, so that a look that fails can be had again. */
  async #look(unit: UnitOfWork, userIds: readonly string[]): Promise<void> {
    const rows = await selectPresences(unit.db, userIds);
    const texts = new Map(rows.map((row) => [row.id, row.status_text]));
    const wanted = await wantedPresences(unit, rows);
    const servers = await selectServersOfEach(unit.db, userIds);
    for (const userId of userIds) {
      this.#see(userId, {
        statusText: texts.get(userId) ?? "",
        wanted: wanted.get(userId),
        serverIds: servers.get(userId) ?? [],
      });
    }
  }

  #see(userId: string, { statusText, wanted, serverIds }: Facts): void {
    const house = this.#house;
    const wasConnected = isConnected(house, userId);
    const before = shownPresence(house, userId);
    setSeen(house, userId, house.connections.has(userId) ? wanted : undefined);
    if (!isConnected(house, userId)) noteDisconnected(house, userId);
    else if (!wasConnected) noteConnected(house, userId, serverIds);
    const status = shownPresence(house, userId);
    // Readers who were told without them take them for offline already, and must not learn that an invisible one came.
    const newIn = status === "offline" ? [] : (this.#newIn.get(userId) ?? []);
    const owed = new Set([...(status !== before ? serverIds : []), ...newIn]);
    this.#newIn.delete(userId);
    const heard = [...owed].filter((id) => house.activity.follows(serverStream(id)));
    if (heard.length === 0) return;
    const state = { user_id: userId, status, status_text: statusText };
    // Every process looks for itself, so each tells its own sockets alone.
    house.bus.take([roundOf(presenceUpdated, userId, heard, state)]);
  }
}
