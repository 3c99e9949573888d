// A listener that also keeps the exact text of each numbered frame.
import { Ear, type ResumePoint } from "../../house/people/ear.ts";

export class RawEar extends Ear {
  /** The texts of frames with a number, by server. */
  readonly numbered: Record<string, string[]> = {};

  static override async open(url: string, token: string | undefined, resume?: ResumePoint): Promise<RawEar> {
    const ear = new RawEar(new WebSocket(`${url.replace("http", "ws")}/ws`));
    await new Promise((resolve) => ear.socket.addEventListener("open", resolve));
    ear.say("AUTH", { token, ...(resume && { resume }) });
    await ear.until((frame) => frame.type === "READY" || frame.type === "RESUMED");
    return ear;
  }

  protected override keep(text: string): void {
    super.keep(text);
    const { server_id, seq } = this.frames.at(-1) ?? {};
    if (server_id === undefined || seq === undefined) return;
    this.numbered[server_id] = [...(this.numbered[server_id] ?? []), text];
  }
}
