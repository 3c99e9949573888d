// A conversation of neighbours who can call each other, with what their devices hear of it.
import type { Conversation } from "../../../features/channels/contract.ts";
import type { ListedConversation } from "../../../features/direct/contract.ts";
import type { LiveKitDouble } from "../../doubles/livekit.ts";
import type { TestHouse } from "../open/engines.ts";
import type { Ear } from "../people/ear.ts";
import type { TestPerson } from "../people/people.ts";
import { parlour } from "./parlour.ts";

/** Alice begins a conversation with Bob, or with Bob and Carol; Mallory shares no server with them. */
export async function talkers(house: TestHouse, media: LiveKitDouble, kind: "pair" | "group") {
  const people = await parlour(house, media);
  const { alice, bob, carol } = people;
  const user_ids = kind === "pair" ? [bob.id] : [bob.id, carol.id];
  const { id } = (await alice.post<Conversation>("/direct", { user_ids })).body;
  return { ...people, id, call: `/channels/${id}/call` };
}

/** The same with an ear for each of the three; `heard` returns what each of them has heard of calls. */
export async function talkersWithEars(house: TestHouse, media: LiveKitDouble, kind: "pair" | "group") {
  const scene = await talkers(house, media, kind);
  const ears: Ear[] = [];
  for (const person of [scene.alice, scene.bob, scene.carol]) ears.push(await person.listen());
  const heard = async () => {
    for (const ear of ears) await ear.settle();
    return ears.map((ear) => callsHeard(ear, scene.id));
  };
  return { ...scene, ears, heard };
}

/** The events of a conversation's calls that an ear has heard, in order: `RING`, or the reason of an end. */
export function callsHeard(ear: Ear, channelId: string): string[] {
  return ear.frames.flatMap(({ type, stream, data }) => {
    const told = data as unknown as { channel_id: string; reason?: string };
    if (!type.startsWith("CALL_") || told.channel_id !== channelId) return [];
    if (stream !== "@me") throw new Error(`${type} came in another stream than the person's own`);
    return [told.reason ?? "RING"];
  });
}

/** The conversation as it stands in a person's list. */
export async function entryOf(person: TestPerson, id: string): Promise<ListedConversation | undefined> {
  const { body } = await person.get<ListedConversation[]>("/direct");
  return body.find((each) => each.id === id);
}
