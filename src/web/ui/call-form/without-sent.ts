/**
 * What is left in a field that stays open after its text was sent: what was typed meanwhile. If the sent text itself was changed,
 * what is new can't be told from it, so all of it stays.
 */
export function withoutSent(now: string, sent: string): string {
  if (now === sent) return ''
  let start = 0
  while (start < sent.length && now[start] === sent[start]) start += 1
  const end = sent.length - start
  return now.length > sent.length && now.endsWith(sent.slice(start))
    ? now.slice(start, now.length - end)
    : now
}
