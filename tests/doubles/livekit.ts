// A double of LiveKit at its network boundary: the RoomService as Twirp JSON, tokens, webhooks.
import { createHash, randomUUID } from "node:crypto";
import { AccessToken, TokenVerifier, TrackSource } from "livekit-server-sdk";

export const livekitKey = "devkey";
export const livekitSecret = "a secret that is long enough for tests";

interface Track {
  sid: string;
  type: "AUDIO" | "VIDEO";
  source: string;
  muted: boolean;
}

/** The JSON form of ParticipantInfo. */
export interface Guest {
  sid: string;
  identity: string;
  name: string;
  state: string;
  kind: string;
  joinedAt: string;
  joinedAtMs: string;
  tracks: Track[];
  permission: {
    canSubscribe: boolean;
    canPublish: boolean;
    canPublishData: boolean;
    canPublishSources: string[];
  };
}

interface Call {
  method: string;
  body: Record<string, unknown>;
  at: number;
}

type Grants = Record<string, unknown> & { room?: string };

export class LiveKitDouble {
  readonly rooms = new Map<string, Map<string, Guest>>();
  /** The authorized calls so far. */
  readonly calls: Call[] = [];
  /** The address of webhooks; none are sent while undefined. */
  webhookUrl: string | undefined;
  /** Resolves once every process has heard of a webhook that was answered at this address. */
  heardFrom: (url: string) => Promise<void> = async () => {};
  /** While true every call gets a 503, as from a proxy whose LiveKit is down. */
  isAway = false;
  /** Number of calls that got this 503. */
  refused = 0;
  /** While set, calls get no answer, or only the beginning of one. */
  stalls: "at once" | "half-way" | undefined;
  /** The calls that were left hanging like this. */
  readonly stalled: Call[] = [];
  /** Ends each of the calls that still hang. */
  readonly #waiting = new Set<() => void>();
  /** Key and secret that sign webhooks; they differ from those of calls if the operator made a mistake. */
  signsWith = { key: livekitKey, secret: livekitSecret };
  /** Answers are sent once this resolves; it is given the call after it was carried out. */
  onItsWay: (call: Call) => Promise<void> | undefined = () => undefined;
  /** Milliseconds added to its `Date` header. */
  clockOff = 0;
  readonly #server: ReturnType<typeof Bun.serve>;

