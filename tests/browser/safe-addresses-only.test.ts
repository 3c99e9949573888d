// Features that browsers reserve for https and localhost: the built page checks for each before using it, with a
// fallback or nothing to do.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { builtPageFolder, hashedFolder } from "../../server/built-page.ts";

const folder = fileURLToPath(new URL(`../../${builtPageFolder}/`, import.meta.url));

/**
 * Names that are undefined or refused on a page without https: those of Chromium 156 at localhost and not at a home
 * network's name. A name with other meanings, too, counts behind `navigator` only.
 */
const kept = {
  anywhere: [
    ...["randomUUID", "subtle", "SubtleCrypto", "CryptoKey", "clipboard", "Clipboard", "ClipboardItem"],
    ...["serviceWorker", "ServiceWorker", "ServiceWorkerRegistration", "ServiceWorkerContainer", "caches"],
    ...["CacheStorage", "NavigationPreloadManager", "Notification", "PushManager", "pushManager"],
    ...["setAppBadge", "clearAppBadge", "mediaDevices", "MediaDevices", "MediaDeviceInfo", "getUserMedia"],
    ...["getDisplayMedia", "enumerateDevices", "webkitGetUserMedia", "ImageCapture", "CaptureController"],
    ...[
      "setSinkId",
      "sinkId",
      "AudioWorklet",
      "audioWorklet",
      "AudioDecoder",
      "AudioEncoder",
      "VideoDecoder",
    ],
    ...["VideoEncoder", "ImageDecoder", "MediaKeys", "setMediaKeys", "requestMediaKeySystemAccess"],
    ...["PublicKeyCredential", "PasswordCredential", "FederatedCredential", "IdentityCredential"],
    ...[
      "OTPCredential",
      "DigitalCredential",
      "CredentialsContainer",
      "AuthenticatorResponse",
      "PaymentRequest",
    ],
    ...["locks", "LockManager", "StorageManager", "storageBuckets", "StorageBucketManager", "cookieStore"],
    ...[
      "showOpenFilePicker",
      "showSaveFilePicker",
      "showDirectoryPicker",
      "FileSystemHandle",
      "getFileHandle",
    ],
    ...[
      "createWritable",
      "queryLocalFonts",
      "FontData",
      "EyeDropper",
      "wakeLock",
      "WakeLock",
      "IdleDetector",
    ],
    ...["virtualKeyboard", "VirtualKeyboard", "KeyboardLayoutMap", "getLayoutMap", "userAgentData"],
    ...[
      "deviceMemory",
      "getBattery",
      "devicePosture",
      "PressureObserver",
      "geolocation",
      "DeviceMotionEvent",
    ],
    ...["DeviceOrientationEvent", "ondevicemotion", "ondeviceorientation", "Accelerometer", "Gyroscope"],
    ...["onpointerrawupdate", "getCoalescedEvents", "documentPictureInPicture", "getScreenDetails"],
    ...["PresentationRequest", "requestMIDIAccess", "registerProtocolHandler", "getInstalledRelatedApps"],
    ...[
      "canShare",
      "fetchLater",
      "WebTransport",
      "GPUDevice",
      "requestAdapter",
      "XRSession",
      "SharedArrayBuffer",
    ],
    ...["crossOriginIsolated", "LanguageDetector", "Translator", "Summarizer", "LanguageModel"],
  ],
  ofNavigator: [
    ...[
      "credentials",
      "storage",
      "keyboard",
      "share",
      "gpu",
      "hid",
      "usb",
      "xr",
      "serial",
      "login",
      "managed",
    ],
    ...["presentation", "bluetooth", "contacts", "scheduling"],
  ],
};

