// Misbehaving backends, configured by the operator and reached by calls of members, with a real server's timeouts.
import { mailMisdeeds, misdeeds } from "../../../tests/doubles/misdeeds.ts";
import { call } from "../../people.ts";
import { api, asUpload, first, membersFlood, smallUpload } from "../asking.ts";
import type { Scene } from "../attack.ts";
import { upload } from "../scenes/shelf.ts";

const members = 24;

interface Served {
  file: string;
  /** A voice channel per member, because a look at an unknown room causes a request to the media service. */
  rooms: string[];
  /** The index of the instance's owner. */
  admin: number;
}

const served: Scene<Served> = {
  name: "served",
  async prepare(stage) {
    const { origin, people, serverId } = stage;
    const rooms: string[] = [];
    for (let number = 0; number < members; number++) {
      const room = { server_id: serverId, name: `room ${number}`, type: "voice" };
      rooms.push((await call<{ id: string }>(origin, people[0]!, "POST", "/channels", room)).id);
    }
    const roles = people.map(async (person) => {
      const me = await call<{ instance_role: string }>(origin, person, "GET", "/auth/me");
      return me.instance_role;
    });
    return { file: await upload(stage), rooms, admin: (await Promise.all(roles)).indexOf("owner") };
  },
};

const wrongs = (count: number) => `that does ${count} things wrong, ${members} members`;

/** Every second call of a member takes the other of two operations. `number` counts the calls of all members. */
const isOther = (number: number): boolean => Math.floor(number / members) % 2 === 1;

/** Longer than the longest timeout of a call to a backend: 15 s for an upload, 10 s for a mail server's greeting. */
const seconds = 20;

const gifs = membersFlood({
  name: "gif-provider",
  what: `GIFs of a provider ${wrongs(misdeeds.length)}`,
  scene: served,
  perSecond: 200,
  people: first(members),
  calls: (_, number) => ["GET", `${api}/gifs/search?q=${number}`],
});

const files = membersFlood({
  name: "file-store",
  what: `uploads to and downloads from a store ${wrongs(misdeeds.length)}`,
  scene: served,
  perSecond: 200,
  people: first(members),
  calls: ({ facts }, number) =>
    isOther(number) ? ["GET", `${api}/files/${facts.file}`] : ["POST", `${api}/upload`, smallUpload],
  dress: asUpload,
});

const voice = membersFlood({
  name: "media-service",
  what: `rooms and tokens of a media service ${wrongs(misdeeds.length)}`,
  scene: served,
  perSecond: 200,
  people: first(members),
  calls({ facts }, number) {
    const room = facts.rooms[number % members]!;
    return isOther(number)
      ? ["POST", `${api}/voice/token`, { room_name: room }]
      : ["GET", `${api}/voice/rooms/${room}/participants`];
  },
});

const mail = membersFlood({
  name: "mail-server",
  what: `links for passwords, test mails and checks by a mail server ${wrongs(misdeeds.length + mailMisdeeds.length)}`,
  scene: served,
  perSecond: 100,
  people: first(members),
  calls({ facts, stage }, number) {
    if (number % members === facts.admin)
      return isOther(number) ? ["GET", `${api}/admin/health`] : ["POST", `${api}/admin/test-mail`];
    const { username } = stage.people[number % stage.people.length]!;
    return ["POST", `${api}/auth/password/forgot`, { email: `${username}@bench.invalid` }];
  },
});

export const backends = [gifs, files, voice, mail].map((attack) => ({
  ...attack,
  meets: "backends" as const,
  leastSeconds: seconds,
}));
