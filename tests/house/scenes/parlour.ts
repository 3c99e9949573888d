// A server with a voice channel, and people who join and leave it through the media service's double.
import type { Channel } from "../../../features/channels/contract.ts";
import type { VoiceParticipant } from "../../../features/voice/contract.ts";
import type { Guest, LiveKitDouble } from "../../doubles/livekit.ts";
import type { TestHouse } from "../open/engines.ts";
import { heardBeside } from "../people/beside.ts";
import type { Answer, TestPerson } from "../people/people.ts";
import { neighbours } from "./home.ts";

export interface Parlour {
  alice: TestPerson;
  bob: TestPerson;
  carol: TestPerson;
  /** An outsider. */
  mallory: TestPerson;
  serverId: string;
  everyone: string;
  general: string;
  /** The voice channel. */
  room: string;
}

/** Alice owns the server; Bob and Carol are members, with the permissions of @everyone. */
export async function parlour(house: TestHouse, media: LiveKitDouble): Promise<Parlour> {
  media.webhookUrl = `${house.url}/api/v1/voice/webhook`;
  media.heardFrom = (url) => heardBeside(new URL(url).origin);
  const { alice, bob, carol, mallory, home } = await neighbours(house);
  const asked = { server_id: home.id, name: "parlour", type: "voice" };
  const room = (await alice.post<Channel>("/channels", asked)).body.id;
  return {
    ...{ alice, bob, carol, mallory, room },
    serverId: home.id,
    everyone: home.everyone.id,
    general: home.general.id,
  };
}

export function askToken(
  person: TestPerson,
  room: string,
): Promise<Answer<{ token: string; livekit_url: string; code?: string }>> {
  return person.post("/voice/token", { room_name: room });
}

/** Asks for a token, and joins the room with it. */
export async function enter(media: LiveKitDouble, person: TestPerson, room: string): Promise<Guest> {
  const { status, body } = await askToken(person, room);
  if (status !== 200) throw new Error(`${person.username} got no token: ${JSON.stringify(body)}`);
  return media.join(body.token);
}

export async function inside(person: TestPerson, room: string): Promise<VoiceParticipant[]> {
  const answer = await person.get<VoiceParticipant[]>(`/voice/rooms/${room}/participants`);
  if (answer.status !== 200) throw new Error(`no list: ${JSON.stringify(answer.body)}`);
  return answer.body;
}
