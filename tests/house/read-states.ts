// What READY says a person has read.
import type { ReadState } from "../../features/read-states/contract.ts";
import { gathering } from "../../features/read-states/gathering.ts";
import type { Ear } from "./ear.ts";
import type { TestHouse } from "./engines.ts";
import type { TestPerson } from "./people.ts";

export function readStatesOf(ear: Ear): ReadState[] {
  return (ear.ready as unknown as { read_states: ReadState[] }).read_states;
}

/** As a fresh READY says; undefined where it has nothing of the channel. */
export async function readState(person: TestPerson, channelId: string): Promise<ReadState | undefined> {
  const ear = await person.listen();
  ear.close();
  return readStatesOf(ear).find((state) => state.channel_id === channelId);
}

export async function mentionCount(person: TestPerson, channelId: string): Promise<number | undefined> {
  return (await readState(person, channelId))?.mention_count;
}

/** Until the markers that were taken so far are in the database. */
export function stored(house: TestHouse): Promise<void> {
  return gathering(house.running.house).store();
}
