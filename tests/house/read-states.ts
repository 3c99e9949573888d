// What READY says a person has read.
import type { ReadState } from "../../features/read-states/contract.ts";
import { gathering } from "../../features/read-states/gathering.ts";
import type { TestHouse } from "./engines.ts";

/** A socket that has its READY, and whoever opens one. */
interface Listening {
  readonly ready: unknown;
  close(): void;
}

interface Listener {
  listen(): Promise<Listening>;
}

export function readStatesOf(ear: Listening): ReadState[] {
  return (ear.ready as { read_states: ReadState[] }).read_states;
}

/** As a fresh READY says; undefined where it has nothing of the channel. */
export async function readState(person: Listener, channelId: string): Promise<ReadState | undefined> {
  const ear = await person.listen();
  ear.close();
  return readStatesOf(ear).find((state) => state.channel_id === channelId);
}

export async function mentionCount(person: Listener, channelId: string): Promise<number | undefined> {
  return (await readState(person, channelId))?.mention_count;
}

/** Until the markers that were taken so far are in the database. */
export async function stored(house: TestHouse): Promise<void> {
  for (const running of house.all) await gathering(running.house).store();
  await house.heard();
}
