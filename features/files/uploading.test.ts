// Uploading: accepted files, refused files, and that refused ones leave nothing behind.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { textExtensions, uploadExtensions } from "../../protocol/upload-extensions.ts";
import { onEachStore } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import { send } from "../../tests/house/people/people.ts";
import {
  type FileContent,
  fetchFile,
  filesOn,
  formOf,
  noPicture,
  png,
  program,
  samples,
  sendForm,
  tarball,
  tryUpload,
  upload,
  zipOf,
} from "../../tests/house/scenes/files.ts";
import { expectErrorBody } from "../../tests/routes/error-body.ts";
import { insertUpload } from "./store.ts";

onEachStore("uploading", (house) => {
  const rows = () => house().running.house.database.read.selectFrom("uploads").selectAll().execute();

  async function expectRefused(status: number, name: string, content: FileContent): Promise<void> {
    const alice = await house().person("alice");
    const [before, known] = [filesOn(house()), await rows()];
    const answer = await tryUpload(alice, name, content);
    expect({ name, status: answer.status }).toEqual({ name, status });
    expectErrorBody(answer);
    expect(filesOn(house())).toEqual(before);
    expect(await rows()).toEqual(known);
  }

  test("Alice uploads a picture: it gets a random name, and comes back byte for byte", async () => {
    const alice = await house().person("alice");
    const { status, body } = await tryUpload(alice, "Sunset.PNG", png);
    expect(status).toBe(201);
    expect(body).toEqual({
      url: body.url,
      name: "Sunset.PNG",
      size: png.byteLength,
      content_type: "image/png",
      width: null,
      height: null,
      preview_url: null,
      animated: false,
    });
    expect(body.url).toMatch(/^\/files\/[0-9a-f]{32}\.png$/);
    expect((await upload(alice, "Sunset.PNG", png)).url).not.toBe(body.url);
    const back = await fetchFile(alice, body.url);
    expect(new Uint8Array(await back.arrayBuffer())).toEqual(new Uint8Array(png));
    expect(filesOn(house()).drafts).toEqual([]);
  });

  test("every kind of file that is taken is taken, and only those are tried here", async () => {
    const alice = await house().person("alice");
    expect(Object.keys(samples).sort()).toEqual([...uploadExtensions].sort());
    for (const [extension, content] of Object.entries(samples)) {
      const answer = await tryUpload(alice, `a file.${extension}`, content);
      expect({ extension, status: answer.status }).toEqual({ extension, status: 201 });
    }
    expect((await upload(alice, "source.tar.gz", tarball)).content_type).toBe("application/gzip");
  });

  test("an empty text is a text; an empty file of another kind is none", async () => {
    const alice = await house().person("alice");
    for (const extension of uploadExtensions) {
      const { status, body } = await tryUpload(alice, `nothing.${extension}`, "");
      const expected = (textExtensions as readonly string[]).includes(extension) ? 201 : 415;
      expect({ extension, status }).toEqual({ extension, status: expected });
      if (status === 201) expect(body.size).toBe(0);
    }
  });

  test("a text may begin like a program or a picture", async () => {
    const alice = await house().person("alice");
    for (const text of [
      "MZ is Mozambique",
      "BMW, Audi",
      "ID3 tags",
      "PK, said he",
      "GIF or JPEG?",
      "a < b > c",
      "\x1b[31mred\x1b[0m\tfor logs\f\r\n",
    ])
      await upload(alice, "notes.txt", text);
  });

  for (const [name, content] of Object.entries({
    "page.html": "<!doctype html><p>hi",
    "page.xhtml": "<?xml version='1.0'?><html/>",
    "drawing.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "code.js": "alert(1)",
    "tool.exe": program,
    "a.png.exe": png,
    "picture.png.html": png,
    "no-extension": "text",
    "dot.": "text",
    "constructor.constructor": "text",
    "__proto__.__proto__": "text",
  })) {
    test(`${name} is not of a kind that is taken`, () => expectRefused(415, name, content));
  }

  for (const [name, content] of Object.entries({
    "program.png": program,
    "page.png": "<html><script>alert(1)</script>",
    "picture.txt": png,
    "page.txt": "\n\n <!DOCTYPE html><title>x</title>",
    "drawing.txt": "<?xml version='1.0'?><svg onload='alert(1)'/>",
    "drawing.json": "<svg/onload=alert(1)>",
    "letter.txt": samples.pdf ?? "",
    "plain.txt": "%PDF-1.4 in letters",
    "nul.txt": "a\0b",
    "late-nul.log": `${"x".repeat(200_000)}\0`,
    "app.docx": zipOf({ "META-INF/MANIFEST.MF": "Manifest-Version: 1.0" }),
    "empty.png": "",
    "short.zip": "PK",
  })) {
    test(`${name}: the content is not what the name says`, () => expectRefused(415, name, content));
  }

  test("names that hide or turn something are refused; a path in front of a name is left off", async () => {
    const alice = await house().person("alice");
    for (const name of ["a\u200b.png", "a\u0001.png", "a.exe%00.png", "", `${"x".repeat(252)}.png`])
      await expectRefused(400, name, png);
    expect((await upload(alice, `${"x".repeat(251)}.png`, png)).name).toHaveLength(255);
    for (const name of ["../../etc/passwd.png", "C:\\Users\\alice\\passwd.png"])
      expect((await upload(alice, name, png)).name).toBe("passwd.png");
    expect((await upload(alice, '家族 👨‍👩‍👧 "2026".png', png)).name).toBe('家族 👨‍👩‍👧 "2026".png');
  });

  test("any field may hold the file, and other fields are passed over; two files are refused", async () => {
    const alice = await house().person("alice");
    expect((await sendForm(alice, formOf("a.txt", "hi", "upload[0]"))).status).toBe(201);
    expect((await sendForm(alice, formOf("a.txt", "hi", "__proto__"))).status).toBe(201);
    const more = formOf("a.txt", "hi");
    more.append("note", "nobody reads this");
    expect((await sendForm(alice, more)).status).toBe(201);
    const before = filesOn(house());
    const two = formOf("a.txt", "hi");
    two.append("second", new File(["ho"], "b.txt"));
    expect((await sendForm(alice, two)).status).toBe(400);
    const none = new FormData();
    none.append("note", "no file at all");
    expect((await sendForm(alice, none)).status).toBe(400);
    expect(filesOn(house())).toEqual(before);
  });

  test("what is no form is 415, or 400 when it cannot be read", async () => {
    const alice = await house().person("alice");
    const before = filesOn(house());
    const type = (text: string) => ({ "Content-Type": text });
    expect((await sendForm(alice, "{}", type("application/json"))).status).toBe(415);
    expect((await sendForm(alice, "a=b", type("application/x-www-form-urlencoded"))).status).toBe(415);
    expect((await send(house(), alice.token, "POST", "/upload")).status).toBe(415);
    for (const text of ["multipart/form-data", "multipart/form-data; x=y", "multipart/form-data; boundary="])
      expect([400, 415]).toContain((await sendForm(alice, "--x--", type(text))).status);
    for (const body of ["", "no boundary at all", "--x", "--x\r\n\r\n", "--x--", "--x\r\nno header"])
      expect((await sendForm(alice, body, type("multipart/form-data; boundary=x"))).status).toBe(400);
    expect(filesOn(house())).toEqual(before);
  });

  test("bots upload, too; without a session nobody does", async () => {
    const alice = await house().person("alice");
    const bot = await TestBot.make(alice);
    const answer = await fetch(`${house().url}/api/v1/upload`, {
      method: "POST",
      headers: { Authorization: `Bot ${bot.token}` },
      body: formOf("a.txt", "beep"),
    });
    expect(answer.status).toBe(201);
    const before = filesOn(house());
    const nobody = await fetch(`${house().url}/api/v1/upload`, {
      method: "POST",
      body: formOf("a.txt", "x"),
    });
    expect(nobody.status).toBe(401);
    expect(filesOn(house())).toEqual(before);
  });

  test("whoever has used up their quota is told so, and nothing is kept; others go on", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const earlier = { filename: `${alice.id}.png`, owner_id: alice.id, name: "many", ...noPicture };
    const row = { ...earlier, size: 2 ** 31 - 10, content_type: "image/png", created_at: 1 };
    await house().running.house.database.transaction((db) => insertUpload(db, alice.id, row));
    const before = filesOn(house());
    // Only after the upload is it known to be too large.
    expect((await tryUpload(alice, "eleven.txt", "01234567890")).status).toBe(413);
    expect(filesOn(house())).toEqual(before);
    await upload(alice, "ten.txt", "0123456789");
    const full = filesOn(house());
    const answer = await tryUpload(alice, "one more.txt", "!");
    expect([answer.status, (answer.body as unknown as { code: string }).code]).toEqual([413, "too_large"]);
    expect(filesOn(house())).toEqual(full);
    await upload(bob, "one.txt", "!");
  });

  test("after a restart everything uploaded is there, and nothing half-uploaded", async () => {
    const alice = await house().person("alice");
    const { url } = await upload(alice, "stays.txt", "still here");
    writeFileSync(join(house().running.house.config.dataDir, "uploads", "tmp", "left-by-a-crash"), "half of");
    await house().restart();
    expect(filesOn(house()).drafts).toEqual([]);
    expect(await (await fetchFile(alice, url)).text()).toBe("still here");
  });
});
