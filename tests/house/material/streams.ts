// A body that yields one byte at a time, as fast as it is read, and counts the reads in each turn of the event loop.

export function pieceByPiece(bytes: Uint8Array) {
  const byTurn = new Map<number, number>();
  let turn = 0;
  let next = setImmediate(function count() {
    turn++;
    next = setImmediate(count);
  });
  let at = 0;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        byTurn.set(turn, (byTurn.get(turn) ?? 0) + 1);
        if (at < bytes.length) return controller.enqueue(Uint8Array.from(bytes.subarray(at, ++at)));
        clearImmediate(next);
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, mostInOneTurn: () => Math.max(...byTurn.values()) };
}
