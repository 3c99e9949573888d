// Retries calls that the server answers with 503.

/**
 * Calls until the answer is not 503: where many write the same row at once, a busy server refuses a call that has
 * waited ten seconds, and asks for a retry.
 */
export async function insisted<Answer extends { status: number }>(
  call: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await call();
    if (answer.status !== 503) return answer;
  }
}
