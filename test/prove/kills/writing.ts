import { setTimeout as wait } from 'node:timers/promises'
import { lots } from '#contract/customers/lots/lots.ts'
import { call, tryCall, type Session } from '../calling.ts'

/** Lots that were saved while something broke: those whose save was answered, and those nobody knows of. */
export type Written = { answered: Set<string>; unknown: Set<string>; statuses: Map<number, number> }

export const nothingWritten = (): Written => ({
  answered: new Set(),
  unknown: new Set(),
  statuses: new Map(),
})

/** Saves one lot after the other under codes of its own until `isOver`, and notes what was answered. */
export async function writeUntilOver(
  session: Session,
  { prefix, written, isOver }: { prefix: string; written: Written; isOver: () => boolean },
): Promise<void> {
  for (let n = 0; !isOver(); n += 1) {
    const code = `${prefix}${n}`
    const answer = await tryCall(session, lots.add, { code, name: `Written meanwhile ${code}` })
    const status = answer?.status ?? 0
    written.statuses.set(status, (written.statuses.get(status) ?? 0) + 1)
    if (status === 200) written.answered.add(code)
    else written.unknown.add(code)
    // Refused at once by what is broken: not more often than somebody at a screen would try.
    if (status !== 200) await wait(20)
  }
}

/** Tries again what nobody knows of, as a careful caller would: saved now, or told that it is there. */
export async function tryAgain(session: Session, { answered, unknown }: Written): Promise<number[]> {
  const statuses: number[] = []
  for (const code of unknown) {
    const answer = await tryCall(session, lots.add, { code, name: `Written meanwhile ${code}` })
    statuses.push(answer?.status ?? 0)
    answered.add(code)
  }
  unknown.clear()
  return statuses
}

/** The codes of all lots, as the product lists them. */
export async function listCodes(session: Session): Promise<string[]> {
  const codes: string[] = []
  for (let page = 1; ; page += 1) {
    const { results } = await call(session, lots.list, { sort: 'code', pageSize: '200', page: String(page) })
    if (results === null || results.length === 0) return codes
    codes.push(...results.map((lot) => lot.code))
  }
}

/** What was answered and is not there, and how many are there more than once. */
export async function findLost(
  session: Session,
  { answered }: Written,
): Promise<{ lost: string[]; twice: number }> {
  const there = await listCodes(session)
  const once = new Set(there)
  return {
    lost: [...answered].filter((code) => !once.has(code)),
    twice: there.length - once.size,
  }
}
