// A person's read states, as READY has them.
import type { ReadState } from "../../../features/read-states/contract.ts";
import { gathering, gatheringPace } from "../../../features/read-states/gathering.ts";
import type { TestHouse } from "../open/engines.ts";

/** A socket that has its READY. */
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

/** The read state in a fresh READY; undefined where it has none for the channel. */
export async function readState(person: Listener, channelId: string): Promise<ReadState | undefined> {
  const ear = await person.listen();
  ear.close();
  return readStatesOf(ear).find((state) => state.channel_id === channelId);
}

export async function mentionCount(person: Listener, channelId: string): Promise<number | undefined> {
  return (await readState(person, channelId))?.mention_count;
}

/** Stores the read markers that are gathered so far. */
export async function stored(house: TestHouse): Promise<void> {
  for (const running of house.all) await gathering(running.house).store();
  await house.heard();
}

const longMs = 3600_000;

/** Delays the storing of read markers until the work is done, however long that takes. */
export async function storedAfterwards<T>({ all }: TestHouse, work: () => Promise<T>): Promise<T> {
  const paces = all.map(({ house }) => gatheringPace(house));
  const usual = paces.map((pace) => ({ ...pace }));
  const store = async () => {
    for (const { house } of all) await gathering(house).store();
  };
  for (const pace of paces) Object.assign(pace, { gatherMs: longMs, soonMs: longMs });
  try {
    // Markers from before may be stored at any moment.
    await store();
    return await work();
  } finally {
    for (const [i, pace] of paces.entries()) Object.assign(pace, usual[i]);
    await store();
  }
}
