// The public description of the instance: its name, its features, and every limit that it enforces.
import { expect, test } from "bun:test";
import { limits } from "../../protocol/limits.ts";
import { makeHouse, onEachEngine } from "../../tests/house/open/engines.ts";
import { type Loose, send } from "../../tests/house/people/people.ts";

onEachEngine("the instance", (house) => {
  const ask = () => send<Record<string, Loose>>(house(), undefined, "GET", "/instance");

  test("anybody may ask for its name, version, limits and features", async () => {
    const { status, body } = await ask();
    expect(status).toBe(200);
    expect(String(body.name)).toBe("Hearth");
    expect(String(body.version)).toMatch(/^\d+\.\d+\.\d+/);
    expect(body.features as unknown).toEqual({
      registration: true,
      voice: false,
      gifs: false,
      push: true,
      mail: false,
    });
    expect(body.limits as unknown).toEqual(limits);
  });

  test("the limits are those of the contract", async () => {
    const { body } = await ask();
    expect(body.limits as unknown).toMatchObject({
      username_min: 2,
      username_max: 32,
      display_name_max: 64,
      password_min: 8,
      password_max: 256,
      bio_max: 1000,
      status_text_max: 128,
      server_name_max: 100,
      message_max: 4000,
      nonce_max: 64,
      attachments_max: 10,
      mentions_max: 100,
      reactions_max: 20,
      emoji_bytes_max: 64,
      page_default: 50,
      page_max: 100,
      members_page_max: 1000,
      bulk_delete_max: 100,
      servers_owned_max: 100,
      invites_live_max: 50,
      upload_bytes_max: 25 * 1024 * 1024,
      gifs_max: 50,
    });
  });

  test("it says when it takes no new accounts", async () => {
    house().settings.REGISTRATION = "closed";
    await house().restart();
    expect(String((await ask()).body.features?.registration)).toBe("false");
  });
});

test("it says the address for people, where one is set: without it a page makes links from where it is", async () => {
  for (const [settings, expected] of [
    [{}, null],
    [{ PUBLIC_URL: "https://chat.example/" }, "https://chat.example"],
  ] as const) {
    const house = await makeHouse("SQLite", settings);
    await house.open();
    const { body } = await send<{ public_url: string | null }>(house, undefined, "GET", "/instance");
    expect(body.public_url).toBe(expected);
    await house.end();
  }
});
