// A picture whose sender gives up while it waits to be drawn.
import { expect, mock, spyOn, test } from "bun:test";
import { until } from "../../tests/house/machine/waiting.ts";
import { pictureOf } from "../../tests/house/material/images.ts";
import { makeHouse } from "../../tests/house/open/engines.ts";
import { putPicture } from "../../tests/house/scenes/avatars.ts";
import { formOf } from "../../tests/house/scenes/files.ts";
import { picturesOf } from "../files/pictures.ts";
import { slotsOf } from "../files/slots.ts";
import * as receiving from "./receiving.ts";

const mine = "/auth/me/avatar";

test("a picture that is given up is not put up, and nobody is told of it; the next one is", async () => {
  const house = await makeHouse("SQLite", {});
  await house.open();
  try {
    const alice = await house.person("alice");
    const running = house.running.house;
    const picture = await pictureOf("png", { width: 64, height: 64 });
    // Her picture is not drawn before the server has noticed that she gave it up.
    const pictures = picturesOf(running);
    const draw = pictures.draw.bind(pictures);
    const noticed = Promise.withResolvers<void>();
    const drawing = spyOn(pictures, "draw").mockImplementationOnce(async (...picture) => {
      await noticed.promise;
      return draw(...picture);
    });
    const received = spyOn(receiving, "receivePicture");
    const ear = await alice.listen();

    const stop = new AbortController();
    const given = fetch(`${house.url}/api/v1${mine}`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${alice.token}` },
      body: formOf("me.png", picture),
      signal: stop.signal,
    });
    await until(() => drawing.mock.calls.length === 1, "the picture does not arrive");
    stop.abort();
    await given.catch(() => {});
    const { signal } = received.mock.calls[0]?.[2].raw ?? {};
    await until(() => signal?.aborted === true, "the server does not notice");
    noticed.resolve();
    await until(() => slotsOf(running).taken === 0, "the picture does not end");

    const { body } = await putPicture(alice, mine, picture);
    expect((await ear.next("ME_UPDATE")).data).toMatchObject({ avatar: body.avatar });
    await ear.settle();
    ear.close();
  } finally {
    mock.restore();
    await house.end();
  }
});
