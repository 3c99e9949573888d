// Sends the user's own state in a room, muted or deafened, as soon as the gateway knows that they are there.
import type { Chat } from "../../../client/chat.ts";
import type { OwnChannel } from "../../channels/state.ts";
import { voiceOf } from "./voices.ts";

interface Said {
  muted: boolean;
  deafened: boolean;
}

const nothing: Said = { muted: false, deafened: false };

export class OwnState {
  readonly #chat: Chat;
  readonly #channel: OwnChannel;
  readonly #stop: () => void;
  #wanted = nothing;
  /** The state last sent since the gateway has known this person in the room; undefined until then. */
  #said: Said | undefined;

  constructor(chat: Chat, channel: OwnChannel) {
    this.#chat = chat;
    this.#channel = channel;
    this.#stop = chat.subscribe(() => this.#look());
  }

  say(wanted: Said): void {
    this.#wanted = wanted;
    this.#look();
  }

  stop(): void {
    this.#stop();
  }

  /** The media service reports arrivals to the gateway, possibly after the person has pressed a button. */
  #look(): void {
    const { copy, connection } = this.#chat.state;
    const state = voiceOf(copy, this.#channel, copy?.user.id);
    if (!state || connection.is !== "live") {
      this.#said = undefined;
      return;
    }
    const said = this.#said ?? { muted: state.muted, deafened: state.deafened };
    this.#said = this.#wanted;
    const say = (type: string, change: Partial<Said>) =>
      this.#chat.connection.say(type, { channel_id: this.#channel.id, ...change });
    const { muted, deafened } = this.#wanted;
    if (said.muted !== muted) say("VOICE_MUTE", { muted });
    if (said.deafened !== deafened) say("VOICE_DEAFEN", { deafened });
  }
}
