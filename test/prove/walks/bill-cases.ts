import { expect } from 'vitest'
import type { Caller, TestApp } from '#test/app.ts'
import { csv } from '#test/factories/carbon/imported-bill.ts'
import { importWorld } from '#test/factories/carbon/import-world.ts'
import type { TestOrganization } from '#test/factories/test-organization.ts'

type Source = 'cars' | 'gas' | 'power'
export type Sent = Readonly<{
  lines: readonly string[]
  head?: string
  source?: Source
  answers?: Readonly<Record<string, string>>
  /** The open questions. */
  asks: readonly string[]
}>
export type Case = Readonly<{ what: string; source?: Source; files: readonly Sent[]; total: number }>
export const HEAD = 'Meter,Bill number,From,To,kWh'
export const METERED = 'Account,Meter,Bill number,From,To,kWh'
export const JAN = '2025-01-01,2025-01-31'
export const FEB = '2025-02-01,2025-02-28'
export const B1 = `M1,B1,${JAN},1037`
export const B2 = `M1,B2,${FEB},1074`
export const C1 = `M1,C1,${JAN},-1037`
export const SUBTRACTED = { credits: 'subtract' }
export const NOT_COUNTED = { ...SUBTRACTED, lateCredit: 'leave' }
export const OF_LEFT = { ...SUBTRACTED, leftCredit: 'leave' }
/** A file whose credit is for a bill that no longer counts. */
export const credited = (credit: string, answers: Record<string, string>, asked: string): Sent => ({
  lines: [credit, B2],
  asks: ['credits', asked],
  answers,
})

/** Imports the files of a case, one after the other, and compares the questions. @returns the sum of the records */
export async function importFiles(
  { forecourt, ford, admin }: { forecourt: TestApp; ford: TestOrganization; admin: Caller },
  { source, files }: Case,
): Promise<number> {
  const one = await importWorld(forecourt, ford, admin)
  const power = await one.addSource({
    activity: 'electricity/grid',
    scope: '2',
    unit: 'kWh',
    facilityId: await one.addFacility({ gridRegion: 'CAMX' }),
  })
  for (const { head = HEAD, lines, answers = {}, asks, source: own = source } of files) {
    const sourceId = own === 'gas' ? power : one[own ?? 'power']
    const file = csv(head, ...lines)
    const { first, last } = await one.bring(file, answers, { sourceId })
    const left = last.questions
      .filter(({ answer }) => answer === null)
      .map(({ id, text }) => `${id}: ${text}`)
    expect({ open: last.open, left }).toEqual({ open: 0, left: [] })
    const open = first.questions.filter(({ answer }) => answer === null)
    // Some are asked when others are answered. That of the days of deliveries isn't meant here.
    const asked = [...open, ...last.questions.filter(({ id }) => id in answers)].map(({ id }) => id)
    expect([...new Set(asked)].filter((id) => id !== 'date').toSorted()).toEqual([...asks].toSorted())
  }
  const sum = (await one.records()).reduce((all, { quantity }) => all + Number(quantity), 0)
  return Math.round(sum * 1_000) / 1_000
}
