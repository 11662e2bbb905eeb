import type { Caller, TestApp } from '#test/app.ts'
import type { TestOrganization } from '../test-organization.ts'
import { importWorld } from './import-world.ts'

/** The day of the files that have one. */
export const DAY = '2025-06-01'
/** A line for each hour of a day. */
export const hours = (line: (time: string, hour: number) => string): string[] =>
  Array.from({ length: 24 }, (_, hour) => line(`${String(hour).padStart(2, '0')}:00`, hour))
export const csv = (head: string, ...lines: readonly (string | readonly string[])[]): string =>
  [head, ...lines.flat()].join('\n')

/** What becomes of a file: the quantity of each stored record by its first day, and the questions that it asks. */
export const billImporter =
  (of: () => { forecourt: TestApp; ford: TestOrganization; admin: Caller }) =>
  async (text: string, answers: Record<string, string> = {}) => {
    const { forecourt, ford, admin } = of()
    const one = await importWorld(forecourt, ford, admin)
    const { first, last } = await one.bring(text, answers)
    const records = await one.records()
    return {
      one,
      asked: first.questions.filter(({ answer }) => answer === null).map(({ id }) => id),
      left: last.questions.filter(({ answer }) => answer === null).map(({ id }) => id),
      says: last.shown.flatMap(({ problems }) => problems.map(({ message }) => message)).join(' '),
      stored: records
        .map(({ periodStart, quantity }) => `${periodStart} ${quantity}`)
        .toSorted((a, b) => (a < b ? -1 : 1)),
      records,
    }
  }