/** Uses by the name of the script, with the reason why a page without https can do without. */
const allowed: readonly [script: string, words: readonly string[], because: string][] = [
  ["house", ["clipboard"], "copying has another way where there is none (copy-text.ts)"],
  ["menus", ["serviceWorker", "pushManager"], "signing out ends what is pushed, where there is a worker"],
  [
    "worker-watch",
    ["serviceWorker"],
    "registers and listens where there is a worker; workbox-window is loaded then alone",
  ],
  [
    "unread-marks",
    ["setAppBadge", "clearAppBadge"],
    "a mark on the icon of the installed page, where it can be",
  ],
  ["subscribing", ["Notification", "PushManager", "pushManager", "serviceWorker"], "behind obstacleNow()"],
  ["sound", ["locks"], "without them each tab makes its sound, a moment apart (sound.ts)"],
  ["ringing-watch", ["locks"], "without them the tab that is looked at rings (ringtone.ts)"],
  ["gate", ["PublicKeyCredential"], "behind whyNoPasskeys()"],
  ["esm", ["PublicKeyCredential", "navigator.credentials"], "the ceremonies, begun behind whyNoPasskeys()"],
  ["devices-here", ["mediaDevices", "getDisplayMedia"], "hasMicrophones() and canShareScreen() themselves"],
  ["trouble", ["mediaDevices", "enumerateDevices", "setSinkId"], "behind hasMicrophones()"],
  [
    "call",
    [
      ...["mediaDevices", "getUserMedia", "webkitGetUserMedia", "getDisplayMedia", "enumerateDevices"],
      ...["setSinkId", "sinkId", "documentPictureInPicture", "userAgentData", "randomUUID"],
    ],
    "the media library looks for devices first; its random ids are of data streams and encryption, which calls have none of",
  ],
  ["ariaHideOutside", ["userAgentData"], "React Aria reads the older userAgent where it is missing"],
  ["colours-worker", ["SharedArrayBuffer"], "a name that is coloured in code"],
  [
    "sw",
    ["caches", "pushManager", "setAppBadge"],
    "the worker itself, which there is at safe addresses only",
  ],
];

function wordsIn(script: string): string[] {
  const found = new Set<string>();
  const anywhere = new RegExp(`(?<![\\w$-])(${kept.anywhere.join("|")})(?![\\w$-])`, "g");
  for (const [word] of script.matchAll(anywhere)) found.add(word);
  const names = kept.ofNavigator.join("|");
  const behind = new RegExp(
    `navigator\\??\\.(${names})(?![\\w$-])|\\{[^{}]*\\b(${names})\\b[^{}]*\\}=[\\w.]*navigator`,
    "g",
  );
  for (const [, one, other] of script.matchAll(behind)) found.add(`navigator.${one ?? other}`);
  return [...found].sort();
}

/** The scripts by name, without the hash. */
function scripts(): Map<string, string> {
  const paths = ["", `${hashedFolder}/`].flatMap((below) =>
    readdirSync(folder + below)
      .filter((name) => name.endsWith(".js"))
      .map((name) => below + name),
  );
  const all = new Map<string, string>();
  for (const path of paths) {
    const name = path.replace(/^.*\//, "").replace(/(-[\w-]{8})?\.js$/, "");
    all.set(name, (all.get(name) ?? "") + readFileSync(folder + path, "utf8"));
  }
  return all;
}

test("what browsers keep for safe addresses is used where it is allowed by name, and nowhere else", () => {
  const found: Record<string, readonly string[]> = {};
  for (const [name, text] of scripts()) {
    const words = wordsIn(text);
    if (words.length > 0) found[name] = words;
  }
  expect(found).toEqual(Object.fromEntries(allowed.map(([name, words]) => [name, [...words].sort()])));
});

test("a use of them is found in each way of writing it", () => {
  for (const [script, words] of [
    ["const id=crypto.randomUUID()", ["randomUUID"]],
    ["let{serviceWorker:e}=navigator", ["serviceWorker"]],
    ["'clipboard'in navigator", ["clipboard"]],
    ["let{storage:e,onLine:t}=window.navigator", ["navigator.storage"]],
    ["await navigator?.storage.persist()", ["navigator.storage"]],
    ['fetch(a,{credentials:"same-origin"});let b=localStorage', []],
  ] as const)
    expect(wordsIn(script)).toEqual([...words]);
});
