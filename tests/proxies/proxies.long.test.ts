// The samples of docs/proxies.md, loaded into the real programs: everything that people do works through the proxies.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:http2";
import { limits } from "../../protocol/limits.ts";
import { hearth } from "../cli/hearth.ts";
import { type TemporaryFolder, temporaryFolder } from "../house/machine/folder.ts";
import { freePort } from "../house/machine/port.ts";
import { type Ended, type ServerProcess, startServer } from "../house/machine/process.ts";
import { Ear } from "../house/people/ear.ts";
import { TestPerson } from "../house/people/people.ts";
import { formOf } from "../house/scenes/files.ts";
import { isInstalled, type Program, programs, type RunningProxy, sampleOf, startProxy } from "./programs.ts";

const hasOpenssl = Bun.which("openssl") !== null;
const isMissing = (program: Program) => !hasOpenssl || !isInstalled(program);

/** A Hearth behind a proxy, and its doctor with the same settings. */
async function openBehind(program: Program, sample: string, dataDir: string) {
  const [port, hearthPort] = [await freePort(), await freePort()];
  const settings = {
    DATA_DIR: dataDir,
    PORT: String(hearthPort),
    PUBLIC_URL: `https://localhost:${port}`,
    TRUSTED_PROXIES: "127.0.0.1",
    RATE_LIMITS: "on",
  };
  const server = await startServer({ settings });
  const proxy = await startProxy(program, sample, port, hearthPort);
  const doctor = () => hearth("doctor", { ...settings, NODE_EXTRA_CA_CERTS: proxy.certificateFile });
  return { server, proxy, doctor };
}

for (const program of programs) {
  describe.skipIf(isMissing(program))(`${program.name}, as docs/proxies.md has it`, () => {
    let folder: TemporaryFolder;
    let server: ServerProcess;
    let proxy: RunningProxy;
    let doctor: () => Promise<Ended>;
    let alice: TestPerson;

    beforeAll(async () => {
      folder = temporaryFolder();
      ({ server, proxy, doctor } = await openBehind(program, sampleOf(program.name), folder.path));
      alice = await TestPerson.register(server, "alice");
    });
    afterAll(async () => {
      await proxy?.stop();
      await server?.stop();
      folder?.remove();
    });

    const call = (path: string, options: RequestInit = {}, headers: Record<string, string> = {}) =>
      fetch(proxy.url + path, {
        ...options,
        headers: { ...headers },
        tls: { ca: proxy.certificate },
      });
    const asAlice = () => ({ Authorization: `Bearer ${alice.token}` });

    test("the doctor finds nothing wrong with it", async () => {
      const { stdout } = await doctor();
      expect(stdout).toMatch(/^ok +public address +A Hearth answers/m);
      for (const each of ["sockets", "uploads", "addresses"])
        expect(stdout).toMatch(new RegExp(`^ok +${each} `, "m"));
    });

    test("signing in gives a cookie for https only", async () => {
      const body = JSON.stringify({ email: alice.email, password: alice.password });
      const json = { "Content-Type": "application/json", Origin: proxy.url };
      const answer = await call("/api/v1/auth/login/password", { method: "POST", body }, json);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("set-cookie")).toMatch(/^app_session=.*; Secure/);
    });

    test("it speaks HTTP/2", async () => {
      const client = connect(proxy.url, { ca: proxy.certificate });
      const request = client.request({ ":path": "/healthz" });
      const status = await new Promise((done, failed) => {
        request.on("response", (headers) => done(headers[":status"]));
        for (const each of [client, request]) each.on("error", failed);
      });
      client.close();
      expect(status).toBe(200);
    });

    test("whoever writes an address of their own is counted by their true one all the same", async () => {
      const statuses: number[] = [];
      // Up to three rounds, since so many connections at once may take long: one address may call ten times.
      for (let round = 0; round < 3 && !statuses.includes(429); round++) {
        const answers = Array.from({ length: 30 }, (_, i) => {
          const forged = { "X-Forwarded-For": `203.0.113.${i}`, Forwarded: `for=203.0.113.${i}` };
          return call("/api/v1/auth/login/password", { method: "POST" }, forged);
        });
        statuses.push(...(await Promise.all(answers)).map(({ status }) => status));
      }
      expect(statuses).toContain(429);
    });

    test("a socket opens, hears what is said, and stays", async () => {
      const home = await alice.makeServer();
      const socket = new WebSocket(`${proxy.url.replace("https", "wss")}/ws`, {
        headers: { Origin: proxy.url },
        tls: { ca: proxy.certificate },
      } as never);
      const ear = new Ear(socket);
      await new Promise((opened) => {
        socket.onopen = opened;
      });
      ear.say("AUTH", { token: alice.token });
      await ear.next("READY");
      await alice.say(home.general.id, "hello through the proxy");
      expect(String((await ear.next("MESSAGE_CREATE")).data.content)).toBe("hello through the proxy");
      await ear.settle();
      ear.close();
    });

    test("a file of 25 MiB comes through and back; one byte more is refused by Hearth itself", async () => {
      const largest = new Uint8Array(limits.upload_bytes_max).fill(0x61);
      const upload = (bytes: Uint8Array) =>
        call("/api/v1/upload", { method: "POST", body: formOf("long.txt", bytes) }, asAlice());
      const taken = await upload(largest);
      expect(taken.status).toBe(201);
      const { url } = (await taken.json()) as { url: string };
      const back = new Uint8Array(await (await call(url, {}, asAlice())).arrayBuffer());
      expect(Buffer.compare(back, largest)).toBe(0);
      const refused = await upload(new Uint8Array(limits.upload_bytes_max + 1).fill(0x61));
      expect(refused.status).toBe(413);
      expect(await refused.json()).toMatchObject({ code: "too_large" });
    });

    test("figures stay inside", async () => {
      for (const path of ["/metrics", "/metrics?a", "//metrics", "/%6detrics", "/./metrics"]) {
        const answer = await call(path);
        expect([403, 404]).toContain(answer.status);
        expect(await answer.text()).not.toContain("hearth_");
      }
    });
  });
}

const nginx = programs.find(({ name }) => name === "nginx");

test.skipIf(!nginx || isMissing(nginx))(
  "nginx with proxy_pass alone: the doctor says what does not come through",
  async () => {
    if (!nginx) return;
    const folder = temporaryFolder();
    const bare = sampleOf("nginx").replace(
      /^ *(client_max_body_size|proxy_set_header|proxy_http_version) .*\n/gm,
      "",
    );
    const { server, proxy, doctor } = await openBehind(nginx, bare, folder.path);
    const { exitCode, stdout } = await doctor();
    await proxy.stop();
    await server.stop();
    folder.remove();
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^wrong +sockets +None can be opened at .* \(status 400\): let the proxy pass upgrades/m,
    );
    expect(stdout).toMatch(/^wrong +uploads +Files of 25 MiB do not come through .* \(status 413\)/m);
    expect(stdout).toMatch(/^wrong +addresses +All callers through .* are 127\.0\.0\.1 .*TRUSTED_PROXIES/m);
  },
);
