import { setTimeout as wait } from 'node:timers/promises'
import { lots } from '#contract/customers/lots/lots.ts'
import { call, tryCall, type Session } from '../calling.ts'

/** Lots saved during a fault: those confirmed, and those whose outcome is unknown. */
export type WriteLog = { answered: Set<string>; unknown: Set<string>; statuses: Map<number, number> }

export const nothingWritten = (): WriteLog => ({
  answered: new Set(),
  unknown: new Set(),
  statuses: new Map(),
})

type Writing = {
  /** Of the codes. */
  prefix: string
  /** Of the lots, before their code. */
  name?: string
  written: WriteLog
  isOver: () => boolean
}

/** Saves lots with unique codes, one after another, until `isOver`, and records the responses. */
export async function writeUntilOver(
  session: Session,
  { prefix, name = 'Written during fault', written, isOver }: Writing,
): Promise<void> {
  for (let n = 0; !isOver(); n += 1) {
    const code = `${prefix}${n}`
    const answer = await tryCall(session, lots.add, { code, name: `${name} ${code}` })
    const status = answer?.status ?? 0
    written.statuses.set(status, (written.statuses.get(status) ?? 0) + 1)
    if (status === 200) written.answered.add(code)
    else written.unknown.add(code)
    // If it fails at once, don't retry faster than a user would.
    if (status !== 200) await wait(20)
  }
}

/** Retries the saves with an unknown outcome, like a careful client: saved now, or rejected as existing. */
export async function tryAgain(session: Session, { answered, unknown }: WriteLog): Promise<number[]> {
  const statuses: number[] = []
  for (const code of unknown) {
    const answer = await tryCall(session, lots.add, { code, name: `Written during fault ${code}` })
    statuses.push(answer?.status ?? 0)
    answered.add(code)
  }
  unknown.clear()
  return statuses
}

/** The codes of all lots in the product's list. */
export async function listCodes(session: Session): Promise<string[]> {
  const codes: string[] = []
  for (let page = 1; ; page += 1) {
    const { results } = await call(session, lots.list, { sort: 'code', pageSize: '200', page: String(page) })
    if (results === null || results.length === 0) return codes
    codes.push(...results.map((lot) => lot.code))
  }
}

/** The confirmed lots that are missing, and the number of duplicates. */
export async function findLost(
  session: Session,
  { answered }: WriteLog,
): Promise<{ lost: string[]; twice: number }> {
  const codes = await listCodes(session)
  const unique = new Set(codes)
  return {
    lost: [...answered].filter((code) => !unique.has(code)),
    twice: codes.length - unique.size,
  }
}
