// Asks misbehaving services all at once: other work goes on meanwhile, and neither memory nor connections leak.
import type { Backend, MisbehavingBackends } from "../../doubles/misbehaving-backends.ts";
import { until } from "../machine/waiting.ts";
import type { TestHouse } from "../open/engines.ts";

const mostMemory = 256 * 1024 * 1024;

/**
 * Returns the outcome of each request, by the service's behaviour. `mayKeep`: services whose answer is complete, so
 * that the runtime keeps the connection for the next request.
 */
export async function askedAtOnce(
  house: TestHouse,
  misbehaving: MisbehavingBackends,
  ask: (service: Backend) => Promise<string>,
  mayKeep: readonly string[] = [],
): Promise<Record<string, string>> {
  const bystander = await house.person(`bystander-${crypto.randomUUID().slice(0, 8)}`);
  const { general } = await bystander.makeServer();
  let found: Record<string, string> = {};
  // On a busy machine a message may take as long as all the requests, and garbage may stay for long: then the whole
  // round is repeated.
  await until(async () => {
    Bun.gc(true);
    const before = process.memoryUsage.rss();
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss() - before);
    }, 10);
    let said = 0;
    let isOver = false;
    const asking = Promise.all(
      misbehaving.services.map(async (each) => [each.what, await ask(each)] as const),
    ).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const { status } = await bystander.post(`/channels/${general.id}/messages`, { content: "It goes on." });
      // A database that the whole machine keeps waiting is tried again; that nothing is ever said fails the round.
      if (status !== 201 && status !== 503) throw new Error(`it could not be said: ${status}`);
      if (status === 201 && !isOver) said++;
      await Bun.sleep(50);
    }
    found = Object.fromEntries(await asking);
    clearInterval(watch);
    return said > 0 && most < mostMemory;
  }, "nobody could say a thing meanwhile, or it takes more memory each time");
  const isKept = (what: string) => mayKeep.includes(what);
  await until(() => misbehaving.open.every(isKept), "a connection is still open");
  return found;
}
