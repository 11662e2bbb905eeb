import {
  type Bill,
  bareNumber,
  isOfDays,
  type LineBill,
  measureOf,
  type StoredBill,
} from './bill-identity.ts'
import type { BilledTwice } from './billed-twice-before.ts'
import { correctedRecord } from './corrected-deliveries.ts'
import { deviceReader } from './meters.ts'
import type { ReadingPlan } from './read-line.ts'
import { twiceBilled } from './twice-billed.ts'

/**
 * Records that a line may list again under another number and meter: the bill of another company, or of another account of its meter, and
 * the delivery that it corrects. @param stored the bills that count
 */
export function listedAgain(
  stored: readonly StoredBill[],
  lines: readonly LineBill[],
  {
    plan,
    ofDays,
    wereTwice,
  }: {
    plan: Pick<ReadingPlan, 'proposal'>
    ofDays: (line: LineBill) => readonly StoredBill[]
    wereTwice: BilledTwice
  },
): (line: LineBill, one: StoredBill) => boolean {
  const twice = new Map<LineBill, Set<StoredBill>>()
  const bills = lines.filter(({ isCredit }) => !isCredit)
  const accounts = otherAccounts(plan)
  const { areDevices } = accounts
  for (const [one, line] of twiceBilled<StoredBill | LineBill>([...stored, ...bills], {
    areDevices,
    wereTwice,
  }))
    if (!('read' in one) && 'read' in line) twice.set(line, (twice.get(line) ?? new Set()).add(one))
  const held = new Set(stored)
  return (line, one) =>
    twice.get(line)?.has(one) === true ||
    accounts.isStored(line, one) ||
    correctedRecord(
      line,
      ofDays(line).filter((record) => held.has(record)),
    ) === one
}

/** Bills of one meter or service point for the same days on two accounts: a correction, or the bill of another company. */
export function otherAccounts(plan: Pick<ReadingPlan, 'proposal'>) {
  const read = deviceReader(plan)
  const named = (bill: LineBill) => {
    const { device, account } = read(bill.read)
    // Each account may have a meter "1".
    return IS_UNIQUE.test(bareNumber(device)) && account !== '' ? { bill, device, account } : null
  }
  const isPeriod = ({ first, last, isCredit }: Bill) => first !== last && !isCredit
  return {
    /** Pairs of lines, in the order of the file. */
    inFile: (lines: readonly LineBill[]): [LineBill, LineBill][] => {
      const ofDays = Map.groupBy(
        lines.filter(isPeriod).flatMap((line) => named(line) ?? []),
        ({ bill, device }) => [bill.sourceId, measureOf(bill), device, bill.first, bill.last].join('\u001F'),
      )
      return [...ofDays.values()].flatMap((own) =>
        own.flatMap(({ bill, account }, at): [LineBill, LineBill][] => {
          const later = own.slice(at + 1).findLast((other) => other.account !== account)
          return later === undefined ? [] : [[bill, later.bill]]
        }),
      )
    },
    /** Whether both have a meter, and not the same. */
    areDevices: (one: MaybeLine, other: MaybeLine): boolean => {
      const deviceOf = ({ read: line }: MaybeLine) => (line === undefined ? null : read(line).device)
      const [own, its] = [deviceOf(one), deviceOf(other)]
      if (own === '' || its === '') return false
      const names = (text: string, { meter }: Bill) => ` ${meter ?? ''} `.includes(` ${shown(text)} `)
      if (own !== null && its !== null) return own !== its
      if (own !== null) return !names(own, other)
      return its !== null && !names(its, one)
    },
    /** Whether a record is one of the meter of a line on another account. */
    isStored: (line: LineBill, one: StoredBill): boolean => {
      const own = named(line)
      if (own === null || !isPeriod(line) || one.meter === null || !isOfDays(line, one)) return false
      const names = (text: string) => ` ${one.meter} `.includes(` ${shown(text)} `)
      return measureOf(line) === measureOf(one) && names(own.device) && !names(own.account)
    },
  }
}
/** A record, or a line of a file. */
type MaybeLine = Bill & Partial<Pick<LineBill, 'read'>>

const shown = (text: string): string => text.replaceAll('\u001F', ' ').trim()
const IS_UNIQUE = /^(?=.*\d).{4,}$/