  constructor() {
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      // Only the caller gives up a hanging call.
      idleTimeout: 0,
      fetch: (request) => (this.stalls ? this.#stall(request, this.stalls) : this.#answer(request)),
    });
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#server.port}`;
  }

  get settings(): Record<string, string> {
    return { LIVEKIT_URL: this.url, LIVEKIT_API_KEY: livekitKey, LIVEKIT_API_SECRET: livekitSecret };
  }

  /** Ends the hanging calls: with an error, or in the middle of their answer. */
  letGo(): void {
    for (const end of this.#waiting) end();
    this.#waiting.clear();
  }

  stop(): void {
    this.#server.stop(true);
  }

  called(method: string): Record<string, unknown>[] {
    return this.calls.filter((call) => call.method === method).map((call) => call.body);
  }

  guest(room: string, identity: string): Guest | undefined {
    return this.rooms.get(room)?.get(identity);
  }

  /**
   * Joins with a token, as a client does: verifies it and adds its participant to the room. No token is ever revoked:
   * LiveKit ignores `revokeTokenTs`. A client that is only `JOINED` has connected without its media yet: no webhook
   * tells of it.
   */
  async join(token: string, { tells = true, state = "ACTIVE" } = {}): Promise<Guest> {
    const claims = await new TokenVerifier(livekitKey, livekitSecret).verify(token);
    const grant = claims.video as unknown as Grants & Guest["permission"];
    const [room, identity] = [String(grant.room), String(claims.sub)];
    if (!grant.roomJoin) throw new Error("the token is not for joining");
    const { canSubscribe, canPublish, canPublishData, canPublishSources } = grant;
    const guest: Guest = {
      sid: `PA_${randomUUID().slice(0, 12)}`,
      identity,
      name: claims.name ?? "",
      state,
      kind: "STANDARD",
      joinedAt: String(Math.floor(Date.now() / 1000)),
      joinedAtMs: String(Date.now()),
      tracks: [],
      permission: {
        canSubscribe,
        canPublish,
        canPublishData,
        canPublishSources: canPublishSources.map((source) => source.toUpperCase()),
      },
    };
    const before = this.guest(room, identity);
    if (before && tells) await this.leave(room, identity);
    this.#room(room).set(identity, guest);
    if (tells && state === "ACTIVE") await this.tell("participant_joined", room, { participant: guest });
    return guest;
  }

  /** The refreshed token that a client in a room gets every five minutes to reconnect with: valid for ten minutes. */
  freshToken(room: string, { identity, name, permission }: Guest): Promise<string> {
    const token = new AccessToken(livekitKey, livekitSecret, { identity, name, ttl: 600 });
    const { canPublishSources, ...may } = permission;
    const sources = canPublishSources.map((source) => TrackSource[source as keyof typeof TrackSource]);
    token.addGrant({ room, roomJoin: true, ...may, canPublishSources: sources });
    return token.toJwt();
  }

  async leave(room: string, identity: string, { tells = true } = {}): Promise<void> {
    const guest = this.guest(room, identity);
    if (!guest) return;
    this.rooms.get(room)?.delete(identity);
    const participant = { ...guest, state: "DISCONNECTED" };
    if (tells) await this.tell("participant_left", room, { participant });
  }

  /** A participant's microphone track appears, is muted, or goes. */
  async microphone(room: string, identity: string, state: "on" | "muted" | "gone"): Promise<void> {
    const guest = this.guest(room, identity);
    if (!guest) throw new Error("they are not in the room");
    const track: Track = { sid: "TR_mic", type: "AUDIO", source: "MICROPHONE", muted: state === "muted" };
    guest.tracks = state === "gone" ? [] : [track];
    const { sid, name } = guest;
    const event = state === "gone" ? "track_unpublished" : "track_published";
    await this.tell(event, room, { participant: { sid, identity, name }, track });
  }

  async tell(event: string, room: string, more: Record<string, unknown>): Promise<Response | undefined> {
    return this.send(JSON.stringify({ ...this.eventOf(event, room), ...more }));
  }

  /** Sends a webhook without awaiting it: if the house has closed by then, that fails no test. */
  #tellLater(telling: Promise<unknown>): void {
    telling.catch(() => {});
  }

  eventOf(event: string, room: string): Record<string, unknown> {
    return {
      event,
      room: { sid: `RM_${room.slice(-8)}`, name: room },
      id: `EV_${randomUUID()}`,
      createdAt: String(Math.floor(Date.now() / 1000)),
    };
  }

  /** Posts a webhook; `signed` is the body that the signature covers. */
  async send(body: string, signed = body, secret = this.signsWith.secret): Promise<Response | undefined> {
    const { webhookUrl } = this;
    if (!webhookUrl) return undefined;
    const headers = await this.signatureOf(signed, secret);
    const answer = await fetch(webhookUrl, { method: "POST", headers, body });
    await this.heardFrom(webhookUrl);
    return answer;
  }

  /** The headers of a webhook with this body. */
  async signatureOf(body: string, secret = this.signsWith.secret): Promise<Record<string, string>> {
    const token = new AccessToken(this.signsWith.key, secret, { ttl: 300 });
    token.sha256 = createHash("sha256").update(body).digest("base64");
    return { "Content-Type": "application/webhook+json", Authorization: await token.toJwt() };
  }

  async #stall(request: Request, when: "at once" | "half-way"): Promise<Response> {
    const body = (await request.json()) as Record<string, unknown>;
    this.stalled.push({ method: methodOf(request) ?? "", body, at: Date.now() });
    if (when === "at once")
      return new Promise((resolve) => {
        this.#waiting.add(() => resolve(new Response("no upstream", { status: 503 })));
      });
    let end = () => {};
    const start = (body: ReadableStreamDefaultController) => {
      body.enqueue(new TextEncoder().encode('{"rooms":['));
      end = () => body.close();
      this.#waiting.add(end);
    };
    const cancel = () => void this.#waiting.delete(end);
    return new Response(new ReadableStream({ start, cancel }), {
      headers: { "Content-Type": "application/json" },
    });
  }

  async #answer(request: Request): Promise<Response> {
    const headers = { Date: new Date(Date.now() + this.clockOff).toUTCString() };
    const method = methodOf(request);
    if (this.isAway) {
      this.refused++;
      return new Response("no upstream", { status: 503, headers });
    }
    if (!method) return new Response("404 page not found", { status: 404, headers });
    const body = (await request.json()) as Record<string, unknown>;
    const token = (request.headers.get("authorization") ?? "").replace(/^Bearer /, "");
    const grants = await grantsOf(token);
    // The error repeats the token, which is valid as soon as the clock is right.
    if (typeof grants === "string") {
      return new Response(`invalid token: ${token}, error: ${grants}`, { status: 401, headers });
    }
    const isAllowed =
      method === "ListRooms"
        ? grants.roomList
        : /^(Create|Delete)Room$/.test(method)
          ? grants.roomCreate
          : grants.roomAdmin && grants.room === body.room;
    if (!isAllowed) return twirpError(401, "unauthenticated", "permissions denied");
    const call = { method, body, at: Date.now() };
    this.calls.push(call);
    const answer = this.#carryOut(method, body, headers);
    await this.onItsWay(call);
    return answer;
  }

  #carryOut(method: string, body: Record<string, unknown>, headers: Record<string, string>): Response {
    const [room, identity] = [String(body.room), String(body.identity)];
    const guest = this.guest(room, identity);
    switch (method) {
      case "ListRooms": {
        const names =
          Array.isArray(body.names) && body.names.length > 0 ? body.names : [...this.rooms.keys()];
        const rooms = [...this.rooms]
          .filter(([name]) => names.includes(name))
          .map(([name, guests]) => ({ name, num_participants: guests.size }));
        return Response.json({ rooms }, { headers });
      }
      case "CreateRoom":
        this.#room(String(body.name));
        this.#tellLater(this.tell("room_started", String(body.name), {}));
        return Response.json({ sid: `RM_${randomUUID().slice(0, 12)}`, name: body.name }, { headers });
      case "DeleteRoom":
        if (!this.rooms.delete(room)) return twirpError(404, "not_found", "requested room does not exist");
        this.#tellLater(this.tell("room_finished", room, {}));
        return Response.json({}, { headers });
      case "ListParticipants":
        return Response.json({ participants: [...this.#room(room).values()].map(asTwirp) }, { headers });
      case "RemoveParticipant":
        if (!guest) return twirpError(404, "not_found", "participant does not exist");
        this.#tellLater(this.leave(room, identity));
        return Response.json({}, { headers });
      case "UpdateParticipant":
        if (!guest) return twirpError(404, "not_found", "participant does not exist");
        guest.permission = {
          canSubscribe: false,
          canPublish: false,
          canPublishData: false,
          canPublishSources: [],
          ...(body.permission as Partial<Guest["permission"]>),
        };
        return Response.json(asTwirp(guest), { headers });
    }
    return twirpError(404, "bad_route", `no handler for ${method}`);
  }

  #room(name: string): Map<string, Guest> {
    const room = this.rooms.get(name) ?? new Map<string, Guest>();
    this.rooms.set(name, room);
    return room;
  }
}

function methodOf(request: Request): string | undefined {
  return /^\/twirp\/livekit\.RoomService\/(\w+)$/.exec(new URL(request.url).pathname)?.[1];
}

/** Returns a token's grants, or as a string the reason why it is invalid. */
async function grantsOf(token: string): Promise<Grants | string> {
  try {
    return (await new TokenVerifier(livekitKey, livekitSecret).verify(token)).video as unknown as Grants;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Calls answer with the field names of the protobuf, webhooks with those of its JSON. */
function asTwirp({ joinedAt, joinedAtMs, permission, ...guest }: Guest): Record<string, unknown> {
  const { canSubscribe, canPublish, canPublishData, canPublishSources } = permission;
  return {
    ...guest,
    joined_at: joinedAt,
    joined_at_ms: joinedAtMs,
    permission: {
      can_subscribe: canSubscribe,
      can_publish: canPublish,
      can_publish_data: canPublishData,
      can_publish_sources: canPublishSources,
    },
  };
}

function twirpError(status: number, code: string, msg: string): Response {
  return new Response(JSON.stringify({ code, msg }), {
    status,
    headers: { "Content-Type": "application/json" },
  });
}
