// The proxies of docs/proxies.md as real programs: each with its sample from there, on our own port and certificate.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../house/machine/folder.ts";
import { until } from "../house/machine/waiting.ts";

export interface RunningProxy {
  /** The address that people type. */
  url: string;
  /** The certificate of the proxy, which only the test trusts. */
  certificate: string;
  /** The path of the certificate. */
  certificateFile: string;
  stop(): Promise<void>;
}

export interface Program {
  name: string;
  /** The path at which Debian installs the program. */
  path: string;
  /** Writes the files that the program needs into the folder, and returns its arguments. */
  prepare(sample: string, folder: string): string[];
}

const isRoot = process.getuid?.() === 0;

export const programs: Program[] = [
  {
    name: "caddy",
    path: "/usr/bin/caddy",
    prepare(sample, folder) {
      const named = sample.replace(
        /^(localhost:\d+) \{$/m,
        `$1 {\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem`,
      );
      const file = written(
        folder,
        "Caddyfile",
        `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${named}`,
      );
      return ["run", "--adapter", "caddyfile", "--config", file];
    },
  },
  {
    name: "nginx",
    path: "/usr/sbin/nginx",
    prepare(sample, folder) {
      const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
        (each) => `${each}_temp_path ${folder}/${each};`,
      );
      const around = `daemon off; pid ${folder}/pid; error_log ${folder}/log;${isRoot ? " user root;" : ""} events {}`;
      const http = `http { access_log off; ${places.join(" ")}\n${sample}}\n`;
      return ["-p", folder, "-e", `${folder}/log`, "-c", written(folder, "nginx.conf", `${around}\n${http}`)];
    },
  },
  {
    name: "apache",
    path: "/usr/sbin/apache2",
    prepare(sample, folder) {
      const modules = [
        ["mpm_event", "authz_core", "ssl", "socache_shmcb", "http2", "headers"],
        ["proxy", "proxy_http", "proxy_wstunnel"],
      ].flat();
      const port = /<VirtualHost \*:(\d+)>/.exec(sample)?.[1];
      const lines = [
        `ServerRoot ${folder}`,
        `DefaultRuntimeDir ${folder}`,
        `DocumentRoot ${folder}`,
        `PidFile ${folder}/pid`,
        `ErrorLog ${folder}/log`,
        `ServerName localhost`,
        `Listen 127.0.0.1:${port}`,
        ...(isRoot ? ["User www-data", "Group www-data"] : []),
        ...modules.map((each) => `LoadModule ${each}_module /usr/lib/apache2/modules/mod_${each}.so`),
      ];
      if (isRoot) chmodSync(folder, 0o755);
      return ["-DFOREGROUND", "-f", written(folder, "apache.conf", `${lines.join("\n")}\n${sample}`)];
    },
  },
  {
    name: "haproxy",
    path: "/usr/sbin/haproxy",
    prepare: (sample, folder) => ["-db", "-f", written(folder, "haproxy.cfg", sample)],
  },
];

export function isInstalled({ path }: Program): boolean {
  return existsSync(path);
}

/** Starts the program with this sample, as a proxy of the Hearth at `hearthPort` of the loopback address. */
export async function startProxy(
  program: Program,
  given: string,
  port: number,
  hearthPort: number,
): Promise<RunningProxy> {
  const folder = temporaryFolder();
  makeCertificate(folder.path);
  const sample = given
    .replaceAll("127.0.0.1:8080", `127.0.0.1:${hearthPort}`)
    .replaceAll("/etc/ssl/chat", folder.path)
    .replace(/^chat\.example\.org \{$/m, `localhost:${port} {`)
    .replaceAll("chat.example.org", "localhost")
    .replace("listen 443", `listen 127.0.0.1:${port}`)
    .replace("bind :443", `bind 127.0.0.1:${port}`)
    .replace("*:443", `*:${port}`);
  const args = program.prepare(sample, folder.path);
  const { PATH = "" } = Bun.env;
  const child = spawn(program.path, args, {
    env: { PATH, HOME: folder.path },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const reap = () => child.kill("SIGKILL");
  process.on("exit", reap);
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  const certificateFile = join(folder.path, "fullchain.pem");
  const certificate = readFileSync(certificateFile, "utf8");
  const proxy: RunningProxy = {
    url: `https://localhost:${port}`,
    certificate,
    certificateFile,
    async stop() {
      await ended(child);
      process.off("exit", reap);
      folder.remove();
    },
  };
  const answers = () =>
    fetch(`${proxy.url}/healthz`, { tls: { ca: certificate } }).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(answers, `${program.name} does not answer`).catch(async (error) => {
    const log = join(folder.path, "log");
    said += existsSync(log) ? readFileSync(log, "utf8") : "";
    await proxy.stop();
    throw new Error(`${error.message}: ${said}`);
  });
  return proxy;
}

export function sampleOf(name: string): string {
  const document = readFileSync(new URL("../../docs/proxies.md", import.meta.url), "utf8");
  const sample = new RegExp(`^\`\`\`${name}\n([\\s\\S]*?)^\`\`\`$`, "m").exec(document)?.[1];
  if (!sample) throw new Error(`docs/proxies.md has no sample for ${name}`);
  return sample;
}

function makeCertificate(folder: string): void {
  const [certificate, key] = [join(folder, "fullchain.pem"), join(folder, "privkey.pem")];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const kind = [
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:prime256v1",
    "-nodes",
    "-days",
    "2",
  ];
  execFileSync("openssl", [...kind, "-keyout", key, "-out", certificate, ...names], { stdio: "ignore" });
  written(folder, "chat.pem", readFileSync(certificate, "utf8") + readFileSync(key, "utf8"));
}

function written(folder: string, name: string, text: string): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = new Promise((done) => child.once("exit", done));
  child.kill("SIGTERM");
  await over;
}
