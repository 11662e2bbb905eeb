import { newId } from './new-id.ts'
import { isRecord, parseRecord, readText } from './read-json.ts'

/** How long a call without an answer keeps its key, in milliseconds. Later, the same input is meant as another call. */
const KEY_MS = 15 * 60_000
const STORED = 'unanswered-calls'

type Open = Readonly<Record<string, { value: string; at: number }>>

/** The keys of calls without an answer, by the hash of the call, where the browser keeps nothing. Otherwise tabs share them. */
let unstored: Open = {}

/**
 * The key under which a write is sent: the same one again if its answer was lost and it is sent again unchanged, also after a
 * reload, so that it is done once. `end`: it was answered.
 */
export function callKey(call: string): { value: string; end: () => void } {
  const hash = hashOf(call)
  const now = Date.now()
  const fresh = Object.fromEntries(Object.entries(readOpen()).filter(([, { at }]) => now - at <= KEY_MS))
  const value = fresh[hash]?.value ?? newId()
  keep({ ...fresh, [hash]: { value, at: now } })
  return {
    value,
    end: () => keep(Object.fromEntries(Object.entries(readOpen()).filter(([other]) => other !== hash))),
  }
}

function keep(next: Open): void {
  try {
    localStorage.setItem(STORED, JSON.stringify(next))
  } catch {
    // As in some private windows: then the keys last as long as the page.
    unstored = next
  }
}

function readOpen(): Open {
  try {
    const stored = parseRecord(localStorage.getItem(STORED) ?? '') ?? {}
    const read = Object.fromEntries(
      Object.entries(stored).flatMap(([hash, one]) =>
        isRecord(one) && typeof one['at'] === 'number'
          ? [[hash, { value: readText(one, 'value'), at: one['at'] }]]
          : [],
      ),
    )
    return { ...unstored, ...read }
  } catch {
    return unstored
  }
}

/** Tells calls apart; what was typed can't be read from it. */
function hashOf(text: string): string {
  let [one, other] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 2_654_435_761)
    other = Math.imul(other ^ code, 1_597_334_677)
  }
  return `${(one >>> 0).toString(36)}-${(other >>> 0).toString(36)}-${text.length}`
}
