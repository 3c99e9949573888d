// Settings that the instance's admins change while it runs: who may register, and the instance's name.
import { afterAll, expect, spyOn, test } from "bun:test";
import { makeHouse, onEachEngine } from "../../tests/house/open/engines.ts";
import { type Loose, send, type TestPerson } from "../../tests/house/people/people.ts";
import { Logged } from "../../tests/house/scenes/logged.ts";
import { MailBox } from "../../tests/house/servers/mail-box.ts";
import { verdict } from "../../tests/permissions/verdict.ts";

const box = await MailBox.open();
afterAll(() => box.close());

let made = 0;

function register(house: { url: string }, more: Record<string, unknown> = {}) {
  const username = `new_${++made}`;
  const email = `${username}@people.example`;
  const body = { username, email, display_name: "New", password: "correct horse battery", ...more };
  return send(house, undefined, "POST", "/auth/register", body);
}

const instance = (house: { url: string }) =>
  send<Record<string, Loose>>(house, undefined, "GET", "/instance").then(({ body }) => body as unknown);

onEachEngine("the settings of an instance", (house) => {
  let olga: TestPerson;

  test("are the defaults at first, and none is fixed", async () => {
    olga = await house().person("olga");
    expect((await olga.get<unknown>("/admin/settings")).body).toEqual({
      registration: "open",
      name: "Hearth",
      fixed: [],
    });
  });

  test("hold from the answer on, for everybody, and after a restart", async () => {
    const answer = await olga.put<unknown>("/admin/settings", {
      registration: "closed",
      name: " The Fireside ",
    });
    expect([answer.status, answer.body]).toEqual([
      200,
      { registration: "closed", name: "The Fireside", fixed: [] },
    ]);
    const isSo = async () => {
      expect(await instance(house())).toMatchObject({
        name: "The Fireside",
        registration: "closed",
        features: { registration: false },
      });
      expect(verdict(await register(house()))).toBe("403 registration_closed");
      expect((await olga.get<unknown>("/admin/settings")).body).toEqual(answer.body);
    };
    await isSo();
    await house().restart();
    await isSo();
  });

  test("what is left out stays; invite needs a live one, and open lets everybody in at once", async () => {
    const home = await olga.makeServer();
    const { code } = (await olga.post<{ code: string }>("/invites", { server_id: home.id })).body;
    expect((await olga.put<unknown>("/admin/settings", { registration: "invite" })).body).toMatchObject({
      name: "The Fireside",
    });
    expect(verdict(await register(house()))).toBe("403 registration_closed");
    expect(verdict(await register(house(), { invite_code: code }))).toBe("201");
    await olga.put("/admin/settings", { registration: "open" });
    expect(verdict(await register(house()))).toBe("201");
  });

  test("a registration that is under way when it is closed comes too late", async () => {
    await olga.put("/admin/settings", { registration: "open" });
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    // The request may go to any process.
    const slow = house().all.map(({ house: { passwords } }) => {
      const hash = passwords.hash.bind(passwords);
      return spyOn(passwords, "hash").mockImplementation(async (password) => {
        await closed;
        return hash(password);
      });
    });
    const late = register(house());
    await olga.put("/admin/settings", { registration: "closed" });
    resolve();
    expect(verdict(await late)).toBe("403 registration_closed");
    for (const spy of slow) spy.mockRestore();
  });

  test("what they cannot be is refused and changes nothing; what is so already is no change", async () => {
    const before = (await olga.get<unknown>("/admin/settings")).body;
    for (const wrong of [
      { registration: "ajar" },
      { registration: null },
      { name: "" },
      { name: "  " },
      { name: "x".repeat(101) },
      { name: "a\u202eb" },
      { name: 7 },
    ])
      expect([wrong, verdict(await olga.put("/admin/settings", wrong))]).toEqual([
        wrong,
        "400 invalid_request",
      ]);
    using log = new Logged(house(), "info");
    for (const same of [{}, before as object, { fixed: ["name"], registration: "closed" }])
      expect((await olga.put<unknown>("/admin/settings", same)).body).toEqual(before);
    expect(log.calls).toEqual([]);
    await olga.put("/admin/settings", { name: "Elsewhere" });
    expect(log.calls.map(([line]) => line as unknown)).toEqual([{ by: olga.id, name: "Elsewhere" }]);
  });
});

onEachEngine(
  "the name of an instance",
  (house) => {
    test("stands in the mails that it sends and on the passkeys that are made for it", async () => {
      const olga = await house().person("olga");
      await olga.put("/admin/settings", { name: "The Fireside" });
      await send(house(), undefined, "POST", "/auth/password/forgot", { email: olga.email });
      expect((await box.mailTo(olga.email)).raw).toContain("Subject: A new password for The Fireside");
      const { body } = await olga.post<{ publicKey: { rp: { name: string } } }>(
        "/auth/webauthn/register/begin",
      );
      expect(body.publicKey.rp.name).toBe("The Fireside");
    });
  },
  box.settings,
);

onEachEngine("settings that are given where the server is started", (house) => {
  test("are fixed: another value is a conflict, the same is none; what was chosen before holds again without them", async () => {
    const olga = await house().person("olga");
    await olga.put("/admin/settings", { registration: "open", name: "Chosen" });
    Object.assign(house().settings, { REGISTRATION: "closed", INSTANCE_NAME: "Given" });
    await house().restart();
    const given = { registration: "closed", name: "Given", fixed: ["registration", "name"] };
    expect((await olga.get<unknown>("/admin/settings")).body).toEqual(given);
    expect(await instance(house())).toMatchObject({ name: "Given", registration: "closed" });
    for (const other of [
      { registration: "open" },
      { name: "Mine" },
      { registration: "closed", name: "Mine" },
    ])
      expect(verdict(await olga.put("/admin/settings", other))).toBe("409 conflict");
    expect((await olga.put<unknown>("/admin/settings", given)).body).toEqual(given);

    house().settings.INSTANCE_NAME = "";
    await house().restart();
    const half = { registration: "closed", name: "Chosen", fixed: ["registration"] };
    expect((await olga.get<unknown>("/admin/settings")).body).toEqual(half);
    expect(verdict(await olga.put("/admin/settings", { registration: "open", name: "Both" }))).toBe(
      "409 conflict",
    );
    expect((await olga.get<unknown>("/admin/settings")).body).toEqual(half);
    expect((await olga.put<unknown>("/admin/settings", { name: "One" })).body).toEqual({
      ...half,
      name: "One",
    });
  });
});

test("the defaults count as given when somebody gives them", async () => {
  const house = await makeHouse("SQLite", { REGISTRATION: "open", INSTANCE_NAME: "Hearth" });
  await house.open();
  const olga = await house.person("olga");
  expect((await olga.get<{ fixed: unknown }>("/admin/settings")).body.fixed).toEqual([
    "registration",
    "name",
  ]);
  await house.end();
});
