// Bots in tests: created by people, they call the real API with tokens of their own.
import type { Bot } from "../../../features/bots/contract.ts";
import { Ear, type ResumePoint } from "./ear.ts";
import { type Answer, type Loose, send, TestCaller, type TestPerson } from "./people.ts";

export class TestBot extends TestCaller {
  readonly owner: TestPerson;
  readonly id: string;
  token: string;

  private constructor(owner: TestPerson, id: string, token: string) {
    super();
    this.owner = owner;
    this.id = id;
    this.token = token;
  }

  static async make(owner: TestPerson, name = "Beeper", description = ""): Promise<TestBot> {
    const answer = await owner.post<Bot & { token: string }>("/bots", { name, description });
    if (answer.status !== 201) throw new Error(`no bot was made: ${JSON.stringify(answer.body)}`);
    return new TestBot(owner, answer.body.id, answer.body.token);
  }

  /** Adds the bot to a server that its owner manages. */
  async enter(serverId: string): Promise<void> {
    const answer = await this.owner.post(`/bots/${this.id}/servers`, { server_id: serverId });
    if (answer.status !== 204) throw new Error(`the bot stays outside: ${JSON.stringify(answer.body)}`);
  }

  call<T = Loose>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const headers = { Authorization: `Bot ${this.token}` };
    return send<T>(this.owner.host, undefined, method, path, body, headers);
  }

  listen(resume?: ResumePoint): Promise<Ear> {
    return Ear.open(this.owner.host.url, this.token, resume);
  }
}
