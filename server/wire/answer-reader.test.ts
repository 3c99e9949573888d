// HTTP answers in pieces of any size: the reader returns the same for each.
import { expect, test } from "bun:test";
import { type Answer, BadAnswer } from "./answer.ts";
import { AnswerReader } from "./answer-reader.ts";

const bounds = { mostHead: 1000, mostBody: () => 100 };

/** Reads the text cut into pieces of this length; bytes after the end of the answer are left unread. */
function read(text: string, pieceLength: number, isEnded = false): Answer | undefined {
  const reader = new AnswerReader(bounds);
  const bytes = Buffer.from(text, "latin1");
  for (let at = 0; at < bytes.length; at += pieceLength) {
    const answer = reader.take(bytes.subarray(at, at + pieceLength));
    if (answer) return answer;
  }
  return isEnded ? reader.end() : undefined;
}

const head = "HTTP/1.1 200 OK\r\n";
const chunks = `${head}Transfer-Encoding: Chunked\r\n\r\n`;
const answers: Record<string, string> = {
  "by its length": `${head}Content-Length: 5\r\n\r\nhello and more`,
  "by a length said twice": `${head}Content-Length: 5\r\ncontent-length: 5\r\n\r\nhello`,
  "in chunks": `${chunks}3\r\nhel\r\n000000000002\r\nlo\r\n0\r\n\r\nand more`,
  "in chunks with extensions and trailers": `${chunks}3;a="b"\r\nhel\r\n2 \r\nlo\r\n0\r\nX: 1\r\nY: 2\r\n\r\n`,
  "in chunks that end their lines in another way": `${chunks}5\nhello\n0\n\n`,
  "after an interim answer": `HTTP/1.1 103 So\r\nLink: </a>\r\n\r\n${head}Content-Length: 5\r\n\r\nhello`,
  "of an older kind": "HTTP/1.0 200\nContent-Length:5  \n\nhello",
};

for (const [what, text] of Object.entries(answers)) {
  test(`a body ${what}, in pieces of any length`, () => {
    for (let pieceLength = 1; pieceLength <= text.length; pieceLength++) {
      const answer = read(text, pieceLength);
      expect([pieceLength, answer?.status, Buffer.from(answer?.body ?? []).toString()]).toEqual([
        ...[pieceLength, 200, "hello"],
      ]);
    }
  });
}

test("a body without a length ends with the connection; no other does", () => {
  expect(Buffer.from(read(`${head}\r\nhello`, 3, true)?.body ?? []).toString()).toBe("hello");
  for (const text of Object.values(answers)) {
    const cut = text.slice(0, text.indexOf("hel") + 2);
    expect(() => read(cut, 3, true)).toThrow(BadAnswer);
  }
});

test("204 and 304 have no body, and an answer is there with its head where none is wanted", () => {
  for (const status of [204, 304])
    expect(read(`HTTP/1.1 ${status} So\r\n\r\n`, 4)).toMatchObject({ status, body: { length: 0 } });
  const reader = new AnswerReader({ mostHead: 1000, mostBody: () => 0 });
  expect(reader.take(Buffer.from(`${head}Content-Length: 5\r\n\r\n`))?.status).toBe(200);
});

test("an answer to HEAD has no body, whatever its head says of one", () => {
  const reader = new AnswerReader({ ...bounds, isHead: true });
  const framed = `${head}Content-Length: 5000\r\nTransfer-Encoding: chunked\r\n\r\n`;
  expect(reader.take(Buffer.from(framed))?.body).toHaveLength(0);
  expect(reader.leavesOpen).toBe(true);
});

test("of interim answers come as many as are granted", () => {
  const interim = "HTTP/1.1 100 Continue\r\n\r\n";
  const answer = Buffer.from(`${interim}${interim}${head}Content-Length: 0\r\n\r\n`);
  expect(new AnswerReader({ ...bounds, mostInterim: 2 }).take(answer)?.status).toBe(200);
  expect(() => new AnswerReader(bounds).take(answer)).toThrow("too many interim answers");
});

test("of several headers with one name the first counts, whatever its case", () => {
  const answer = read(`${head}Location: /a\r\nLOCATION: /b\r\nX:\r\n\r\n`, 5, true);
  expect([answer?.headers.get("location"), answer?.headers.get("x")]).toEqual(["/a", ""]);
});

test("heads and bodies are bounded to the byte", () => {
  const padded = (count: number) => `${head}X: ${"x".repeat(count)}\r\n\r\n`;
  const fitting = bounds.mostHead - padded(0).length;
  expect(read(padded(fitting), 7, true)?.status).toBe(200);
  expect(() => read(padded(fitting + 1), 7, true)).toThrow("the head is too long");
  for (const framed of [
    (body: string) => `${head}\r\n${body}`,
    (body: string) => `${head}Content-Length: ${body.length}\r\n\r\n${body}`,
    (body: string) => `${chunks}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  ]) {
    expect(read(framed("x".repeat(100)), 7, framed("").endsWith("\r\n\r\n"))?.body.length).toBe(100);
    expect(() => read(framed("x".repeat(101)), 7)).toThrow("too large");
  }
});

test("of a body that is too long the beginning may be wanted alone", () => {
  for (const text of [`${head}\r\nhello`, `${head}Content-Length: 5\r\n\r\nhello`, `${chunks}5\r\nhello\r\n`])
    for (const first of [0, 1, 3, 4]) {
      const reader = new AnswerReader({ mostHead: 1000, mostBody: () => ({ first }) });
      expect(Buffer.from(reader.take(Buffer.from(text))?.body ?? "none").toString()).toBe(
        "hello".slice(0, first),
      );
      expect(reader.leavesOpen).toBe(false);
    }
});

test("a framing that is wrong is refused where nothing is read, too", () => {
  for (const framing of ["Content-Length: many", "Content-Length: 1\r\nTransfer-Encoding: chunked"]) {
    const reader = new AnswerReader({ mostHead: 1000, mostBody: () => 0 });
    expect(() => reader.take(Buffer.from(`${head}${framing}\r\n\r\n`))).toThrow(BadAnswer);
  }
});

test("another request may follow where the answer is read to its end, and the host does not close", () => {
  const leavesOpen = (text: string, isHead = false, most = 100) => {
    const reader = new AnswerReader({ mostHead: 1000, mostBody: () => most, isHead });
    expect(reader.take(Buffer.from(text))).toBeDefined();
    return reader.leavesOpen;
  };
  const withLength = `${head}Content-Length: 5\r\n\r\n`;
  for (const text of [
    `${withLength}hello`,
    `${chunks}5\r\nhello\r\n0\r\n\r\n`,
    `${head}Content-Length: 0\r\n\r\n`,
    "HTTP/1.1 204 So\r\n\r\n",
  ]) {
    expect([text, leavesOpen(text)]).toEqual([text, true]);
    expect([text, leavesOpen(`${text}H`)]).toEqual([text, false]);
    const closing = text.replace("\r\n", "\r\nConnection: x, Close\r\n");
    expect([closing, leavesOpen(closing)]).toEqual([closing, false]);
    const older = text.replace("1.1", "1.0");
    expect([older, leavesOpen(older)]).toEqual([older, false]);
  }
  expect(leavesOpen(withLength, true)).toBe(true);
  // The body is still to come.
  expect(leavesOpen(withLength, false, 0)).toBe(false);
});
