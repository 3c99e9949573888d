// Calls that are made again where the server could not take them at the moment.

/**
 * Calls until the answer is not 503: where many write the same row at once, a busy machine tells a call that has waited
 * ten seconds for it to come again.
 */
export async function insisted<Answer extends { status: number }>(
  call: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await call();
    if (answer.status !== 503) return answer;
  }
}
