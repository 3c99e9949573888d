// Addresses in texts.
import { expect, test } from "bun:test";
import { linkTarget, ownPath, pictureIn } from "./address.ts";

test("a message that is nothing but the address of a picture is one", () => {
  for (const address of [
    "https://a.example/cat.gif",
    " https://a.example/cat.WEBP\n",
    "https://a.example/a/b.avif",
  ])
    expect(pictureIn(address)).toBeDefined();
  const others = [
    "http://a.example/cat.gif",
    "see https://a.example/cat.gif",
    "https://a.example/cat.gif?x",
    "https://a.example/cat.svg",
  ];
  for (const address of others) expect(pictureIn(address)).toBeUndefined();
});

test("a link to one of our own channels stays in the page", () => {
  expect(ownPath("https://hearth.example/servers/1/channels/2", "https://hearth.example")).toBe(
    "/servers/1/channels/2",
  );
  expect(ownPath("https://hearth.example/files/x", "https://hearth.example")).toBeUndefined();
  expect(ownPath("https://other.example/servers/1", "https://hearth.example")).toBeUndefined();
});

test("what hides its scheme is no link", () => {
  for (const address of ["java\nscript:alert(1)", " javascript:x", "https:", "http://", "mailto:"])
    expect(linkTarget(address)).toBeUndefined();
});
