// SIGTERM: the real process closes its sockets with 1012, so that their clients come back and resume.
import { expect, test } from "bun:test";
import { temporaryFolder } from "../house/machine/folder.ts";
import { startServer } from "../house/machine/process.ts";
import { soon } from "../house/machine/waiting.ts";
import { Ear } from "../house/people/ear.ts";
import { TestPerson } from "../house/people/people.ts";

test("SIGTERM closes every socket with 1012, also one that says nothing, and who resumes afterwards misses nothing", async () => {
  const folder = temporaryFolder();
  const settings = { DATA_DIR: folder.path };
  const host = { url: "" };
  let server = await startServer({ settings });
  host.url = server.url;
  const alice = await TestPerson.register(host, "alice");
  const home = await alice.makeServer();
  const ears = [await alice.listen(), await alice.listen()];
  const silent = await Ear.connect(host.url);
  const said = await alice.say(home.general.id, "before");
  for (const ear of ears) await ear.next("MESSAGE_CREATE");

  await soon(server.stop());
  for (const ear of [...ears, silent]) expect((await ear.closed).code).toBe(1012);

  server = await startServer({ settings });
  host.url = server.url;
  const point = ears[0]?.resumePoint;
  await alice.say(home.general.id, "after");
  const ear = await alice.listen(point);
  expect(ear.types).toEqual(["MESSAGE_CREATE", "RESUMED"]);
  expect(String(ear.frames[0]?.data.content)).toBe("after");
  expect(ear.frames[0]?.seq).toBe((point?.streams[home.id] ?? 0) + 1);
  expect(said.content).toBe("before");
  await server.stop();
  folder.remove();
});
